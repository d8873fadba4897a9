"""The code of a file as a tree; whoever reads the whole house in one process reads each file once."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())
