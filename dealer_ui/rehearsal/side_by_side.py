"""Several simulated nights at once, each in a process of its own, and what they come to together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from studio.side_process import SideProcess

_Plan = TypeVar("_Plan")
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that must never be, and the one command that repeats it."""

    sentence: str
    seed: int
    round: str
    repeat: str


@dataclass(frozen=True, slots=True)
class NightTally:
    """What one simulated night came to, or several of a game together."""

    game: str
    settled: int
    voided: int
    incidents: Mapping[tuple[str, str], int]
    """By kind and row."""
    violations: tuple[Breach, ...]
    digest: str
    cards_read: int = 0
    cards_unsure: int = 0
    """Of the frames read for real."""
    wallet_done: Mapping[str, int] = field(default_factory=dict)
    """How often each fault of the operator's wallet came."""

    @property
    def rounds(self) -> int:
        return self.settled + self.voided

    def plain(self, seconds: float) -> dict[str, object]:
        """The shape of the last line of `--json`."""
        return {
            "game": self.game,
            "rounds": self.rounds,
            "settled": self.settled,
            "voided": self.voided,
            "incidents": sum(self.incidents.values()),
            "violations": len(self.violations),
            "digest": self.digest,
            "seconds": round(seconds, 3),
        }


def together(nights: Sequence[NightTally]) -> NightTally:
    """What several nights come to; the digest of one is its own, of more a SHA-256 over theirs, in their order."""
    if len(nights) == 1:
        return nights[0]
    return NightTally(
        game=nights[0].game,
        settled=sum(night.settled for night in nights),
        voided=sum(night.voided for night in nights),
        incidents=_summed(night.incidents for night in nights),
        violations=tuple(found for night in nights for found in night.violations),
        digest=sha256("\n".join(night.digest for night in nights).encode()).hexdigest(),
        cards_read=sum(night.cards_read for night in nights),
        cards_unsure=sum(night.cards_unsure for night in nights),
        wallet_done=_summed(night.wallet_done for night in nights),
    )


def at_once(play: Callable[[_Plan], NightTally], plans: Sequence[_Plan]) -> Iterator[NightTally]:
    """Play each plan in a process of its own; their tallies in the order of the plans."""
    with ExitStack() as open:
        nights = [open.enter_context(SideProcess(play, plan)) for plan in plans]
        for night in nights:
            yield night.answer()


def _summed(counts: Iterator[Mapping[_Key, int]]) -> Mapping[_Key, int]:
    total: Counter[_Key] = Counter()
    for one in counts:
        total.update(one)
    return total
