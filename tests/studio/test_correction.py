"""A settled round is corrected: asked by one, approved by another, and only what differs moves."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest
from correction_bench import BETS, approve, ask, correct, dealt, moved, previewed, replaced
from table_bench import CONFIG, DEALER, PIT, PIT_TOO, Bench, bench, replace

from studio.cards import Card
from studio.errors import RefusedError
from studio.journal import Unit
from studio.money import Transfer, bettor_account, operator_account
from studio.rounds import CardMoved, CardRemoved, CardReplaced, HandsExchanged
from studio.tables import command as c
from studio.tables.correction.request import rights_of
from studio.tables.event import table as e


@pytest.fixture
def settled() -> Iterator[Bench]:
    """Player 1 ties with the Banker's nine, Player 2 loses with a two, Player 3 with a six."""
    with bench() as table:
        yield dealt(table)


def withdraw(table: Bench, amount_minor: int) -> None:
    account = bettor_account("north", "ann")
    out = Transfer("", "out", "withdraw", account, operator_account("north"), amount_minor, "EUR")
    table.writer.commit(Unit(transfers=(out,)))


def owed(table: Bench) -> int:
    with table.store.reader() as reader:
        return reader.balance("receivable:north:ann")


# --- only differences move --------------------------------------------------------------------------------


def test_only_the_bets_whose_return_changed_move(settled: Bench) -> None:
    before = settled.balance()
    correct(settled, replaced(settled, "player3", 3, "As"))
    transfers = moved(settled, 1)
    assert {one.kind for one in transfers} == {"return"}
    assert settled.balance() - before == sum(one.amount_minor for one in transfers) > 0


def test_the_preview_is_what_then_moves(settled: Bench) -> None:
    fact = replaced(settled, "banker", 3, "2d")
    [told] = previewed(settled, fact).sums
    before = settled.balance()
    correct(settled, fact)
    assert settled.balance() - before == told.out_minor - told.back_minor
    assert (told.operator, told.currency, told.bettors) == ("north", "EUR", 1)


def test_voided_after_the_settlement_every_stake_goes_back(settled: Bench) -> None:
    correct(settled, void=True)
    assert (settled.balance(), settled.house()) == (10_000, 0)
    [exception] = settled.rows("ExceptionRecorded")
    assert isinstance(exception, e.ExceptionRecorded)
    assert (exception.act, exception.bets, exception.revision) == ("void_settled_round", len(BETS), 1)
    assert (exception.asked_by, exception.approved_by, exception.round) == (PIT.id, PIT_TOO.id, settled.round.id)


def test_hands_recorded_the_wrong_way_round_are_paid_the_other_way(settled: Bench) -> None:
    before = settled.round.outcome
    assert before is not None
    correct(settled, HandsExchanged(a="player1", b="player3"))
    [done] = settled.rows("RoundResettled")
    assert isinstance(done, e.RoundResettled)
    assert done.outcome["player1"]["result"] == before["player3"]["result"]
    assert done.outcome["player3"]["result"] == before["player1"]["result"]
    assert done.before == before


def test_corrected_and_corrected_back_nothing_has_changed(settled: Bench) -> None:
    before = settled.balance(), settled.house()
    correct(settled, replaced(settled, "banker", 3, "2d"))
    correct(settled, replaced(settled, "banker", 3, "9d"))
    assert (settled.balance(), settled.house()) == before
    assert settled.state.aftermath.corrections.revisions == {settled.round.id: 2}


def test_the_record_of_the_exception_says_what_was_and_what_is(settled: Bench) -> None:
    correct(settled, replaced(settled, "player3", 3, "As"))
    [exception] = settled.rows("ExceptionRecorded")
    assert isinstance(exception, e.ExceptionRecorded)
    assert "player3 3 = 8h" in str(exception.before)
    assert "player3 3 = As" in str(exception.after)
    assert "1 bettor" in str(exception.after)


def test_a_round_of_long_ago_is_corrected_while_the_next_one_is_dealt(settled: Bench) -> None:
    first = settled.round.id
    settled.load("deck-2")
    settled.start().betting(("player1_win", 100))
    fact = replaced(settled, "player3", 3, "As", round=first)
    ask(settled, fact, round=first)
    approve(settled, round=first)
    settled.pay()
    assert settled.state.aftermath.corrections.revisions == {first: 1}
    assert settled.round.id != first
    assert settled.round.live


# --- what a purse does not cover --------------------------------------------------------------------------

POLICIES = {"allow_negative": (-2_950, 0), "partial_and_receivable": (0, -2_950), "write_off": (0, 0)}


@pytest.mark.parametrize("policy", POLICIES)
def test_money_that_is_not_there_follows_the_operators_policy(policy: str) -> None:
    with bench(CONFIG, claw_back={"north": policy}) as table:
        dealt(table, bets=(("player3_win", 100), ("player1_win", 3_000)))
        withdraw(table, table.balance() - 50)
        correct(table, replaced(table, "player1", 3, "Td"))
        assert (table.balance(), owed(table)) == POLICIES[policy]
        shorts = [one for row in table.rows("BetsResettled") for one in row.shorts]  # type: ignore[union-attr]
        assert [(one.amount_minor, one.policy) for one in shorts] == [(2_950, policy)]


def test_what_is_owed_is_paid_back_by_a_correction_the_other_way(settled: Bench) -> None:
    withdraw(settled, settled.balance())
    correct(settled, replaced(settled, "player1", 3, "Td"))
    assert (settled.balance(), owed(settled)) == (0, -1_000)
    correct(settled, replaced(settled, "player1", 3, "6d"))
    assert (settled.balance(), owed(settled)) == (0, 0)


def test_no_bet_stands_on_a_balance_below_zero() -> None:
    with bench(CONFIG, claw_back={"north": "allow_negative"}) as table:
        dealt(table, bets=(("player1_win", 1_000),))
        withdraw(table, table.balance())
        correct(table, replaced(table, "player1", 3, "Td"))
        table.load("deck-2")
        table.start().do(c.OpenBetting)
        assert table.bet(stake_minor=100).key == "insufficient_balance"
        table.deposit(1_000)
        row = table.store.connection.execute("SELECT may_owe FROM balance WHERE account = 'bettor:north:ann'")
        assert row.fetchone() == (0,)


# --- two people, one act, the exact preview ---------------------------------------------------------------


def test_nobody_approves_his_own_correction(settled: Bench) -> None:
    ask(settled, void=True)
    with pytest.raises(RefusedError) as refused:
        approve(settled, actor=settled.pin(PIT))
    assert refused.value.key == "same_person"


@pytest.mark.parametrize(
    ("change", "key"),
    [({"actor": PIT_TOO}, "pin_needed"), ({"actor": DEALER}, "not_allowed"), ({"correction": "t1-c9"}, "lapsed")],
    ids=["no-pin", "a-dealer", "another-correction"],
)
def test_an_approval_needs_pit_rights_a_pin_and_what_was_asked(
    settled: Bench, change: dict[str, object], key: str
) -> None:
    ask(settled, void=True)
    with pytest.raises(RefusedError) as refused:
        approve(settled, **change)
    assert refused.value.key == key
    assert settled.rows("CorrectionApproved") == []


def test_the_tables_dealer_asks_where_one_pit_boss_is_alone_on_the_floor(settled: Bench) -> None:
    for pit_bosses, actor, key in ((2, DEALER, "pit_asks"), (1, replace(DEALER, id="d9"), "not_allowed")):
        with pytest.raises(RefusedError) as refused:
            ask(settled, void=True, actor=settled.pin(actor), pit_bosses=pit_bosses)
        assert refused.value.key == key
    ask(settled, void=True, actor=settled.pin(DEALER), pit_bosses=1)
    approve(settled)
    settled.pay()
    assert settled.balance() == 10_000


def test_a_request_lapses_after_a_minute(settled: Bench) -> None:
    ask(settled, void=True)
    id = settled.state.aftermath.corrections.current.id  # type: ignore[union-attr]
    settled.wait(61)
    assert settled.state.aftermath.corrections.current is None
    assert settled.refused(
        c.ApproveCorrection, settled.pin(PIT_TOO), correction=id, dossier=settled.dossier()
    ) == "lapsed"  # fmt: skip


def test_a_declined_correction_moves_nothing(settled: Bench) -> None:
    ask(settled, void=True)
    before = settled.balance()
    settled.do(c.DeclineCorrection, PIT_TOO, correction=settled.state.aftermath.corrections.current.id)  # type: ignore[union-attr]
    settled.pay()
    assert (settled.balance(), settled.state.aftermath.corrections.current) == (before, None)


def test_an_older_copy_of_the_round_is_refused(settled: Bench) -> None:
    old = settled.dossier()
    correct(settled, replaced(settled, "player3", 3, "As"))
    found = settled.refused(
        c.AskCorrection, settled.pin(PIT), dossier=old, void=True, reason_code="other", words="So."
    )  # fmt: skip
    assert found == "changed_meanwhile"


def test_another_preview_than_the_one_shown_is_refused(settled: Bench) -> None:
    with pytest.raises(RefusedError) as refused:
        ask(settled, void=True, digest="0" * 64)
    assert refused.value.key == "changed_meanwhile"


def test_one_correction_at_a_time(settled: Bench) -> None:
    ask(settled, void=True)
    ask(settled, void=True)
    assert len(settled.rows("CorrectionAsked")) == 1, "a double tap"
    for other in ({"words": "Another reason."}, {"actor": settled.pin(PIT_TOO)}):
        with pytest.raises(RefusedError) as refused:
            ask(settled, void=True, **other)
        assert refused.value.key == "correction_open"


def test_approved_twice_it_is_one_act(settled: Bench) -> None:
    ask(settled, void=True)
    id = settled.state.aftermath.corrections.current.id  # type: ignore[union-attr]
    approve(settled)
    with pytest.raises(RefusedError):
        approve(settled, correction=id)
    settled.pay()
    assert settled.balance() == 10_000


# --- what cannot be corrected -----------------------------------------------------------------------------

IMPOSSIBLE = {
    "nothing": ((), "nothing_changed"),
    "the-card-it-is": (("banker", 3, "9d"), "nothing_changed"),
    "a-card-that-lies-there": (("banker", 3, "Th"), "card_twice"),
    "no-such-card": ((CardRemoved(id="x"),), "no_card"),
    "no-such-place": ((CardMoved(id="", box="player1", place=9),), "no_card"),
    "one-hand-with-itself": ((HandsExchanged(a="player1", b="player1"),), "two_boxes"),
}


@pytest.mark.parametrize(("facts", "key"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_correction_that_cannot_be_is_refused(settled: Bench, facts: tuple[object, ...], key: str) -> None:
    if facts and isinstance(facts[0], str):
        facts = (replaced(settled, *facts),)  # type: ignore[arg-type]
    with pytest.raises(RefusedError) as refused:
        ask(settled, *facts)  # type: ignore[arg-type]
    assert refused.value.key == key


def test_a_card_taken_out_or_moved_makes_the_deal_another_and_only_void_fits(settled: Bench) -> None:
    card = settled.round.deal.cards["player1", 3].card.id
    for fact in (CardRemoved(id=card), CardMoved(id=card, box="player2", place=1)):
        with pytest.raises(RefusedError) as refused:
            previewed(settled, fact)
        assert refused.value.key == "misfit"
        assert "Void" in refused.value.sentence
    assert previewed(settled, void=True).sums


def test_a_void_round_stays_void(settled: Bench) -> None:
    correct(settled, void=True)
    for void in (True, False):
        with pytest.raises(RefusedError) as refused:
            ask(settled, *(() if void else (replaced(settled, "player3", 3, "As"),)), void=void)
        assert refused.value.key == "round_void"


def test_an_open_round_is_not_resettled() -> None:
    with bench() as table:
        table.open().deposit()
        table.start().betting(("player1_win", 100))
        with pytest.raises(RefusedError) as refused:
            ask(table, void=True)
        assert refused.value.key == "not_settled"


@pytest.mark.parametrize("void", [False, True], ids=["settled", "void"])
def test_no_other_command_changes_a_round_that_is_over(settled: Bench, void: bool) -> None:
    """The commands of the table, each given to a round that is settled or void."""
    if void:
        correct(settled, void=True)
    round, balance = settled.round, settled.balance()
    given: dict[type[c.Command], dict[str, object]] = {
        c.DeclareResult: {}, c.OpenBetting: {}, c.CloseBetting: {},
        c.OverrideCard: {"box": "player1", "place": 1, "card": "As", "reason_code": "other", "words": "So."},
        c.ReportIncident: {"kind": "malfunction"},
        c.RuleIncident: {"incident": "t1-i1", "ruling": "void_round"},
        c.ApproveRuling: {"incident": "t1-i1", "asked": ""},
        c.DecideCompensation: {"case": round.id, "pays": "none"},
    }  # fmt: skip
    for command, fields in given.items():
        assert settled.refused(command, settled.pin(PIT), **fields)
    settled.pay()
    assert (settled.round, settled.balance()) == (round, balance)


# --- killed in between ------------------------------------------------------------------------------------


@pytest.mark.parametrize("void", [False, True], ids=["corrected", "void"])
def test_killed_between_two_chunks_it_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch, void: bool) -> None:
    monkeypatch.setattr("studio.tables.correction.resettlement.CHUNK_BETS", 1)
    with bench() as table:
        dealt(table)
        facts = () if void else (replaced(table, "banker", 3, "2d"),)
        due = previewed(table, *facts, void=void)
        before = table.balance()
        ask(table, *facts, void=void)
        approve(table)
        while table.table.pay(table.now):
            table.restart()
        told = due.sums[0]
        assert table.balance() == before + told.out_minor - told.back_minor
        assert [row.cursor for row in table.rows("BetsResettled")] == list(range(1, len(due.differences) + 1))  # type: ignore[union-attr]


def test_a_correction_is_told_when_the_round_is_read_aloud(settled: Bench) -> None:
    from dealer_ui.verbs.replay import english
    from studio.proof.telling.replay import find_round, tell_round

    correct(settled, replaced(settled, "player3", 3, "As"))
    with settled.store.reader() as reader:
        lines = "\n".join(tell_round(reader, find_round(reader, settled.round.id), english("EUR")))
    assert "Petra asks that the settled round be corrected" in lines
    assert re.search("Player 3, card 3: 8♥.*Player 3, card 3: A♠", lines)
    assert "It was corrected, revision 1" in lines


# --- the right of each thing it holds ---------------------------------------------------------------------

CARD = CardReplaced(id="x", face=Card.parse("As"), source="manual")
HANDS = HandsExchanged(a="player1", b="player2")


@pytest.mark.parametrize(
    ("facts", "void", "rights"),
    [
        pytest.param((CARD,), False, {"override_card"}, id="a card"),
        pytest.param((HANDS,), False, {"override_result"}, id="whose cards they were"),
        pytest.param((CARD, HANDS), False, {"override_card", "override_result"}, id="both"),
        pytest.param((), True, {"void_round"}, id="the whole round"),
    ],
)
def test_the_second_person_needs_the_right_of_each_thing_a_correction_holds(
    settled: Bench, facts: tuple[e.Righting, ...], void: bool, rights: set[str]
) -> None:
    ask(settled, void=True)
    assert settled.state.aftermath.corrections.current is not None
    asked = msgspec.structs.replace(settled.state.aftermath.corrections.current.asked, facts=facts, void=void)
    assert set(rights_of(asked)) == {"resettle_round", *rights}
