"""What a process is at when it is killed at a named place, each work in a folder of its own.

What an outsider was told lies in `told`, a line for each bet that was acknowledged: what was written before the kill is
there, as whoever asked would have heard it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

from click.testing import CliRunner
from killed_nights import options as wallet_options
from sqlite_utils import Database
from table_bench import DEAL, PIT, Bench

from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.care.witness import FileWitness
from dealer_ui.rehearsal.night import START_MS, Night, NightOptions
from dealer_ui.rehearsal.person.punter import Punters
from dealer_ui.rehearsal.trick.mischief import Mischief
from dealer_ui.rehearsal.trick.plan import PLANS
from studio import settlement
from studio.care.event import CARE_KINDS, PicturesExpired, entry_of
from studio.care.signing import signer_beside
from studio.cli.archive import command as archive_command
from studio.cli.backup import command as backup_command
from studio.errors import BadInputError
from studio.journal import Lease, Reader, Receipt, Store, Unit, Writer
from studio.journal.keys.keyring import FileKeyring, read_keys
from studio.journal.keys.rewrapping import rewrap_running, rewrite
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.place import Place
from studio.journal.postgres.leases import PostgresLeases
from studio.journal.sqlite.schema import APPLICATION_ID, LEDGER_COLUMNS, migrations
from studio.journal.store import HOST
from studio.money import Answer
from studio.tables import command as c
from studio.tables.correction import resettlement
from studio.tables.irregularity import compensation, stake_return
from studio.tables.payment import part_payment, round_payment
from studio.tables.run.runtime import TableRuntime

RECORD: Final = "studio.db"
TOLD: Final = "told"
BEFORE: Final = "before.json"
"""What was in the record before anything of the work was done."""
ADDRESS: Final = "address"
"""Where the record is, when it is a server's and not the folder's file."""
LEASED: Final = "t1"
RENEW_STEPS: Final = 25
WITNESS: Final = "witness"
CHUNK_BETS: Final = 2
"""In place of five thousand: with so few, a round of some bets is settled in several transactions."""
WRAPPINGS: Final = ("first.wrapping", "second.wrapping")
CHECKPOINT_STEPS: Final = 40
REWRAP_STEPS: Final = 90
YEAR: Final = 2026
WALLET_NIGHT: Final = 0
WALLET_ROUNDS: Final = 4


@dataclass(frozen=True)
class Work:
    """`act` is what a kill is aimed at; what it finds in the folder was prepared before."""

    act: Callable[[Path], None]
    prepare: Callable[[Path], None] = lambda folder: None


class NightOn(Night):
    """A night on the record of a folder, from its first row or on from where the last one was killed."""

    def __init__(self, options: NightOptions, folder: Path) -> None:
        self.folder = folder
        self.opened = Store.open(record_of(folder), wrapped_by=in_force(folder), beside=folder / RECORD)
        writer = Writer(self.opened)
        with self.opened.reader() as reader:
            begun_at = reader.head().seq
        self._began = begun_at == 0
        super().__init__(options, cast(Night, SimpleNamespace(store=self.opened, writer=writer)))
        if self._began:
            self.commit(Unit(transfers=self.punters.deposits()))
        elif isinstance(self.punters, Punters):
            self.punters._serial = begun_at * 100  # new names for new bets
        self.rounds = 0
        own, signer = self.reader(), signer_beside(folder / RECORD, Random(7).randbytes)
        self.desk = CheckpointDesk(
            lambda unit: self.commit(unit).last_seq, lambda: own, lambda: self.now_ms, signer=signer,
            witnesses=(FileWitness(folder / WITNESS),), studio="Test",
        )  # fmt: skip
        with self.opened.reader() as reader:
            self.desk.restore(reader.events(kinds=tuple(CARE_KINDS)))

    def _new_runtime(self) -> TableRuntime:
        """Restored from the record, and its answers are written down as whoever asks hears them."""
        runtime = super()._new_runtime()
        with self.opened.reader() as reader:
            rows = list(reader.events())
            self.now_ms = max(START_MS, *(row.at_ms + 1 for row in rows)) if rows else START_MS
            if any(row.kind == "TableConfigured" for row in rows):
                runtime.restore(reader.events(table=self.config.key), self.opened.keyring.lookup)
        place = runtime.place_bets

        def told(offers: Sequence[Any], now_ms: int) -> tuple[Answer, ...]:
            answers = place(offers, now_ms)
            tell(self.folder, offers, answers)
            return answers

        runtime.place_bets = told  # type: ignore[method-assign]
        return runtime

    def close(self) -> None:
        super().close()
        self.writer.close()
        self.opened.close()


class LeasedNight(NightOn):
    """A night on the record of a server: its table is held by a lease, and every unit is kept under it."""

    def __init__(self, options: NightOptions, folder: Path) -> None:
        self.leases = PostgresLeases(str(record_of(folder)), HOST)
        self.lease = self.taken()
        super().__init__(options, folder)

    def taken(self) -> Lease:
        lease = self.leases.take(LEASED)
        assert lease is not None, "the table is another host's"
        return lease

    def commit(self, unit: Unit) -> Receipt:
        return super().commit(replace(unit, lease=self.lease))

    def hold_on(self) -> None:
        assert not self.leases.renew([self.lease])

    def close(self) -> None:
        super().close()
        self.leases.close()


def record_of(folder: Path) -> Place:
    """The folder's own file, or the server's database that the folder names."""
    address = folder / ADDRESS
    return address.read_text() if address.exists() else folder / RECORD


def held(record: Place) -> dict[str, Any]:
    """What a record has: how many rows of each kind, each bet, and what lies in each account."""
    with Reader.open(record) as reader:
        return {
            name: sorted(map(list, reader.read(sql, ())))
            for name, sql in (
                ("journal", "SELECT kind, count(*) FROM journal GROUP BY kind"),
                ("ledger", "SELECT kind, count(*), sum(amount) FROM ledger GROUP BY kind"),
                ("bets", "SELECT id, bettor, stake, currency FROM bet"),
                ("purses", "SELECT account, currency, amount FROM balance WHERE amount <> 0"),
            )
        }


def note_before(folder: Path) -> None:
    (folder / BEFORE).write_text(json.dumps(held(folder / RECORD)))


def tell(folder: Path, offers: Sequence[Any], answers: Sequence[Answer]) -> None:
    accepted = [
        {"client_id": offer.client_id, "bettor": offer.bettor, "bet": offer.bet, "stake": offer.stake_minor}
        for offer, answer in zip(offers, answers, strict=True)
        if answer.status == "accepted"
    ]
    file = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(file, "".join(f"{json.dumps(one)}\n" for one in accepted).encode())
    os.close(file)


def wrapping(folder: Path, name: str) -> WrappedBy:
    path = folder / name
    if not path.exists():
        path.touch(0o600)
        path.write_text(Random(name).randbytes(32).hex())
    return WrappedBy.parse(f"file:{path}")


def in_force(folder: Path) -> WrappedBy:
    """The wrapping key that opens the key file now; the first one, where there is none yet."""
    for name in WRAPPINGS:
        with suppress(BadInputError):
            read_keys(folder / f"{RECORD}.keys", ("0" * 16,), wrapping(folder, name))
            return wrapping(folder, name)
    return wrapping(folder, WRAPPINGS[0])


def small_chunks() -> None:
    for module in (settlement, round_payment, part_payment, resettlement, stake_return, compensation):
        module.CHUNK_BETS = CHUNK_BETS  # type: ignore[misc]


def play(folder: Path, game: str, rounds: int, faults: str = "none", kind: type[NightOn] = NightOn) -> None:
    """A night with a checkpoint now and then, and another wrapping key now and then."""
    small_chunks()
    night = kind(NightOptions(game, seed=11, whim=0.3 if faults != "none" else 0.0), folder)
    plan = PLANS[faults]
    mischief = Mischief(night, plan.tricks_of(game, "angel_eye"), plan.rate)
    step = number = 0
    while number < rounds or not is_over(night):
        night.step()
        mischief.step(night.now_ms)
        step += 1
        round = night.state.round
        number = round.number if round is not None else 0
        if step % CHECKPOINT_STEPS == 0:
            night.desk.sign("hour")
            night.desk.deliver()
        if isinstance(night, LeasedNight) and step % RENEW_STEPS == 0:
            night.hold_on()
        if step % REWRAP_STEPS == 0:
            keyring = night.opened.keyring
            assert isinstance(keyring, FileKeyring)
            rewrap_running(keyring, folder / f"{RECORD}.keys", other_wrapping(folder))
    night.close()


def is_over(night: Night) -> bool:
    return night.state.round is not None and night.state.round.over


def other_wrapping(folder: Path) -> WrappedBy:
    now = in_force(folder)
    [other] = [name for name in WRAPPINGS if not now.place.endswith(name)]
    return wrapping(folder, other)


def dealt(folder: Path, *, settled: bool) -> None:
    """A record with a round, over and its table closed, or in the middle of it; nobody has it open."""
    path = folder / RECORD
    table = Bench(path=str(path))
    table.open().deposit(50_000)
    table.start().betting(("player1_tie", 1000), ("player2_win", 500)).deal(*(DEAL if settled else DEAL[:9]))
    if settled:
        table.finish()
        table.clear()
        table.do(c.CloseTable, PIT)
    table.close()
    signer_beside(path, Random(7).randbytes)


def noted(prepare: Callable[[Path], None]) -> Callable[[Path], None]:
    def prepared(folder: Path) -> None:
        prepare(folder)
        note_before(folder)

    return prepared


def with_wallet(folder: Path) -> None:
    """A night of bettors whose money lies in their operator's own wallet."""
    night = Night(wallet_options(folder, WALLET_NIGHT))
    while night.state.round is None or night.state.round.number < WALLET_ROUNDS or not night.state.round.over:
        night.step()
    night.close()


def a_row(reader: Reader) -> PicturesExpired:
    """Something that is no table's, and that nobody needs."""
    return PicturesExpired(rule="round", days=30, at_ms=reader.newest_ms() + 1, digests=())


def at_years_end(folder: Path) -> None:
    """A table that is closed, and a row after it that no table needs."""
    dealt(folder, settled=True)
    with Store.open(folder / RECORD) as store, store.reader() as reader:
        writer = Writer(store)
        writer.commit(Unit(entries=(entry_of(a_row(reader)),)))
        writer.close()


def close_year(folder: Path) -> None:
    ran(archive_command, folder / RECORD, YEAR, "--to", folder / "archive", "--by", "Mika")


def with_pictures(folder: Path) -> None:
    dealt(folder, settled=False)
    pictures = folder / "evidence" / "ab"
    pictures.mkdir(parents=True)
    for number in range(3):
        (pictures / f"{number:064x}.img").write_bytes(Random(number).randbytes(3_000))


def back_up(folder: Path) -> None:
    to = ["--keys-to", folder / "apart", "--evidence", folder / "evidence"]
    ran(backup_command, folder / RECORD, folder / "backups", *to)


def wrap_anew(folder: Path) -> None:
    before, after = (wrapping(folder, name) for name in WRAPPINGS)
    rewrite(folder / RECORD, None, before)
    rewrite(folder / RECORD, before, after)


def ran(verb: Any, *words: object) -> None:
    said = CliRunner().invoke(verb, [str(word) for word in words])
    assert said.exit_code == 0, said.output


def as_first_kept(folder: Path) -> None:
    """A record with a settled round, as the first version would have kept it."""
    dealt(folder, settled=True)
    note_before(folder)
    new, old = folder / RECORD, folder / "old.db"
    with closing(sqlite3.connect(old, isolation_level=None)) as made:
        migrations.apply(Database(made, recursive_triggers=False), stop_before="m002_balance_by_currency")
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        made.execute("ATTACH ? AS new", (str(new),))
        for table, columns in (
            ("ledger", LEDGER_COLUMNS), ("journal", "seq, at, kind, body, ledger_seq, hash"),
            ("bet", 'seq, id, operator, client_id, bettor, "table", round, bet, stake, currency'),
            ("balance", "account, currency, amount"),
        ):  # fmt: skip
            made.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM new.{table} ORDER BY 1")
        made.execute("DETACH new")
    for end in ("", "-wal", "-shm"):
        Path(f"{new}{end}").unlink(missing_ok=True)
    old.rename(new)


def bring_up(folder: Path) -> None:
    Store.open(folder / RECORD).close()


WORKS: Final = {
    "night": Work(lambda folder: play(folder, "three_knights", 4)),
    "boxes": Work(lambda folder: play(folder, "blackjack", 3)),
    "faults": Work(lambda folder: play(folder, "kkclash", 6, "every")),
    "server": Work(lambda folder: play(folder, "three_knights", 3, kind=LeasedNight)),
    "wallet": Work(with_wallet),
    "year": Work(close_year, noted(at_years_end)),
    "backup": Work(back_up, with_pictures),
    "rewrap": Work(wrap_anew, lambda folder: dealt(folder, settled=False)),
    "migration": Work(bring_up, as_first_kept),
}
