"""A prize lost with a voided round [HG20]: told, made a case, decided by a person, paid once, and audited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import msgspec
import pytest
from holdem_table import Holdem, holdem
from table_bench import DEALER, PIT, Bench
from test_table_pot import FED, GAME, NOTHING, POT, ROYAL, STAKES, Lying, both, less, moved, told, void

from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.settlement import Claim
from studio.tables import command as c

FLUSH = "As 2c Ks 3d 9s 7s 2s 7h 4d"

ANN, BOB = "bettor:north:ann", "bettor:north:bob"


@pytest.fixture
def flush() -> Iterator[Holdem]:
    """Void after the flop, which with the player's two spades makes a flush: 40 for one."""
    with holdem(GAME, FLUSH) as round:
        yield lost(round)


def lost(round: Holdem) -> Holdem:
    round.staked(STAKES).decided(ann="flop")
    void(round.table)
    return round


def decide(table: Bench, pays: str = "full", amount_minor: int = 0, **given: str) -> None:
    said = {"reason_code": "other", "words": "As the provider wrote on Friday.", **given}
    table.do(
        c.DecideCompensation,
        table.pin(PIT),
        case=table.state.aftermath.cases[0].id,
        pays=pays,
        amount_minor=amount_minor,
        **said,
    )


def test_the_record_says_that_a_prize_was_lost_and_the_case_knows_whose(flush: Holdem) -> None:
    table = flush.table
    [_, opened] = table.rows("IncidentOpened")
    assert (opened.incident, opened.row, opened.ruling, opened.afterwards) == (
        "prize_lost", "HG20", "void_round", ("compensate",),
    )  # fmt: skip
    [case] = table.state.aftermath.cases
    assert (case.id, case.line, case.bet, case.bets, case.assessed) == (table.round.id, "flush", "first5", 2, True)
    assert [(claim.account, claim.stake_minor, claim.prize_minor) for claim in case.claims] == [
        (ANN, 101, 4_040), (BOB, 500, 20_000),
    ]  # fmt: skip
    assert case.incident == opened.id
    assert table.balance("ann") == table.balance("bob") == 10_000


def test_a_round_without_a_prize_on_its_cards_or_a_bettor_on_it_opens_no_case() -> None:
    with holdem(GAME, NOTHING) as round:
        lost(round)
        assert round.table.state.aftermath.cases == ()
    with holdem(GAME, FLUSH) as round:
        round.staked({"cyd": STAKES["cyd"]}).decided()
        void(round.table)
        assert round.table.state.aftermath.cases == ()


def test_before_the_flop_lies_no_prize_is_lost() -> None:
    with holdem(GAME, FLUSH) as round:
        void(round.staked(STAKES).table)
        assert round.table.rows("CompensationOpened") == []


def test_a_pit_boss_may_say_so_where_the_cards_do_not() -> None:
    with holdem(GAME, NOTHING) as round:
        table = round.staked(STAKES).table
        table.report("prize_lost", PIT)
        table.rule("void_round", PIT)
        table.pay()
        [case] = table.state.aftermath.cases
        assert (case.line, [claim.prize_minor for claim in case.claims]) == ("", [0, 0])
        decide(table, "each", 1_000)
        table.pay()
        assert table.balance("ann") == table.balance("bob") == 11_000


def test_a_lost_royal_is_worth_the_pot_as_it_lay_shared_alike() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = lost(round).table
        share = (100_000 + FED) // 2
        assert [claim.prize_minor for claim in table.state.aftermath.cases[0].claims] == [share, share]
        with table.store.reader() as reader:
            assert reader.balance("pot:main") == 100_000


def test_a_lost_royal_without_any_contribution_still_says_what_lay_in_the_pot() -> None:
    with holdem(GAME, ROYAL, pot=msgspec.structs.replace(POT, share_percent=0)) as round:
        assert [claim.prize_minor for claim in lost(round).table.state.aftermath.cases[0].claims] == [50_000, 50_000]


PAYS = {"full": (0, 14_040, 30_000), "each": (700, 10_700, 10_700), "none": (0, 10_000, 10_000)}


@pytest.mark.parametrize("pays", PAYS)
def test_what_is_decided_is_paid_once_and_closes_the_case(flush: Holdem, pays: str) -> None:
    amount_minor, ann, bob = PAYS[pays]
    table = flush.table
    decide(table, pays, amount_minor)
    assert table.rows("ExceptionRecorded")[-1].row == "HG20"
    table.restart()
    table.pay()
    assert table.state.aftermath.cases == ()
    assert (table.balance("ann"), table.balance("bob")) == (ann, bob)
    table.pay()
    assert (table.balance("ann"), table.balance("bob")) == (ann, bob)
    assert table.rows("CompensationPaid")[-1].over


def test_a_kill_between_two_payments_pays_nobody_twice(flush: Holdem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.tables.irregularity.compensation.CHUNK_BETS", 1)
    table = flush.table
    decide(table)
    while table.table.pay(table.now):
        table.restart()
    assert (table.balance("ann"), table.balance("bob")) == (14_040, 30_000)
    assert [row.cursor for row in table.rows("CompensationPaid")] == [1, 2]


def test_the_next_round_goes_on_while_a_case_waits(flush: Holdem) -> None:
    table = flush.table
    table.clear()
    table.load("deck-2")
    table.do(c.StartRound)
    assert [case.id for case in table.state.aftermath.cases] == ["t1-0000001"]
    decide(table)
    table.pay()
    assert table.balance("ann") == 14_040


REFUSED = {
    "not-a-dealer": ({"actor": DEALER}, "not_allowed"),
    "no-pin": ({"actor": PIT}, "pin_needed"),
    "no-words": ({"words": " "}, "reason_needed"),
    "no-reason": ({"reason_code": ""}, "reason_needed"),
    "nothing-to-each": ({"pays": "each"}, "bad_amount"),
    "something-else": ({"pays": "double"}, "unknown_pays"),
    "another-case": ({"case": "t1-0000009"}, "case_closed"),
}


@pytest.mark.parametrize(("change", "key"), REFUSED.values(), ids=REFUSED)
def test_a_decision_needs_a_person_a_reason_and_a_case(flush: Holdem, change: dict[str, object], key: str) -> None:
    table = flush.table
    usual: dict[str, object] = {
        "actor": table.pin(PIT), "case": table.round.id, "pays": "full", "reason_code": "other", "words": "So be it.",
    }  # fmt: skip
    found = table.refused(c.DecideCompensation, **{**usual, **change})  # type: ignore[arg-type]
    assert found == key


def test_a_case_is_decided_once(flush: Holdem) -> None:
    decide(flush.table)
    table, case = flush.table, flush.table.round.id
    again = {"case": case, "pays": "none", "reason_code": "other", "words": "No."}
    assert table.refused(c.DecideCompensation, table.pin(PIT), **again) == "case_closed"


LIES = {
    "a case nobody opened": (told("CompensationOpened", line="straight"), "was not opened as its cards make it"),
    "another stake on the prize": (told("CompensationOpened", bets=1), "was not opened as its cards make it"),
    "a claim too small": (
        told("CompensationAssessed", claims=(Claim(bet_id="b", account=ANN, stake_minor=1, prize_minor=1),)),
        "is not what its stakes make it",
    ),
    "a payment too small": (moved("compensate", less), "is due a compensate of"),
    "a payment never made": (moved("compensate", lambda transfer: None), "lacks the compensate|is due a compensate"),
    "a payment and its sum too small": (
        both(told("CompensationPaid", amount_minor=24_038), moved("compensate", less)), "other sums"
    ),
    "a decision of another kind": (told("CompensationDecided", pays="none"), "other sums|No event accounts"),
}  # fmt: skip


@pytest.mark.parametrize(("tamper", "words"), LIES.values(), ids=LIES)
def test_a_lie_about_a_case_is_found(tamper: object, words: str) -> None:
    with closing(Lying(tamper)) as table:  # type: ignore[arg-type]
        round = lost(Holdem(table, FLUSH))
        decide(round.table)
        round.table.pay()
        with pytest.raises(WrongError, match=words):
            audit(steps(table.store.connection))


def test_a_case_that_was_never_opened_is_missed() -> None:
    def silent(unit: Unit) -> Unit:
        return replace(unit, entries=tuple(one for one in unit.entries if not one.kind.startswith("Compensation")))

    with closing(Lying(silent)) as table:
        lost(Holdem(table, FLUSH))
        with pytest.raises(WrongError, match="no case was opened"):
            audit(steps(table.store.connection))
