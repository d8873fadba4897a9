"""The pay tables of the poker games against the house on the public display: every bet, every rung, every language."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor, box

from dealer_ui.public.pay_table import PayRow, one_limit, pay_rows, pay_table
from dealer_ui.words.language import LANGUAGES, Languages, read_catalogue
from studio.games import find_game
from studio.views.shape import PotView, TableView

GAMES = ("three_card_poker", "ultimate_holdem", "holdem_bonus", "casino_holdem")
ENGLISH = Languages().speak("en")


def table(key: str, **changes: object) -> TableView:
    made = find_game(key)
    boxes = tuple(box(box_key, count=places) for box_key, places in made.felt.boxes.items())
    limits = dict.fromkeys(made.betting.bets, (100, 100_000))
    terms = {"key": key, "title": made.title, "limits": limits}
    return altered(altered(IDLE, table="p1", game=terms, boxes=boxes), **changes)


def read(game: str, **rules: object) -> dict[str, dict[str, str]]:
    """Bet to what it pays, in English words."""
    lines = pay_table(game, rules, {}, dict.fromkeys(find_game(game).betting.bets, (100, 200)))
    return {line.kind: {ENGLISH.say(pays.when) if pays.when else "": pays.odds for pays in line.pays} for line in lines}


def test_ultimate_holdem_pays_as_its_page_says() -> None:
    assert read("ultimate_holdem") == {
        "ante": {"Dealer has a pair or better": "1:1", "else the stake comes back": ""},
        "blind": {
            "Royal flush": "500:1", "Straight flush": "50:1", "Four of a kind": "10:1", "Full house": "3:1",
            "Flush": "3:2", "Straight": "1:1", "else the stake comes back": "",
        },
        "play": {"": "1:1"},
        "trips": {
            "Royal flush": "50:1", "Straight flush": "40:1", "Four of a kind": "30:1", "Full house": "8:1",
            "Flush": "7:1", "Straight": "4:1", "Three of a kind": "3:1",
        },
    }  # fmt: skip


def test_casino_holdem_pays_as_its_page_says() -> None:
    assert read("casino_holdem") == {
        "ante": {
            "Royal flush": "100:1", "Straight flush": "20:1", "Four of a kind": "10:1", "Full house": "3:1",
            "Flush": "2:1", "anything else": "1:1",
        },
        "call": {"Dealer has a pair of fours or better": "1:1", "else the stake comes back": ""},
        "aa_bonus": {
            "Royal flush": "100:1", "Straight flush": "50:1", "Four of a kind": "40:1", "Full house": "30:1",
            "Flush": "20:1", "A pair of aces up to a straight": "7:1",
        },
    }  # fmt: skip


def test_holdem_bonus_pays_as_its_page_says() -> None:
    told = read("holdem_bonus")
    assert told["ante"] == {"With a straight or better": "1:1", "else the stake comes back": ""}
    assert told["flop"] == told["turn"] == told["river"] == {"": "1:1"}
    assert list(told["bonus"].values()) == ["1000:1", "30:1", "25:1", "20:1", "15:1", "10:1", "5:1", "3:1"]
    assert told["first5"] == {
        "Royal flush: the pot, shared": "", "Straight flush": "x2500", "Four of a kind": "x300",
        "Full house": "x50", "Flush": "x40", "Straight": "x30", "Three of a kind": "x3",
    }  # fmt: skip


def test_three_card_poker_pays_as_its_page_says() -> None:
    told = read("three_card_poker")
    assert told["ante"] == {
        "": "1:1", "Mini royal": "+5:1", "Straight flush": "+5:1", "Three of a kind": "+4:1", "Straight": "+1:1",
    }  # fmt: skip
    assert told["play"] == {"Dealer has queen high or better": "1:1", "else the stake comes back": ""}
    assert list(told["pair_plus"].values()) == ["100:1", "40:1", "30:1", "5:1", "4:1", "1:1"]
    assert list(told["six_card"].values()) == ["1000:1", "200:1", "100:1", "20:1", "15:1", "10:1", "7:1"]


def test_a_rung_changed_at_a_table_is_the_one_shown() -> None:
    assert read("ultimate_holdem", trips="flush 7")["trips"]["Flush"] == "6:1"
    assert read("holdem_bonus", first5="flush 35")["first5"]["Flush"] == "x35"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_bet_option_box_and_rung_has_its_words(game: str, tag: str) -> None:
    known = read_catalogue(tag)
    made = find_game(game)
    wanted = {f"bet.{bet}" for bet in made.betting.bets} | {f"box.{key}" for key in made.felt.boxes}
    lines = pay_table(game, {}, {}, dict.fromkeys(made.betting.bets, (100, 200)))
    wanted |= {pays.when for line in lines for pays in line.pays if pays.when}
    wanted |= {f"option.{option}" for options in made.decisions.raised.values() for option in options}
    wanted |= {"option.fold", "option.check"}
    assert wanted - set(known) == set()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_display_has_a_line_for_every_bet(game: str, tag: str) -> None:
    view = table(game)
    page = Visitor(app_over(FakeFloor(view))).page(f"/display/p1?language={tag}")
    language = Languages().speak(tag)
    told = page[page.index('class="panel pays"') : page.index('class="panel outcomes"')]
    rows = re.findall(r'<th scope="row">(.*?)</th>', told)
    assert " · ".join(rows) == " · ".join(
        html.escape(language.say(f"bet.{bet}")) for bet in find_game(game).betting.bets
    )


def kinds_of(rows: Sequence[Sequence[PayRow]]) -> list[tuple[str, ...]]:
    return [tuple(line.kind for line in row) for row in rows]


def test_bets_that_pay_alike_and_have_no_return_of_their_own_are_one_row() -> None:
    made = find_game("holdem_bonus")
    lines = pay_table(made.key, {}, {}, dict.fromkeys(made.betting.bets, (100, 200)))
    assert kinds_of(pay_rows(lines)) == [("ante",), ("flop", "turn", "river"), ("bonus",), ("first5",)]
    apart = pay_table(made.key, {}, {}, {**dict.fromkeys(made.betting.bets, (100, 200)), "turn": (100, 300)})
    assert kinds_of(pay_rows(apart))[1:4] == [("flop",), ("turn",), ("river",)]
    own = pay_table(made.key, {}, {"flop": 97.0, "turn": 97.0}, dict.fromkeys(made.betting.bets, (100, 200)))
    assert kinds_of(pay_rows(own))[1:4] == [("flop",), ("turn",), ("river",)]


def test_a_ladder_that_two_bets_share_is_told_once_and_each_keeps_its_return() -> None:
    made = find_game("baccarat")
    rtp = {"player_bonus": 97.3483, "banker_bonus": 90.6269, "player_pair": 89.6, "banker_pair": 89.6}
    rows = pay_rows(pay_table(made.key, {}, rtp, dict.fromkeys(made.betting.bets, (100, 200))))
    (shared,) = [row for row in rows if len(row) > 1]
    assert [(line.kind, line.rtp_least) for line in shared] == [("player_bonus", 97.3483), ("banker_bonus", 90.6269)]


def test_the_limits_that_all_bets_of_a_long_table_share_are_said_once() -> None:
    bets = find_game("baccarat").betting.bets
    rtp, limits = dict.fromkeys(bets, 90.0), dict.fromkeys(bets, (100, 200))
    assert one_limit(pay_table("baccarat", {}, rtp, limits)) == (100, 200)
    assert one_limit(pay_table("baccarat", {}, rtp, {**limits, "tie": (100, 150)})) is None
    short = find_game("three_card_poker").betting.bets
    assert one_limit(pay_table("three_card_poker", {}, {}, dict.fromkeys(short, (100, 200)))) is None


def test_the_pot_of_a_table_is_shown_as_it_stands() -> None:
    page = Visitor(app_over(FakeFloor(table("holdem_bonus", game={"pot": PotView("first5", "EUR", 1_234_567)})))).page(
        "/display/p1"
    )
    assert '<p class="amount"><span>€12,345.67</span>' in page
    without = Visitor(app_over(FakeFloor(table("holdem_bonus")))).page("/display/p1")
    assert 'class="panel pot"' not in without
