"""The limits of a table that takes several currencies, as the public reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dealer_ui.public.pay_table import PayLine
from studio.views.shape import TableView


@dataclass(frozen=True, slots=True)
class LimitRow:
    """Kinds of bets that share their limits (none: every bet of the table), and these by currency, in minor units."""

    kinds: tuple[str, ...]
    limits: Mapping[str, tuple[int, int]]


def limit_rows(view: TableView, lines: Sequence[PayLine]) -> tuple[LimitRow, ...]:
    """A row for all bets that share their limits; none where the table takes one currency."""
    if not view.currencies:
        return ()
    by_currency = {view.bets.currency: view.limits, **view.currencies}
    shared: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for line in lines:
        ranges = tuple(_range(line.bets, limits) for limits in by_currency.values())
        shared.setdefault(ranges, []).append(line.kind)
    return tuple(
        LimitRow(tuple(kinds) if len(shared) > 1 else (), dict(zip(by_currency, ranges, strict=True)))
        for ranges, kinds in shared.items()
    )


def _range(bets: Sequence[str], limits: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    least, most = zip(*(limits[bet] for bet in bets), strict=True)
    return min(least), max(most)
