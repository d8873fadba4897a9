"""A frozen value with some of its parts altered, for the tests that draw a screen of it."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def altered(whole: T, **changes: Any) -> T:
    """The value with these changes; a dict alters fields of the part it is given for.

    `altered(view, title="Table 2", now={"held": True})` is that table, held.
    """
    found = {name: _part(getattr(whole, name), given) for name, given in changes.items()}
    if isinstance(whole, msgspec.Struct):
        return msgspec.structs.replace(whole, **found)
    return dataclasses.replace(whole, **found)  # type: ignore


def _part(part: Any, given: Any) -> Any:
    return altered(part, **given) if isinstance(given, dict) and _has_parts(part) else given


def _has_parts(part: Any) -> bool:
    return dataclasses.is_dataclass(part) or isinstance(part, msgspec.Struct)
