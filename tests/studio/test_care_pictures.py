"""Pictures that lie as they were kept, expired by a row, were deleted by somebody, or are others."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from click.testing import CliRunner

from studio.care.event import PicturesExpired, entry_of
from studio.cli.verify import command
from studio.journal import Entry, Store, Unit, Writer

DIGESTS = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("card", "hand", "old")}


def path_of(folder: Path, name: str) -> Path:
    return folder / "evidence" / DIGESTS[name][:2] / f"{DIGESTS[name]}.img"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Two rows name three pictures; the old one expired, and is gone."""
    gone = PicturesExpired(rule="round", days=10, at_ms=3, digests=(DIGESTS["old"],))
    bodies = (
        f'{{"notes": {{"evidence": "{DIGESTS["card"]}", "digest": "{"ab" * 32}"}}}}',
        f'{{"notes": {{"evidence": ["{DIGESTS["hand"]}", "{DIGESTS["old"]}"]}}}}',
    )
    told = [Entry("Noted", at_ms, body.encode()) for at_ms, body in enumerate(bodies, 1)]
    with Store.open(tmp_path / "studio.db") as store:
        Writer(store).commit(Unit(entries=(*told, entry_of(gone))))
    for name in ("card", "hand"):
        path_of(tmp_path, name).parent.mkdir(parents=True)
        path_of(tmp_path, name).write_bytes(name.encode())
    return tmp_path / "studio.db"


def said(db: Path, folder: str = "evidence") -> tuple[int, str]:
    result = CliRunner().invoke(command, [str(db), "--evidence", str(db.parent / folder)])
    return result.exit_code, result.output


def test_every_picture_is_there_or_expired(db: Path) -> None:
    code, output = said(db)
    assert (code, "2 there, 1 expired" in output) == (0, True)


def test_a_picture_somebody_deleted_is_found(db: Path) -> None:
    path_of(db.parent, "hand").unlink()
    code, output = said(db)
    assert (code, "A picture that row 2 names is gone" in output) == (1, True)


def test_a_picture_that_was_exchanged_is_found(db: Path) -> None:
    path_of(db.parent, "card").write_bytes(b"another")
    path_of(db.parent, "hand").unlink()
    code, output = said(db)
    assert code == 1
    assert "A picture that row 1 names is not the picture that was kept. Of 2 in all this is the first." in output


def test_a_folder_that_is_not_there_is_told(db: Path) -> None:
    code, output = said(db, "evidenec")
    assert (code, "no folder of pictures" in output) == (1, True)
