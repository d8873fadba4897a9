"""A command of a person is declared once: no other file lists commands, and a function of its name carries it out."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_tree import tree_of

from studio.tables.command import COMMANDS
from studio.tables.decide import OBEYED
from studio.tables.declaration import Command, name_of, said_in

ROOT = Path(__file__).parent.parent
DECLARED = ROOT / "studio/tables/command.py"
NAMES = {made.__name__ for made in COMMANDS} | {name_of(made) for made in COMMANDS}
A_LIST = 4
"""So many commands in one display, or one union, are a list of commands."""


def lists(tree: ast.AST) -> Iterator[int]:
    """The lines where commands are listed; what an awaited act, named as the key, is pressed with is no such list."""
    for node in ast.walk(tree):
        match node:
            case ast.Tuple(elts=told) | ast.List(elts=told) | ast.Set(elts=told):
                named = told
            case ast.Dict(keys=keys):
                named = [key for key in keys if key is not None]
            case ast.BinOp(op=ast.BitOr()):
                named = [one for one in ast.walk(node) if isinstance(one, ast.Name | ast.Attribute)]
            case ast.ImportFrom():
                continue
            case _:
                continue
        if len({name for one in named if (name := _name(one)) in NAMES}) >= A_LIST:
            yield node.lineno  # type: ignore[attr-defined]


def names_many(path: Path) -> bool:
    """Whether so many commands are named in a file at all that it could list them."""
    text = path.read_text()
    return sum(name in text for name in NAMES) >= A_LIST


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str() as name):
            return name
        case ast.Tuple(elts=[first, *_]):
            return _name(first)
    return ""


def test_a_list_of_commands_is_seen() -> None:
    for text in (
        "a = (c.OpenTable, c.CloseTable, CallPit, AnswerCall)",
        "a = {c.OpenTable: f, c.CloseTable: g, c.CallPit: h, c.AnswerCall: i}",
        "A = OpenTable | CloseTable | CallPit | AnswerCall",
        "a = {'open_table', 'close_table', 'call_pit', 'answer_call'}",
        "a = (('open_table', f), ('close_table', g), ('call_pit', h), ('answer_call', i))",
    ):
        assert list(lists(ast.parse(text))) == [1], text


def test_no_other_file_lists_commands() -> None:
    files = [path for room in ("studio", "dealer_ui") for path in (ROOT / room).rglob("*.py") if path != DECLARED]
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files if names_many(path) for line in lists(tree_of(path))]
    assert found == [], "declare it of the command, in its terms"


@pytest.mark.parametrize("made", COMMANDS, ids=name_of)
def test_a_command_is_carried_out_by_the_function_of_its_name(made: type[Command]) -> None:
    assert OBEYED[made].__name__ == name_of(made)
    assert inspect.signature(OBEYED[made]).parameters["command"].annotation == f"c.{made.__name__}"


@pytest.mark.parametrize("made", [made for made in COMMANDS if not made.terms.door], ids=name_of)
def test_what_no_form_may_ask_for_says_nothing_in_a_form(made: type[Command]) -> None:
    assert not said_in(made)
