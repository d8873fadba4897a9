"""The operators' guide as a play: its requests and answers in order, and what happens in the studio between them.

    <!-- stage: a first hour -->      a studio of its own begins
    <!-- then: the table takes bets --> somebody in the studio acts
    ```http                            a request, or what the studio sends; the answer follows in a block of its kind

An answer is compared field by field. What is never the same twice is compared by its kind: times and places in the
journal by their names, and a `…` stands for any letters in a text, for further fields (as a key) or further items.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

GUIDE: Final = Path(__file__).parents[2] / "docs" / "operators-interface.md"
KINDS: Final = frozenset({"http", "json", "csv", "text", "sse", "sh", "toml", "python"})
ANSWERS: Final = frozenset({"json", "csv", "text", "sse"})
_MARK: Final = re.compile(r"^<!-- (stage|then): (.+?) -->$|^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIES: Final = re.compile(r"(\w+_)?ms|cursor|next|seq|older")
ANYTHING: Final = "…"


@dataclass(frozen=True, slots=True)
class Step:
    """`kind`: `then`, or that of a block. `line`: where it stands in the guide."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Stage:
    name: str
    steps: tuple[Step, ...]


def stages(text: str) -> list[Stage]:
    """The guide's stages in order; the first has what stands before any, and no name."""
    found: list[tuple[str, list[Step]]] = [("", [])]
    for one in _MARK.finditer(text):
        mark, words, kind, block = one.groups()
        line = text.count("\n", 0, one.start()) + 1
        if mark == "stage":
            found.append((words, []))
        else:
            found[-1][1].append(Step(mark or kind, words or block, line))
    return [Stage(name, tuple(steps)) for name, steps in found]


@dataclass(frozen=True, slots=True)
class Message:
    """A request as the guide prints it."""

    method: str
    target: str
    headers: dict[str, str]
    body: str


def message(text: str) -> Message:
    head, _, body = text.partition("\n\n") if _has_headers(text) else text.partition("\n")
    first, *lines = head.splitlines()
    method, target = first.split(" ", 1)
    headers = dict(line.split(": ", 1) for line in lines)
    return Message(method, target, headers, body.strip())


def _has_headers(text: str) -> bool:
    lines = text.splitlines()
    return len(lines) > 1 and bool(re.match(r"[A-Za-z-]+: ", lines[1]))


def differences(printed: Any, got: Any, at: str = "") -> Iterator[str]:
    """Where the answer is not what is printed, in a line each."""
    name = at.rpartition(".")[2]
    match printed:
        case dict() if isinstance(got, dict):
            yield from _of_fields(printed, got, at)
        case list() if isinstance(got, list):
            more = bool(printed) and printed[-1] == ANYTHING
            wanted = printed[:-1] if more else printed
            if len(got) < len(wanted) or (len(got) > len(wanted) and not more):
                yield f"{at}: {len(wanted)} are printed, {len(got)} came: {got}"
            for number, (one, other) in enumerate(zip(wanted, got, strict=False)):
                yield from differences(one, other, f"{at}[{number}]")
        case int() if _VARIES.fullmatch(name) and isinstance(got, int) and not isinstance(printed, bool):
            return
        case str() if isinstance(got, str) and like(printed, got):
            return
        case _ if type(printed) is not type(got) or printed != got:
            yield f"{at}: {printed!r} is printed, {got!r} came"


def _of_fields(printed: dict[str, Any], got: dict[str, Any], at: str) -> Iterator[str]:
    more = ANYTHING in printed
    wanted = {key: one for key, one in printed.items() if key != ANYTHING}
    if missing := wanted.keys() - got.keys():
        yield f"{at}: {sorted(missing)} never came"
    if not more and (extra := got.keys() - wanted.keys()):
        yield f"{at}: {sorted(extra)} is not printed: { {key: got[key] for key in sorted(extra)} }"
    for key in wanted.keys() & got.keys():
        yield from differences(wanted[key], got[key], f"{at}.{key}")


def like(printed: str, got: str) -> bool:
    """
    >>> like("/play/…", "/play/8fJ"), like("/play/…", "/page/8fJ")
    (True, False)
    """
    return re.fullmatch(".+".join(map(re.escape, printed.split(ANYTHING))), got, re.DOTALL) is not None


def differing_lines(printed: str, got: str) -> Iterator[str]:
    """The same of a text, line by line."""
    wanted, came = printed.rstrip("\n").splitlines(), [line.rstrip() for line in got.rstrip("\n").splitlines()]
    if wanted and wanted[-1] == ANYTHING:
        wanted, came = wanted[:-1], came[: len(wanted) - 1]
    if len(wanted) != len(came):
        yield f"{len(wanted)} lines are printed, {len(came)} came: {got}"
    yield from (
        f"{one!r} is printed, {other!r} came" for one, other in zip(wanted, came, strict=False) if not like(one, other)
    )


def differing_cells(printed: str, got: str) -> Iterator[str]:
    """The same of a file of CSV; the column `at` by its shape."""
    heads, *_ = wanted = list(csv.reader(io.StringIO(printed)))
    came = list(csv.reader(io.StringIO(got)))
    shape = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z")
    if len(wanted) != len(came):
        yield f"{len(wanted)} lines are printed, {len(came)} came: {got}"
    for one, other in zip(wanted, came, strict=False):
        for head, cell, found in zip(heads, one, other, strict=True):
            if cell != found and not (head == "at" and shape.fullmatch(cell) and shape.fullmatch(found)):
                yield f"{head}: {cell!r} is printed, {found!r} came in {other}"
