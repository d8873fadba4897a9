"""Reads the pages of the rules, and finds where code and tests cite them. Used by the tests of those pages."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "games"


def page(game: str) -> str:
    return (PAGES / f"{game}.md").read_text("utf-8")


def defined(game: str) -> tuple[str, list[int]]:
    """The page's letters, and the numbers of its rules in the order they stand there."""
    rules = re.findall(r"^- \*\*\[(\w+)-(\d+)\]\*\*", page(game), re.MULTILINE)
    (letters,) = {letters for letters, _ in rules}
    return letters, [int(number) for _, number in rules]


def cited(letters: str) -> dict[int, set[str]]:
    """Rule number to the files that cite it, in brackets or in the name of a case."""
    found: dict[int, set[str]] = {}
    citing = re.compile(rf"\b{letters}-(\d+)")
    for path in (path for place in ("studio", "tests") for path in (ROOT / place).rglob("*")):
        if path.suffix in (".py", ".round"):
            for number in citing.findall(path.read_text("utf-8")):
                found.setdefault(int(number), set()).add(path.name)
    return found


def rows(game: str, *headings: str) -> list[list[str]]:
    """The body of the first table on the page whose headings begin with these, cell by cell."""
    begins = " | ".join(["", *headings, ""]).strip(" ")
    lines = iter(page(game).splitlines())
    for line in lines:
        if line.strip().startswith(begins):
            next(lines)
            break
    body: list[list[str]] = []
    for line in lines:
        if not line.strip().startswith("|"):
            break
        body.append([cell.strip(" `%") for cell in line.strip().strip("|").split("|")])
    return body
