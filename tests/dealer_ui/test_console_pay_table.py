"""What was proved of a pay table, on the pit's screen and the technician's, and the administrator's word there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import IDLE, ROUND, FakeFloor, journal

from studio.tables import command as c
from studio.tables.config import PayProof, TableConfig
from studio.tables.event import table as e
from studio.views.shape import PayTableView

PROVED = altered(IDLE, game={"pay_table": PayTableView("c0ffee" * 10, "player1_win", 96.944019)})
UNPROVED = altered(IDLE, now={"status": "closed"}, game={"pay_table": PayTableView(trouble="pay_table_unproved")})
OVER = altered(
    IDLE,
    game={
        "pay_table": PayTableView("c0ffee" * 10, "player1_tie", 101.5, ("player1_tie",), "pay_table_over", "Ada Admin")
    },
)


@pytest.mark.parametrize(("badge", "path"), [("paul", "/pit/knights1"), ("tom", "/technician"), ("ada", "/technician")])
def test_what_was_proved_stands_on_the_screens(badge: str, path: str) -> None:
    page = Visitor(app_over(FakeFloor(PROVED)), badge).page(path)
    for told in ("Proved", "Player 1 · Player wins", "96.94 %", "c0ffeec0"):
        assert told in page
    assert "Never proved" in Visitor(app_over(FakeFloor(UNPROVED)), badge).page(path)
    page = Visitor(app_over(FakeFloor(OVER)), badge).page(path)
    assert "More than 100 % on Player 1 · Tie" in page
    assert "allowed by Ada Admin" in page


@pytest.mark.parametrize(
    ("badge", "view", "offered"),
    [
        pytest.param("ada", UNPROVED, True, id="administrator"),
        pytest.param("tom", UNPROVED, False, id="technician"),
        pytest.param("ada", OVER, False, id="allowed-already"),
        pytest.param("ada", PROVED, False, id="proved"),
    ],
)
def test_only_an_administrator_is_offered_to_allow_it_and_only_where_it_is_needed(
    badge: str, view: object, offered: bool
) -> None:
    page = Visitor(app_over(FakeFloor(view)), badge).page("/technician")  # type: ignore[arg-type]
    assert ("form-allow_pay_table-knights1" in page) is offered


def test_the_administrators_word_reaches_the_table_with_reason_and_pin() -> None:
    floor = FakeFloor(UNPROVED)
    given = {"reason_code": "drill", "words": "A trial without money.", "pin": "6666"}
    assert Visitor(app_over(floor), "ada").ask("knights1", "allow_pay_table", **given).status_code == 200
    [asked] = floor.asked
    assert isinstance(asked, c.AllowPayTable)
    assert (asked.actor.id, asked.reason_code, asked.words) == ("ada", "drill", "A trial without money.")
    assert asked.actor.pin_at_ms is not None


def test_the_pit_boss_is_turned_away_at_the_door() -> None:
    floor = FakeFloor(UNPROVED)
    given = {"reason_code": "drill", "words": "w", "pin": "730162"}
    assert Visitor(app_over(floor), "paul").ask("knights1", "allow_pay_table", **given).status_code == 403
    assert not floor.asked


@pytest.fixture
def inspected() -> Iterator[FakeFloor]:
    floor = FakeFloor(IDLE)
    yield floor
    floor.close()


def configured(percent: float) -> e.TableConfigured:
    proof = PayProof(certificate="c", highest_bet="player1_tie", highest_percent=percent, over=("player1_tie",))
    return e.TableConfigured(config=TableConfig(key="knights1", title="", game="three_knights", proof=proof))


@pytest.mark.parametrize(
    ("then", "told"),
    [
        pytest.param((), True, id="the-word-stands"),
        pytest.param((configured(101.5),), True, id="the-same-pay-table-again"),
        pytest.param((configured(102.5),), False, id="another-pay-table"),
    ],
)
def test_the_inspector_of_a_round_says_who_allowed_its_pay_table(
    inspected: FakeFloor, then: tuple[e.AnyEvent, ...], told: bool
) -> None:
    allowed = e.PayTableAllowed(
        by="ada", by_name="Ada Admin", why="pay_table_over", said="101.5 %", reason_code="drill", words="A trial."
    )
    before = (configured(101.5), allowed, *then)
    inspected.journal = [*(("knights1", "", event) for event in before), *journal()]
    page = Visitor(app_over(inspected), "paul").page(f"/pit/knights1/round/{ROUND}")
    assert ("Ada Admin allowed this pay table" in page) is told
