"""The house rule of size, held by a test: what has grown beyond it wants to be two things."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from source_tree import tree_of

ROOT = Path(__file__).parent.parent
SOURCES = tuple(
    path for package in ("studio", "devices", "dealer_ui") for path in sorted((ROOT / package).rglob("*.py"))
)

FILE_LINES_MAX = 400
CLASS_LINES_MAX = 200
FUNCTION_LINES_MAX = 69


def test_a_file_can_be_read_in_one_sitting() -> None:
    assert [
        f"{path.relative_to(ROOT)}: {what}" for path in SOURCES for what in _too_long(path.read_text(), tree_of(path))
    ] == []


def _too_long(text: str, tree: ast.Module) -> Iterator[str]:
    if text.count("\n") > FILE_LINES_MAX:
        yield "the file"
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and _lines(node) > CLASS_LINES_MAX:
            yield node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _lines(node) > FUNCTION_LINES_MAX:
            yield node.name


def _lines(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
