"""What an attribute, an item or an element of a value is, by the annotations of its class; `Any` where none is told."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

OURS: Final = ("studio", "devices", "dealer_ui")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def plain(shape: Any) -> Any:
    """The shape without None; of several shapes it may have, `Any`."""
    if get_origin(shape) in (Union, types.UnionType):
        left = [one for one in get_args(shape) if one is not type(None)]
        return left[0] if len(left) == 1 else Any
    return shape


def is_part(shape: Any) -> bool:
    """Whether it is a value made of parts, which says nothing when it is written out or held against a word."""
    made = isinstance(shape, type) and (is_dataclass(shape) or issubclass(shape, msgspec.Struct))
    return made and not {"__str__", "__html__"} & set(vars(shape))


@dataclass(frozen=True, eq=False)
class Given:
    """A function: what it gives, and what it takes, in order; `rest` is what else it takes by name."""

    gives: Any
    takes: Mapping[str, Any] = field(default_factory=dict)
    rest: Any = Any


def attribute(shape: Any, name: str) -> Any:
    """What `value.name` is. Raises `LookupError` where a value made of parts has no such thing."""
    shape = plain(shape)
    if not isinstance(shape, type) or shape.__module__.partition(".")[0] not in OURS:
        return _of_mapping(shape, name)
    if name in _hints(shape):
        return _hints(shape)[name]
    found = inspect.getattr_static(shape, name, None)
    if found is None and (is_dataclass(shape) or issubclass(shape, msgspec.Struct)):
        raise LookupError(f"{shape.__name__} has no {name}")
    if isinstance(found, property):
        return given_of(found.fget).gives
    return given_of(found, bound=True) if inspect.isfunction(found) else Any


def _of_mapping(shape: Any, name: str) -> Any:
    args = get_args(shape)
    if not _is_a(shape, Mapping) or len(args) != 2:
        return Any
    key, value = args
    pair: Any = tuple[key, value]  # type: ignore[valid-type]
    gives = {"items": many(pair), "values": many(value), "keys": many(key), "get": value}
    return Given(gives[name]) if name in gives else value


def given_of(function: Any, *, bound: bool = False) -> Given:
    """A function by its annotations; `bound` where it is given the value it belongs to."""
    hints = get_type_hints(function)
    found = list(inspect.signature(function).parameters.values())[bound:]
    takes = {
        one.name: hints.get(one.name, Any) for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    }
    rest = next((hints.get(one.name, Any) for one in found if one.kind is one.VAR_KEYWORD), Any)
    return Given(hints.get("return", Any), takes, rest)


def fits(part: type, wanted: Any) -> bool:
    """Whether a value made of parts is what is wanted."""
    options = get_args(wanted) if get_origin(wanted) in (Union, types.UnionType) else (wanted,)
    return any(one is Any or one is object or (isinstance(one, type) and _is_a(part, one)) for one in options)


def item(shape: Any, key: object) -> Any:
    """What `value[key]` is; `key` is None where it is not written there."""
    shape, args = plain(shape), get_args(plain(shape))
    if _is_a(shape, Mapping) and len(args) == 2:
        return args[1]
    if get_origin(shape) is tuple and Ellipsis not in args:
        return args[key] if isinstance(key, int) and -len(args) <= key < len(args) else Any
    return element(shape)


def element(shape: Any) -> Any:
    """What a loop over it meets."""
    shape, args = plain(shape), get_args(plain(shape))
    if not _is_a(shape, Iterable) or not args or (get_origin(shape) is tuple and Ellipsis not in args):
        return Any
    return args[0]


def many(shape: Any) -> Any:
    return Any if shape is Any else typing.cast(Any, Sequence)[shape]


def _is_a(shape: Any, kind: type) -> bool:
    origin = get_origin(shape) or shape
    return isinstance(origin, type) and issubclass(origin, kind)
