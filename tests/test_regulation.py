"""The page of clauses is held to the house: every row has an answer of one of three kinds, and each answer is there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from dealer_ui.cli import main
from dealer_ui.config.shape import StudioConfig
from studio.reports import KINDS
from studio.reports.significant import CLASSES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/regulation.md"
ANSWERED, NOT_OURS, MISSING = "answered", "not ours", "missing"
OWNERS = ("the operator", "the studio", "the laboratory", "there are none", "there is none")
"""Whose a clause is that is not ours; last, what nothing here is about."""
STANDING = "How it stands"
READ = "What was read"


class Clause(NamedTuple):
    """One row. `source` is its chapter's heading."""

    source: str
    clause: str
    asks: str
    kind: str
    answer: str


def chapters() -> Iterator[tuple[str, str]]:
    found = re.split(r"^## (.+)$", PAGE.read_text(), flags=re.MULTILINE)[1:]
    return zip(found[::2], found[1::2], strict=True)


def cells(text: str) -> list[list[str]]:
    """The rows of the first table of a text, without its heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def _clauses() -> Iterator[Clause]:
    for source, text in chapters():
        if source not in (STANDING, READ):
            for row in cells(text):
                assert len(row) == 4, f"{source}: {row}"
                yield Clause(source, *row)


CLAUSES = list(_clauses())
IDS = [f"{one.source}: {one.clause} {one.asks[:40]}" for one in CLAUSES]


def references(answer: str) -> dict[str, list[str]]:
    """What an answer points to, by kind."""
    code = re.findall(r"`([^`]+)`", answer)
    return {
        "link": re.findall(r"\]\(([^)\s]+)\)", answer),
        "command": [one for one in code if one.startswith("studio ")],
        "address": [one for one in code if one.startswith(("/", "GET /", "POST /", "DELETE /"))],
        "file": [one for one in code if one.startswith("tests/")],
        "test": [one for one in code if one.startswith("test_")],
        "setting": [one for one in code if one.startswith("[")],
    }


def _other(answer: str) -> set[str]:
    """Code in an answer that is of no kind we know how to check."""
    known = {one for found in references(answer).values() for one in found}
    return set(re.findall(r"`([^`]+)`", answer)) - known - {"terms"}


# --- rows -------------------------------------------------------------------------------------------------


def test_each_source_has_its_rows() -> None:
    assert Counter(one.source for one in CLAUSES).most_common()[-1][1] >= 8
    assert len(CLAUSES) > 120


@pytest.mark.parametrize("one", CLAUSES, ids=IDS)
def test_a_row_has_an_answer_of_one_of_three_kinds(one: Clause) -> None:
    assert one.clause
    assert len(one.asks) > 4
    match one.kind:
        case "answered":
            pointed = sum(map(len, references(one.answer).values()))
            assert pointed or re.match(r"as [A-Z0-9].* above", one.answer), "an answer points somewhere"
        case "not ours":
            assert one.answer.startswith(OWNERS), "say whose it is"
        case "missing":
            assert len(one.answer) > 10, "say what is missing"
        case _:
            pytest.fail(f"'{one.kind}' is none of {ANSWERED}, {NOT_OURS}, {MISSING}")
    assert _other(one.answer) == set(), "nothing here knows how to look that up"


def test_what_stands_above_does() -> None:
    known = [one.clause for one in CLAUSES]
    for at, one in enumerate(CLAUSES):
        for named in re.findall(r"as ([A-Z0-9][\w.:()-]*?)(?: to [\w.]+)?(?: above)", one.answer):
            assert any(earlier == named or earlier.startswith(f"{named}.") for earlier in known[:at]), (
                one.clause,
                named,
            )


def test_the_sums_are_those_of_the_rows() -> None:
    counted = Counter((one.source, one.kind) for one in CLAUSES)
    sources = list(dict.fromkeys(one.source for one in CLAUSES))
    told = next(cells(text) for source, text in chapters() if source == STANDING)
    assert told == [[one, *(str(counted[one, kind]) for kind in (ANSWERED, NOT_OURS, MISSING))] for one in sources]


# --- what answers point to --------------------------------------------------------------------------------


def test_a_link_leads_to_a_heading_that_is_there() -> None:
    for one in CLAUSES:
        for link in references(one.answer)["link"]:
            name, _, anchor = link.partition("#")
            path = PAGE.parent / name
            assert path.exists(), link
            assert not anchor or anchor in anchors(path), link


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page's headings, as a reader of Markdown makes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def test_a_command_answers() -> None:
    for one in CLAUSES:
        for text in references(one.answer)["command"]:
            words = text.split()[1:]
            known = [word for word in words if word.isascii() and word.replace("-", "").isalpha() and word.islower()]
            if known[0] == "report" and len(known) > 1:
                assert known[1] in {kind.key for kind in KINDS}, text
                known = known[:1]
            done = _helped(tuple(known))
            assert done.exit_code == 0, done.output
            for option in re.findall(r"--[a-z-]+", text):
                assert option in done.output, text


@cache
def _helped(words: tuple[str, ...]) -> Result:
    return CliRunner().invoke(main, [*words, "--help"])


def test_the_classes_it_names_are_those_of_the_report() -> None:
    named = re.findall(r"class \*(\w+)\*", PAGE.read_text())
    assert named
    assert set(named) <= set(CLASSES)


def test_an_address_is_one_of_the_house() -> None:
    for one in CLAUSES:
        for address in references(one.answer)["address"]:
            method, _, path = address.rpartition(" ")
            assert any(path == known and method in ("", verb) for verb, known in addresses()), address


@cache
def addresses() -> frozenset[tuple[str, str]]:
    """Every route of the house, as the page of its doors has them."""
    page = (ROOT / "tests/dealer_ui/role_page.py").read_text()
    return frozenset(re.findall(r"^([A-Z]+) +(/\S*)", page, re.MULTILINE))


def test_a_test_that_is_named_is_there_once() -> None:
    for one in CLAUSES:
        for name in references(one.answer)["test"]:
            assert len(files_of(name)) == 1, (name, files_of(name))
        for name in references(one.answer)["file"]:
            assert ROOT / name in written_tests(), name


@cache
def written_tests() -> dict[Path, frozenset[str]]:
    """The tests of every file, read and not run."""
    return {path: frozenset(_tests(path)) for path in sorted((ROOT / "tests").rglob("test_*.py"))}


def _tests(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name


def files_of(test: str) -> list[str]:
    return [str(path.relative_to(ROOT)) for path, names in written_tests().items() if test in names]


def test_a_setting_is_one_of_the_configuration() -> None:
    for one in CLAUSES:
        for setting in references(one.answer)["setting"]:
            fields = StudioConfig.model_fields
            for name in setting.strip("[]").split("."):
                assert name in fields, setting
                fields = getattr(fields[name].annotation, "model_fields", {})


def test_a_name_that_is_not_there_is_noticed() -> None:
    assert files_of("test_nobody_wrote") == []
    assert "no-such-heading" not in anchors(ROOT / "docs/operating.md")
    assert _helped(("gossip",)).exit_code != 0
    assert ("GET", "/gossip") not in addresses()
