"""Which cases of a sweep belong to `make test`: those that differ most. The rest are of the same kind, and long."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def sampled(cases: Iterable[object], *quick: object) -> list[object]:
    """The cases, those that are not `quick` marked as long. A case of several parameters is a tuple of them."""
    every = list(cases)
    assert set(quick) <= set(every), "a sample is of what there is"
    return [case if case in quick else pytest.param(*_values(case), marks=pytest.mark.long) for case in every]


def _values(case: object) -> tuple[object, ...]:
    return case if isinstance(case, tuple) else (case,)
