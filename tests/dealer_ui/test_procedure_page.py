"""The pages of the procedures: every kind, the rows in force at a table, their steps, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from altered import altered
from console_visitor import Visitor, app_over
from fake_floor import DEALING, FakeFloor

from studio.procedures import KINDS
from studio.procedures.record import RowRecord

OWN = (
    RowRecord(id="OWN1", kinds=("exposed_card",), when="any", conditions="", ruling="void_round",
              text="At this house every exposed card voids the round.", words=(("ja", "ここでは必ず無効。"),)),
)  # fmt: skip


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    made = FakeFloor(DEALING)
    yield made
    made.close()


def test_every_kind_of_incident_is_found_from_the_menu(floor: FakeFloor) -> None:
    page = Visitor(app_over(floor), "paul").page("/procedure")
    assert all(f'href="/procedure/{kind.key}?table=' in page for kind in KINDS)


def test_every_kind_has_its_page_for_everybody_signed_in(floor: FakeFloor) -> None:
    dealer = Visitor(app_over(floor), "dora")
    assert {dealer.status(f"/procedure/{kind.key}") for kind in KINDS} == {200}


def test_a_page_says_the_row_who_agrees_what_goes_back_and_the_steps(floor: FakeFloor) -> None:
    page = Visitor(app_over(floor), "dora").page("/procedure/exposed_card")
    for told in ("TK4", "Every bet of the round goes back", "Announce that the round is void.", "Pit boss"):
        assert told in page


def test_a_page_speaks_the_readers_language(floor: FakeFloor) -> None:
    page = Visitor(app_over(floor), "dora").page("/procedure/exposed_card?language=ja")
    assert "ベット受付中にカードが見えた。ラウンドを無効にする。" in page
    assert "ラウンド無効を告げる。" in page
    assert "ベットはすべて有効" in page


def test_a_studios_own_row_stands_first_in_its_own_words(floor: FakeFloor) -> None:
    floor.show(altered(DEALING, game={"own_rows": OWN}))
    dealer = Visitor(app_over(floor), "dora")
    page = dealer.page("/procedure/exposed_card")
    assert page.index("OWN1") < page.index("TK4")
    assert "ここでは必ず無効。" in dealer.page("/procedure/exposed_card?language=ja")


@pytest.mark.parametrize("path", ["/procedure/earthquake", "/procedure?table=nine", "/procedure/exposed_card?table=9"])
def test_what_is_not_there_is_not_found(floor: FakeFloor, path: str) -> None:
    assert Visitor(app_over(floor), "dora").status(path) == 404


def test_nobody_reads_them_without_signing_in(floor: FakeFloor) -> None:
    assert Visitor(app_over(floor)).status("/procedure") in (302, 303, 401, 403)
