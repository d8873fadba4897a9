"""A hand of each kind of the poker room at a running studio, by keys alone; then the pages that look different there.

Every page is held to WCAG 2.2 AA once, each in another language, and shows every text whole on each size of screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from fake_open_face import BOARDS
from heard import press, write
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import unfit_on
from playwright.sync_api import Browser, Page, expect
from running_studio import TABLE, House, place_of
from sealed_search import sign_up
from served_house import Served
from test_keyboard import go_to

from studio import ports
from studio.cards import Card, parse_cards

pytestmark = [pytest.mark.browser, pytest.mark.long]

CHIPS = 10_000
ROUND = f"{TABLE}-0000001"
STREETS = (
    ["bottom"] * 5, ["middle", "middle", "muck"], ["middle", "middle", "muck"], ["middle", "top", "muck"],
    ["top", "top", "muck"],
)  # fmt: skip


@pytest.fixture
def served(tmp_path: Path, chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Ann and Bob at the first two seats of a table; the test names its game."""
    with House(tmp_path, game=request.param) as house:
        house.open()
        sign_up(house)
        for number, bettor in enumerate(("ann", "bob"), 1):
            paid = {"client_id": f"d-{bettor}", "amount": 50_000}
            assert house.post(f"/bettors/{bettor}/deposits", paid).status_code == 200
            sit = {"client_id": f"s-{bettor}", "bettor": bettor, "act": "sit", "seat": f"seat{number}", "amount": CHIPS}
            assert house.post(f"/tables/{TABLE}/seats", sit).json["status"] == "accepted"
        made = Served(house, chromium)
        yield made
        made.close()


def dealer_at(served: Served) -> Page:
    """The dealer's console, signed in by keys."""
    page = served.stranger("/sign-in")
    page.wait_for_selector("html[data-ready]")
    for selector, text in (("#badge", "1001"), ("#pin", "4826")):
        if not page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            go_to(page, selector)
        write(page, text)
    press(page, "Enter")
    page.wait_for_url(lambda url: "sign-in" not in url)
    page.goto(f"{served.address}/dealer/{TABLE}")
    page.wait_for_selector("body[data-live]")
    return page


def choose(house: House, **choice: object) -> None:
    """The seat whose turn it is chooses; the table has moved on when this returns."""
    seat, moves = house.view.bets.turn, house.view.moves
    bettor = {"seat1": "ann", "seat2": "bob"}[seat]
    given = {"client_id": f"k-{moves}", "bettor": bettor, "box": seat, **choice}
    assert house.post(f"/tables/{TABLE}/decisions", {"decisions": [given]}).json["answers"][0]["status"] == "accepted"
    house.until(lambda view: view.moves > moves)


def held_to_the_rules(served: Served, hand: str) -> None:
    """The pages of a hand that is over, each in one language. The consoles are held to it in every state elsewhere."""
    played = str(served.house.post("/bettors/ann/pages", {"table": TABLE}).json["page"])
    pit, nobody = served.page("pit_boss"), served.stranger()
    paths = (f"/pit/{TABLE}/round/{hand}", f"{played}/record", f"{played}/record/{hand}", played)
    for at, path in enumerate(paths):
        page = nobody if at else pit
        answer = page.goto(f"{served.address}{path}?language={LANGUAGES[at % 3]}")
        assert answer is not None
        assert answer.status == 200, path
        assert wrong_on(page) == [], path
        assert unfit_on(page) == [], path


@pytest.mark.parametrize("served", ["nlh"], indirect=True)
def test_a_hand_of_holdem_to_the_showdown_and_a_bettor_sent_away(served: Served) -> None:
    house, page = served.house, dealer_at(served)
    act = page.locator(".act-words")
    expect(act).to_have_text("Start the hand")
    press(page, "Space")
    house.until(lambda view: view.now.act.key == "act.deal_down")
    for number, card in enumerate(parse_cards("8s Kh 9h Kd")):
        house.deal(f"seat{2 - number % 2}", number // 2 + 1, card, up=False)
    house.until(lambda view: view.bets.turn == "seat1")
    choose(house, option="call")
    board = iter(parse_cards("2d 5c Jd 3h Jc"))
    for burned, cards in enumerate((0, 3, 1, 1)):
        if cards:
            house.deal("burn", burned, Card.parse(("3c", "4c", "6c")[burned - 1]), up=False)
            for place in range(1 if cards == 3 else burned + 2, burned + 3):
                house.deal("board", place, next(board), up=True)
        house.until(lambda view: bool(view.bets.turn))
        choose(house, option="check")
        if cards:
            choose(house, option="check")
    show_all(house, {"seat2": "8s 9h", "seat1": "Kh Kd"})
    expect(act).to_have_text("Push €2.00 to seat 1")
    expect(page.locator(".spoken")).to_have_text("Seat 1: two pair, kings and jacks")
    press(page, "Space")
    house.until(lambda view: view.round.stage == "settled")
    expect(page.locator("#box-seat1 .tag.won .at-length")).to_have_text("wins €2.00")
    held_to_the_rules(served, ROUND)
    sent_away(served, "seat2")


def show_all(house: House, hands: dict[str, str]) -> None:
    while house.view.now.act.key != "act.declare_result":
        view = house.until(
            lambda view: view.now.act.key in ("act.reveal", "act.declare_result") or bool(view.bets.turn)
        )
        if view.bets.turn:
            choose(house, option="show")
        elif view.now.act.key == "act.reveal":
            seat = str(view.now.act.values["box"]).removeprefix("box.")
            for place, card in enumerate(parse_cards(hands[seat]), 1):
                house.lay(seat, place, card)
            house.until(lambda view, seat=seat: place_of(view, seat, 2) == "confirmed")  # type: ignore[misc]


def sent_away(served: Served, seat: str) -> None:
    """The pit sends a bettor away by keys: whom, why, in words, and the PIN."""
    page = served.page("pit_boss")
    page.goto(f"{served.address}/pit/{TABLE}")
    page.wait_for_selector("body[data-live]")
    go_to(page, "#control-dismiss summary")
    press(page, "Enter")
    go_to(page, "#dismiss-seat")
    write(page, f"Seat {seat[-1]}")
    go_to(page, "#reason-dismiss")
    press(page, "ArrowDown")
    go_to(page, "#words-dismiss")
    write(page, "he is barred")
    go_to(page, "#pin-dismiss")
    write(page, "730162")
    press(page, "Enter")
    house = served.house
    house.until(lambda view: view.room is not None and not view.room.seats[int(seat[-1]) - 1].taken)
    assert house.get("/bettors/bob/balance").json["balance"] == 50_000 - 100


@pytest.mark.parametrize("served", ["ofc"], indirect=True)
def test_a_hand_of_open_face_chinese_to_its_points(served: Served) -> None:
    house, page = served.house, dealer_at(served)
    act = page.locator(".act-words")
    expect(act).to_have_text("Start the hand")
    press(page, "Space")
    house.until(lambda view: view.now.act.key == "act.deal_down")
    play_open_face(house, {"seat1": parse_cards(" ".join(BOARDS["seat1"].values())),
                           "seat2": parse_cards(" ".join(BOARDS["seat3"].values()))})  # fmt: skip
    expect(page.locator(".spoken span").first).to_have_text("Seat 1 +6, €6.00: scoop")
    expect(act).to_have_text("Declare the result")
    press(page, "Space")
    house.until(lambda view: view.round.stage == "settled")
    expect(page.locator("#box-seat1 .tag.fantasy")).to_have_text("next: fantasy 14")
    held_to_the_rules(served, ROUND)


def play_open_face(house: House, boards: dict[str, list[Card]]) -> None:
    """The dealer deals and lays what he is told to; every seat sets its streets to its board."""
    spare = iter(parse_cards("2h 6c 9d 8s Jc Qc Kc Ac"))
    held: dict[str, list[Card]] = {seat: [] for seat in boards}
    streets = dict.fromkeys(boards, 0)
    due = {seat: iter(cards) for seat, cards in boards.items()}
    known = ("act.deal_down", "act.turn", "act.lay", "act.declare_result")
    while (view := house.until(lambda view: view.now.act.key in known)).now.act.key != "act.declare_result":
        seat = str(view.now.act.values["box"]).removeprefix("box.")
        match view.now.act.key:
            case "act.deal_down":
                rows = STREETS[streets[seat]]
                card = next(spare if rows[len(held[seat])] == "muck" else due[seat])
                held[seat].append(card)
                house.deal(seat, len(held[seat]), card, up=False)
            case "act.turn":
                house.until(lambda view: bool(view.bets.turn))
                choose(house, option="place", rows=STREETS[streets[seat]])
            case _:
                lay(house, seat, STREETS[streets[seat]], held[seat])
                streets[seat] += 1
                held[seat] = []


def lay(house: House, seat: str, rows: Sequence[str], cards: Sequence[Card]) -> None:
    view = house.view
    filled = {box.key: sum(place.face is not None for place in box.places) for box in view.boxes}
    for place, (row, card) in enumerate(zip(rows, cards, strict=True), 1):
        house.say("camera", ports.CameraSawEmpty, zone=seat, place=place)
        if row != "muck":
            zone = f"{seat}_{row}"
            filled[zone] += 1
            house.lay(zone, filled[zone], card)
    house.until(
        lambda now: (
            now.moves > view.moves and (now.now.act.key, now.now.act.values) != (view.now.act.key, view.now.act.values)
        )
    )
