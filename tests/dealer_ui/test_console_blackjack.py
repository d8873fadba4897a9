"""The screens of a Blackjack table: the arc with what is in use, the act in one sentence, the public's share of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import fake_blackjack as jack
import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import BURNED, NOW_MS, FakeFloor, held, incident

from dealer_ui.felt.spread import in_use, spread_of
from dealer_ui.frame.incident_menu import MenuAnswer, menu_of
from dealer_ui.public.arc import arc_of
from dealer_ui.public.pay_table import pay_table
from dealer_ui.words.language import LANGUAGES, Languages
from studio import ports
from studio.games.blackjack import BLACKJACK
from studio.procedures import rule
from studio.rounds import CardDealt, Chose
from studio.tables.event import table as e
from studio.tables.event.table import AnyEvent
from studio.views.shape import CardView, TableView, Words

SAYS: Final[Mapping[str, tuple[str, str]]] = {
    "bets open": ("Bets are open", ""),
    "dealing": ("Deal to Box 6", ""),
    "insurance": ("Insurance?", ""),
    "turn": ("Box 1 chooses", ""),
    "chosen": ("Deal to Box 1", "Box 1: HIT"),
    "split": ("Box 3 B chooses", ""),
    "long hand": ("Box 7 chooses", ""),
    "dealer draws": ("Your own card", "Dealer has 6: must draw"),
    "finished": ("Declare the result", "Dealer stands on 18"),
    "result": ("Clear the felt", ""),
}


def page_of(view: TableView, path: str = "/dealer/jack1", badge: str = "dora") -> str:
    page = Visitor(app_over(FakeFloor(view)), badge).page(path)
    return page[page.index("<main") :]


def hand_in(page: str, key: str) -> str:
    part = page[page.index(f'id="hand-{key}"') :]
    return part[: part.index("</div>")]


@pytest.mark.parametrize("name", jack.STATES)
def test_the_next_act_and_what_led_to_it_stand_in_one_sentence_each(name: str) -> None:
    page, (act, why) = page_of(jack.STATES[name]), SAYS[name]
    assert re.search(rf'class="act-words[^"]*">{re.escape(act)}<', page)
    assert ("act-why" in page) is bool(why)
    assert why in page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("badge", "paths"), [("dora", ("/dealer/jack1",)), ("paul", ("/pit", "/pit/jack1")), ("", ("/display/jack1",))]
)
def test_every_state_is_drawn_in_every_language_without_a_bare_key(
    badge: str, paths: tuple[str, ...], language: str
) -> None:
    floor = FakeFloor(jack.OPENING)
    visitor, knows = Visitor(app_over(floor), badge), Languages().speak(language).knows
    for view in jack.STATES.values():
        floor.show(altered(view, past={"results": jack.past(12)}))
        said = (
            view.now.act,
            view.now.why or view.now.act,
            view.now.primary.label if view.now.primary else view.now.act,
        )
        assert all(knows(words.key) for words in said)
        for path in paths:
            page = visitor.page(f"{path}?language={language}")
            assert not re.search(
                r">\s*(?:box|bet|won|dot|why|act|total|mark_of|option|public|pays)\.[a-z0-9_.]+\s*<", page
            )


def test_all_keys_that_views_and_screens_make_up_are_written_down() -> None:
    wanted = [f"why.chose.{one}" for one in ("hit", "stand", "double", "split", "surrender")]
    wanted += [f"why.default.{one}" for one in ("hit", "stand")]
    wanted += [f"option.{one}" for one in ("hit", "stand", "double", "split", "surrender")]
    wanted += [f"option.{one}" for one in ("insurance", "even_money", "decline")]
    wanted += [f"box.{zone}" for zone in BLACKJACK.felt.boxes]
    wanted += [f"won.{one}" for one in ("win", "push", "lose", "blackjack", "bust", "surrender", "even_money")]
    wanted += [f"dot.{one}" for one in ("win", "push", "lose", "blackjack", "bust", "surrender", "even_money")]
    wanted += [f"mark_of.{one}" for one in ("insured", "even_money", "doubled", "split", "stands", "surrendered")]
    wanted += [f"bet.{one}" for one in ("main", "perfect_pair", "insurance")]
    for tag in LANGUAGES:
        known = Languages().speak(tag).keys()
        assert [key for key in wanted if key not in known] == []


def test_only_what_is_in_use_is_drawn() -> None:
    page = page_of(jack.OPENING)
    assert page.count('class="place') == 0
    assert re.findall(r'class="arc-box arc-box-(\d) used', page) == ["2", "5"]
    assert page_of(jack.TURN).count('class="place') == 15
    assert len(in_use(jack.TURN)) == 8


def test_a_hand_says_its_total_softly_where_an_ace_counts_eleven() -> None:
    view = jack.jack("2 As", "dealer 6s", "2 6d", stakes={"2:main": 1000}, open=True)
    assert "soft 17" in hand_in(page_of(view), "2")
    assert ">26 bust<" in hand_in(page_of(jack.LONG_HAND), "5")
    assert ">Blackjack<" in hand_in(page_of(jack.TURN), "4")
    assert ">16<" in hand_in(page_of(jack.TURN), "1")


def test_whose_turn_it_is_is_lit_with_the_options_and_the_seconds() -> None:
    page = page_of(jack.TURN_ROW)
    assert re.findall(r'<div class="hand acts" id="hand-(\w+)"', page) == ["3b"]
    assert re.findall(r'class="option (\w+)"', page) == ["hit", "stand", "double"]
    assert "data-closes-at-ms" in page
    assert "The bettor chooses" in page


def test_a_split_box_shows_both_hands_with_their_card_of_the_pair() -> None:
    page = page_of(jack.TURN_ROW)
    assert re.findall(r'id="place-([\w-]+)"', hand_in(page, "3a")) == ["3-1", "3a-1", "3a-2"]
    assert re.findall(r'id="place-([\w-]+)"', hand_in(page, "3b")) == ["3-2", "3b-1"]
    assert "Doubled" in hand_in(page, "3a")


def test_the_marks_of_a_box_are_said() -> None:
    page = page_of(jack.DEALER_DRAWS)
    assert "Doubled" in hand_in(page, "2")
    assert "Surrendered" in hand_in(page, "6")
    assert "Stands" in hand_in(page, "7")
    assert "Insured" in hand_in(page_of(jack.INSURING), "5")


def test_a_settled_round_says_what_each_hand_came_to() -> None:
    page = page_of(jack.RESULT)
    said = {key: re.findall(r'class="won (\w+)"', hand_in(page, key)) for key in ("1", "2", "3a", "3b", "5", "6", "7")}
    assert said == {
        "1": ["win"], "2": ["win"], "3a": ["win"], "3b": ["push"], "5": [], "6": ["surrender"], "7": ["lose"],
    }  # fmt: skip


def test_what_lies_on_a_box_is_told_to_the_dealer_and_only_its_chip_to_the_public() -> None:
    assert "€250.00" in page_of(jack.TURN)
    public = page_of(jack.TURN, "/display/jack1", "")
    public = public[: public.index('class="under"')]
    assert "#chip" in public
    assert "€250.00" not in public


def test_a_card_in_doubt_shows_its_eyes_and_agreement_is_calm() -> None:
    assert "says-wait" not in page_of(jack.TURN)
    boxes = tuple(
        replace(box, places=(replace(box.places[0], state="shoe"), *box.places[1:])) if box.key == "4" else box
        for box in jack.TURN.boxes
    )
    assert "says-wait" in hand_in(page_of(replace(jack.TURN, boxes=boxes)), "4")


def test_no_face_is_drawn_of_a_card_that_is_not_due() -> None:
    boxes = tuple(
        replace(box, places=tuple(CardView(card.place, "sealed", "Qc") for card in box.places[:2]))
        for box in jack.TURN.boxes
    )
    for badge, path in (("dora", "/dealer/jack1"), ("", "/display/jack1")):
        page = page_of(replace(jack.TURN, boxes=boxes), path, badge)
        assert 'class="rank' not in page
        assert "Q♣" not in page


def test_a_misplaced_card_is_pointed_at_and_so_is_where_it_belongs() -> None:
    wrong = incident(
        "misplaced_card",
        where={"box": "5", "place": 1, "due_box": "6", "due_place": 1},
        row={"id": "BJ9"},
        circumstances={},
    )
    for badge, path in (("dora", "/dealer/jack1"), ("paul", "/pit/jack1")):
        page = page_of(held(jack.AWAITED, wrong), path, badge)
        assert re.search(r'class="place [a-z]+ arrow-from" id="place-5-1"', page)
        assert re.search(r'arrow-to" id="place-6-1"', page)
        assert "Box 5, card 1 → Box 6, card 1" in page
    assert "arrow-from" not in page_of(held(jack.AWAITED, wrong), "/display/jack1", "")


def test_the_pit_names_only_boxes_that_are_in_use() -> None:
    void = incident("wrong_count", row={"ruling": "void_hand", "options": ("void_hand",)}, circumstances={"3_cards": 0})
    page = page_of(held(jack.OPENING, void), "/pit/jack1", "paul")
    select = page[page.index("argument.void_hand") :]
    assert re.findall(r'<option value="(\w+)"', select[: select.index("</select>")]) == ["2", "5"]
    assert "Cards of Box 3" in page


def test_the_public_sees_whose_turn_it_is_and_for_how_long() -> None:
    page = page_of(jack.TURN, "/display/jack1", "")
    assert "Box 1 chooses" in page
    assert "data-closes-at-ms" in page
    assert "<form" not in page


def test_the_display_tells_the_last_rounds_box_by_box() -> None:
    view = altered(jack.RESULT, past={"results": jack.past(12)})
    past = arc_of(view)
    assert past is not None
    newest = past.rounds[0]
    assert (newest.dealer, newest.points) == ("bust", 26) or newest.dealer == "18"
    assert any(len(hands) == 2 for one in past.rounds for hands in one.boxes)
    assert past.share is not None
    assert past.share.win + past.share.tie + past.share.lose == 100
    page = page_of(view, "/display/jack1", "")
    assert "Dealer bust" in page
    assert page.count('class="dot void"') == 7 + 1


def test_every_bet_has_its_pay_line_with_limits_and_return() -> None:
    lines = pay_table("blackjack", {}, {"main": 99.6588, "perfect_pair": 93.9944}, jack.OPENING.game.limits)
    assert [line.kind for line in lines] == ["main", "perfect_pair", "insurance"]
    odds = {line.kind: [pays.odds for pays in line.pays] for line in lines}
    assert odds["main"] == ["1:1", "3:2", ""]
    assert odds["perfect_pair"] == ["100:1", "20:1", "12:1", "5:1"]
    assert odds["insurance"] == ["2:1"]
    assert lines[0].rtp_least == 99.6588
    assert lines[2].rtp_least is None


def test_a_house_option_of_a_table_is_the_odds_shown() -> None:
    lines = pay_table("blackjack", {"pays": "blackjack 2.2"}, {}, jack.OPENING.game.limits)
    assert lines[0].pays[1].odds == "1.2:1"


def test_other_games_have_no_arc() -> None:
    assert spread_of(altered(jack.TURN, game={"key": "three_knights"})) is None


def test_a_held_table_says_nothing_of_choices() -> None:
    frozen = altered(
        jack.CHOSEN, now={"held": True, "frozen_by": "paul", "act": Words("act.frozen", {"by": "paul"}), "why": None}
    )
    assert "act-why" not in page_of(frozen)


def test_the_incident_menu_names_boxes_and_every_answer_finds_its_row() -> None:
    found = {
        (choice.key, answer.words, answer.box): rule(
            "blackjack", choice.kind, "dealing", {name.removeprefix("with."): value for name, value in answer.told}
        )
        for choice in menu_of("blackjack")
        for answer in (choice.answers or (MenuAnswer(""),))
    }
    rows = {(key, words.rpartition(".")[2]): ruling.row for (key, words, _), ruling in found.items()}
    assert rows["extra_card-boxes", "unseen"] == "BJ2"
    assert rows["extra_card-boxes", "refused"] == "BJ4"
    assert rows["extra_card-boxes", "dealer_17"] == "BJ5"
    assert rows["wrong_order-dealer", ""] == "BJ6"
    assert {rows["boxed_card", "drawn"], rows["boxed_card", "shoe"]} == {"BJ1"}
    void = found["wrong_count-none", "answer.box", "box.3"]
    assert (void.row, void.ruling, void.arguments) == ("BJ7", "void_hand", ("3",))
    assert found["wrong_count-one", "answer.box", "box.3"].row == "BJ8"
    assert not any(choice.kind == "burn_error" for choice in menu_of("blackjack"))


@pytest.mark.parametrize("game", ["blackjack", "three_card_poker", "kkclash", "three_knights"])
def test_every_entry_of_a_menu_has_its_words_in_every_language(game: str) -> None:
    for tag in LANGUAGES:
        knows = Languages().speak(tag).keys()
        for choice in menu_of(game):
            wanted = [choice.words("incident"), choice.words("incident_help"), *(one.words for one in choice.answers)]
            wanted += [choice.words("ask")] if choice.answers else []
            assert [key for key in wanted if key not in knows] == []


def test_a_report_of_a_box_reaches_the_table() -> None:
    page = Visitor(app_over(FakeFloor(jack.TURN)), "dora").page("/dealer/jack1")
    form = page[page.index('id="form-report_incident-wrong_count-none-3"') :]
    assert 'name="with.3_cards" value="0"' in form[: form.index("</form>")]
    assert ">Box 3<" in form[: form.index("</form>")].replace("\n", "")


def test_who_still_has_to_decide_is_counted() -> None:
    bets = replace(jack.INSURING.bets, asked=7, decided=5)
    assert "2 of 7 still to decide" in page_of(replace(jack.INSURING, bets=bets))
    assert "All 7 have decided" in page_of(replace(jack.INSURING, bets=replace(bets, decided=7)))


def test_the_technician_sees_where_cards_lie_and_no_face() -> None:
    boxes = tuple(
        replace(box, places=(replace(box.places[0], camera="none"), *box.places[1:])) if box.key == "4" else box
        for box in jack.TURN_ROW.boxes
    )
    floor = FakeFloor(replace(jack.TURN_ROW, boxes=boxes))
    page = Visitor(app_over(floor), "tom").page("/technician")
    floor.close()
    assert re.findall(r'class="sees (\w+)" title="Box 4, card (\d)', page) == [("none", "1"), ("up", "2")]
    assert re.findall(r'class="sees (\w+)" title="Box 3 A, card (\d)', page) == [("up", "1"), ("up", "2")]
    assert 'class="rank' not in page
    assert not re.search(r"[♠♥♦♣]", page)


def test_the_auditor_reads_what_each_box_chose() -> None:
    floor = FakeFloor(jack.RESULT)
    decision = e.Decision(operator="north", bettor="ann", option="double", client_id="d1", box="3a")
    fold = e.Decision(operator="north", bettor="bob", option="fold", client_id="d2")
    told: tuple[AnyEvent, ...] = (
        e.FactStood(fact=Chose(box="3", option="split")),
        e.DecisionsTaken(decisions=(decision,)),
        e.DecisionsTaken(decisions=(fold, fold)),
        e.ObservationRecorded(observation=ports.CameraSawEmpty(device="camera", at_ms=NOW_MS, zone="3a", place=2)),
        e.FactStood(fact=CardDealt(card=BURNED, box="dealer", place=2)),
    )
    floor.journal = [("jack1", jack.ID, event) for event in told]
    page = Visitor(app_over(floor), "anna").page(f"/pit/jack1/round/{jack.ID}")
    floor.close()
    assert "Box 3 chose Split." in page
    assert "Decisions came in: Box 3 A: Double." in page
    assert "Decisions came in: Fold × 2." in page
    assert "saw Box 3 A, card 2, empty." in page
    assert "Dealer, card 2: face down, read by the shoe." in page


def said_of_bettors(view: TableView, path: str, badge: str) -> str:
    found = re.search(r'class="(?:act-)?ready">([^<]*)<', page_of(view, path, badge))
    return found[1] if found else ""


def test_dealer_and_pit_read_how_many_bettors_are_done_and_that_they_ended_the_window() -> None:
    some = replace(jack.OPENING, bets=replace(jack.OPENING.bets, ready=1, bettors=2))
    closed = jack.jack(stakes={"2:main": 1_000})
    ended = altered(closed, now={"phase": "dealing"}, bets=replace(closed.bets, ready=1, bettors=1))
    dealt = replace(jack.AWAITED, bets=replace(jack.AWAITED.bets, ready=2, bettors=2))
    for path, badge in (("/dealer/jack1", "dora"), ("/pit/jack1", "paul")):
        assert said_of_bettors(some, path, badge) == "Done betting: 1 of 2"
        assert said_of_bettors(ended, path, badge) == "All bettors (1) ended the window early"
        assert said_of_bettors(altered(ended, now={"phase": "betting"}), path, badge) == ""
        assert said_of_bettors(jack.AWAITED, path, badge) == ""
    assert said_of_bettors(dealt, "/dealer/jack1", "dora") == ""
    assert said_of_bettors(dealt, "/pit/jack1", "paul") == "All bettors (2) ended the window early"
