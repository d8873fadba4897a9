"""Cards are counted through the shoe: a whole deck before it deals, the rest of it after; and no order is ever kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from table_bench import BURNS, DEAL, DEALER, PIT, Bench
from table_bench import bench as made

from studio import ports
from studio.cards import DECK, Card
from studio.people import Actor
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.rotation import DeckStage
from studio.tables.state.shoe import Deck
from studio.tables.state.table import Status
from studio.value import replace
from studio.views import view_table
from studio.views.device import view_change

WITNESS = Actor("d2", "Dora", frozenset({"dealer"}))
ACE, KING = Card.parse("As"), Card.parse("Ks")


@pytest.fixture
def bench() -> Iterator[Bench]:
    """An open table with an empty shoe."""
    with made() as found:
        found.links()
        found.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        yield found


def count_in(bench: Bench, *cards: Card | None, deck: str = "mine") -> None:
    bench.do(c.StartCount, bench.pin(PIT), whole=True, deck_id=deck)
    for card in cards:
        bench.draw(card) if card is not None else bench.draw_unread()
    bench.do(c.EndCount)


def played(bench: Bench) -> tuple[Card, ...]:
    """A round is dealt and settled; gives the cards still in the shoe."""
    bench.load()
    bench.start()
    bench.do(c.OpenBetting)
    bench.wait(15)
    bench.deal(*DEAL)
    bench.finish()
    return tuple(card for card in DECK if card not in (*BURNS, *DEAL))


def ended(bench: Bench) -> e.CountEnded:
    event = bench.rows("CountEnded")[-1]
    assert isinstance(event, e.CountEnded)
    return event


def test_a_whole_deck_is_counted_in_and_may_deal(bench: Bench) -> None:
    count_in(bench, *DECK)
    assert (ended(bench).verdict, ended(bench).counted, ended(bench).missing) == ("ok", 52, {})
    assert bench.state.approved == ("mine",)
    bench.do(c.LoadShoe, deck_id="mine")
    assert bench.state.deck is not None
    assert bench.state.deck.drawn == 0


def test_it_is_counted_at_a_closed_table_too() -> None:
    with made() as bench:
        bench.links()
        count_in(bench, *DECK)
        assert (bench.state.status, bench.state.approved) == (Status.CLOSED, ("mine",))


@pytest.mark.parametrize(
    ("cards", "verdict", "missing", "doubled"),
    [
        pytest.param(DECK[:-1], "short", {str(DECK[-1]): 1}, {}, id="one-missing"),
        pytest.param((*DECK, ACE), "over", {}, {"As": 1}, id="one-too-many"),
        pytest.param((*(card for card in DECK if card is not KING), ACE), "duplicate", {"Ks": 1}, {"As": 1}, id="one-twice"),  # noqa: E501
        pytest.param((*DECK[:-1], None), "unread", {}, {}, id="one-not-read"),
        pytest.param((), "short", {str(card): 1 for card in DECK}, {}, id="nothing"),
    ],
)  # fmt: skip
def test_a_deck_that_is_not_whole_is_blocked_and_says_what_is_wrong(
    bench: Bench, cards: tuple[Card, ...], verdict: str, missing: dict[str, int], doubled: dict[str, int]
) -> None:
    count_in(bench, *cards)
    found = ended(bench)
    assert (found.verdict, found.missing, found.doubled) == (verdict, missing, doubled)
    assert [one.stage for one in bench.state.decks.records] == [DeckStage.BLOCKED]
    assert bench.open_kinds() == ["deck_unverified"]
    assert bench.state.approved == ()


def test_no_order_is_kept_anywhere(bench: Bench) -> None:
    """The readings are journalled closed, and the key file has no key of them: nobody can open them, ever."""
    count_in(bench, *DECK)
    drawn = [one.observation for one in bench.rows("ShoeDrewCard") if isinstance(one, e.ObservationRecorded)]
    assert len(drawn) == 52
    for seen in drawn:
        assert isinstance(seen, ports.ShoeDrewCard)
        assert bench.store.keyring.lookup(seen.card.id) is None
    assert all(one == e.CardCounted() for one in bench.rows("CardCounted"))
    assert "As" not in repr(view_table(bench.state, bench.table.book, bench.table.seq))


def test_what_is_drawn_after_the_count_has_its_key_again(bench: Bench) -> None:
    count_in(bench, *DECK)
    bench.do(c.LoadShoe)
    bench.do(c.StartRound)
    assert bench.store.keyring.lookup(bench.draw("4s")) is not None


def test_the_counter_runs_and_says_it_to_the_dealer(bench: Bench) -> None:
    bench.do(c.StartCount, bench.pin(PIT), whole=True, deck_id="mine")
    for card in DECK[:3]:
        bench.draw(card)
    bench.draw(DECK[2], resent=True)
    view = view_table(bench.state, bench.table.book, bench.table.seq)
    assert (view.now.act.key, dict(view.now.act.values)) == ("act.count", {"done": 3, "of": 52, "deck": "mine"})
    assert view.shoe.count is not None
    assert (view.shoe.count.open, view.shoe.count.drawn, view.shoe.count.missing) == (True, 3, ())
    bench.do(c.EndCount, break_off=True)


def test_the_rest_of_a_shoe_is_reconciled_with_what_was_dealt(bench: Bench) -> None:
    rest = played(bench)
    bench.do(c.StartCount, bench.pin(PIT), whole=False)
    for card in rest:
        bench.draw(card)
    bench.do(c.EndCount)
    assert (ended(bench).verdict, ended(bench).counted, ended(bench).wanted) == ("ok", 36, 36)
    assert bench.state.deck is None
    assert bench.open_kinds() == []


def test_a_card_missing_from_the_rest_opens_an_incident_and_blocks_the_deck(bench: Bench) -> None:
    rest = played(bench)
    bench.do(c.StartCount, bench.pin(PIT), whole=False)
    for card in rest[1:]:
        bench.draw(card)
    bench.do(c.EndCount)
    assert (ended(bench).verdict, ended(bench).missing) == ("short", {str(rest[0]): 1})
    assert (bench.open_kinds(), bench.state.deck) == (["deck_unverified"], None)
    assert [one.stage for one in bench.state.decks.records if one.id == "deck-1"] == [DeckStage.BLOCKED]


def test_a_burned_card_that_comes_again_is_found_and_not_named(bench: Bench) -> None:
    """It lies face down: that it is in the deck twice is told, which one it is not."""
    rest = played(bench)
    bench.do(c.StartCount, bench.pin(PIT), whole=False)
    for card in (BURNS[0], *rest[1:]):
        bench.draw(card)
    bench.do(c.EndCount)
    assert (ended(bench).verdict, ended(bench).doubled) == ("duplicate", {})


@pytest.mark.parametrize(("left", "verdict"), [(36, "ok"), (35, "short"), (37, "over")])
def test_two_people_may_count_the_rest_by_hand(bench: Bench, left: int, verdict: str) -> None:
    played(bench)
    bench.do(c.TypeCount, bench.pin(PIT), left=left, beside=bench.pin(WITNESS))
    assert (ended(bench).verdict, ended(bench).by, ended(bench).typed_by) == (verdict, "p1", "d2")
    assert bench.state.deck is None


@pytest.mark.parametrize(
    ("given", "key"),
    [
        pytest.param({}, "second_missing", id="alone"),
        pytest.param({"beside": PIT}, "same_person", id="with-himself"),
        pytest.param({"beside": WITNESS, "left": 53}, "count_wrong", id="more-than-there-are"),
        pytest.param({"beside": WITNESS, "left": -1}, "count_wrong", id="less-than-none"),
        pytest.param({"beside": Actor("t1", "Tom", frozenset({"technician"}))}, "not_allowed", id="not-a-witness"),
    ],
)
def test_a_typed_count_is_refused(bench: Bench, given: dict[str, Any], key: str) -> None:
    bench.load()
    if "beside" in given:
        given = {**given, "beside": bench.pin(given["beside"])}
    assert bench.refused(c.TypeCount, bench.pin(PIT), **{"left": 36, **given}) == key


def test_what_does_not_go_with_a_count_is_refused(bench: Bench) -> None:
    assert bench.refused(c.StartCount, DEALER, whole=True, deck_id="mine") == "not_allowed"
    assert bench.refused(c.StartCount, PIT, whole=True, deck_id="mine") == "pin_needed"
    assert bench.refused(c.StartCount, bench.pin(PIT), whole=True, deck_id=" ") == "count_unnamed"
    assert bench.refused(c.StartCount, bench.pin(PIT), whole=False) == "no_shoe"
    assert bench.refused(c.EndCount) == "count_none"
    bench.load()
    assert bench.refused(c.StartCount, bench.pin(PIT), whole=True, deck_id="mine") == "count_shoe_full"
    bench.do(c.StartRound)
    assert bench.refused(c.StartCount, bench.pin(PIT), whole=False) == "round_open"


def test_nothing_else_happens_while_cards_are_counted(bench: Bench) -> None:
    bench.do(c.StartCount, bench.pin(PIT), whole=True, deck_id="mine")
    for command, given in ((c.StartRound, {}), (c.LoadShoe, {}), (c.CloseTable, {}), (c.PauseTable, {})):
        assert bench.refused(command, PIT, **given) == "count_open"
    bench.do(c.FreezeTable)
    bench.draw("As")
    assert bench.state.decks.count is not None
    assert bench.state.decks.count.drawn == 1


def test_a_shoe_without_a_line_counts_nothing() -> None:
    with made() as bench:
        assert bench.refused(c.StartCount, bench.pin(PIT), whole=True, deck_id="mine") == "count_no_shoe"


def test_a_count_ends_with_the_program_and_says_nothing(bench: Bench) -> None:
    bench.do(c.StartCount, bench.pin(PIT), whole=True, deck_id="mine")
    bench.draw("As")
    bench.restart()
    assert (ended(bench).verdict, ended(bench).by, bench.state.decks.count) == ("broken_off", "system", None)
    assert bench.state.approved == ()


@pytest.mark.parametrize(
    ("game", "rounds", "steps"),
    [("three_knights", 3, 5), ("three_card_poker", 1, 0), ("blackjack", 1, 0), ("nlh", 1, 0)],
)
def test_the_next_deck_of_a_game_that_is_shuffled_each_round_is_no_shoe_change(
    game: str, rounds: int, steps: int
) -> None:
    with made(game=game) as table:
        table.links()
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        dealt = replace(table.state, deck=Deck("deck-1", 1, drawn=16, rounds=rounds))
        assert len(view_change(dealt)) == steps
        assert len(view_change(replace(dealt, deck=None))) == 5


def test_a_shoe_change_is_told_step_by_step_and_names_both_decks(bench: Bench) -> None:
    bench.load()
    bench.verify_deck("deck-2")
    bench.say(ports.CutCardOut(device="shoe", at_ms=bench.now))
    bench.rule("continue", kind="cut_card") if "cut_card" in bench.open_kinds() else None
    view = view_table(bench.state, bench.table.book, bench.table.seq)
    assert [(step.says.key, step.state) for step in view.shoe.change] == [
        ("change.finish", "done"), ("change.clear", "done"), ("change.out", "due"), ("change.verified", "done"),
        ("change.load", "later"),
    ]  # fmt: skip
    bench.do(c.LoadShoe)
    loaded = bench.rows("ShoeLoaded")[-1]
    assert isinstance(loaded, e.ShoeLoaded)
    assert (loaded.out, loaded.deck_id, loaded.by) == ("deck-1", "deck-2", "d1")
    assert view_table(bench.state, bench.table.book, bench.table.seq).shoe.change == ()


def test_a_count_typed_of_one_shoe_withdraws_no_other(bench: Bench) -> None:
    bench.load()
    typed = {"left": 36, "beside": bench.pin(WITNESS), "about": "1"}
    bench.do(c.WithdrawShoe, bench.pin(PIT), reason_code="worn")
    bench.load()
    assert bench.refused(c.TypeCount, bench.pin(PIT), **typed) == "moved_on"
    bench.do(c.TypeCount, bench.pin(PIT), **{**typed, "left": 52, "about": "2"})
    assert ended(bench).verdict == "ok"
