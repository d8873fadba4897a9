"""The public display of KKClash: returns, the last ten hands, the big road, the misses, who won."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor, box, outcome
from hypothesis import given
from hypothesis import strategies as st

from dealer_ui.public.kkclash import COLUMNS, FIELDS
from dealer_ui.public.pay_table import pay_table
from dealer_ui.words.language import LANGUAGES, read_catalogue
from studio.cards import parse_cards
from studio.games.kkclash import BETS, KKCLASH
from studio.hands.poker import Category
from studio.tables.event import table as e
from studio.tables.event.table import AnyEvent
from studio.views import ShoeResults
from studio.views.past.big_road import big_road, newest_of
from studio.views.past.result import RESULT_KINDS
from studio.views.shape import PastView, ResultView, TableView


def described(shark: str, king: str, board: str) -> dict[str, Any]:
    hands = {"shark": parse_cards(shark), "king": parse_cards(king), "board": parse_cards(board)}
    return KKCLASH.deal.describe(KKCLASH.deal.outcome(KKCLASH.options.defaults, hands))


SHARK_WINS = described("Ah 9c", "Qh 3d", "Ac Jd 8h 5s 2d")
KING_WINS = described("Qh 3d", "Kh 9c", "Tc Jd 8h 5s 2d")
DRAWN = described("9c 3d", "9d 3c", "Ac Kd Qh Js Td")

HOLES = (box("shark", "*", "*", count=2), box("king", "*", "*", count=2), box("board", count=5))
OPENED = (
    box("shark", "Qh", "3d", ranks_as="Queen high", won="lose", count=2),
    box("king", "Kh", "9c", ranks_as="King high", won="win", count=2),
    box("board", "Tc", "Jd", "8h", "5s", "2d", count=5),
)
CLASH = altered(
    IDLE,
    table="clash1",
    title="Clash 1",
    game={"key": "kkclash", "title": "KKClash", "limits": dict.fromkeys(BETS, (100, 100_000))},
    now={"phase": "dealing"},
    round={"id": "clash1-0000012", "number": 12, "stage": "dealing"},
    boxes=HOLES,
)
WON = altered(CLASH, now={"phase": "settled"}, round={"stage": "settled", "outcome": KING_WINS}, boxes=OPENED)


def past(*outcomes: dict[str, Any]) -> tuple[ResultView, ...]:
    return tuple(ResultView(f"r{n}", n, 0, not one, one) for n, one in enumerate(outcomes, 1))


def page_of(view: TableView, language: str = "en") -> str:
    visitor = Visitor(app_over(FakeFloor(view)))
    page = visitor.page(f"/display/clash1?language={language}")
    return page[page.index("<main") :]


def test_every_field_says_what_it_returns_as_the_game_does() -> None:
    page = page_of(CLASH)
    for bet in BETS:
        field = page[page.index(f'id="field-{bet}"') :]
        assert f"<b>x{KKCLASH.options.defaults[bet]}</b>" in field[: field.index("</tr>")]
    assert "x2.02" in page
    assert "Three of a Kind / Straight / Flush" in page


def test_a_return_changed_at_a_table_is_the_one_shown() -> None:
    (line,) = pay_table("kkclash", {"draw": "23.5"}, {}, {"draw": (1, 2)})
    assert line.pays[0].odds == "x23.5"


def test_every_bet_stands_in_one_group() -> None:
    assert sorted(bet for bets in FIELDS.values() for bet in bets) == sorted(BETS)


def test_the_last_ten_hands_count_up_to_the_newest() -> None:  # [KK-20]
    page = page_of(altered(CLASH, past={"results": past(*[SHARK_WINS] * 5, {}, DRAWN, *[SHARK_WINS] * 7, KING_WINS)}))
    hands = re.findall(r'<li class="([a-z ]+)" value="(\d+)">(.*?)</li>', page)
    assert [int(number) for _, number, _ in hands] == list(range(1, 11))
    assert [won for won, _, _ in hands] == ["shark", "draw", *["shark"] * 7, "king newest"]
    assert [number for _, number, said in hands if "king-mark" in said] == ["2", "10"]
    assert "High card" in hands[-1][2]


def test_the_big_road_has_a_line_for_a_draw_and_a_count_for_several() -> None:  # [KK-21]
    page = page_of(replace(CLASH, past=PastView(("shark", "draw", "shark", "draw", "draw", "king"))))
    beads = re.findall(r'<g class="bead ([a-z ]+)" transform="translate\((\d+) (\d+)\)">(.*?)</g>', page, re.DOTALL)
    assert [(won, x, y) for won, x, y, _ in beads] == [
        ("shark", "10", "10"),
        ("shark", "10", "30"),
        ("king newest", "30", "10"),
    ]
    assert ["drawn" in said for *_, said in beads] == [True, True, False]
    assert [re.findall(r">(\d+)</text>", said) for *_, said in beads] == [[], ["2"], []]
    assert "2 won by the Shark, 1 by the King, 3 drawn" in page


def test_draws_before_anyone_has_won_are_shown_too() -> None:
    assert ">3</text>" in page_of(replace(CLASH, past=PastView(("draw", "draw", "draw"))))


@given(st.lists(st.sampled_from(["shark", "king", "draw"]), max_size=200))
def test_the_newest_circle_is_always_on_the_road(winners: list[str]) -> None:
    road = big_road(winners)
    shown = newest_of(road, COLUMNS)
    assert all(0 <= circle.column < COLUMNS for circle in shown.circles)
    if road.circles:
        newest, last = road.circles[-1], shown.circles[-1]
        assert (newest.winner, newest.row, newest.draws) == (last.winner, last.row, last.draws)


def test_the_newest_circle_is_shown_though_a_longer_run_reaches_further() -> None:
    shown = newest_of(big_road(["king"] * 40 + ["shark"]), COLUMNS)
    assert (shown.circles[-1].winner, shown.circles[-1].column) == ("shark", 0)


def test_a_field_says_how_long_it_was_missed_from_ten_rounds() -> None:  # [KK-22]
    page = page_of(replace(CLASH, past=PastView(missed={"draw": 9, "pocket_kings": 10, "king": 412})))
    fields = re.findall(r'id="field-(\w+)">(.*?)</tr>', page)
    missed = {bet: found[1] for bet, said in fields if (found := re.search(r'class="missed"[^>]*>(\d+)<', said))}
    assert missed == {"pocket_kings": "10", "king": "412"}


def test_the_misses_are_counted_from_the_first_round_of_the_journal() -> None:
    floor = FakeFloor(CLASH)
    for n in range(270):
        told: tuple[AnyEvent, ...] = (
            e.RoundStarted(round=f"r{n}", number=n, game="kkclash", version=1, rules={}, dealer="dora"),
            e.ResultDeclared(outcome=SHARK_WINS, by="dora"),
            e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest=""),
        )
        floor.journal += [("clash1", f"r{n}", event) for event in told]
    told = floor.reader().events(table="clash1", kinds=RESULT_KINDS)
    past = ShoeResults(bets=BETS).after(told).past(9)
    floor.close()
    assert (past.missed["king"], past.missed["shark"], len(past.winners)) == (270, 0, 240)


@pytest.mark.parametrize(
    ("won", "words"),
    [(SHARK_WINS, "Shark wins"), (KING_WINS, "King wins"), (DRAWN, '<p class="headline crowned draw">Draw')],
)
def test_the_winner_and_the_winning_hand_are_the_headline_of_a_result(won: dict[str, Any], words: str) -> None:
    page = page_of(altered(WON, round={"outcome": won}))
    assert words in page
    assert f"<small>{won['winning_hand']['name']}</small>" in page


def test_another_language_says_the_class_of_the_winning_hand() -> None:
    page = page_of(WON, "ja")
    assert "キングの勝ち<small>ハイカード</small>" in page


@pytest.mark.parametrize(
    "view",
    [
        altered(WON, round={"stage": "voided"}),
        altered(WON, now={"held": True}),
        altered(WON, now={"phase": "shuffling"}),
        CLASH,
    ],
    ids=["void", "held", "before the next round", "dealing"],
)
def test_nobody_is_crowned_while_no_result_stands(view: TableView) -> None:
    assert "crowned" not in page_of(view)


def test_a_sealed_hole_card_has_a_back_and_no_face() -> None:
    page = page_of(CLASH)
    assert page.count('<span class="back">') == 4
    assert '<span class="card' not in page


def test_the_board_lies_between_the_hands_and_other_games_keep_their_felt() -> None:
    assert 'class="felt with-board"' in page_of(CLASH)
    knights = Visitor(app_over(FakeFloor(altered(IDLE, round={"outcome": outcome("win", "win", "win")})))).page(
        "/display/knights1"
    )
    assert "with-board" not in knights
    assert "big-road" not in knights


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_bet_box_and_class_has_its_words_in_every_language(tag: str) -> None:
    wanted = [f"bet.{bet}" for bet in BETS] + [f"box.{one}" for one in KKCLASH.felt.boxes] + list(FIELDS)
    wanted += [f"poker.{one.value}" for one in Category]
    wanted += [f"clash.wins.{one}" for one in ("shark", "king", "draw")]
    assert [key for key in wanted if key not in read_catalogue(tag)] == []
