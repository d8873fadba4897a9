"""Copies a frozen value with some of its fields changed, at the price of copying a dictionary.

The standard library's `replace` asks for every field by its name and sets each anew. A table's state has fifty, and is
copied several times for each event.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from dataclasses import replace as replace  # the fields and their types are checked as ever
else:
    _PLAIN: dict[type, bool] = {}
    """Of each class met so far, whether copying its dictionary copies it."""

    def replace(value: Any, /, **changes: Any) -> Any:
        """A copy of a dataclass or a struct with `changes`; `TypeError` for a field it has not. A dataclass with slots
        takes longer.
        """
        if isinstance(value, msgspec.Struct):
            return msgspec.structs.replace(value, **changes)
        kind = type(value)
        plain = _PLAIN.get(kind)
        if plain is None:
            plain = _PLAIN[kind] = hasattr(value, "__dict__") and not hasattr(kind, "__post_init__")
        if not plain:
            return dataclasses.replace(value, **changes)
        made = object.__new__(kind)
        fields = made.__dict__
        fields.update(value.__dict__)
        fields.update(changes)
        if len(fields) != len(value.__dict__):
            raise TypeError(
                f"{kind.__name__} has no {' and no '.join(sorted(changes.keys() - value.__dict__.keys()))}."
            )
        return made
