"""What is still owed to an operator: cancels, credits, corrections, rounds to be told, again until he says yes.

    owed ──► told ──► yes: done
               └────► unknown, or no: told again, ever more rarely, for ever

Of one bettor the oldest goes first and alone: a credit is never told before the cancel that was owed before it; of
rounds it is so at each table. What is a day old, or met with a definite no, is for people as well; it is told on until
one of them closes it. Pure: the time and the chance are given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

import msgspec

from studio.errors import InvariantError, RefusedError
from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.call import Adjust, Cancel, Credit, digest_of
from studio.wallets.notice import RoundNotice

Debt = Cancel | Credit | Adjust
"""What is owed to a wallet."""

Owable = Debt | RoundNotice

Owes = TypeVar("Owes", bound=Owable)

FIRST_WAIT_MS: Final = 1_000
WAIT_MS_MOST: Final = 5 * 60_000
ALARMS_MS: Final = (60_000, 15 * 60_000, 24 * 3_600_000)
"""So old a thing that is owed is told of, and told of again; at the last it is for people."""


class Case(StrEnum):
    """What people found when they looked into the wallet with its operator."""

    TAKEN = "taken"
    """Of a cancel: the stake was taken and not given back. It is given back by hand. Of what a correction takes: the
    wallet took it."""
    GIVEN = "given"
    """The bettor has the money. Nothing is to be done."""
    NOTHING_SEEN = "nothing_seen"
    """The wallet knows nothing of it. Of a cancel nothing is to be done; a return is given by hand."""


class Owed(msgspec.Struct, Generic[Owes], frozen=True, kw_only=True):
    """One call owed to a wallet since `since_ms`, and told again from `due_ms` on. `last` is the wallet's refusal if it
    gave one, else its last answer.
    """

    call: Owes
    since_ms: int
    due_ms: int
    tries: int = 0
    last: Word | None = None

    def age_ms(self, now_ms: int) -> int:
        return max(now_ms - self.since_ms, 0)

    def is_for_people(self, now_ms: int) -> bool:
        return self.is_refused or self.age_ms(now_ms) >= ALARMS_MS[-1]

    @property
    def is_refused(self) -> bool:
        return self.last is not None and outcome_of(self.call, self.last) is WalletOutcome.REFUSED


@dataclass(frozen=True, slots=True)
class DebtStanding:
    """How much is owed, since when the oldest of it is, and how much of it waits for people; all 0 when nothing is
    owed.

    `told_since_ms`: since when the oldest is owed that is still told by itself; `tables`: where what is for people
    comes from.
    """

    count: int = 0
    oldest_since_ms: int = 0
    for_people: int = 0
    told_since_ms: int = 0
    tables: frozenset[str] = frozenset()

    def age_ms(self, now_ms: int) -> int:
        """How long the oldest movement has been owed, in milliseconds; 0 when nothing is."""
        return max(now_ms - self.oldest_since_ms, 0) if self.count else 0


def wait_ms(tries: int, chance: float) -> int:
    """How long to wait after this many tries; `chance`, from 0 to 1, spreads many waits so that they do not end at
    once.

    >>> [wait_ms(tries, 1.0) for tries in (1, 2, 3, 20)], wait_ms(1, 0.0)
    ([1000, 2000, 4000, 300000], 500)
    """
    most = min(FIRST_WAIT_MS << min(tries - 1, 20), WAIT_MS_MOST)
    return int(most * (0.5 + chance / 2))


def alarm_level(age_ms: int) -> int:
    """How many of the alarms an age has passed.

    >>> [alarm_level(age_ms) for age_ms in (59_999, 60_000, 900_000, 86_400_000)]
    [0, 1, 2, 3]
    """
    return sum(age_ms >= alarm_ms for alarm_ms in ALARMS_MS)


def lane_of(call: Owable) -> str:
    """What is owed in one lane is told one after another."""
    return call.game if isinstance(call, RoundNotice) else call.bettor


def cases_of(call: Owable) -> tuple[Case, ...]:
    """The findings a person may report of this call."""
    match call:
        case Cancel():
            return (Case.TAKEN, Case.GIVEN, Case.NOTHING_SEEN)
        case Adjust(amount_minor=amount_minor) if amount_minor < 0:
            return (Case.TAKEN, Case.NOTHING_SEEN)
    return (Case.GIVEN, Case.NOTHING_SEEN)


class Obligations(Generic[Owes]):
    """What is owed to one operator. One thread at a time."""

    def __init__(self) -> None:
        self._lanes: dict[str, dict[str, Owed[Owes]]] = {}
        self._lane: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._lane)

    def owe(self, call: Owes, at_ms: int) -> bool:
        """Owe one more call, told after those of the same lane; False when this call is owed already."""
        if (owed := self._find(call.id)) is not None:
            if digest_of(owed.call) != digest_of(call):
                raise InvariantError(f"The id {call.id} already names another call to this wallet.")
            return False
        lane = self._lane[call.id] = lane_of(call)
        self._lanes.setdefault(lane, {})[call.id] = Owed(call=call, since_ms=at_ms, due_ms=at_ms)
        return True

    def due(self, now_ms: int) -> list[Owes]:
        """What is to be told now, the longest owed first: of each lane its oldest, when its time has come."""
        fronts = [front for front in self._fronts() if front.due_ms <= now_ms]
        return [front.call for front in sorted(fronts, key=lambda front: front.since_ms)]

    def heard(self, id: str, word: Word, now_ms: int, chance: float) -> WalletOutcome:
        """Note what the wallet answered to this call. A yes ends the obligation, any other answer has it told again
        later; a call that is no longer owed is ignored.
        """
        owed = self._find(id)
        if owed is None:
            return WalletOutcome.ACCEPTED
        outcome = outcome_of(owed.call, word)
        if outcome is WalletOutcome.ACCEPTED:
            self._end(owed)
        else:
            tries = owed.tries + 1
            due_ms = now_ms + wait_ms(tries, chance)
            kept = owed.last if owed.is_refused and outcome is WalletOutcome.UNKNOWN else word
            again = msgspec.structs.replace(owed, tries=tries, due_ms=due_ms, last=kept)
            self._lanes[self._lane[id]][id] = again
        return outcome

    def standing(self, now_ms: int) -> DebtStanding:
        people: list[Owed[Owes]] = []
        told: list[Owed[Owes]] = []
        for owed in self._each():
            (people if owed.is_for_people(now_ms) else told).append(owed)
        return DebtStanding(
            count=len(people) + len(told),
            oldest_since_ms=min((owed.since_ms for owed in (*people, *told)), default=0),
            for_people=len(people),
            told_since_ms=min((owed.since_ms for owed in told), default=0),
            tables=frozenset(owed.call.game for owed in people),
        )

    def all(self) -> list[Owed[Owes]]:
        """Everything owed, the oldest first; of one lane in the order it is told."""
        order: list[tuple[int, Owed[Owes]]] = []
        for queue in self._lanes.values():
            newest_ms = 0
            for owed in queue.values():
                newest_ms = max(newest_ms, owed.since_ms)  # another host's clock may be behind: that changes no order
                order.append((newest_ms, owed))
        return [owed for _, owed in sorted(order, key=lambda one: one[0])]

    def find(self, id: str) -> Owed[Owes] | None:
        return self._find(id)

    def for_people(self, now_ms: int) -> list[Owed[Owes]]:
        found = [owed for owed in self._each() if owed.is_for_people(now_ms)]
        return sorted(found, key=lambda owed: owed.since_ms)

    def close(self, id: str, case: Case, now_ms: int) -> Owed[Owes]:
        """End an obligation by hand, after a person has found out what became of the call."""
        owed = self.need_closable(id, case, now_ms)
        self._end(owed)
        return owed

    def need_closable(self, id: str, case: Case, now_ms: int) -> Owed[Owes]:
        """The obligation of this id; `RefusedError` while it is not yet for people, or where this case cannot be."""
        owed = self._find(id)
        if owed is None:
            sentence = "This is owed no longer, for the wallet has said yes meanwhile: nothing is to be done."
            raise RefusedError("not_owed", sentence)
        if not owed.is_for_people(now_ms):
            sentence = "The wallet is still being told of this by itself: wait until it refuses, or a day is over."
            raise RefusedError("told_still", sentence)
        if case not in cases_of(owed.call):
            if case is Case.GIVEN:
                sentence = "A correction takes this from its bettor: say that it was taken, or that nothing was seen."
                raise RefusedError("not_given", sentence)
            sentence = "A return takes nothing from its bettor: say that it was given, or that nothing was seen."
            raise RefusedError("not_taken", sentence)
        return owed

    def end(self, id: str) -> None:
        """End this obligation, if it still stands."""
        if (owed := self._find(id)) is not None:
            self._end(owed)

    def _each(self) -> Iterator[Owed[Owes]]:
        return (owed for queue in self._lanes.values() for owed in queue.values())

    def _fronts(self) -> Iterator[Owed[Owes]]:
        return (next(iter(queue.values())) for queue in self._lanes.values())

    def _find(self, id: str) -> Owed[Owes] | None:
        lane = self._lane.get(id)
        return None if lane is None else self._lanes[lane][id]

    def _end(self, owed: Owed[Owes]) -> None:
        lane = self._lane.pop(owed.call.id)
        del self._lanes[lane][owed.call.id]
        if not self._lanes[lane]:
            del self._lanes[lane]
