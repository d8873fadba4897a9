"""A studio that has lived through something is read in Japanese and in Indonesian without a word of English."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import pytest
from lived_studio import Life
from role_page import ROUTES
from running_studio import TABLE, ZONE
from test_correction_page import Person
from visible_text import texts_of

from dealer_ui.pages.audit.search import GROUPS
from dealer_ui.words.language import LANGUAGES, Languages
from studio.games import GAMES
from studio.procedures.incident import KINDS as INCIDENTS
from studio.reports import KINDS as REPORTS

BADGES: Final = {"D": ("1001", "4826"), "P": ("2001", "730162"), "A": ("3001", "590427"), "T": ("4001", "604718"),
                 "X": ("9001", "915374")}  # fmt: skip
NOT_A_PAGE: Final = {
    "/static/<path:filename>", "/metrics", "/whoami", "/beat", "/pit/pictures", "/table/<table>/camera.jpg",
    "/technician/<table>/camera.jpg", "/technician/<table>/camera/explained.jpg",
    "/technician/<table>/<role>/talk", "/technician/<table>/<role>/capture",
    "/technician/<table>/camera/calibrate",
    "/api/v1/docs", "/api/v1/openapi.json",
    "/evidence/<digest>", "/reports/<kind>/<sheet>.csv", "/reports/foot.css", "/play/<token>/live",
    "/play/<token>/picture", "/play/<token>/check", "/play/<token>/stream",
    "/stream/<name>", "/stream/<name>/<table>", "/view/<name>", "/view/<name>/<table>",
}  # fmt: skip
"""Pictures, streams, plain data and downloads; the page of a calibration needs a camera, and is read where one is.

The operators' interface is described in English alone, as it is spoken.
"""
LEADS_ON: Final = {"/"}
"""Has no page of its own."""

ENGLISH: Final = Languages().speak("en")
NAMES: Final = ("Dana", "Petra", "Pavel", "Ute", "Tom", "Ada", "Gita", "Hana", "Dewi", "Made", "Yuki", "ann", "north")
_SAME_EVERYWHERE: Final[Mapping[str, str]] = {
    "digests": "[0-9a-f]{64}|[0-9a-f]{12}|[0-9a-f]{8}",
    "ids: bets of operators, decks, seals, papers": r"north/\w+|deck-|RED-\d|S\d|[A-Z0-9]+-[A-Z]{3}-\d|[A-Z]-\d+",
    "ids: stations, devices at their tables": r"(?<=端末 )[0-9a-f]{4}|(?<=stasiun )[0-9a-f]{4}|t\d · shoe",
    "people and bettors, whom nobody translates": "|".join(NAMES),
    "what the studio calls itself and its tables": r"Test|Table \d|Knights \d",
    "games go by their own names": "|".join(re.escape(name) for name in sorted(
        {game.title for game in GAMES} | {ENGLISH.say(f"game.{game.key}") for game in GAMES}, key=len, reverse=True)),
    "ids: rounds, shifts, corrections": r"[a-z][a-z0-9-]*-\d{6,7}|shift-\d{6}|[a-z0-9-]+-[cius]\d+|[a-z][\w-]*-\d",
    "ids: tables, people, complaints": r"[a-z]\d+|[A-Z]-\d+",
    "rows of the procedures": r"[A-Z]{2}\d+[a-z]?",
    "cards, as the record writes them": r"(?:10|[2-9TJQKA])[shdc]",
    "currencies": "EUR|USD|JPY|IDR",
    "signs known everywhere": r"PIN|RTP|CSV|Asia/Makassar|URL|USB|px|ms|Esc|Shift|Tab|Enter|Space",
    "addresses": r"sim://\S*|https?://[\w.:-]+|/[a-z]+",
    "languages go by their own names": "|".join(map(re.escape, LANGUAGES.values())),
}  # fmt: skip
"""Latin letters that stand in every language, each with its reason."""
_LEFT: Final = re.compile("|".join(rf"(?<![A-Za-z0-9])(?:{one})(?![A-Za-z0-9])" for one in _SAME_EVERYWHERE.values()))
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]+")
FLOOR_ENGLISH: Final = frozenset({
    "Pair Plus", "Pit boss", "straight flush", "three of a kind", "Table 1 · Dealer", "Table 1 · Pit", "Table 1 · Shoe",
})  # fmt: skip
"""What Indonesian floors say in English."""


def english_in(text: str) -> list[str]:
    """
    >>> english_in("Petra がラウンドを無効に (EV12)。"), english_in("Petra の操作: WithdrawShoe")
    ([], ['WithdrawShoe'])
    >>> english_in("c32af6019d6f935f9fee72eb4a8c311ba5b03a2b0f4fa91cbba4d0433a5e1b13")
    []
    """
    return _WORD.findall(_LEFT.sub(" ", text))


class Studio:
    """The lived studio, and everybody's pages in it, each fetched once a language."""

    def __init__(self, life: Life) -> None:
        self.house = life.live()
        self.round = life.round
        page = self.house.post("/bettors/ann/pages", {"table": TABLE}).get_json()["page"]
        self.ticket = page.rpartition("/")[2]
        self._people: dict[str, Person] = {}
        self._kept: dict[str, dict[str, list[str]]] = {}

    def texts(self, language: str) -> dict[str, list[str]]:
        """Every text of every page, by its address."""
        if language not in self._kept:
            self._kept[language] = {path: self._read(who, path, language) for who, path in self.addresses()}
        return self._kept[language]

    def _read(self, who: str, path: str, language: str) -> list[str]:
        if who not in self._people:
            self._people[who] = Person(self.house, *BADGES[who])
        between = "&" if "?" in path else "?"
        answer = self._people[who].client.get(f"{path}{between}language={language}", follow_redirects=True)
        assert answer.status_code == 200, path
        return texts_of(answer.get_data(as_text=True))

    def addresses(self) -> Iterator[tuple[str, str]]:
        for line in ROUTES.splitlines():
            if not line.strip() or not line.startswith("GET"):
                continue
            _, rule, who = line.split()
            if who == "key" or rule in NOT_A_PAGE | LEADS_ON:
                continue
            letter = "P" if who == "all" or "P" in who else who[0]
            names = re.findall(r"<(?:\w+:)?(\w+)>", rule)
            for chosen in itertools.product(*(self._choices(rule, name) for name in names)):
                given = dict(zip(names, chosen, strict=True))
                yield letter, re.sub(r"<(?:\w+:)?(\w+)>", lambda found, given=given: given[found[1]], rule)  # type: ignore[misc]
        for group in ("", *GROUPS):
            yield "A", f"/audit?kind={group}"
        yield "A", "/audit?what=money"
        yield "A", f"/pit/{TABLE}/round/{self.round[:-1]}2"

    def _choices(self, rule: str, name: str) -> Sequence[str]:
        match name:
            case "table":
                return (TABLE,)
            case "round":
                return (self.round,)
            case "token":
                return (self.ticket,)
            case "role":
                return ("shoe", "shuffler", "camera")
            case "kind":
                return [one.key for one in (REPORTS if rule.startswith("/reports/") else INCIDENTS)]
            case "id":
                return ("d1", "p1", "d7", "d8")
            case "deck":
                return ("RED-1", "RED-2", "RED-3")
        raise AssertionError(f"say what to write for '{name}' in {rule}")


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    found = Studio(Life(tmp_path_factory.mktemp("life")))
    yield found
    found.house.studio.stop()


def test_a_japanese_page_has_no_english_word(studio: Studio) -> None:
    texts = studio.texts("ja")
    assert len({text for page in texts.values() for text in page}) > 1_000
    assert in_english(texts) == {}


def test_an_indonesian_page_says_nothing_as_the_english_one_does(studio: Studio) -> None:
    assert unchanged(studio.texts("id"), studio.texts("en")) == {}


def test_every_time_is_told_in_the_zone_of_the_studio(studio: Studio) -> None:
    told = {path: "\n".join(page) for path, page in studio.texts("ja").items()}
    assert [path for path, text in told.items() if "UTC" in text] == []
    assert {"/shift", "/audit", "/pit/complaints"} <= {path for path, text in told.items() if ZONE in text}


def in_english(texts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Each Japanese text with a word of English, and where it stands."""
    return {text: path for path, page in texts.items() for text in page if english_in(text)}


def unchanged(texts: Mapping[str, Sequence[str]], english: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Each text of two and more English words that is the same in English, and where it stands."""
    return {
        text: path
        for path, page in texts.items()
        for text in set(page) & set(english[path])
        if len(english_in(text)) > 1 and text not in FLOOR_ENGLISH
    }
