"""The house rule of size, held by a test: what has grown beyond it wants to be two things."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = tuple(
    path for package in ("studio", "devices", "dealer_ui") for path in sorted((ROOT / package).rglob("*.py"))
)

FILE_LINES_MAX = 400
CLASS_LINES_MAX = 150
FUNCTION_LINES_MAX = 69


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    text = path.read_text()
    assert text.count("\n") <= FILE_LINES_MAX
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            assert _lines(node) <= CLASS_LINES_MAX, node.name
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert _lines(node) <= FUNCTION_LINES_MAX, node.name


def _lines(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
