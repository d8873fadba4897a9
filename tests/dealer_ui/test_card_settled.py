"""A card that people settled: the staff's pages name them beside the felt, and no bettor's screen does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from console_visitor import Visitor, app_over
from fake_floor import BETTING, DEALING, FakeFloor

from studio.views.shape import TableView, VouchView


def settled(view: TableView, vouch: VouchView) -> TableView:
    first, *others = view.boxes
    places = (replace(first.places[0], vouch=vouch), *first.places[1:])
    return replace(view, table="t1", title="Table 1", boxes=(replace(first, places=places), *others))


def floor(vouch: VouchView) -> FakeFloor:
    return FakeFloor(settled(DEALING, vouch), replace(BETTING, table="t2", title="Table 2"))


@pytest.mark.parametrize(
    ("vouch", "said"),
    [(VouchView("manual", False, False, "Petra Pit", "Paul Pit"), "overridden by Petra Pit with Paul Pit"),
     (VouchView("correction", False, False, "Petra Pit", "Paul Pit"), "overridden by Petra Pit with Paul Pit"),
     (VouchView("continue", True, False, "Petra Pit"), "read from the picture by Petra Pit"),
     (VouchView("shoe", True, False, "Petra Pit"), "settled by Petra Pit")],
)  # fmt: skip
def test_dealer_and_pit_read_who_settled_a_card_and_the_public_does_not(vouch: VouchView, said: str) -> None:
    app = app_over(floor(vouch))
    for badge, path in (("dora", "/dealer/t1"), ("paul", "/pit/t1")):
        page = Visitor(app, badge).page(path)
        assert said in page
        assert 'id="settled-player1-1"' in page
        assert 'title="People said which card it is"' in page
        assert said not in Visitor(app, badge).page(path.replace("t1", "t2"))
    public = Visitor(app).page("/display/t1")
    assert "Petra" not in public
    assert "settled-cards" not in public


def test_a_card_the_shoe_could_not_read_has_no_tick_of_the_shoe() -> None:
    """The camera's reading counts, and is marked [HG13]."""
    page = Visitor(app_over(floor(VouchView("", shoe=False, camera=True))), "dora").page("/dealer/t1")
    place = page[page.index('id="place-player1-1"') :].split("</li>")[0]
    assert "The shoe could not read it" in place
    assert "The shoe read it" not in place
    assert "settled-cards" not in page
