"""A house that writes its own record, every chain linked anew: what no honest studio can have written is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from holdem_table import holdem
from table_bench import DEAL, PIT, PIT_TOO, Bench
from test_verify_command import answer, played

from studio.care.event import BooksOpened, CarriedPurse, PursesCarried, entry_of
from studio.journal import Entry, Posting, Store, Unit, Writer
from studio.journal.extract.walk import WalkStep, steps
from studio.money import CARRIED_ACCOUNT, Transfer, bettor_account, escrow_account, house_account, operator_account
from studio.proof.audit.account_ledger import AccountLedger
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.event.record import Recorded, kind_of, read_body, write_body

ANN = bettor_account("north", "ann")
Forge = Callable[[list[WalkStep]], None]


@pytest.fixture
def record() -> list[WalkStep]:
    with closing(played(Bench())) as table:
        return list(steps(table.store.connection))


def at(record: Sequence[WalkStep], kind: str) -> int:
    """Where the last row of that kind stands."""
    return max(n for n, step in enumerate(record) if step.kind == kind)


def with_money(record: list[WalkStep], *moved: Transfer) -> None:
    """These transfers beside the last round that is begun."""
    n = at(record, "RoundStarted")
    found = (*record[n].postings, *(Posting(9_000 + k, record[n].at_ms, one) for k, one in enumerate(moved)))
    record[n] = msgspec.structs.replace(record[n], postings=found)


def with_row(record: list[WalkStep], entry: Entry, *moved: Transfer) -> None:
    """One row more, before the last round is begun."""
    n = at(record, "RoundStarted")
    found = tuple(Posting(9_000 + k, record[n].at_ms, one) for k, one in enumerate(moved))
    record.insert(n, WalkStep(record[n].seq, record[n].at_ms, entry.kind, entry.body, found))


def emptied(record: list[WalkStep]) -> None:
    with_money(record, Transfer("", "w1", "withdraw", ANN, operator_account("north"), 60_000, "EUR"))


def to_another(record: list[WalkStep]) -> None:
    with_money(record, Transfer("", "w1", "withdraw", ANN, operator_account("west"), 1, "EUR"))


def of_another(record: list[WalkStep]) -> None:
    with_money(record, Transfer("", "d1", "deposit", operator_account("west"), ANN, 1, "EUR"))


def opened_again(record: list[WalkStep]) -> None:
    """Money goes from a purse to the house as if a year had been closed."""
    before = record[at(record, "RoundStarted")].seq - 1
    opened = BooksOpened(
        year=2026, at_ms=1, journal_seq=before, journal_hash="0" * 64, ledger_seq=0, ledger_hash="0" * 64, accounts=2
    )
    taken = Transfer("carried:2026", f"{ANN} EUR", "carry", ANN, CARRIED_ACCOUNT, 500, "EUR")
    house = house_account("t1")
    given = Transfer("carried:2026", f"{house} EUR", "carry", CARRIED_ACCOUNT, house, 500, "EUR")
    with_row(record, entry_of(opened), taken, given)


def purses_again(record: list[WalkStep]) -> None:
    told = PursesCarried(at_ms=1, purses=(CarriedPurse("north", "ann", "EUR", 1, 1),))
    with_row(record, entry_of(told))


def numbered_anew(record: list[WalkStep]) -> None:
    """A round is left out, and the table says that it goes on from another number."""
    carried = e.TableCarried(rounds=2, shoes=0, incidents=0)
    with_row(record, Entry(kind_of(carried), 1, write_body("t1", "", carried)))


@pytest.mark.parametrize(
    ("forge", "says"),
    [
        (emptied, "This withdraw and what moved with it take bettor:north:ann below zero"),
        (to_another, "A withdraw went to, or from, another operator's bettor"),
        (of_another, "A deposit went to, or from, another operator's bettor"),
        (opened_again, "opened in mid-record"),
        (purses_again, "A PursesCarried stands in mid-record"),
        (numbered_anew, "A TableCarried stands in mid-record"),
    ],
)
def test_what_no_studio_writes_is_found(record: list[WalkStep], forge: Forge, says: str) -> None:
    audit(record)
    forge(record)
    with pytest.raises(WrongError, match=says):
        audit(record)


def test_where_several_hosts_write_a_deposit_may_stand_behind_the_bet_that_it_covered(record: list[WalkStep]) -> None:
    """Numbers follow the beginnings of commits; in the same commits the purse was moved the other way round."""
    n = next(n for n, step in enumerate(record) if any(one.transfer.kind == "deposit" for one in step.postings))
    late = record.pop(n)
    record.insert(n + 1 + at(record[n:], "BetsPlaced"), late)
    with pytest.raises(WrongError, match="below zero"):
        audit(record)
    audit(record, hosts=True)
    emptied(record)
    with pytest.raises(WrongError, match="below zero"):
        audit(record, hosts=True)


def test_where_several_hosts_write_a_bet_may_stand_behind_a_claw_back_that_came_after_it() -> None:
    """His operator lets bettors owe: the bet was covered when it was placed, and the win was taken back after it."""
    north, escrow, house = operator_account("north"), escrow_account("t1-0000002"), house_account("t1")
    paid = Transfer("", "d1", "deposit", north, ANN, 100, "EUR")
    back = Transfer("t1-0000001", "b1", "reverse_return", ANN, house, 50, "EUR", 1)
    bet = Transfer("t1-0000002", "b2", "reserve", ANN, escrow, 100, "EUR")
    purses, one_host = AccountLedger(hosts=True), AccountLedger()
    for n, moved in enumerate((paid, back, bet)):
        purses.take((Posting(n, n, moved),))
    purses.need_covered()
    one_host.take((Posting(1, 1, paid),))
    one_host.take((Posting(2, 2, back),))
    with pytest.raises(WrongError, match="below zero"):
        one_host.take((Posting(3, 3, bet),))
    purses.take((Posting(4, 4, msgspec.structs.replace(bet, bet="b3", amount_minor=1)),))
    with pytest.raises(WrongError, match="This reserve and what moved with it take bettor:north:ann below zero"):
        purses.need_covered()


def test_a_record_that_begins_in_mid_air_is_found(tmp_path: Path) -> None:
    """The rows before are gone, and the chains say that they go on from there."""
    path = tmp_path / "studio.db"
    with closing(Store.open(path)) as store:
        for chain in ("journal", "ledger"):
            store.connection.execute("INSERT INTO origin VALUES (?, ?, ?)", (chain, 7, "ab" * 32))
        writer = Writer(store)
        writer.commit(Unit(entries=(Entry("Noted", 1, b'{"notes": {}}'),)))
        writer.close()
    row = answer(path)["first_wrong"]
    assert isinstance(row, dict)
    assert (row["seq"], "does not begin with the books of an archive" in row["sentence"]) == (8, True)


def told(record: Sequence[WalkStep], kind: str) -> tuple[int, Recorded]:
    """The last row of that kind, and what it tells."""
    n = at(record, kind)
    return n, read_body(record[n].body)


def told_so(record: list[WalkStep], kind: str, **changes: object) -> None:
    n, found = told(record, kind)
    event = msgspec.structs.replace(found.event, **changes)
    record[n] = msgspec.structs.replace(record[n], body=write_body(found.table, found.round, event))


def left_out(record: list[WalkStep], kind: str) -> None:
    """The row of that kind is gone, but what moved with it."""
    del record[at(record, kind)]


VOID_TOLD_OTHERWISE: dict[str, tuple[Forge, str]] = {
    "nobody ruled": (lambda record: left_out(record, "IncidentRuled"), "nobody had ruled so"),
    "nothing had happened": (lambda record: left_out(record, "IncidentOpened"), "is not open"),
    "another ruling": (
        lambda record: told_so(record, "IncidentRuled", ruling="continue"), "does not offer that"
    ),
    "another row": (lambda record: told_so(record, "IncidentRuled", row="TK1"), "by row TK1, which does not"),
    "another incident": (lambda record: told_so(record, "RoundVoided", incident="t1-i9"), "nobody had ruled so"),
    "by another": (lambda record: told_so(record, "RoundVoided", by="p9"), "nobody had ruled so"),
    "no exception": (lambda record: left_out(record, "ExceptionRecorded"), "no exception is on record"),
}  # fmt: skip


@pytest.mark.parametrize(("forge", "says"), VOID_TOLD_OTHERWISE.values(), ids=VOID_TOLD_OTHERWISE)
def test_a_void_that_no_ruling_made_is_found(record: list[WalkStep], forge: Forge, says: str) -> None:
    forge(record)
    with pytest.raises(WrongError, match=says):
        audit(record)


@pytest.fixture
def overridden() -> list[WalkStep]:
    """A card that two people had read otherwise, in a round that is settled."""
    with closing(Bench()) as table:
        table.open().deposit(50_000)
        table.start().betting(("player1_tie", 1000)).deal(*DEAL)
        table.do(
            c.OverrideCard, table.pin(PIT), box="player1", place=1, card="9c", reason_code="seen", words="As we saw."
        )
        table.approve(PIT_TOO)
        return list(steps(table.store.connection))


CARD_TOLD_OTHERWISE: dict[str, tuple[Forge, str]] = {
    "nobody ruled": (lambda record: left_out(record, "IncidentRuled"), "nobody had ruled so"),
    "nobody asked": (lambda record: left_out(record, "RulingAsked"), "had not asked for that in time"),
    "one person": (lambda record: told_so(record, "IncidentRuled", approved_by="p1"), "by one person"),
    "nobody agreed": (lambda record: told_so(record, "IncidentRuled", approved_by=""), "by one person"),
    "too late": (lambda record: told_so(record, "RulingAsked", expires_at_ms=1), "had not asked for that in time"),
    "another card": (lambda record: told_so(record, "IncidentRuled", arguments=("2c",)), "by a CardReplaced"),
    "of another card": (lambda record: told_so(record, "IncidentOpened", cards=("x",)), "by a CardReplaced"),
    "no exception": (lambda record: left_out(record, "ExceptionRecorded"), "no exception is on record"),
}  # fmt: skip


def test_a_card_that_a_person_confirmed_without_a_ruling_is_found(record: list[WalkStep]) -> None:
    told_so(record, "CardConfirmed", by="p1")
    with pytest.raises(WrongError, match=r"p1 confirmed the card .* without a ruling"):
        audit(record)


def test_what_the_pit_ruled_and_no_exception_tells_of_is_found() -> None:
    """Nothing was changed by it, and the report of exceptions would lack it."""
    with closing(Bench()) as table:
        table.open().deposit(50_000)
        table.start().betting(("player1_tie", 1000)).deal(*DEAL[:4])
        table.do(c.OverrideCard, table.pin(PIT), box="player2", place=1, card="9c", reason_code="seen", words="A 9.")
        table.do(c.DeclineRuling, PIT_TOO, incident=table.incident.id)
        table.rule("shoe", PIT)
        record = list(steps(table.store.connection))
    audit(record)
    left_out(record, "ExceptionRecorded")
    with pytest.raises(WrongError, match="ruled on by the pit, and no exception is on record"):
        audit(record)


@pytest.mark.parametrize(("forge", "says"), CARD_TOLD_OTHERWISE.values(), ids=CARD_TOLD_OTHERWISE)
def test_a_face_that_two_people_did_not_rule_is_found(overridden: list[WalkStep], forge: Forge, says: str) -> None:
    audit(overridden)
    forge(overridden)
    with pytest.raises(WrongError, match=says):
        audit(overridden)


def test_a_bet_placed_once_cards_lie_open_is_found() -> None:
    """Bob's ante comes in while Ann decides, and is paid as any other."""
    with holdem("holdem_bonus", "9s As 8d Ad 7h 6c 5s Ks 2d") as hand:
        hand.staked({"ann": {"ante": 1_000}, "bob": {"ante": 1_000}}).open().decide("ann", "flop")
        record = list(steps(hand.table.store.connection))
    audit(record)
    n = at(record, "BetsPlaced")
    late = record.pop(n)
    decided = at(record, "DecisionsTaken")
    record.insert(decided, msgspec.structs.replace(late, seq=record[decided].seq, at_ms=record[decided].at_ms))
    with pytest.raises(WrongError, match="in a window of decisions"):
        audit(record)


@pytest.mark.parametrize(
    "swapped", [{"bettor": "zoe"}, {"table": "t9"}, {"bet": "player2_win"}, {"client_id": "else"}], ids=str
)
def test_a_register_of_bets_that_says_otherwise_than_the_round_is_found(
    record: list[WalkStep], swapped: dict[str, str]
) -> None:
    """By it an operator is told of his bets, and reports count them."""
    n = at(record, "BetsPlaced")
    first, *rest = record[n].postings
    assert first.offer is not None
    forged = msgspec.structs.replace(first, offer=msgspec.structs.replace(first.offer, **swapped))
    record[n] = msgspec.structs.replace(record[n], postings=(forged, *rest))
    with pytest.raises(WrongError, match="The register of bets says otherwise") as found:
        audit(record)
    assert (found.value.table, found.value.seq) == ("ledger", first.seq)


def test_a_table_whose_time_goes_back_is_found(record: list[WalkStep]) -> None:
    """Bets would be in time that were not; only a table that comes up anew may not know how late it was."""
    n = at(record, "BetsPlaced")
    for k, step in enumerate(record[n - 1 :], n - 1):
        record[k] = msgspec.structs.replace(step, at_ms=step.at_ms + 1_000 if k < n else step.at_ms)
    with pytest.raises(WrongError, match="BetsPlaced is told to have happened at t1 before the row before it"):
        audit(record)
