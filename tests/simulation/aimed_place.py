"""Named places at which a process is killed, and the aim itself: nothing of the studio knows of it.

A place is a line of a function, told by its text, or the function's end. The process that is to die watches its own
calls (`sys.settrace`) and sends itself SIGKILL as it comes by for the n-th time, before the line is carried out.
"""

from __future__ import annotations

import importlib
import inspect
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Final

END: Final = ""
"""In place of a line: when the function is over."""
LAST_CALL: Final = 10**9

Trace = Callable[[FrameType, str, Any], Any]


@dataclass(frozen=True)
class Place:
    """`name`: what has happened there and what has not. `of`: module:function. `line`: which the kill comes before."""

    name: str
    work: str
    of: str
    line: str = END
    which: int = 1
    """Of several lines with this text, counted from the first."""
    quick: int = 0
    """The passing at which the quick tests kill; 0 where they do not."""

    @property
    def code(self) -> CodeType:
        module, _, qualified = self.of.partition(":")
        found: Any = importlib.import_module(module)
        for part in qualified.split("."):
            found = getattr(found, part)
        code = inspect.unwrap(found).__code__
        assert isinstance(code, CodeType)
        return code

    @property
    def number(self) -> int:
        """Of the line in its file; 0 for the function's end."""
        if self.line == END:
            return 0
        code = self.code
        lines, first = inspect.getsourcelines(code)
        found = [first + at for at, text in enumerate(lines) if self.line in text]
        assert len(found) >= self.which, f"{self.of} has no line {self.line!r}: name the place anew"
        return found[self.which - 1]


class Aim:
    """Counts how often the process comes by each of the places, and kills it at the n-th time of one."""

    def __init__(self, places: Sequence[Place], kill: str = "", number: int = LAST_CALL) -> None:
        self.passed = {place.name: 0 for place in places}
        self._at: dict[CodeType, dict[int, list[str]]] = {}
        for place in places:
            self._at.setdefault(place.code, {}).setdefault(place.number, []).append(place.name)
        self._kill, self._number = kill, number

    def take(self) -> None:
        sys.settrace(self._called)

    def _called(self, frame: FrameType, event: str, given: object) -> Trace | None:
        return self._inside if frame.f_code in self._at else None

    def _inside(self, frame: FrameType, event: str, given: object) -> Trace:
        here = self._at[frame.f_code]
        if event == "line":
            self._came_by(here.get(frame.f_lineno, ()))
        elif event == "return":
            self._came_by(here.get(0, ()))
        return self._inside

    def _came_by(self, names: Sequence[str]) -> None:
        for name in names:
            self.passed[name] += 1
            if name == self._kill and self.passed[name] == self._number:
                os.kill(os.getpid(), signal.SIGKILL)


_WRITER: Final = "studio.journal.writer:Writer"
_ENGINE: Final = "studio.journal.sqlite.engine:SqliteEngine"
_KEYRING: Final = "studio.journal.keys.keyring:FileKeyring"
_CASHIER: Final = "studio.tables.payment.round_payment:Cashier"
_DESK: Final = "dealer_ui.care.checkpoint_desk:CheckpointDesk"
_CHECKPOINT: Final = "studio.care.checkpoint"
_ARCHIVE: Final = "studio.care.archive"
_BACKUP: Final = "studio.care.backup"
_KEYRINGS: Final = "studio.journal.keys.keyring"
_SCHEMA: Final = "studio.journal.sqlite.schema"
_PAY: Final = "studio.tables.run.treasury:Treasury.pay"
_ASKING: Final = "dealer_ui.teller.asking:Asking"
_TELLER: Final = "dealer_ui.teller"
_WALLET: Final = "dealer_ui.teller.desk:WalletDesk"
_SERVER: Final = "studio.journal.postgres.engine:PostgresEngine"
_LEASES: Final = "studio.journal.postgres.leases:PostgresLeases"
_NOTED: Final = "sqlite_utils.migrations:Migrations._record_applied"

PLACES: Final = (
    # keys and commit
    Place("a key is to be written", "night", f"{_KEYRING}.append", "lines = lines[os.write"),
    Place("a key is written and not synced", "night", f"{_KEYRING}.append", "os.fdatasync(self._file)"),
    Place("keys are durable, the commit not begun", "night", f"{_KEYRING}.append", END, quick=120),
    Place("a transaction is begun", "night", f"{_ENGINE}.begin", END),
    Place("rows are written, their keys not", "night", f"{_WRITER}._written", "self._keyring.append(keys)"),
    Place("rows and keys are written, the commit not begun", "night", f"{_ENGINE}.commit", "COMMIT"),
    Place("it is committed, nobody was told", "night", f"{_ENGINE}.commit", END, quick=100),
    Place("some of a group were told", "night", f"{_WRITER}._commit", "future.set_result(outcome)"),
    Place("money is booked, its row of the journal not", "night", "studio.journal.booking:book", "note_rounds("),
    # settlement
    Place("a chunk of a settlement is worked out", "night", f"{_CASHIER}._settle", "return (chunk_done,), transfers"),
    Place("a chunk is paid, the next is not", "night", _PAY, "return True", quick=2),
    Place("the last chunk is worked out", "night", f"{_CASHIER}._settle", "return (chunk_done, all_done), transfers"),
    Place("a chunk of a void round is worked out", "faults", f"{_CASHIER}._void", "left = tuple("),
    Place(
        "a part is worked out that is paid before the end", "boxes",
        "studio.tables.payment.part_payment:next_part_step", "return (part_settled(", which=1,
    ),
    # a checkpoint
    Place("the heads of a checkpoint are read", "night", f"{_CHECKPOINT}:heads", END),
    Place("a checkpoint is signed, not written", "night", f"{_DESK}.sign", "self._commit(Unit(", quick=5),
    Place("a checkpoint is written, not owed yet", "night", f"{_DESK}.sign", "self._take(signed)"),
    Place("a checkpoint is to be told to its witness", "night", f"{_DESK}.deliver", "witness.tell("),
    Place("a witness was told, the record not", "night", f"{_DESK}._kept", "self._commit(Unit(", quick=5),
    # another wrapping key, at work
    Place("keys are being wrapped anew at work", "night", f"{_KEYRING}.rewrap", "carry(file, self._how())"),
    Place("the last keys are being wrapped anew", "night", f"{_KEYRING}.rewrap", "will = carry("),
    Place("the new key file is written, not synced", "night", f"{_KEYRING}.rewrap", "os.fsync(file)"),
    Place("the new key file has no name yet", "night", f"{_KEYRING}.rewrap", "part.replace(self._path)", quick=3),
    Place("the new key file has its name", "night", f"{_KEYRING}.rewrap", "_sync_folder(self._path.parent)"),
    # another wrapping key, the studio stopped
    Place("a stopped studio's keys are to be written anew", "rewrap", f"{_KEYRINGS}:write_whole", "file = os.open("),
    Place("half of the keys are written anew", "rewrap", "studio.journal.keys.rewrapping:_lines", "done.kept += 1"),
    Place("the keys are written anew, not synced", "rewrap", f"{_KEYRINGS}:write_whole", "os.fsync(file)"),
    Place("keys written anew have no name yet", "rewrap", f"{_KEYRINGS}:write_whole", "part.replace(path)", quick=2),
    Place("the keys written anew have their name", "rewrap", f"{_KEYRINGS}:write_whole", "_sync_folder("),
    # a year's end
    Place("the year's end: its folder is made", "year", f"{_ARCHIVE}:archive", "copy_database(db"),
    Place("the year's end: the copy is made", "year", f"{_ARCHIVE}:archive", "ended = _end("),
    Place("the year's end: the copy says so, unsigned", "year", f"{_ARCHIVE}:_end", "signed = sign("),
    Place("the year's end: the copy is signed", "year", f"{_ARCHIVE}:archive", "prove(part / DATABASE)"),
    Place("the year's end: the new record is empty", "year", f"{_ARCHIVE}:_begin", "moved = carried_balances("),
    Place("the year's end: the new record has no desks", "year", f"{_ARCHIVE}:_begin", "*carried_desks(before)"),
    Place("the year's end: the new record is written", "year", f"{_ARCHIVE}:archive", "prove(following)"),
    Place("the year's end: both are proved", "year", f"{_ARCHIVE}:archive", "write_manifest("),
    Place("the year's end: the archive is whole, unnamed", "year", f"{_ARCHIVE}:archive", "part.rename(folder)"),
    Place("the year's end: the archive has its name", "year", f"{_ARCHIVE}:archive", "os.link(db, aside)"),
    Place("the year's end: the old one has two names", "year", f"{_ARCHIVE}:archive", "following.replace(db)", quick=1),
    Place("the year's end: the new record bears the name", "year", f"{_ARCHIVE}:archive", "sync(db.parent)", which=2),
    # a backup
    Place("a backup is begun", "backup", f"{_BACKUP}:copy_database", "source.backup(copy)"),
    Place("a backup is copied, not synced", "backup", f"{_BACKUP}:copy_database", "sync(target)"),
    Place("a backup has no pictures yet", "backup", f"{_BACKUP}:copied_pictures", "shutil.copyfile("),
    Place("a picture has no name yet", "backup", f"{_BACKUP}:copied_pictures", "part.replace(target)"),
    Place("a backup has no manifest", "backup", f"{_BACKUP}:write_manifest", "files = {"),
    Place("a backup has no keys yet", "backup", f"{_BACKUP}:_copy_secrets", "shutil.copyfile("),
    Place("a folder of a backup is whole, unnamed", "backup", f"{_BACKUP}:whole", "part.rename(folder)", quick=2),
    Place("a folder of a backup has its name", "backup", f"{_BACKUP}:whole", "sync(folder.parent)"),
    Place("a backup is made, not noted", "backup", f"{_BACKUP}:note_backup", "part.replace(path)"),
    # the book of an operator's own wallet
    Place("a stake is to be asked for, nothing is written", "wallet", f"{_ASKING}._ask", "self._desk.ask(stakes"),
    Place("a stake is written as asked for, the wallet is not", "wallet", f"{_ASKING}._ask", "said = ", quick=5),
    Place("the wallet has answered, nobody has read it", "wallet", f"{_TELLER}.caller:Caller.ask_all", END, quick=5),
    Place("stakes are taken, their bets are not placed", "wallet", f"{_ASKING}._place_all", "told = table.take("),
    Place("bets stand on stakes taken, nobody was told", "wallet", f"{_ASKING}._place_all", "answer for need, answer"),
    Place("a stake without a bet is not written down", "wallet", f"{_TELLER}.stake_desk:StakeDesk.strand", "told = "),
    Place("the ledger owes, it is not written down", "wallet", f"{_WALLET}.follow", "self._keep(WalletOwed("),
    Place("what is owed is written, nobody was told", "wallet", f"{_WALLET}._keep", "self._fold_all(events)", quick=5),
    Place("it was told, the answer is not read", "wallet", f"{_WALLET}.heard", "outcome = outcome_of("),
    Place("it was told, the answer is not written", "wallet", f"{_WALLET}._keep", "self._commit_held(", quick=5),
    # a server's record
    Place("a server's transaction is begun", "server", f"{_SERVER}.begin", END),
    Place("a server has the rows, their keys are not kept", "server", f"{_WRITER}._written", "self._keyring.append("),
    Place("a server has the rows, keys are kept", "server", f"{_SERVER}.commit", "id = self._new_id()", quick=60),
    Place("a server is asked to commit", "server", f"{_SERVER}.commit", 'self._database.execute("COMMIT")'),
    Place("a server has committed, nobody was told", "server", f"{_SERVER}.commit", END, quick=60),
    Place("the hold of a table is asked inside a commit", "server", f"{_SERVER}.lost", END, quick=60),
    Place("a server has a chunk, the next is not paid", "server", _PAY, "return True"),
    Place("a server's last chunk is worked out", "server", f"{_CASHIER}._settle", "return (chunk_done, all_done)"),
    Place("a server's checkpoint is signed, not written", "server", f"{_DESK}.sign", "self._commit(Unit("),
    Place("a witness was told, the server was not", "server", f"{_DESK}._kept", "self._commit(Unit("),
    Place("a table is taken, its lease not committed", "server", f"{_LEASES}.take", 'say("COMMIT")', quick=1),
    Place("a lease is committed, nobody knows it here", "server", f"{_LEASES}.take", END),
    Place("a lease is held on, nobody knows it here", "server", f"{_LEASES}.renew", END),
    # an older record
    *(
        Place(f"{step} is at work", "migration", f"{_SCHEMA}:{step}", line)
        for step, line in (
            ("m002_balance_by_currency", "DROP TABLE balance_before"),
            ("m003_origin_and_kinds", "DROP TRIGGER"),
            ("m004_balance_that_may_owe", "INSERT INTO balance"),
            ("m005_rounds_of_operators", "db.execute(statement)"),
            ("m006_movements_of_operators", "ALTER TABLE ledger"),
            ("m007_free_bets", "DROP COLUMN"),
        )
    ),
    Place("a step is done, not noted", "migration", _NOTED, "_table(db", quick=6),
    Place("a step is noted", "migration", _NOTED, END),
)  # fmt: skip
