"""The page of the rules and the code that cites them hold each other to account."""

import re
from pathlib import Path

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
