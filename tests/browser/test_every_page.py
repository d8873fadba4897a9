"""Every page the house routes is held to WCAG 2.2 AA by axe, and shows every text whole on three sizes of screen in
three languages, over a studio that has played a round. (What axe holds a page to does not depend on its language.)

The pages are those of the application's own map (`role_page.py` has who may enter): a new one is visited unnamed, or
fails here. A page that answers anything but 200 was not visited.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

import pytest
from fake_bench import FakeCamera
from held_to_axe import LANGUAGES, wrong_on
from held_to_fit import unfit_on
from playwright.sync_api import Browser
from role_page import ROUTES
from running_studio import TABLE, House
from sealed_search import sign_up
from served_house import Served

from dealer_ui.config.file import DecksSection
from studio.procedures.incident import KINDS as INCIDENTS
from studio.reports import KINDS as REPORTS
from studio.tables import command as c

pytestmark = [pytest.mark.browser, pytest.mark.long]

LETTERS = {"D": "dealer", "P": "pit_boss", "A": "auditor", "T": "technician", "X": "admin"}
NOT_A_PAGE = {
    "/static/<path:filename>",
    "/api/v1/openapi.json",
    "/metrics", "/whoami", "/beat", "/audit/state", "/pit/pictures", "/table/<table>/camera.jpg",
    "/technician/<table>/camera.jpg", "/technician/<table>/camera/explained.jpg",
    "/technician/<table>/<role>/talk", "/technician/<table>/<role>/capture",
    "/evidence/<digest>", "/reports/<kind>/<sheet>.csv", "/reports/foot.css", "/play/<token>/live",
    "/play/<token>/picture", "/play/<token>/check",
    "/play/<token>/stream", "/stream/<name>", "/stream/<name>/<table>", "/view/<name>", "/view/<name>/<table>",
}  # fmt: skip
"""Pictures, streams, plain data and downloads: nobody reads them as a screen."""
ENGLISH_ALONE = {"/api/v1/docs"}
"""What operators' developers read, in the language their interface speaks (ADR 127)."""
ROUND = f"{TABLE}-0000001"
ROLES = ("shoe", "shuffler", "camera")


def _pages() -> dict[str, str]:
    lines = (line.split() for line in ROUTES.splitlines() if line.strip())
    return {rule: who for method, rule, who in lines if method == "GET" and who != "key" and rule not in NOT_A_PAGE}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, chromium: Browser) -> Iterator[Served]:
    """A studio with a settled round and a second in its betting, a deck in its register, and a camera that looks."""
    with House(tmp_path_factory.mktemp("pages")) as house:
        house.betting()
        house.bet("c1")
        house.do(c.CloseBetting)
        house.until(lambda view: view.now.act.key == "act.deal")
        house.deal_all()
        house.finish()
        sign_up(house)
        house.floor.decks.rules = DecksSection.model_validate({"register": True, "backs": ["red", "blue"]})
        camera = FakeCamera()
        house.floor.bench.camera = lambda device: camera  # type: ignore[method-assign,assignment,return-value]
        made = Served(house, chromium)
        _take_in_a_deck(made)
        yield made
        made.close()


def _take_in_a_deck(served: Served) -> None:
    client = served.house.api
    assert client.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303
    [csrf, *_] = re.findall(r'name="csrf" value="([^"]+)"', client.get("/decks").get_data(as_text=True))
    deck = {
        "act": "receive", "deck": "RED-1", "design": "casino", "back": "red", "packs": "1", "seal": "S1",
        "place": "cage", "mark": "deck-", "pin": "730162", "second_badge": "1001", "second_pin": "4826", "csrf": csrf,
    }  # fmt: skip
    assert client.post("/decks", data=deck).status_code == 303


def _choices(served: Served, rule: str, name: str, language: str) -> Sequence[str]:
    match name:
        case "table":
            return (TABLE,)
        case "round":
            return (ROUND,)
        case "role":
            return ROLES
        case "kind":
            return [one.key for one in (REPORTS if rule.startswith("/reports/") else INCIDENTS)]
        case "id":
            return ("d1", "p1")
        case "deck":
            return ("RED-1",)
        case "token":
            answer = served.house.post("/bettors/ann/pages", {"table": TABLE, "language": language})
            return (str(answer.json["page"]).rpartition("/")[2],)
    raise AssertionError(f"say what to write for '{name}' in {rule}")


def addresses(served: Served, rule: str, language: str) -> Iterator[str]:
    """All that is behind a rule: each report, each kind of incident, each device; every third where not in English."""
    names = re.findall(r"<(?:\w+:)?(\w+)>", rule)
    every = itertools.product(*(_choices(served, rule, name, language) for name in names))
    for chosen in itertools.islice(every, None, None, 1 if language == LANGUAGES[0] else 3):
        given = dict(zip(names, chosen, strict=True))
        yield re.sub(r"<(?:\w+:)?(\w+)>", lambda found, given=given: given[found[1]], rule)  # type: ignore[misc]


def test_the_map_of_the_application_holds_no_page_that_is_not_visited(served: Served) -> None:
    rules = {rule.rule for rule in served.house.studio.app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    pages = {rule for rule in rules if not rule.startswith("/api/v1/") or rule in NOT_A_PAGE | ENGLISH_ALONE}
    assert pages - NOT_A_PAGE - set(_pages()) == set(), "give it its line in role_page.py: it is visited then"
    assert NOT_A_PAGE - pages == set(), "these are gone"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rule", list(_pages()))
def test_a_page_of_the_house_breaks_no_rule(served: Served, rule: str, language: str) -> None:
    who = _pages()[rule]
    page = served.stranger() if who == "all" else served.page(LETTERS[who[0]])
    for address in addresses(served, rule, language):
        answer = page.goto(f"{served.address}{address}?language={language}")
        if address == "/":  # it leads on to one's own room, and the language is asked for there
            answer = page.goto(f"{page.url.partition('?')[0]}?language={language}")
        assert answer is not None
        assert answer.status == 200, address
        assert page.get_attribute("html", "lang") == (LANGUAGES[0] if rule in ENGLISH_ALONE else language), address
        assert language != LANGUAGES[0] or wrong_on(page) == [], address
        assert unfit_on(page) == [], address


def test_the_page_that_says_there_is_no_such_page_breaks_no_rule(served: Served) -> None:
    page = served.stranger()
    for language in LANGUAGES:
        answer = page.goto(f"{served.address}/no-such-page?language={language}")
        assert answer is not None
        assert (answer.status, wrong_on(page)) == (404, []), language
