"""Cards dealt face down: sealed until the script reveals them, confirmed as backs, checked by both eyes when turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from table_bench import CONFIG, DOWN, PIT, PIT_TOO, UP, Bench, bench

from studio.cards import Card, parse_cards
from studio.errors import RefusedError
from studio.rulebook.script import Reveal
from studio.tables import command as c
from studio.tables.state.round import Stage
from studio.tables.state.table import awaited
from studio.views import view_table

HOLES = parse_cards("Ks 7d Kh 2c")
BOARD = parse_cards("Kd 9s 9c 4h 3d")


def down(table: Bench, cards: Sequence[Card] = HOLES) -> Bench:
    for card in cards:
        slot = table.next_slot()
        table.draw(card)
        table.lay(*slot, face=DOWN)
    return table


def turn(table: Bench, box: str, *cards: Card) -> None:
    for place, card in enumerate(cards, 1):
        table.lay(box, place, card, UP)


@pytest.fixture
def clash() -> Iterator[Bench]:
    with bench(CONFIG, game="kkclash", window_s=15.0) as table:
        table.deposit()
        table.open()
        table.do(c.StartRound)
        yield table


def test_a_round_with_holes_is_dealt_revealed_and_paid(clash: Bench) -> None:
    down(clash).betting(("shark", 1000), ("pocket_kings", 100)).deal(*BOARD)
    assert [box.ranks_as for box in view_table(clash.state, clash.table.book, 1).boxes] == ["", "", ""]
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.finish()
    assert clash.round.stage is Stage.SETTLED
    assert clash.balance() == 100_000 - 1100 + 2020 + 10_000


def test_a_hole_card_shows_on_no_screen_before_its_reveal(clash: Bench) -> None:
    down(clash).betting().deal(*BOARD)
    drawn = repr(view_table(clash.state, clash.table.book, 1))
    assert not [card for card in HOLES if f"'{card}'" in drawn]
    turn(clash, "shark", HOLES[0])
    assert f"'{HOLES[0]}'" not in repr(view_table(clash.state, clash.table.book, 1))
    turn(clash, "shark", HOLES[0], HOLES[2])
    assert f"'{HOLES[0]}'" in repr(view_table(clash.state, clash.table.book, 1))


def test_the_view_knows_of_a_reveal_as_soon_as_a_void_takes_two_people(clash: Bench) -> None:
    """One hand lies open, the other is still down: there is no result yet, and the void asks for a second person."""
    down(clash).betting(("shark", 1000)).deal(*BOARD)
    assert not view_table(clash.state, clash.table.book, 1).round.revealed
    turn(clash, "shark", HOLES[0], HOLES[2])
    view = view_table(clash.state, clash.table.book, 1)
    assert (view.round.revealed, view.round.outcome) == (True, None)
    clash.do(c.VoidRound, clash.pin(PIT), reason_code="other", words="A hand was turned too early.")
    assert clash.round.stage is Stage.DEALING
    assert clash.incident.asked is not None


def test_a_hole_card_turned_before_betting_closes_voids_the_round(clash: Bench) -> None:
    down(clash)
    clash.do(c.OpenBetting)
    clash.bet("shark")
    clash.lay("king", 1, HOLES[1], UP)
    assert (clash.incident.kind, clash.incident.ruling.row) == ("exposed_card", "KC1")
    clash.rule("void_round", PIT)
    clash.pay()
    assert clash.balance() == 100_000


def test_a_turned_card_that_is_not_the_one_the_shoe_read_holds_the_table(clash: Bench) -> None:
    down(clash).betting().deal(*BOARD)
    turn(clash, "shark", Card("A", "h"), HOLES[2])
    assert (clash.incident.kind, clash.incident.ruling.row) == ("card_mismatch", "HG15")
    assert "Ks" not in repr(clash.incident)
    clash.rule("shoe", PIT)
    now = awaited(clash.state)
    assert now is not None
    assert now.step == Reveal("king")


def test_the_hands_may_be_turned_in_either_order(clash: Bench) -> None:
    down(clash).betting().deal(*BOARD)
    turn(clash, "king", HOLES[1], HOLES[3])
    assert clash.open_kinds() == []
    turn(clash, "shark", HOLES[0], HOLES[2])
    clash.finish()


def test_one_bettor_may_not_bet_on_both_sides(clash: Bench) -> None:
    down(clash)
    clash.do(c.OpenBetting)
    assert clash.bet("shark").status == "accepted"
    assert clash.bet("king").key == "exclusive"
    assert clash.bet("draw").status == "accepted"
    assert clash.bet("king", bettor="bob").key == "insufficient_balance"


def test_nobody_enters_what_a_card_is_that_lies_face_down(clash: Bench) -> None:
    down(clash).betting()
    given = {"box": "shark", "place": 1, "card": "Ah", "reason_code": "seen", "words": "We saw it."}
    assert clash.refused(c.OverrideCard, clash.pin(PIT), **given) == "no_card"
    clash.report("card_mismatch", PIT, slot=("shark", 1))
    clash.rule("manual", PIT, "Ah")
    with pytest.raises(RefusedError, match="face down"):
        clash.approve()
    clash.do(c.DeclineRuling, PIT_TOO, incident=clash.incident.id)
    clash.rule("void_round", PIT)
    clash.pay()


def test_hg11_two_cards_of_one_face_turned_up_are_a_fouled_deck(clash: Bench) -> None:
    down(clash).betting(("shark", 1000)).deal(*BOARD)
    turn(clash, "shark", HOLES[2])
    assert clash.incident.ruling.row == "HG15"
    clash.rule("camera", PIT)
    turn(clash, "shark", HOLES[2], HOLES[2])
    assert (clash.incident.kind, clash.incident.ruling.row) == ("fouled_deck", "HG11")
    assert "Kh" not in repr(clash.incident)
    clash.rule("void_round", PIT)
    clash.pay()
    assert clash.balance() == 100_000
    assert clash.state.deck is None


def test_a_turned_card_may_be_entered_as_another_and_the_result_follows(clash: Bench) -> None:
    down(clash).betting(("pocket_kings", 100)).deal(*BOARD)
    turn(clash, "shark", HOLES[0], HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    clash.do(
        c.OverrideCard, clash.pin(PIT), box="shark", place=2, card="Qh", reason_code="misread", words="A queen."
    )  # fmt: skip
    clash.approve()
    assert "'Qh'" in repr(view_table(clash.state, clash.table.book, 1).boxes)
    assert clash.state.deck is not None
    assert (clash.state.deck.faces.get(HOLES[2], 0), clash.state.deck.faces[Card.parse("Qh")]) == (0, 1)
    clash.finish()
    assert clash.balance() == 100_000 - 100


def test_a_card_that_two_people_enter_while_its_box_is_turned_is_revealed_as_they_say_and_verify_agrees(
    clash: Bench,
) -> None:
    down(clash).betting(("shark", 1000)).deal(*BOARD)
    turn(clash, "shark", HOLES[0])
    told = {"box": "shark", "place": 1, "card": "Qs", "reason_code": "seen", "words": "We both read a queen."}
    clash.do(c.OverrideCard, clash.pin(PIT), **told)
    clash.approve()
    turn(clash, "shark", Card.parse("Qs"), HOLES[2])
    turn(clash, "king", HOLES[1], HOLES[3])
    while clash.state.incidents.open:
        clash.rule("shoe", PIT)
    clash.finish()
    assert clash.round.stage is Stage.SETTLED
