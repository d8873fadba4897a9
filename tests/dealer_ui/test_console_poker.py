"""The screens of a poker table: the oval, what the dealer says, what the public reads, and no hole card on any."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from console_visitor import Visitor, app_over, events
from fake_floor import FakeFloor
from fake_poker import SHOWN, STATES, TABLE, between, hand

from dealer_ui.felt.act import act_of, label_of, speaks
from dealer_ui.felt.spread import in_use
from dealer_ui.frame.incident_menu import menu_of
from dealer_ui.public.headline import headline_of
from dealer_ui.public.room import room_show
from dealer_ui.words.language import LANGUAGES, Languages, read_catalogue
from studio.games import find_game
from studio.tables.command import DismissSeat
from studio.tables.state.round import Stage
from studio.views import TableView

ENGLISH = Languages().speak("en")
CARD = re.compile(r'class="card (?:red|black)"')
CONSOLES = (("dora", f"/dealer/{TABLE}"), ("paul", f"/pit/{TABLE}"), ("", f"/display/{TABLE}"))


def act(view: TableView) -> str:
    return ENGLISH.words(act_of(view))


def public(view: TableView) -> str:
    show = room_show(view, headline_of(view))
    assert show is not None
    return ENGLISH.words(show.headline)


@pytest.mark.parametrize(("state", "says"), [
    ("before", "Start the hand"), ("alone", "Wait for players"), ("dealing", "Seat 5, card 2, face down"),
    ("first turn", "Seat 4: €1.00 to call"), ("flop due", "Burn one, then the flop"), ("flop", "Seat 4 to act"),
    ("turn up", "Turn seat 6 face up"), ("split", "Push €434.00 to seat 6"), ("push", "Push €7.50 to seat 5"),
    ("settled", "Clear the felt"),
])  # fmt: skip
def test_the_next_act_in_one_line_as_the_dealer_says_it(state: str, says: str) -> None:
    assert act(STATES[state]) == says


@pytest.mark.parametrize(("cards", "says"), [
    (18, "Burn one, then the flop"), (19, "Flop: card 1 of 3"), (21, "Flop: card 3 of 3"), (22, "Seat 4 to act"),
])  # fmt: skip
def test_the_flop_is_called_card_by_card(cards: int, says: str) -> None:
    assert act(hand("raise 300", "call", *["fold"] * 7, stop=cards)) == says


@pytest.mark.parametrize(("cards", "says"), [
    (22, "Burn one, then the turn"), (23, "Deal the turn"), (24, "Burn one, then the river"), (25, "Deal the river"),
])  # fmt: skip
def test_turn_and_river_have_a_burn_before_each(cards: int, says: str) -> None:
    assert act(hand("raise 300", "call", *["fold"] * 7, *["check"] * 4, stop=cards)) == says


def test_who_is_not_first_to_show_is_asked() -> None:
    assert act(hand("raise 300", "call", *["fold"] * 7, *["check"] * 6)).endswith("show or muck?")


def test_the_pots_are_spoken_when_a_street_is_over() -> None:
    assert [ENGLISH.words(one) for one in speaks(STATES["turn up"])] == [
        "Main pot €33.00", "side pot €51.00 between seats 2, 5, and 6", "side pot €350.00 between seats 5 and 6",
    ]  # fmt: skip
    assert [ENGLISH.words(one) for one in speaks(STATES["flop due"])] == ["Pot €7.50"]
    assert speaks(STATES["raised"]) == ()


def test_the_button_starts_a_hand_and_pushes_its_pots() -> None:
    for state, says in (("before", "Start the hand"), ("push", "Push the pots"), ("settled", "The felt is clear")):
        view = STATES[state]
        assert view.now.primary is not None or state == "settled"
        if view.now.primary is not None:
            assert ENGLISH.words(label_of(view, view.now.primary)) == says


def test_the_dealer_is_told_what_the_turn_may_cost_and_whom_to_muck() -> None:
    page = Visitor(app_over(FakeFloor(STATES["raised"])), "dora").page(f"/dealer/{TABLE}")
    options = re.findall(r'<span class="option [a-z-]+">([^<]+)</span>', page)
    assert options == ["Fold", "Call €3.00", "Raise to €5.00 – €200.00", "Muck seats 5 and 6"]
    assert '<p class="act-why said-raise"' not in page
    assert "Seat 7 calls" in page


def test_plates_say_who_sits_there_to_the_house_and_to_nobody_else() -> None:
    floor = FakeFloor(STATES["turn up"])
    for badge, path in CONSOLES:
        page = Visitor(app_over(floor), badge).page(path)
        assert len(re.findall(r'class="plate plate-\d', page)) == 9
        assert ("ichiro" in page) is bool(badge), path
        assert "all-in" in page


@pytest.mark.parametrize("state", sorted(STATES))
def test_only_open_cards_have_faces_on_any_screen(state: str) -> None:
    view = STATES[state]
    shown = sum(place.face is not None for box in view.boxes for place in box.places)
    floor = FakeFloor(view)
    for badge, path in CONSOLES:
        assert len(CARD.findall(Visitor(app_over(floor), badge).page(path))) == shown, path
    visitor = Visitor(app_over(floor))
    with visitor.client.get(f"/stream/display/{TABLE}") as answer:
        words = iter(answer.response)
        told = dict(events(b"".join(next(words) for _ in range(3))))
    assert len(CARD.findall(told["view"]["html"])) == shown


def test_blinds_and_buy_ins_stand_where_other_games_have_a_pay_table() -> None:
    page = Visitor(app_over(FakeFloor(STATES["river bet"]))).page(f"/display/{TABLE}")
    assert "€0.50 / €1.00" in page
    assert "€40.00 – €200.00" in page
    assert "RTP" not in page
    pit = Visitor(app_over(FakeFloor(STATES["river bet"])), "paul").page(f"/pit/{TABLE}")
    assert "€0.50 / €1.00" in pit
    assert "€1.00 – €1,000.00" not in pit


@pytest.mark.parametrize(("state", "says"), [
    ("before", "The next hand is near"), ("alone", "Take a seat"), ("dealing", "Cards are dealt"),
    ("first turn", "Seat 4 chooses"), ("settled", "€7.50 for seat 5: three jacks"),
])  # fmt: skip
def test_the_public_reads_one_line(state: str, says: str) -> None:
    assert public(STATES[state]) == says


def test_a_void_hand_is_told_and_has_no_winner() -> None:
    view = hand("raise 300", stage=Stage.VOIDED)
    assert public(view) == "Hand void: all chips returned"
    assert view.room is not None
    assert view.room.pots == ()


def test_the_last_hands_are_listed_newest_first_with_their_winners() -> None:
    page = Visitor(app_over(FakeFloor(STATES["flop"]))).page(f"/display/{TABLE}")
    hands = re.findall(r"<li><span>Hand (\d)</span>(.*?)</li>", page)
    assert [number for number, _ in hands] == ["5", "4", "3", "2", "1"]
    assert "Void" in hands[1][1]
    assert "<b>€7.50</b><span>seat 5</span>" in hands[0][1]


def test_only_boxes_in_use_are_offered_to_choose_from() -> None:
    keys = [box.key for box in in_use(STATES["turn up"])]
    assert "seat4" not in keys
    assert "burn" not in keys
    assert {"seat1", "seat6"} <= set(keys)


def test_the_menu_of_incidents_has_a_claimed_misdeal_and_no_cut_card() -> None:
    kinds = [choice.kind for choice in menu_of("nlh")]
    assert "misdeal_claimed" in kinds
    assert "cut_card" not in kinds
    assert "burn_error" in kinds
    page = Visitor(app_over(FakeFloor(between("ann", "bob"))), "dora").page(f"/dealer/{TABLE}")
    assert 'value="misdeal_claimed"' in page


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_street_mark_choice_and_saying_has_its_words(tag: str) -> None:
    known = read_catalogue(tag)
    marks = ("acts", "all_in", "away", "bank", "folded", "leaving", "next_hand", "posts", "waits", "won")
    wanted = [f"seat_mark.{mark}" for mark in (*marks, "button", "small_blind", "big_blind")]
    wanted += [f"option.{one}" for one in ("fold", "check", "call", "bet", "raise", "show", "muck")]
    wanted += [f"said.{one}" for one in ("fold", "check", "call", "bet", "raise", "show", "muck", "all_in")]
    wanted += [f"said.{one}.default" for one in ("fold", "check", "show", "muck")]
    wanted += [f"street.{one}" for one in ("preflop", "flop", "turn", "river")]
    wanted += [f"box.{box}" for box in find_game("nlh").felt.boxes]
    assert [key for key in wanted if key not in known] == []


def test_a_seat_that_is_away_or_waits_is_told() -> None:
    view = hand("raise 300", marks={"seat2": {"away": True}, "seat3": {"leaving": True}})
    page = Visitor(app_over(FakeFloor(replace(view))), "dora").page(f"/dealer/{TABLE}")
    assert '<span class="tag away">away</span>' in page
    assert '<span class="tag leaving">leaving</span>' in page


def test_the_pit_sends_away_whom_it_saw_at_the_seat() -> None:
    view = hand("raise 300", marks={"seat3": {"leaving": True}})
    floor = FakeFloor(view)
    pit = Visitor(app_over(floor), "paul")
    offered = re.findall(r'<option value="(seat\d) (\w+)"( disabled)?>', pit.page(f"/pit/{TABLE}"))
    assert offered[:3] == [("seat1", "ann", ""), ("seat2", "bob", ""), ("seat3", "cy", " disabled")]
    asked = {"seat": "seat2 bob", "reason_code": "other", "words": "barred"}
    assert pit.ask(TABLE, "dismiss_seat", **asked).status_code == 200
    [command] = floor.asked
    assert isinstance(command, DismissSeat)
    assert (command.seat, command.bettor, command.words) == ("seat2", "bob", "barred")
    assert 'id="control-dismiss"' not in Visitor(app_over(floor), "anna").page(f"/pit/{TABLE}")


def test_the_hand_that_wins_is_read_with_its_pot_the_last_side_pot_first() -> None:
    assert [ENGLISH.words(one) for one in speaks(STATES["side pots"])] == [
        "Seat 2: two pair, eights and sevens; wins side pot €350.00",
        "Seat 1: flush, ten high; wins side pot €51.00",
        "Seat 6: flush, king high; wins main pot €33.00",
    ]
    assert [ENGLISH.words(one) for one in speaks(STATES["push"])] == ["Seat 5: three jacks"]
    assert public(STATES["push"]) == "€7.50 for seat 5: three jacks"
    assert public(STATES["side pots"]) == "€434.00 for seats 1, 2, and 6"


def test_a_hand_turned_up_is_read_at_once_and_no_other_one() -> None:
    view = STATES["muck or show"]
    assert view.now.why is not None
    assert ENGLISH.words(view.now.why) == "Seat 4: pair of queens"
    assert view.room is not None
    assert [one.seat for one in view.room.seats if one.hand] == ["seat4"]
    for state in ("raised", "river bet", "turn up"):
        room = STATES[state].room
        assert room is not None
        assert [one.seat for one in room.seats if one.hand] == [], state


def test_a_hand_of_which_an_eye_is_unsure_is_not_read() -> None:
    shown = STATES["push"].room
    doubted = hand(*SHOWN, *["check"] * 6, "show", "show", doubted="seat5").room
    assert shown is not None
    assert doubted is not None
    assert {one.seat for one in shown.seats if one.hand} - {one.seat for one in doubted.seats if one.hand} == {"seat5"}


def test_what_a_seat_wins_and_what_comes_back_to_it_stand_on_its_plate() -> None:
    page = Visitor(app_over(FakeFloor(hand("raise 300", *["fold"] * 8))), "dora").page(f"/dealer/{TABLE}")
    assert ">wins €2.50<" in page
    assert '<span class="tag back">€2.00 back</span>' in page
    settled = STATES["settled"].room
    assert settled is not None
    assert settled.in_play_minor == 0
