"""A round of Blackjack from end to end in a real browser: bets, boxes that choose, a dealer who clicks, and the money.

Nothing on the path is a mock: shoe bytes, camera frames, journal, ledger, the operators' interface over HTTP.
"""

from __future__ import annotations

import pytest
from patience import PATIENCE_MS
from playwright.sync_api import Browser, expect
from running_demo import BETTORS, DEPOSIT_MINOR, BettorDesk, RunningDemo, until
from test_demo_round import Dealer

from dealer_ui.rehearsal.person.interface import Bet, Choice
from studio.views import TableView

pytestmark = [pytest.mark.browser]

GAME = "blackjack"
TABLE = "blackjack-1"
SPEED = 2.0
STAKE_MINOR = 2_000
BOXES = dict(zip(("2", "4", "7"), BETTORS, strict=True))
LOOKS_MAX = 1_200
"""So often the dealer looks at the table before something is wrong."""


def due(view: TableView) -> tuple[object, ...]:
    """What a dealer sees that he has done something: the act, and the card that is due."""
    return view.now.act.key, view.bets.turn, tuple(view.now.act.values.items())


def seen(view: TableView) -> bool:
    """The camera has agreed on every card: a careful dealer covers none before."""
    return not any(card.state in ("shoe", "unsure") for box in view.boxes for card in box.places)


def choose(desk: BettorDesk, view: TableView, number: int) -> None:
    """Split what can be split, stand on 17 and more, else hit; nobody insures."""
    box, options = view.bets.turn, view.bets.deciding
    points = next(one.points for one in view.boxes if one.key == box)
    option = "split" if "split" in options else "stand" if points >= 17 else "hit"
    choice = Choice(client_id=f"choice-{number}", bettor=BOXES[box[0]], option=option, box=box)
    [answer] = desk.decide(TABLE, [choice])
    assert answer.status == "accepted", answer


@pytest.mark.long
def test_a_round_of_blackjack_is_dealt_by_clicking(
    running: RunningDemo, bettors: BettorDesk, chromium: Browser
) -> None:
    floor = running.demo.studio.floor
    context = chromium.new_context(viewport={"width": 1280, "height": 1100})
    context.set_default_timeout(PATIENCE_MS)
    dealer = Dealer(context.new_page(), running.port)
    dealer.press("Start the round")
    dealer.press("Open the bets")
    expect(dealer.act).to_have_text("Bets are open", timeout=PATIENCE_MS)
    bets = [Bet(f"main-{box}", bettor, f"{box}:main", STAKE_MINOR) for box, bettor in BOXES.items()]
    assert {answer.status for answer in bettors.place(TABLE, bets)} == {"accepted"}
    expect(dealer.console.locator(".arc-box.used")).to_have_count(3, timeout=PATIENCE_MS)
    dealer.press("No more bets")

    for number in range(LOOKS_MAX):
        view = floor.view(TABLE)
        match view.now.act.key:
            case "act.deal" if seen(view):
                dealer.wait_for("deal")
                dealer.page.locator("#hand-deal button").click()
            case "act.turn" if view.bets.turn:
                expect(dealer.console.locator(f"#hand-{view.bets.turn}.acts")).to_be_visible(timeout=PATIENCE_MS)
                choose(bettors, view, number)
            case "act.open_decisions":
                dealer.press("Ask the bettors")
            case "act.decide":
                dealer.press("No more decisions")
            case "act.declare_result":
                break
            case _:
                dealer.page.wait_for_timeout(50)
                continue
        before = due(view)
        until(dealer.page, lambda: due(floor.view(TABLE)) == before, False)  # noqa: B023 - asked at once
    else:
        pytest.fail(f"Stuck at {floor.view(TABLE).now.act}: {floor.view(TABLE).incidents.open}")
    dealer.press("Declare the result")
    dealer.wait_for("clear")
    result = floor.view(TABLE).past.results[-1]
    played = [zone for zone in result.outcome if zone != "dealer"]
    assert {zone[0] for zone in played} == set(BOXES)
    for zone in played:
        expect(dealer.console.locator(f"#hand-{zone} .total")).to_be_visible(timeout=PATIENCE_MS)
    until(dealer.page, lambda: None in [bettors.returned(one) for one in BETTORS], False)
    for box, bettor in BOXES.items():
        put_out = STAKE_MINOR * sum(zone.startswith(box) for zone in played)
        assert bettors.balance(bettor) == DEPOSIT_MINOR - put_out + (bettors.returned(bettor) or 0)
    dealer.page.locator("#hand-clear button").click()
    expect(dealer.page.locator("#sketch .lying")).to_have_count(0, timeout=PATIENCE_MS)
    assert dealer.errors == []
    context.close()
