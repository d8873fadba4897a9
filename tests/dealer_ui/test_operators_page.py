"""What people see of limits on what can be lost: the pit at its tables and of each operator, and who may look."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import DEALER, PIT, TABLE, House

from dealer_ui.config.file import OperatorSection
from dealer_ui.frame.screen import Asked
from dealer_ui.pages.pit.floor_page import FLOOR
from dealer_ui.pages.pit.route import TABLE as TABLE_SCREEN
from dealer_ui.words.language import Languages
from studio.tables import command as c


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Bets are open at a table that may lose 100.00; Ann of North has 1,000.00, who may credit 1,100.00 in all."""
    with House(tmp_path) as found:
        section = OperatorSection(key_sha256="0" * 64, deposit_most_minor=100_000, credit_most_minor=110_000)
        found.floor.config = found.floor.config.model_copy(update={"operators": {"north": section}})
        found.staff()
        found.links()
        config = found.studio.workers[0].runtime.state.config
        found.do(
            c.ChangeTable, PIT, preset="", game=config.game, rules=config.rules, limits=config.limits, window_s=15.0,
            proof=config.proof, exposure_most_minor=10_000, reason_code="other", words="A quiet evening.",
        )  # fmt: skip
        found.betting()
        yield found


def visit(house: House, badge: str = "2001", pin: str = "730162") -> Any:
    visitor = house.studio.app.test_client()
    visitor.post("/sign-in", data={"badge": badge, "pin": pin})
    return visitor


def test_the_pit_sees_how_full_a_table_is_and_that_bets_found_no_room(house: House) -> None:
    pit = visit(house)
    for page in ("/pit", f"/pit/{TABLE}"):
        text = pit.get(page).get_data(as_text=True)
        assert 'class="gauge "' in text
        assert "€0.00 of €100.00" in text
    assert house.bet("a", stake=8_000).json["answers"][0]["status"] == "accepted"
    text = pit.get("/pit").get_data(as_text=True)
    assert 'class="gauge near"' in text
    assert "80 %" in text
    before = [screen.pulse(asked(house)) for screen in (FLOOR, TABLE_SCREEN)]
    assert house.bet("b", stake=2_001).json["answers"][0]["reason"] == "table_exposure"
    assert all(was != screen.pulse(asked(house)) for was, screen in zip(before, (FLOOR, TABLE_SCREEN), strict=True))
    for page in ("/pit", f"/pit/{TABLE}"):
        text = pit.get(page).get_data(as_text=True)
        assert 'class="gauge full"' in text
        assert "Bets without room: 1" in text


def asked(house: House) -> Asked:
    return Asked(house.floor, TABLE, None, Languages().speak("en"))


def test_the_page_of_operators_shows_the_credit_used_and_what_is_out_and_no_dealer_sees_it(house: House) -> None:
    refused = house.post("/bettors/ann/deposits", {"client_id": "d2", "amount": 20_000})
    assert (refused.status_code, refused.json["error"]["key"]) == (409, "credit_limit")
    house.bet("a", stake=3_000)
    text = visit(house).get("/operators").get_data(as_text=True)
    for words in ("north", "€970.00 of €1,100.00", 'class="gauge near"', "one deposit €1,000.00 at most", "bets: 1"):
        assert words in text
    assert "€30.00 of €10,000,000.00" in text
    told = house.get("/limits").json
    assert told["credit"] == {"held": 97_000, "most": 110_000, "purses": {"EUR": 97_000}}
    assert told["tables"][0]["exposure"] == {"now": 3_000, "most": 1_000_000_000}
    assert told["tables"][0]["table_exposure_most"] == 10_000
    assert visit(house, "1001", "4826").get("/operators").status_code == 403
    assert DEALER.may("view_operators") is False
