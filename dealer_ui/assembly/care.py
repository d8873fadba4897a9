"""What is looked after in a running studio, put together from its configuration, and chips left at tables it lacks."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import structlog

from dealer_ui.care.caretaker import Caretaker, checkpoint_duty
from dealer_ui.care.checkpoint_desk import KINDS, CheckpointDesk, owed_of
from dealer_ui.care.program_desk import ProgramDesk
from dealer_ui.care.retention_desk import PictureFolder, keep_of, retention_duty
from dealer_ui.care.snapshot_shelf import SnapshotShelf, snapshot_duty
from dealer_ui.care.witness import witnesses
from dealer_ui.floor.floor import Floor
from studio.care.program import KINDS as PROGRAM_KINDS
from studio.care.signing import Signer
from studio.journal import Reader

_LOG = structlog.get_logger("dealer_ui.assembly.care")
_STACKS = "SELECT account FROM balance WHERE account LIKE 'bettor:%/%' AND amount <> 0"


def caretaker_beside(floor: Floor, shelf: SnapshotShelf) -> Caretaker:
    """Of a host that writes a record which another one looks after."""
    tables = [floor.config.table_config(table) for table in floor.config.tables]
    return Caretaker({"snapshots": snapshot_duty(shelf, floor.reader, tables)})


def caretaker_of(floor: Floor, signer: Signer, shelf: SnapshotShelf, reader: Reader) -> Caretaker:
    """Its duties, with what the journal holds of them; `floor.checkpoints` and `floor.program` are set."""
    config = floor.config
    desk = CheckpointDesk(
        floor.commit, floor.reader, floor.now_ms, signer=signer,
        witnesses=witnesses(config.care.witness_file, config.care.witness_url), studio=config.studio.title,
    )  # fmt: skip
    desk.restore(reader.events(kinds=KINDS))
    floor.checkpoints = desk
    floor.shifts.on_shift_closed.append(desk.on_shift_closed)
    floor.program = program = ProgramDesk(floor.commit, floor.now_ms)
    program.restore(reader.events(kinds=PROGRAM_KINDS))
    every_ms = config.care.checkpoint_every_min * 60_000
    pictures = PictureFolder(Path(config.studio.evidence))
    duties = {
        "checkpoints": checkpoint_duty(desk, every_ms),
        "program": program.duty(),
        "retention": retention_duty(floor.reader, pictures, keep_of(config), floor.commit, floor.now_ms),
        "snapshots": snapshot_duty(shelf, floor.reader, [config.table_config(table) for table in config.tables]),
    }
    return Caretaker(duties, lambda: owed_of(desk.standings))


def tables_left(reader: Reader, named: Collection[str]) -> tuple[str, ...]:
    """The tables that hold chips and are not among the `named`: nobody can leave his seat there."""
    return tuple(sorted({account.rsplit("/", 1)[1] for (account,) in reader.read(_STACKS, ())} - set(named)))


def warn_of_chips_left(reader: Reader, named: Collection[str]) -> None:
    for table in tables_left(reader, named):
        _LOG.warning("chips lie at a table that is not in the configuration: write it back, pay them out", table=table)
