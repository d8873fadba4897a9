"""Checks rows: each names what exists, has an approver, and can be reached.

Ours are checked by tests, a studio's own when its configuration is read.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.errors import BadInputError
from studio.procedures.circumstance import PHASES, Circumstances, circumstances, names
from studio.procedures.condition import ANOTHER_BOX, ANY_BOX, AllOf, AnyOf, Condition, Not, Phase, merged
from studio.procedures.incident import KIND_BY_KEY
from studio.procedures.meaning import AFTERWARDS, RULING_BY_KEY, VOIDS, row_approval
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow

SAMPLES_MAX = 200_000
"""So many combinations of circumstances are tried at the most."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A row that never rules on a kind: the rows `by` before it always do; none where its own conditions clash."""

    row: str
    when: str
    kind: str
    by: tuple[str, ...]

    @property
    def sentence(self) -> str:
        if not self.by:
            return f"{self.row} ({self.when}): its conditions on {self.kind} can never all hold."
        before = f"{', '.join(self.by)} before it always {'rule' if len(self.by) > 1 else 'rules'}"
        return f"{self.row} ({self.when}): {before} on {self.kind}; it never does."


def check_rows(
    rows: Sequence[ProcedureRow], *, boxes: Sequence[str], dealt_after_bets: Sequence[str] = ()
) -> tuple[str, ...]:
    """What is wrong with rows that are tried in this order, in sentences; nothing where all is well."""
    if wrong := wrong_rows(rows, boxes):
        return wrong
    kinds = dict.fromkeys(kind for row in rows for kind in row.kinds)
    return tuple(one.sentence for kind in kinds for one in hidden_rows(rows, kind, dealt_after_bets))


def wrong_rows(rows: Sequence[ProcedureRow], boxes: Sequence[str]) -> tuple[str, ...]:
    """What is wrong with each row by itself."""
    return tuple(wrong for row in rows for wrong in _wrong_with(row, tuple(boxes)))


def _wrong_with(row: ProcedureRow, boxes: tuple[str, ...]) -> Iterator[str]:
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


def _unknown_names(row: ProcedureRow, boxes: tuple[str, ...]) -> Iterator[str]:
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


def _wrong_approval(row: ProcedureRow) -> Iterator[str]:
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


def hidden_rows(rows: Sequence[ProcedureRow], kind: str, dealt_after_bets: Sequence[str] = ()) -> Iterator[Hidden]:
    """Rows that never rule on this kind, whatever the circumstances. Every combination of values is tried that any of
    the rows tells apart; `BadInputError` where there are too many of them to be tried.
    """
    mine = [row for row in rows if kind in row.kinds]
    samples = merged(tuple(condition for row in mine for condition in row.conditions))
    if ANY_BOX in samples:
        samples[ANOTHER_BOX] = samples[ANY_BOX]
    phases = samples.pop("phase", PHASES)
    if len(phases) * math.prod(map(len, samples.values())) > SAMPLES_MAX:
        raise BadInputError(f"The rows on {kind} look at too many circumstances at once; ask for fewer in each.")
    unreached = set(range(len(mine)))
    for found in _every(kind, samples, dealt_after_bets):
        unreached.discard(next((place for place, row in enumerate(mine) if row.matches(kind, found)), -1))
        if not unreached:
            return
    taken: dict[int, set[str]] = {place: set() for place in unreached}
    for found in _every(kind, samples, dealt_after_bets):
        first = next((row.id for row in mine if row.matches(kind, found)), "")
        for place in unreached:
            if mine[place].matches(kind, found):
                taken[place].add(first)
    for place in sorted(unreached):
        yield Hidden(mine[place].id, mine[place].when, kind, tuple(sorted(taken[place])))


def _every(
    kind: str, samples: dict[str, tuple[bool | int | str | None, ...]], dealt_after_bets: Sequence[str]
) -> Iterator[Circumstances]:
    for phase in PHASES:
        bare = circumstances(kind, phase, {}, boxes=(), dealt_after_bets=dealt_after_bets)
        for values in itertools.product(*samples.values()):
            given = {name: value for name, value in zip(samples, values, strict=True) if value is not None}
            yield Circumstances(phase, given, bare.implied)
