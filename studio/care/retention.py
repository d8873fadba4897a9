"""Which pictures may be deleted: by what they show, how old they are, and who needs them.

Pictures are named by their digest; the record names digests. A picture that shows several things is kept as long as
the longest of them. What an open incident, case or complaint needs is never deleted, nor what the record does not
know. Rows are never deleted: that a picture expired is a row of its own.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from studio.journal import Row

DAY_MS: Final = 86_400_000
RULES: Final = ("round", "incident", "device")
"""What a picture shows: an ordinary round, one with an incident, exception, correction or complaint, or a device."""

_DIGEST: Final = re.compile(rb"[0-9a-f]{64}")
_TROUBLE: Final = (
    "Incident",
    "Exception",
    "Ruling",
    "Compensation",
    "Correction",
    "Complaint",
    "RoundVoided",
    "Redeal",
)
_OPENS: Final = {"IncidentOpened": "id", "CompensationOpened": "case", "ComplaintMade": "id", "CorrectionAsked": "id"}
_CLOSES: Final = {
    "IncidentClosed": "id", "ComplaintAnswered": "id", "CompensationPaid": "case", "CompensationDecided": "case",
    "CorrectionApproved": "id", "CorrectionLapsed": "id", "CorrectionMade": "id",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Keep:
    """For how many days pictures are kept, by rule."""

    round_days: int
    incident_days: int
    device_days: int

    def days(self, rule: str) -> int:
        return {"round": self.round_days, "incident": self.incident_days, "device": self.device_days}[rule]


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """What may be deleted, by rule; what is due but needed; what lies there and stands nowhere in the record."""

    due: Mapping[str, tuple[str, ...]]
    needed: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def count(self) -> int:
        return sum(map(len, self.due.values()))


def plan(rows: Iterable[Row], there: Collection[str], keep: Keep, now_ms: int) -> RetentionPlan:
    """Read the record once; `there`: the digests of the pictures that lie in the folder."""
    reading = _Reading(frozenset(there))
    for row in rows:
        reading.take(row)
    return reading.plan(keep, now_ms)


@dataclass(slots=True)
class _Reading:
    there: frozenset[str]
    named: defaultdict[str, list[tuple[str, str, int]]] = field(default_factory=lambda: defaultdict(list))
    """Of each picture: the round it belongs to, its rule were that round ordinary, and when."""
    troubled: dict[str, int] = field(default_factory=dict)
    open: dict[tuple[str, str, str], tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    """What is open, by its table, kind and id: the round it is about, and the pictures it names."""

    def take(self, row: Row) -> None:
        digests = tuple(one for found in _DIGEST.findall(row.body) if (one := found.decode()) in self.there)
        trouble = row.kind.startswith(_TROUBLE)
        if not digests and not trouble:
            return
        plain = json.loads(row.body)
        told = _told(plain)
        round = str(plain.get("round") or told.get("round") or "")
        if trouble:
            self._trouble(row, round, told, digests, str(plain.get("table", "")))
        if row.kind != "PicturesExpired":
            rule = "incident" if trouble else "round" if round or row.kind.startswith("Camera") else "device"
            for digest in digests:
                self.named[digest].append((round, rule, row.at_ms))

    def _trouble(self, row: Row, round: str, told: Mapping[str, Any], digests: tuple[str, ...], table: str) -> None:
        if round:
            self.troubled[round] = max(self.troubled.get(round, 0), row.at_ms)
        for kinds, opens in ((_OPENS, True), (_CLOSES, False)):
            if (name := kinds.get(row.kind)) is None:
                continue
            key = (table, _family(row.kind), str(told.get(name, "")))
            if opens:
                self.open[key] = (round, digests)
            elif row.kind == "CompensationDecided" and told.get("pays") != "none":
                continue  # it is decided, and still has to be paid
            elif row.kind != "CompensationPaid" or told.get("over"):
                self.open.pop(key, None)

    def plan(self, keep: Keep, now_ms: int) -> RetentionPlan:
        rounds = {round for round, _ in self.open.values() if round}
        pictures = {digest for _, digests in self.open.values() for digest in digests}
        due: defaultdict[str, list[str]] = defaultdict(list)
        needed = []
        for digest, places in self.named.items():
            rule, until_ms = max((self._until(place, keep) for place in places), key=lambda one: one[1])
            if until_ms > now_ms:
                continue
            if digest in pictures or any(round in rounds for round, _, _ in places):
                needed.append(digest)
            else:
                due[rule].append(digest)
        unknown = tuple(sorted(self.there - self.named.keys()))
        return RetentionPlan(
            {rule: tuple(sorted(due[rule])) for rule in RULES if due[rule]}, tuple(sorted(needed)), unknown
        )

    def _until(self, place: tuple[str, str, int], keep: Keep) -> tuple[str, int]:
        round, rule, at_ms = place
        if round in self.troubled:
            rule, at_ms = "incident", max(at_ms, self.troubled[round])
        return rule, at_ms + keep.days(rule) * DAY_MS


def _family(kind: str) -> str:
    return next(one for one in _TROUBLE if kind.startswith(one))


def _told(plain: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fact inside a body: of a table, or of a desk whose body has one name."""
    told = plain.get("event")
    if told is None and len(plain) == 1:
        [told] = plain.values()
    return told if isinstance(told, dict) else {}
