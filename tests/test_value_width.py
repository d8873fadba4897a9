"""No value is wider than a reader can hold in mind: what has more parts than that is made of named parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from source_tree import tree_of

ROOT: Final = Path(__file__).parents[1]
STATE: Final = ROOT / "studio" / "tables" / "state"
FIELDS_MAX: Final = 16
WIDE: Final = {
    "Design": (20, "the drawing of a deck of cards: a list of lengths and colours"),
    "PastRound": (19, "what one page shows of a finished round"),
    "ReportedIncident": (17, "one row of a report, a field for each column"),
}
"""The values that are wider, with how wide each may be and why."""


def widths() -> Iterator[tuple[str, str, int]]:
    """Each dataclass of the product, and each struct of a table's state: its file, its name, its fields."""
    for folder in ("studio", "devices", "dealer_ui"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(tree_of(path)):
                if isinstance(node, ast.ClassDef) and is_value(node, path):
                    yield str(path.relative_to(ROOT)), node.name, fields_of(node)


def is_value(node: ast.ClassDef, path: Path) -> bool:
    if any("dataclass" in ast.unparse(one) for one in node.decorator_list):
        return True
    return path.parent == STATE and any("Struct" in ast.unparse(one) for one in node.bases)


def fields_of(node: ast.ClassDef) -> int:
    return sum(isinstance(one, ast.AnnAssign) and "ClassVar" not in ast.unparse(one.annotation) for one in node.body)


def test_no_value_is_wider_than_it_may_be() -> None:
    found = {
        (name if name in WIDE else f"{file}:{name}"): fields for file, name, fields in widths() if fields > FIELDS_MAX
    }
    assert sorted(found) == sorted(WIDE), "a value is wider than 16 fields: make it of parts, or it is narrow again"
    assert [name for name, fields in found.items() if fields > WIDE[name][0]] == []


def test_a_wide_value_is_counted_by_its_fields() -> None:
    wide = ast.parse("@dataclass\nclass Wide:\n    a: int\n    b: str = ''\n    c: ClassVar[int] = 1\n").body[0]
    assert isinstance(wide, ast.ClassDef)
    assert fields_of(wide) == 2
