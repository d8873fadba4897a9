"""Every right in the table is asked for by code that refuses, and no command of a table is obeyed without one."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from studio.people import ACTIONS, TWO_PEOPLE_ACTIONS
from studio.tables.command import COMMANDS
from studio.tables.decide import OBEYED

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "studio/people/right.py"
SOURCES = [path for room in ("studio", "dealer_ui") for path in (ROOT / room).rglob("*.py") if path != TABLE]

ASKS_FOR_A_RIGHT = {"need_right", "may", "need_approver", "need_witness", "needs", "Screen", "Room"}
"""What is given a right by its name: the refusal itself, the guard of a route, a live screen, a room of the menu."""
NAMES_RIGHTS = "rights_of"
"""Functions of this name say which rights the second of two people needs."""
GUARDS = {"need_right", "may", "need_asker", "need_approver", "need_decliner", "need_witness"}


@cache
def _read(path: Path) -> ast.Module:
    """The file's code; nothing where no such word is in it."""
    text = path.read_text()
    return ast.parse(text if any(f"{word}(" in text for word in (*ASKS_FOR_A_RIGHT, NAMES_RIGHTS)) else "")


def _asked_for(path: Path) -> Iterator[str]:
    """The words given to whatever asks for a right, also by way of a constant of the file."""
    tree = _read(path)
    constants = _constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in ASKS_FOR_A_RIGHT:
            given: list[ast.AST] = [*node.args, *(one.value for one in node.keywords)]
        elif isinstance(node, ast.FunctionDef) and node.name == NAMES_RIGHTS:
            given = list(node.body)
        elif isinstance(node, ast.For) and ASKS_FOR_A_RIGHT & {_name(one) for one in ast.walk(node)}:
            given = [node.iter]
        else:
            continue
        for part in given:
            yield from _words(part, constants)


def test_what_takes_two_people_is_asked_of_the_second_of_them() -> None:
    asked = {
        word
        for path in SOURCES
        for node in ast.walk(_read(path))
        if (isinstance(node, ast.Call) and _name(node.func) == "need_approver")
        or (isinstance(node, ast.FunctionDef) and node.name == NAMES_RIGHTS)
        for word in _words(node, _constants(_read(path)))
    }
    assert asked >= TWO_PEOPLE_ACTIONS


def _words(node: ast.AST, constants: dict[str, ast.expr]) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
        elif isinstance(one, ast.Name) and one.id in constants:
            yield from _words(constants[one.id], {})


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def test_every_right_in_the_table_is_asked_for_somewhere() -> None:
    asked = {word for path in SOURCES for word in _asked_for(path)}
    assert set(ACTIONS) - asked == set(), "a right that nothing asks for protects nothing: bind it, or take it out"


def _guarded(act: Callable[..., Any], passed: set[str]) -> bool:
    """Whether the function, or one of the house's own that it calls, asks who it is that acts."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(act)))):
        if not isinstance(node, ast.Call):
            continue
        if _name(node.func) in GUARDS:
            return True
        called = _called(act, node.func)
        if called is not None and called.__qualname__ not in passed:
            passed.add(called.__qualname__)
            if _guarded(called, passed):
                return True
    return False


def _called(act: Callable[..., Any], func: ast.AST) -> Callable[..., Any] | None:
    """A function of the rooms of tables that is called by its name, or by its file's and its own."""
    found: Any = None
    if isinstance(func, ast.Name):
        found = act.__globals__.get(func.id)  # type: ignore[attr-defined]
    elif isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
        found = getattr(act.__globals__.get(func.value.id), func.attr, None)  # type: ignore[attr-defined]
    of_the_house = inspect.isfunction(found) and found.__module__.startswith("studio.tables")
    return found if of_the_house else None


def test_every_command_of_a_person_is_obeyed_by_one_function() -> None:
    assert set(OBEYED) == set(COMMANDS)


@pytest.mark.parametrize("command", OBEYED, ids=lambda command: command.__name__)
def test_no_command_is_obeyed_without_asking_for_a_right(command: type) -> None:
    assert _guarded(OBEYED[command], set()), f"{command.__name__} asks nobody's right"
