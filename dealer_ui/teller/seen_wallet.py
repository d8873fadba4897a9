"""An operator's wallet as every process of a studio sees it: what is owed to it by the journal, how it answers, what it
said that bettors have.

    rows of the journal ──► desk · what hosts say of their calls ──► pulse · and of bettors' balances ──► balance_of
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from dealer_ui.teller.balance import Balances, WalletBalance
from dealer_ui.teller.caller import Pulse
from dealer_ui.teller.desk import WalletDesk
from studio.errors import RefusedError
from studio.people import Actor
from studio.wallets.obligation import Case

HEARD_S: Final = 5.0
"""What a host said of its calls counts so long."""
QUIET: Final = Pulse(silent=False, calls=0, unknown=0, median_ms=0, worst_ms=0, last=None)
"""Of a wallet that nobody has called yet."""

NOWHERE: Final = "No host tells this wallet what it is owed now, and nothing was done: try again in a minute."

CloseElsewhere = Callable[[str, str, Case, Actor, str], None]
"""Has the host that tells a wallet close a movement: operator, movement, case, who, why."""


def _nobody(operator: str, id: str, case: Case, actor: Actor, reason: str) -> None:
    raise RefusedError("told_nowhere", NOWHERE)


class SeenWallet:
    """Any thread. `monotonic` in seconds."""

    def __init__(self, desk: WalletDesk, monotonic: Callable[[], float]) -> None:
        self.operator = desk.operator
        self.desk = desk
        self.balances = Balances()
        self.close_elsewhere: CloseElsewhere = _nobody
        self._seconds = monotonic
        self._hearing = threading.Lock()
        self._heard: dict[str, tuple[Pulse, float]] = {}

    def hear(self, host: str, pulse: Pulse) -> None:
        """How that host's calls go."""
        with self._hearing:
            self._heard[host] = (pulse, self._seconds())

    @property
    def own_pulse(self) -> Pulse:
        """How this process' own calls go."""
        return QUIET

    @property
    def pulse(self) -> Pulse:
        """How the calls of all hosts go: the worst of each."""
        now_s = self._seconds()
        with self._hearing:
            far = [pulse for pulse, heard_s in self._heard.values() if now_s - heard_s < HEARD_S]
        return worst_of((self.own_pulse, *far))

    def balance_of(self, bettor: str) -> WalletBalance | None:
        """The balance that the operator's wallet last reported for this bettor; None when it has reported none."""
        return self.balances.of(bettor)

    def close(self, id: str, case: Case, actor: Actor, reason: str) -> None:
        """Close a movement as a person found it, at the host that tells this wallet."""
        self.close_elsewhere(self.operator, id, case, actor, reason)


def worst_of(pulses: tuple[Pulse, ...]) -> Pulse:
    """As one: silent where one is, as slow as the slowest, and all calls together.

    >>> worst_of((QUIET, Pulse(silent=True, calls=2, unknown=1, median_ms=9, worst_ms=9, last=None))).silent
    True
    """
    return Pulse(
        silent=any(one.silent for one in pulses),
        calls=sum(one.calls for one in pulses),
        unknown=sum(one.unknown for one in pulses),
        median_ms=max(one.median_ms for one in pulses),
        worst_ms=max(one.worst_ms for one in pulses),
        last=next((one.last for one in pulses if one.last is not None), None),
        slowest_ms=max(one.slowest_ms for one in pulses),
        lately=sum(one.lately for one in pulses),
        unknown_lately=sum(one.unknown_lately for one in pulses),
        changed_ms=max(one.changed_ms for one in pulses),
    )
