"""Hundreds of tests make the application anew; what werkzeug compiles of its routes, equal each time, is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from werkzeug.routing import Rule

_compile = Rule._compile_builder
_kept: dict[tuple[object, ...], Callable[..., Any]] = {}


def _compiled_once(rule: Rule, append_unknown: bool = True) -> Callable[..., Any]:
    """The builder of a route's addresses; it looks up what belongs to one application in the rule it is bound to."""
    told = (rule.rule, tuple(rule._trace), tuple((rule.defaults or {}).items()), append_unknown)
    if told not in _kept:
        _kept[told] = _compile(rule, append_unknown)
    return _kept[told]


def keep_routes() -> None:
    Rule._compile_builder = _compiled_once  # type: ignore[method-assign]
