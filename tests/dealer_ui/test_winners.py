"""The winners of a settled round: who won most, under masked names, looked up once, gone when bets open again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from altered import altered
from api_fake_floor import KEYS, FakeFloor
from console_visitor import Visitor, app_over
from fake_floor import FakeDesk
from flask import Flask
from flask.testing import FlaskClient

from dealer_ui.assembly.app import create_app
from dealer_ui.config.file import OperatorSection, StudioConfig, TableSection
from dealer_ui.desk.ticket import Tickets
from dealer_ui.desk.winners import SHOWN, Winners, Won, settled_last, winner_lines
from dealer_ui.floor.bet_offer import BetOffer
from dealer_ui.pages.play import route as play
from dealer_ui.words.language import LANGUAGES, Languages
from studio.cards import parse_cards
from studio.games.kkclash import BETS, KKCLASH
from studio.journal import Reader, Unit
from studio.journal.extract.winners import Winner
from studio.money import Rates, Transfer, bettor_account, house_account
from studio.rounds import WindowClosed
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState
from studio.views import ShoeResults, view_table
from studio.views.shape import BetsView, CorrectionView, RequestView, ResultView

RATES = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})
HOLES = {"shark": parse_cards("Ah 9c"), "king": parse_cards("Qh 3d")}
SHARK_WINS = KKCLASH.deal.describe(
    KKCLASH.deal.outcome(KKCLASH.options.defaults, {**HOLES, "board": parse_cards("Ac Jd 8h 5s 2d")})
)
NO_BETS = BetsView(False, None, 0, 0, "EUR")


class Floor(FakeFloor):
    """Counts how often the ledger was looked through."""

    config: Any = StudioConfig(
        tables=(TableSection(key="t1", title="Clash 1", game="kkclash"),),
        operators={"south": OperatorSection(key_sha256=next(iter(KEYS["south"].keys)))},
    )
    staff: Any = FakeDesk()
    looks = 0

    def rtp(self, table: str) -> Mapping[str, float]:
        return {}

    def reader(self) -> Reader:
        type(self).looks += 1
        return super().reader()


@pytest.fixture
def floor() -> Iterator[Floor]:
    floor = Floor()
    floor.show(
        game={"key": "kkclash", "title": "KKClash", "limits": {bet: (1, 10**9) for bet in BETS}},
        title="Clash 1",
        boxes=(),
    )
    yield floor
    floor.close()


def play_round(floor: Floor, round: str, stakes: Mapping[tuple[str, str, str], int], *, void: bool = False) -> None:
    """Each of (operator, bettor, bet) stakes so much; `shark` pays 2.02, nothing else pays."""
    floor.show(past={"results": floor.view("t1").past.results})
    floor.open_bets(round, int(round[-1]))
    for number, ((operator, bettor, key), stake_minor) in enumerate(stakes.items()):
        floor.deposit(operator, bettor, f"{round}-{number}", 10**6)
        offer = BetOffer(client_id=f"{round}-{number}", bettor=bettor, bet=key, stake_minor=stake_minor)
        assert floor.place_bets("t1", operator, (offer,))[0].status == "accepted"
    floor.close_bets()
    if void:
        floor.void()
    else:
        floor.settle({"shark": 2_020}, SHARK_WINS)


SIX: Mapping[tuple[str, str, str], int] = {
    ("north", "alice", "shark"): 1_000, ("south", "bartholomew", "shark"): 5_000, ("north", "carol", "king"): 9_000,
    ("north", "dave", "shark"): 1_000, ("north", "dave", "king"): 1_020,
}  # fmt: skip


def won(floor: Floor) -> list[tuple[str, int]]:
    return [(one.bettor, one.won_minor) for one in floor.winners.of(floor.view("t1"))]


# --- who won -------------------------------------------------------------------------------------------


def test_who_gained_has_won_and_who_only_got_his_stakes_back_has_not(floor: Floor) -> None:
    """The fake floor returns 20.20 for a bet on the shark, whatever its stake; Dave has just that on two bets."""
    play_round(floor, "t1-r1", {key: stake for key, stake in SIX.items() if key[1] != "bartholomew"})
    assert won(floor) == [("alice", 1_020)]


def test_the_biggest_five_are_shown_the_biggest_first(floor: Floor) -> None:
    play_round(floor, "t1-r1", {("north", f"b{n}", "shark"): 100 * n for n in range(1, 8)})
    assert won(floor) == [(f"b{n}", 2_020 - 100 * n) for n in range(1, SHOWN + 1)]


def test_several_currencies_are_ranked_by_what_they_are_worth() -> None:
    class Told:
        def read(self, sql: str, given: object) -> list[tuple[str, str, int]]:
            return [
                ("bettor:north:ann", "EUR", 700),
                ("bettor:south:kei", "JPY", 200_000),
                ("bettor:south:jun", "JPY", 1_000),
            ]

    view = altered(
        FakeFloor().view("t1"),
        round={"id": "r"},
        past={"results": (ResultView("r", 1, 0, False, SHARK_WINS),)},
        game={"rates": RATES},
    )
    found = Winners(Told).of(view)  # type: ignore[arg-type]
    assert [one.bettor for one in found] == ["kei", "ann", "jun"]


def test_a_settled_round_is_looked_through_once_and_again_after_a_correction(floor: Floor) -> None:
    play_round(floor, "t1-r1", SIX)
    before, first = Floor.looks, won(floor)
    assert won(floor) == won(floor) == first
    assert Floor.looks == before + 1
    bet = next(one for one in floor.reader().bets("t1-r1") if one.bettor == "alice")
    back = Transfer("t1-r1", bet.bet_id, "reverse_return", bettor_account("north", "alice"), house_account("t1"), 2_020,
                    "EUR", 1)  # fmt: skip
    floor._commit(Unit(transfers=(back,)))
    corrected = replace(floor.view("t1").past.results[-1], corrected=True, revision=1)
    floor.show(past={"results": (corrected,)})
    assert "alice" in dict(first)
    assert "alice" not in dict(won(floor))


# --- until when ----------------------------------------------------------------------------------------


def test_they_go_when_the_next_bets_open_and_do_not_come_back(floor: Floor) -> None:
    play_round(floor, "t1-r1", SIX)
    assert won(floor)
    floor.show(round={"id": "t1-r2", "stage": "dealing"}, now={"phase": "dealing"}, bets=NO_BETS)
    assert won(floor), "the next round has begun, its bets are not open yet"
    floor.show(bets=replace(NO_BETS, open=True, opened=True))
    assert not won(floor)
    floor.show(bets=replace(NO_BETS, opened=True))
    assert not won(floor), "closed again, and nobody has bet"


def test_a_table_knows_that_bets_were_open_though_nobody_bet() -> None:
    state = TableState(TableConfig(key="t1", title="Table 1", game="holdem_bonus"))
    told: tuple[e.AnyEvent, ...] = (
        e.RoundStarted(round="r", number=1, game="holdem_bonus", version=1, rules={}, dealer="d1"),
        e.BetsOpened(closes_at_ms=15_000),
        e.FactStood(fact=WindowClosed()),
    )
    opened = []
    for event in told:
        state = evolve(state, event, 0)
        opened.append(view_table(state, Book("r"), 1).bets.opened)
    assert opened == [False, True, True]


def test_the_last_results_know_how_often_a_round_was_corrected() -> None:
    results = ShoeResults()
    for event in (
        e.RoundStarted(round="r", number=1, game="holdem_bonus", version=1, rules={}, dealer="d1"),
        e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest=""),
        *(
            e.RoundResettled(round="r", number=1, revision=n, void=False, outcome={}, before={}, bets=0, stake_minor=0,
                             returns_minor=0, digest="")
            for n in (1, 2)
        ),
    ):  # fmt: skip
        results.take(event, 0)
    assert results.last(1)[0].revision == 2


def test_a_void_round_has_none_nor_those_of_the_round_before(floor: Floor) -> None:
    play_round(floor, "t1-r1", SIX)
    floor.show(round={"id": "t1-r2", "stage": "voiding"}, bets=NO_BETS)
    assert not won(floor)
    play_round(floor, "t1-r3", {("north", "erin", "shark"): 100}, void=True)
    assert not won(floor)


def test_a_round_that_is_being_corrected_or_was_made_void_has_none(floor: Floor) -> None:
    play_round(floor, "t1-r1", SIX)
    view = floor.view("t1")
    asked = CorrectionView("c1", "t1-r1", 1, False, ("", ""), 1, (), RequestView("p1", "Pia", "misread"))
    assert settled_last(altered(view, aftermath={"correction": asked})) is not None, "asked for only: the result stands"
    assert settled_last(altered(view, aftermath={"correction": replace(asked, approved_by="p2")})) is None
    assert settled_last(altered(view, past={"results": (replace(view.past.results[-1], voided=True),)})) is None
    assert settled_last(altered(view, now={"status": "closed"})) is None


# --- what screens show ---------------------------------------------------------------------------------


def test_nobody_reads_more_than_the_first_letter_of_another() -> None:
    found = (Winner("north", "alice", "EUR", 900), Winner("south", "alice", "EUR", 800))
    assert winner_lines(found, "south", "alice") == (Won("a•••", "EUR", 900), Won("a•••", "EUR", 800, own=True))


def test_he_finds_his_own_win_below_those_who_won_more() -> None:
    found, own = (Winner("north", "alice", "EUR", 900),), Winner("north", "zoe", "EUR", 5)
    assert winner_lines(found, "north", "zoe", own)[-1] == Won("z•••", "EUR", 5, own=True)
    assert len(winner_lines(found, "north", "alice", found[0])) == 1


@pytest.fixture
def client(floor: Floor) -> FlaskClient:
    app: Flask = create_app(floor)  # type: ignore[arg-type]
    tickets = Tickets(lambda: "token", floor.now_ms, lambda: 0.0)
    app.register_blueprint(play.routes(app.extensions["console"], tickets, floor))
    app.extensions["tickets"] = tickets
    return app.test_client()


def test_display_and_page_show_them_without_ids_and_operators(floor: Floor, client: FlaskClient) -> None:
    tickets = client.application.extensions["tickets"]
    token, _ = tickets.issue("south", "bartholomew", "t1", language="en", valid_s=3_600)
    play_round(floor, "t1-r1", {**SIX, ("south", "bartholomew", "shark"): 100})
    display = Visitor(app_over(floor)).page("/display/t1")  # type: ignore[arg-type]
    assert "b•••" in display
    assert "€19.20" in display
    page = client.get(f"/play/{token}").text
    assert '<li class="own-win"><span>You</span>' in page
    for html in (display, page):
        assert "Winners of the round" in html
        for secret in ("alice", "bartholomew", "carol", "north", "south"):
            assert secret not in html[html.index("<main") :], secret
    floor.open_bets("t1-r2", 2)
    assert "Winners of the round" not in client.get(f"/play/{token}").text


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_language_has_the_words(tag: str) -> None:
    words = Languages().speak(tag)
    assert words.knows("winners.title")
    assert words.knows("winners.you")
