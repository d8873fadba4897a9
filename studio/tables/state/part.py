"""What has been paid of a round before its end: a value of the round, folded from `PartOpened` and `PartSettled`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from studio.settlement import Turned
from studio.tables.event.part import PartOpened, PartSettled
from studio.value import replace
from studio.written_number import read_fraction


class Parts(msgspec.Struct, frozen=True):
    """`returns`: by bet key, what a stake of 1 comes back as of the bets that are decided; `back`: bets whose stakes
    went back with what they had been paid. While a part is being settled, `turned` says what it changes, and `done` how
    far it has come. `revision` counts the parts that took something back: all money of the round moves under it.
    """

    revision: int = 0
    returns: Mapping[str, Fraction] = msgspec.field(default_factory=dict)
    back: frozenset[str] = frozenset()
    turned: Turned | None = None
    done: PartSettled | None = None

    @property
    def settled_keys(self) -> frozenset[str]:
        """The bets that nothing is owed for any more."""
        return self.back | self.returns.keys()

    @property
    def cursor(self) -> int:
        return self.done.cursor if self.done else 0

    def after(self, event: PartOpened | PartSettled) -> Parts:
        match event:
            case PartOpened(revision=revision, returns=told, back=back):
                returns = {bet: read_fraction(ret) for bet, ret in told.items()}
                turned = Turned(self.returns, returns, frozenset(back))
                return Parts(revision, returns, self.back | turned.back, turned)
            case PartSettled(over=True):
                return replace(self, turned=None, done=None)
        return replace(self, done=event)
