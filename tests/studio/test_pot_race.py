"""Two tables on one pot, each on its own thread, with royals and voids at any moment: no cent is lost or doubled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import closing

import msgspec
from holdem_table import Holdem
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S
from table_bench import CONFIG, DEALER, PIT, Bench

from studio.jackpot import PotTerms
from studio.journal import Receipt, Unit, Writer
from studio.journal.extract.walk import steps
from studio.money import pot_account
from studio.proof.audit.database import audit
from studio.tables import command as c
from studio.tables.event import table as e

POT = PotTerms(key="main", currency="EUR", seed_minor=10_001, reset_minor=777)
ROYAL = "As 2c Ks 3d Qs Js Ts 7h 4d"
NOTHING = "9c 2c Ks 3d Qs Jd 4s 7h 6d"

Round = tuple[str, tuple[int, ...]]
"""How it ends, and the stakes of its bettors on First 5."""

rounds = st.lists(
    st.tuples(st.sampled_from(["royal", "nothing", "void"]), st.lists(st.integers(100, 999), max_size=3).map(tuple)),
    min_size=1,
    max_size=4,
)


class Queued:
    """The writer as a table's thread has it: what is committed waits for the writer's own thread, among the others'."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def commit(self, unit: Unit) -> Receipt:
        return self._writer.submit(unit).result(PATIENCE_S)


def table(key: str, beside: Bench | None = None) -> Bench:
    return Bench(msgspec.structs.replace(CONFIG, key=key, game="holdem_bonus", window_s=15.0, pot=POT), beside=beside)


def play(bench: Bench, played: Sequence[Round], together: threading.Barrier) -> None:
    bench.links()
    bench.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
    for number, (end, stakes) in enumerate(played):
        bench.load(f"{bench.config.key}-deck-{number}")
        together.wait(PATIENCE_S)
        deal(bench, end, stakes)


def deal(bench: Bench, end: str, stakes: Sequence[int]) -> None:
    bench.do(c.StartRound)
    bench.do(c.OpenBetting)
    for number, stake_minor in enumerate(stakes):
        bettor = f"{bench.config.key}-{number}"
        bench.deposit(10_000, bettor)
        assert bench.bet("ante", 100, bettor).status == "accepted"
        assert bench.bet("first5", stake_minor, bettor).status == "accepted"
    bench.wait(15)
    round = Holdem(bench, ROYAL if end == "royal" else NOTHING).deal()
    if end == "void":
        bench.report("malfunction", PIT)
        bench.rule("void_round", PIT)
        bench.pay()
        bench.clear()
    else:
        round.decided().decided().decided().finish()


def run(threads: Sequence[Callable[[], None]]) -> None:
    """All at once; the first error of any of them is ours."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=guarded, args=(work,)) for work in threads]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]


@given(rounds, rounds)
@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_two_tables_that_feed_win_and_void_at_once_never_lose_or_double_a_cent(
    one: list[Round], two: list[Round]
) -> None:
    count = max(len(one), len(two))
    idle: Round = ("nothing", ())
    one, two = (made + [idle] * (count - len(made)) for made in (one, two))
    with closing(table("t1")) as first:
        writer, done = first.writer, threading.Event()
        writing = threading.Thread(target=write, args=(writer, done))
        writing.start()
        first.writer = Queued(writer)  # type: ignore[assignment]
        try:
            benches = [beside := table("t2", first), table("t3", beside)]
            together = threading.Barrier(2)
            run([
                lambda: play(benches[0], one, together),
                lambda: play(benches[1], two, together),
            ])  # fmt: skip
        finally:
            done.set()
            writing.join()
            first.writer = writer
        check(first, benches)


def write(writer: Writer, done: threading.Event) -> None:
    while not done.is_set() or writer.waiting:
        writer.drain(wait_s=0.01)


def check(first: Bench, benches: Sequence[Bench]) -> None:
    audit(steps(first.store.connection))
    for bench in benches:
        assert bench.restarted().state == bench.state
    events = first.rows("PotSeeded", "PotFed", "PotWon", "PotReturned")
    due = 0
    for event in events:
        match event:
            case e.PotSeeded(amount_minor=amount) | e.PotFed(amount_minor=amount):
                due += amount
            case e.PotReturned(amount_minor=amount):
                due -= amount
            case e.PotWon(amount_minor=amount, share_minor=share, sharers=sharers, left_minor=left):
                assert amount == due == share * sharers + left
                due = POT.reset_minor + left
    with first.store.reader() as reader:
        assert reader.balance(pot_account("main")) == due
    rows = first.store.connection
    assert rows.execute("SELECT sum(amount) FROM balance").fetchone() == (0,)
    assert rows.execute("SELECT count(*) FROM balance WHERE account LIKE 'prize:%'").fetchone() == (0,)
    won = sum(event.share_minor * event.sharers for event in events if isinstance(event, e.PotWon))
    shared = rows.execute("SELECT coalesce(sum(amount), 0) FROM ledger WHERE kind = 'share'").fetchone()
    assert shared == (won,)
