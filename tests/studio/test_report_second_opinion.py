"""Every figure of the reports of a floor, against a second calculation that reads nothing but the rows."""

from __future__ import annotations

from collections import Counter
from math import isclose
from pathlib import Path
from typing import Any

import plain_figures as plain
import pytest
from plain_figures import Books

from studio.journal import Reader
from studio.proof.audit.database import verify
from studio.reports import KINDS, Cell, Money, Report, ReportAsked, cut
from tests.studio.report_night import play_floor

pytestmark = pytest.mark.long

Rows = list[dict[str, Any]]


class Floor:
    """The rows of a floor's database, and every report over the whole of them."""

    def __init__(self, path: Path) -> None:
        self.books = Books(path)
        with Reader.open(path) as reader:
            asked = ReportAsked(reader, cut(reader, None, None))
            self.reports: dict[str, Report] = {kind.key: kind.make(asked) for kind in KINDS}

    def rows(self, kind: str, key: str) -> Rows:
        sheet = self.reports[kind].sheet(key)
        names = [column.key for column in sheet.columns]
        return [dict(zip(names, map(_plain, row), strict=True)) for row in sheet.rows]


def _plain(cell: Cell) -> str | int | float | None:
    return cell.amount_minor if isinstance(cell, Money) else cell


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    path = play_floor(tmp_path_factory.mktemp("floor"), ("three_knights", "short_deck"), rounds=6)
    assert verify(path).first_wrong is None
    return Floor(path)


def test_no_report_has_anything_to_shout(floor: Floor) -> None:
    assert [
        note.english
        for report in floor.reports.values()
        for note in report.loud
        if note.key not in ("incident_open", "significant_due", "significant_due_one")
    ] == []


def test_the_bettors_of_each_operator(floor: Floor) -> None:
    due = plain.operators(floor.books)
    found = floor.rows("closing", "operators")
    assert {(row["operator"], row["currency"]) for row in found} == set(due)
    for row in found:
        own = due[row["operator"], row["currency"]]
        moved = {key: row[key] for key in own}
        assert moved == own
        assert sum(row[key] for key in row if key not in ("operator", "currency", "closing")) == own["closing"]


def test_the_chips_at_each_poker_table(floor: Floor) -> None:
    due = plain.chips(floor.books)
    found = {(row["table"], row["operator"], row["currency"]): row for row in floor.rows("closing", "chips")}
    assert set(found) == set(due)
    for side, own in due.items():
        assert {key: found[side][key] for key in own} == own


def test_handle_and_returns_of_each_table(floor: Floor) -> None:
    due = plain.money(floor.books)
    for row in floor.rows("table", "money"):
        own = due.pop((row["table"], row["currency"]))
        assert (row["handle"], row["returns"]) == (own["handle"], own["returns"])
        assert row["hold"] == own["handle"] - own["returns"]
        assert isclose(row["hold_share"], row["hold"] / row["handle"])
    assert due == {}


def test_the_rake_the_hands_declared_is_that_of_the_ledger_by_table_and_by_hour(floor: Floor) -> None:
    due = +plain.rake(floor.books)
    assert due
    room = {row["table"]: row for row in floor.rows("table", "poker_room")}
    hours: dict[str, int] = dict.fromkeys(room, 0)
    for row in floor.rows("table", "rake_hours"):
        hours[row["table"]] += row["rake"]
    assert {table: row["rake"] for table, row in room.items() if row["rake"]} == dict(due)
    assert {table: rake for table, rake in hours.items() if rake} == dict(due)
    assert [row["difference"] for row in floor.rows("closing", "agreement") if row["difference"]] == []


def test_the_rounds_of_each_table_and_their_pace(floor: Floor) -> None:
    due, lengths = plain.rounds(floor.books), plain.open_ms(floor.books)
    room = {row["table"]: row for row in floor.rows("table", "poker_room")}
    for row in floor.rows("table", "tables"):
        own, open_ms = due.pop(row["table"]), lengths[row["table"]]
        assert (row["rounds"], row["void"], row["open_for"]) == (own["rounds"], own["void"], open_ms)
        assert isclose(row["rounds_an_hour"], own["rounds"] * 3_600_000 / open_ms)
        if hands := room.get(row["table"]):
            assert (hands["hands"], hands["void"], hands["dealt_again"]) == (
                own["rounds"], own["void"], own["dealt_again"],
            )  # fmt: skip
            assert hands["rake_an_hour"] == (hands["rake"] or 0) * 3_600_000 // open_ms
    assert due == {}


def test_incidents_by_kind_and_how_long_they_held(floor: Floor) -> None:
    names = ("count", "holding", "open", "held", "median_held", "longest_held")
    found = {row["incident"]: tuple(row[name] for name in names) for row in floor.rows("incident", "by_kind")}
    assert found == plain.by_kind(floor.books)


def test_dealers_their_cards_and_their_mistakes(floor: Floor) -> None:
    due = plain.dealers(floor.books)
    speed = {row["dealer"]: row for row in floor.rows("dealer", "speed")}
    for row in floor.rows("dealer", "mistakes"):
        own = due.pop(row["dealer"])
        for name in ("cards", "mistakes", "incidents", "void"):
            assert row[name] == own[name], name
        assert speed[row["dealer"]]["rounds"] == own["rounds"]
        assert isclose(row["to_a_thousand"], own["mistakes"] * 1000 / own["cards"])
        assert row["low"] < row["to_a_thousand"] < row["high"]
    assert due == {}


def test_the_time_of_each_link(floor: Floor) -> None:
    due = plain.links(floor.books, floor.reports["uptime"].begin_ms)
    for row in floor.rows("uptime", "devices"):
        own = due.pop((row["device"], row["table"]))
        assert (row["up"], row["down"], row["outages"]) == (own["up"], own.get("down", 0), own.get("outages", 0))
        assert isclose(row["up_share"], own["up"] / (own["up"] + own.get("down", 0)))
    assert due == {}


def test_what_each_deck_did(floor: Floor) -> None:
    due = plain.deck_uses(floor.books)
    found = floor.rows("decks", "deck_uses")
    assert {(row["table"], row["deck"]) for row in found} == set(due)
    for row in found:
        own = due[row["table"], row["deck"]]
        assert [row[name] for name in ("approved", "refused", "loads")] == [
            own.get(name, 0) for name in ("approved", "refused", "loads")
        ]


def test_what_came_back_of_each_bet_and_no_share_of_a_pot_of_seats(floor: Floor) -> None:
    due = plain.returns(floor.books)
    for row in floor.rows("returns", "returns"):
        count, handle, back = due.pop((row["game"], row["bet"]))
        assert (row["rounds"], row["handle"]) == (count, handle)
        assert isclose(row["came_back"], back / handle)
    assert due == {}


def test_the_cards_of_a_short_deck_and_their_chi_square(floor: Floor) -> None:
    decks = plain.boards(floor.books, "short_deck")
    counts = Counter(face for deck in decks for face in deck.values())
    found = {row["card"]: row["seen"] for row in floor.rows("cards", "faces_short")}
    assert len(found) == 36
    assert {card: seen for card, seen in found.items() if seen} == counts
    [whole] = [row for row in floor.rows("cards", "frequency") if (row["part"], row["deck_of"]) == ("all", 36)]
    assert (whole["passes"], whole["seen"]) == (len(decks), counts.total())
    assert isclose(whole["chi_square"], plain.chi_square(decks, 36))
