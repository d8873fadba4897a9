"""Pictures that lie as they were kept, expired by a row, were deleted by somebody, or are others."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from studio.care import backup, pictures
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


def test_a_picture_that_expires_while_it_is_looked_for_is_no_picture_lost(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a studio at work does it once a day: first the row, then the picture."""

    def sha256_of(path: Path) -> str:
        if path == path_of(db.parent, "hand") and path.exists():
            gone = PicturesExpired(rule="round", days=10, at_ms=4, digests=(DIGESTS["hand"],))
            with Store.open(db) as store:
                Writer(store).commit(Unit(entries=(entry_of(gone),)))
            path.unlink()
        return hashlib.sha256(path.read_bytes()).hexdigest()

    monkeypatch.setattr(pictures, "sha256_of", sha256_of)
    code, output = said(db)
    assert (code, "1 there, 2 expired" in output) == (0, True), output


def test_a_backup_goes_on_where_a_picture_expires_meanwhile(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = shutil.copyfile

    def copyfile(source: Path, target: Path) -> object:
        if source == path_of(db.parent, "card"):
            source.unlink()
        return copied(source, target)

    monkeypatch.setattr(backup.shutil, "copyfile", copyfile)
    made = backup.back_up(db, db.parent / "disk", None, db.parent / "evidence", 1_700_000_000_000)
    assert made.pictures == 1
    assert [path.stem for path in (db.parent / "disk" / "pictures").glob("??/*")] == [DIGESTS["hand"]]


def test_what_is_sealed_is_copied_before_what_opens_it(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Second factors are sealed under the pepper, which may be exchanged while both are copied."""
    copied, order = shutil.copyfile, []

    def copyfile(source: Path, target: Path) -> object:
        order.append(source.suffix)
        return copied(source, target)

    for end in ("pepper", "factors"):
        db.with_name(f"{db.name}.{end}").write_bytes(bytes(32))
    monkeypatch.setattr(backup.shutil, "copyfile", copyfile)
    backup.back_up(db, db.parent / "disk", db.parent / "safe", None, 1_700_000_000_000)
    assert order.index(".factors") < order.index(".pepper")
