"""The care of a running studio, put together from its configuration."""

from __future__ import annotations

from pathlib import Path

from dealer_ui.care.caretaker import Caretaker, checkpoint_duty
from dealer_ui.care.checkpoint_desk import KINDS, CheckpointDesk, owed_of
from dealer_ui.care.retention_desk import PictureFolder, keep_of, retention_duty
from dealer_ui.care.snapshot_shelf import SnapshotShelf, snapshot_duty
from dealer_ui.care.witness import witnesses
from dealer_ui.floor.floor import Floor
from studio.care.signing import Signer
from studio.journal import Reader


def caretaker_of(floor: Floor, signer: Signer, shelf: SnapshotShelf, reader: Reader) -> Caretaker:
    """Its duties, with what the journal holds of them; `floor.checkpoints` is set."""
    config = floor.config
    desk = CheckpointDesk(
        floor.commit, floor.reader, floor.now_ms, signer=signer,
        witnesses=witnesses(config.care.witness_file, config.care.witness_url), studio=config.studio.title,
    )  # fmt: skip
    desk.restore(reader.events(kinds=KINDS))
    floor.checkpoints = desk
    floor.shifts.on_shift_closed.append(desk.on_shift_closed)
    every_ms = config.care.checkpoint_every_min * 60_000
    pictures = PictureFolder(Path(config.studio.evidence))
    duties = {
        "checkpoints": checkpoint_duty(desk, every_ms),
        "retention": retention_duty(floor.reader, pictures, keep_of(config), floor.commit, floor.now_ms),
        "snapshots": snapshot_duty(shelf, floor.reader, [config.table_config(table) for table in config.tables]),
    }
    return Caretaker(duties, lambda: owed_of(desk.standings))
