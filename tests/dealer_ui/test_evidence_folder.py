"""The folder of kept pictures, also where the disk takes none."""

from __future__ import annotations

import hashlib
from pathlib import Path

from structlog.testing import capture_logs

from dealer_ui.process.evidence import EvidenceFolder

PICTURE = b"a picture"
DIGEST = hashlib.sha256(PICTURE).hexdigest()


def test_a_picture_is_kept_once_under_its_digest(tmp_path: Path) -> None:
    folder = EvidenceFolder(tmp_path)
    assert folder.keep(PICTURE) == folder.keep(PICTURE) == DIGEST
    assert folder.read(DIGEST) == PICTURE
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == [f"{DIGEST}.img"]


def test_a_disk_that_takes_no_picture_stops_no_camera_and_is_told_once(tmp_path: Path) -> None:
    folder, in_the_way = EvidenceFolder(tmp_path), tmp_path / DIGEST[:2]
    in_the_way.write_text("no folder can be made here")
    with capture_logs() as told:
        assert [folder.keep(PICTURE) for _ in range(3)] == ["", "", ""]
    assert [one["event"] for one in told] == ["pictures cannot be kept; cards are told without them"]
    assert [path.name for path in tmp_path.rglob("*")] == [in_the_way.name]
    in_the_way.unlink()
    assert folder.keep(PICTURE) == DIGEST
