"""The only place where rows are checked: each names what exists, has an approver, and can be reached.

Ours are checked by tests, a studio's own when its configuration is read.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from studio.procedures.circumstance import PHASES, Circumstances, circumstances, names
from studio.procedures.condition import ANY_BOX, AllOf, AnyOf, Condition, Not, Phase, merged
from studio.procedures.incident import KIND_BY_KEY
from studio.procedures.meaning import AFTERWARDS, RULING_BY_KEY, VOIDS, row_approval
from studio.procedures.row import PIT_DECIDES, Approval, Row

SAMPLES_MAX = 200_000
"""Beyond so many combinations a hidden row is not looked for."""


def check_rows(rows: Sequence[Row], *, boxes: Sequence[str], dealt_after_bets: Sequence[str] = ()) -> tuple[str, ...]:
    """What is wrong with rows that are tried in this order, in sentences; nothing where all is well."""
    wrong = [sentence for row in rows for sentence in _wrong_with(row, tuple(boxes))]
    if wrong:
        return tuple(wrong)
    kinds = dict.fromkeys(kind for row in rows for kind in row.kinds)
    return tuple(itertools.chain.from_iterable(_hidden(rows, kind, dealt_after_bets) for kind in kinds))


def _wrong_with(row: Row, boxes: tuple[str, ...]) -> Iterator[str]:
    yield from _unknown_names(row, boxes)
    if row.ruling not in RULING_BY_KEY:
        yield f"{row.id}: there is no ruling '{row.ruling}'."
        return
    if not row.text.strip():
        yield f"{row.id}: say in the text what is done."
    if row.ruling == PIT_DECIDES and not row.options:
        yield f"{row.id}: name the options the pit decides between."
    if row.ruling != PIT_DECIDES and row.options and row.options[0] != row.ruling:
        yield f"{row.id}: the row's own ruling comes first among its options."
    if row.ruling == "swap_hands" and (len(set(row.arguments)) != 2 or not set(row.arguments) <= set(boxes)):
        yield f"{row.id}: swap_hands needs the two boxes that change places."
    yield from _wrong_approval(row)


def _unknown_names(row: Row, boxes: tuple[str, ...]) -> Iterator[str]:
    for kind in row.kinds:
        if kind not in KIND_BY_KEY:
            yield f"{row.id}: there is no incident '{kind}'."
    for key in row.options:
        if key not in RULING_BY_KEY or key == PIT_DECIDES:
            yield f"{row.id}: '{key}' is not a ruling that can be chosen."
    for key in row.afterwards:
        if key not in AFTERWARDS:
            yield f"{row.id}: nothing called '{key}' can follow a ruling."
    for name in merged(row.conditions).keys() - {"phase", ANY_BOX, *names(boxes)}:
        yield f"{row.id}: there is no circumstance '{name}'."
    for phase in sorted(_phases(row.conditions) - set(PHASES)):
        yield f"{row.id}: there is no phase '{phase}'."


def _wrong_approval(row: Row) -> Iterator[str]:
    approval = row_approval(row)
    if approval is Approval.NONE and row.ruling != "continue":
        yield f"{row.id}: somebody has to approve {row.ruling}."
    if row.ruling in (*VOIDS, PIT_DECIDES) and approval in (Approval.NONE, Approval.DEALER):
        yield f"{row.id}: {row.ruling} takes a pit boss, or two people."


def _phases(conditions: tuple[Condition, ...]) -> set[str]:
    found: set[str] = set()
    for condition in conditions:
        match condition:
            case Phase(phases):
                found.update(phases)
            case AnyOf(inner) | AllOf(inner):
                found |= _phases(inner)
            case Not(inner_one):
                found |= _phases((inner_one,))
    return found


def _hidden(rows: Sequence[Row], kind: str, dealt_after_bets: Sequence[str]) -> Iterator[str]:
    """Rows no sampled circumstance reaches, because an earlier one always rules."""
    mine = [row for row in rows if kind in row.kinds]
    samples = merged(tuple(condition for row in mine for condition in row.conditions))
    phases = samples.pop("phase", PHASES)
    if len(phases) * math.prod(map(len, samples.values())) > SAMPLES_MAX:
        return
    unreached = set(range(len(mine)))
    for found in _every(kind, samples, dealt_after_bets):
        unreached.discard(next((place for place, row in enumerate(mine) if row.matches(kind, found)), -1))
        if not unreached:
            return
    for place in sorted(unreached):
        yield f"{mine[place].id} ({mine[place].when}): rows before it always rule on {kind}; it never does."


def _every(
    kind: str, samples: dict[str, tuple[bool | int | str | None, ...]], dealt_after_bets: Sequence[str]
) -> Iterator[Circumstances]:
    for phase in PHASES:
        bare = circumstances(kind, phase, {}, boxes=(), dealt_after_bets=dealt_after_bets)
        for values in itertools.product(*samples.values()):
            given = {name: value for name, value in zip(samples, values, strict=True) if value is not None}
            yield Circumstances(phase, given, bare.implied)
