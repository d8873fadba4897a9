"""The page of the rules and the code that cites them hold each other to account."""

import re
from pathlib import Path

from studio.games.three_knights import PAIR_PLUS, SIX_OPTIONS, THREE_KNIGHTS
from studio.hands.three_card import ThreeCard
from studio.proof.rtp import prove

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "games" / "three_knights.md"
CITED = re.compile(r"\b3K-(\d+)")
DEFINED = re.compile(r"^- \*\*\[3K-(\d+)\]\*\*", re.MULTILINE)


def cited() -> dict[int, set[str]]:
    """Rule number to the files that cite it."""
    found: dict[int, set[str]] = {}
    files = [path for place in ("studio", "tests") for path in (ROOT / place).rglob("*") if path.is_file()]
    for path in files:
        if path.suffix in (".py", ".round") and path != Path(__file__):
            for number in CITED.findall(path.read_text("utf-8")):
                found.setdefault(int(number), set()).add(path.name)
    return found


def test_the_rules_are_numbered_from_one_without_a_gap() -> None:
    numbers = [int(number) for number in DEFINED.findall(PAGE.read_text("utf-8"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_cited_rule_stands_on_the_page_and_every_rule_on_the_page_is_cited() -> None:
    assert set(cited()) == {int(number) for number in DEFINED.findall(PAGE.read_text("utf-8"))}


def rows(first: str) -> list[list[str]]:
    """The body of the table on the page whose first heading is `first`, cell by cell."""
    lines = iter(PAGE.read_text("utf-8").splitlines())
    for line in lines:
        if line.strip().startswith(f"| {first} |"):
            next(lines)
            break
    body: list[list[str]] = []
    for line in lines:
        if not line.strip().startswith("|"):
            break
        body.append([cell.strip(" `%") for cell in line.strip().strip("|").split("|")])
    return body


def test_the_pair_plus_table_on_the_page_is_the_one_that_pays() -> None:
    printed = {ThreeCard(name.replace(" ", "_")): int(paid) for name, paid in rows("hand")}
    assert printed == {hand: paid for hand, paid in PAIR_PLUS.items() if paid}


def test_the_figures_on_the_page_are_the_proved_ones() -> None:
    for column, six in enumerate(SIX_OPTIONS, start=1):
        proofs = prove(THREE_KNIGHTS, {"six": six})
        for row in rows("bet"):
            for bet in row[0].split(", "):
                assert float(row[column]) == round(proofs[f"player2_{bet}"].rtp_percent, 4), (six, bet)
