"""Every row of the procedures, made to happen at a simulated table through its devices or a tap, and carried out.

Of each it is checked: the row and its ruling on record, and who ruled; the money of the bettors, given back or paid
once; the incident and its record of exception; what the dealer's and the pit's pages say of it, and that no sealed card
is among it; and that the table deals and settles on.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from drill import Drill

sys.path.insert(0, str(Path(__file__).parents[1] / "dealer_ui"))

from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor
from sealed_search import spellings, without_choices

from dealer_ui.rehearsal.practice.recipe import BJ, EVERY, PRACTICES, Practice, row_for
from dealer_ui.rehearsal.practice.step import Break, Say
from dealer_ui.words.language import Languages
from studio.ports import CardFace
from studio.procedures import procedures_of
from studio.procedures.row import PIT_DECIDES, ProcedureRow
from studio.tables import command as c
from studio.tables.event.record import read_body
from studio.views import IncidentView, TableView

MORE = (
    Practice("BJ3", "extra_card", BJ, "dealt", (Say("extra_card", "seen", "boxes"),), "last"),
    Practice("EV2", "shoe_error", EVERY, "dealing", (Break("shoe.overdraw"),), "expected"),
)
"""What no newcomer practises: it takes a total that is told, or a configuration of its own."""

KNIGHTS = "three_knights"
OF_THE_POKER_ROOM = frozenset({"timed_out"})
DEALERS_OWN = {
    "continue", "card_to_discard", "card_is_next_burn", "card_is_next_card", "reuse_card", "move_card",
}  # fmt: skip
PAID_THOUGH_VOID = frozenset({"HG8", "BJ11"})
OF_OTHER_GAMES = 2
"""The other games of a row take turns: half of all pairs, and every row at several games."""
PEOPLE = frozenset({"d1", "p1", "p2"})


class RowDrill(Drill):
    """A drill whose bettors bet in every window, all of them."""

    crowded = ""

    def _step(self) -> None:
        round = self.night.state.round
        if round is None or round.window.closes_at_ms is None or self.crowded == round.id:
            return super()._step()
        bets = self.night.view().bets
        if bets.open and not bets.deciding:
            self.crowded = round.id
            self.night.punters.crowd(self.night.runtime, self.night.now_ms, 12)
        return super()._step()

    def _say(self, step: Say) -> None:
        if self.practice not in MORE:
            return super()._say(step)
        found = (("revealed", "true"), ("dealer_total", "12"))
        self.night.command(c.ReportIncident(actor=self.night.dealer.actor, kind=step.kind, circumstances=found))
        return None


def _options_of(game: str, practice: Practice) -> tuple[str, ...]:
    row = row_for(practice, game)
    return row.options or (row.ruling,)


def cases() -> Iterator[object]:
    """Quick: each row once, at one game, its options in turn; other recipes and options, and every other game, long."""
    rows: set[tuple[str, int, str]] = set()
    for number, practice in enumerate((*PRACTICES, *MORE)):
        first = KNIGHTS if KNIGHTS in practice.games else practice.games[0]
        another = (practice.row, practice.branch, practice.kind) in rows
        rows.add((practice.row, practice.branch, practice.kind))
        for place, game in enumerate(practice.games):
            if game != first and (number + place) % OF_OTHER_GAMES:
                continue
            options = _options_of(game, practice)
            quick = options[number % len(options)]
            for ruling in options if game == first else options[:1]:
                marks = () if (game, ruling, another) == (first, quick, False) else (pytest.mark.long,)
                name = f"{practice.key}-{ruling}-{game}"
                yield pytest.param(practice, game, ruling, marks=marks, id=name)


class Screens:
    """The consoles' own pages, over whatever view they are shown."""

    def __init__(self) -> None:
        self.floor = FakeFloor(replace(IDLE, table="sim", title="Simulated table"))
        app = app_over(self.floor)
        self.dealer, self.pit = Visitor(app, "dora"), Visitor(app, "paul")
        self.words = Languages().speak("en").say

    def pages(self, view: TableView) -> tuple[str, str]:
        self.floor.show(view)
        return self.dealer.page("/dealer/sim"), self.pit.page("/pit/sim")


@pytest.fixture(scope="module")
def screens() -> Iterator[Screens]:
    made = Screens()
    yield made
    made.floor.close()


@pytest.mark.parametrize(("practice", "game", "ruling"), list(cases()))
def test_a_row_is_noticed_ruled_and_carried_out(practice: Practice, game: str, ruling: str, screens: Screens) -> None:
    drill = RowDrill(practice, game)
    try:
        if practice in MORE:
            _prepare(drill)
        drill.play()
        row = row_for(practice, game)
        incident = _incident(drill, row)
        if incident is not None:
            _check_screens(drill, screens, incident)
        round = drill.night.state.round
        drill.night.pit.choose = lambda seen: ruling if (seen.kind, seen.row.id) == (practice.kind, row.id) else None
        drill.resolve()
        _check_record(drill, practice, row)
        if round is not None:
            _check_money(drill, round.id, row)
        settled = drill.checker.settled
        for _ in range(4):
            if drill.checker.settled == settled:
                drill.go_on()
        assert drill.checker.settled > settled, "no round was settled after it"
        assert not drill.checker.violations
    finally:
        drill.close()


def _prepare(drill: Drill) -> None:
    if drill.practice.row == "EV2":
        night = drill.night
        night.config = msgspec.structs.replace(night.config, expected_errors=("overdraw", "draw_extra", "extra_card"))
        night.restart()


def _incident(drill: Drill, row: ProcedureRow) -> IncidentView | None:
    """The incident while it is open; what is told and closed at once is on record alone."""
    return next(
        (one for one in drill.night.view().incidents.open if (one.row.id, one.row.text) == (row.id, row.text)), None
    )


def _check_screens(drill: Drill, screens: Screens, incident: IncidentView) -> None:
    """Both consoles name the incident; the pit's says its row and offers its rulings."""
    dealer, pit = (without_choices(page) for page in screens.pages(drill.night.view()))
    named = screens.words(f"incident.{incident.kind}")
    assert named in pit
    assert incident.row.id in pit
    assert named in dealer or not incident.holds or len(drill.night.view().incidents.open) > 1
    offered = [one for one in (incident.row.options or (incident.row.ruling,)) if one != PIT_DECIDES]
    if incident.holds and not incident.ruled:
        assert any(screens.words(f"ruling.{one}") in pit for one in offered)
    for found in _sealed(drill):
        assert not found.search(dealer), "a sealed card on the dealer's page"
        assert not found.search(pit), "a sealed card on the pit's page"


def _sealed(drill: Drill) -> list[re.Pattern[str]]:
    """How the burned cards that lie face down would be written; hearts and spades, which no word is like.

    Of several decks a card that lies open may be the burned one's like, and is shown.
    """
    lying = drill.night.rig.felt.view().cards
    shown = {one.card for one in lying if one.face is not CardFace.DOWN}
    burned = {one.card for one in lying if one.slot and one.slot[0] == "burn"} - shown
    return [re.compile(spellings(card).pattern) for card in burned if card.suit in "hs"]  # a page says "js", too


def _events(drill: Drill, *kinds: str) -> list[Any]:
    with drill.night.store.reader() as reader:
        return [read_body(row.body).event for row in reader.events(kinds=kinds)]


def _check_record(drill: Drill, practice: Practice, row: ProcedureRow) -> None:
    opened = [one for one in _events(drill, "IncidentOpened") if (one.row, one.text) == (row.id, row.text)]
    assert opened, "the row is not on record"
    ids, reporters = {one.id for one in opened}, {one.reported_by for one in opened}
    ruled = [one for one in _events(drill, "IncidentRuled") if one.id in ids]
    closed = {one.id for one in _events(drill, "IncidentClosed")}
    records = {one.incident: one for one in _events(drill, "ExceptionRecorded")}
    allowed = {*row.options, row.ruling}
    for one in ruled:
        assert (one.row, one.ruling in allowed) == (row.id, True), f"{one.ruling} is not in {sorted(allowed)}"
        if one.asked_by:
            assert one.asked_by in PEOPLE or one.asked_by in reporters
        if one.ruling not in DEALERS_OWN:
            assert one.asked_by in ("p1", "p2") or one.approved_by in ("p1", "p2"), "no pit boss stood for it"
            assert one.asked_by != one.approved_by
            kept = records[one.id]
            assert (kept.act, kept.row, kept.asked_by) == (one.ruling, row.id, one.asked_by)
            assert kept.reason_code
            assert kept.words
            assert kept.before
            assert kept.after
    still_open = {one.id for one in drill.night.state.incidents.open}
    for one in opened:
        assert one.id in closed or one.id in still_open
        assert one.id in closed or not one.holds, "it holds the table still"


def _check_money(drill: Drill, round: str, row: ProcedureRow) -> None:
    """Every stake of the round was laid once, and went once: to the house, or back to its bettor."""
    with drill.night.store.reader() as reader:
        moves = list(reader.transfers(round))
        voided = any(row.kind == "RoundVoided" for row in reader.events(round=round))
        assert reader.balance(f"escrow:{round}") == 0
    by_bet: dict[str, Counter[str]] = {}
    for one in moves:
        if one.kind.removeprefix("reverse_") in ("reserve", "post", "void", "return"):
            moved = -1 if one.kind.startswith("reverse_") else 1  # of a bet that was paid before the end of its round
            by_bet.setdefault(one.bet, Counter())[one.kind.removeprefix("reverse_")] += moved
    for kinds in by_bet.values():
        assert kinds["reserve"] == 1
        assert kinds["post"] + kinds["void"] == 1
        assert kinds["return"] <= kinds["post"]
    net: Counter[str] = Counter()
    for one in moves:
        net[one.debit] -= one.amount_minor
        net[one.credit] += one.amount_minor
    assert sum(net.values()) == 0
    bettors = [account for account in net if account.startswith("bettor:")]
    if voided and row.id not in PAID_THOUGH_VOID:
        assert {account: net[account] for account in bettors} == dict.fromkeys(bettors, 0)
        assert all(kinds["void"] for kinds in by_bet.values())
    if drill.practice.at in ("dealing", "late", "dealt", "turn", "deciding"):
        assert len(bettors) >= 2, "too few have bet to say anything of money"


# --- nothing is missing ---------------------------------------------------------------------------------


def test_no_row_of_a_dealt_game_is_left_out() -> None:
    wanted = {
        (row.id, row.text)
        for game in EVERY
        for row in procedures_of(game).rows
        if row.kinds and not set(row.kinds) <= OF_THE_POKER_ROOM
    }
    made = {(one.row, row_for(one, game).text) for one in (*PRACTICES, *MORE) for game in one.games}
    assert wanted == made


def test_tk1_four_cards_are_burned_before_every_hand_and_none_is_named(screens: Screens) -> None:
    drill = RowDrill(Practice("", "", EVERY, "burned", ()), KNIGHTS)
    try:
        for _ in range(3):
            drill.begin()
            round = drill.night.state.round
            assert round is not None
            assert sorted(round.deal.cards) == [("burn", place) for place in range(1, 5)]
            assert drill.night.view().now.act.key == "act.open_bets"
            sealed = _sealed(drill)
            for page in map(without_choices, screens.pages(drill.night.view())):
                assert not any(found.search(page) for found in sealed)
            drill.go_on()
        assert not drill.seen.opened
        assert not drill.checker.violations
    finally:
        drill.close()
