"""A frozen value with some of its parts altered, for the tests that draw a screen of it."""

from __future__ import annotations

from dataclasses import is_dataclass, replace
from typing import Any, TypeVar

T = TypeVar("T")


def altered(whole: T, **changes: Any) -> T:
    """The value with these changes; a dict alters fields of the part it is given for.

    `altered(view, title="Table 2", now={"held": True})` is that table, held.
    """
    assert is_dataclass(whole)
    found = {name: _part(getattr(whole, name), given) for name, given in changes.items()}
    return replace(whole, **found)  # type: ignore[return-value]


def _part(part: Any, given: Any) -> Any:
    return altered(part, **given) if isinstance(given, dict) and is_dataclass(part) else given
