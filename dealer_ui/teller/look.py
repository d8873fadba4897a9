"""How operators' wallets stand, as the pit looks at them, and how their operators are told of their rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from dealer_ui.teller.caller import Pulse
from dealer_ui.teller.seen_wallet import SeenWallet
from dealer_ui.teller.tellers import SeenWallets
from studio.journal import Reader
from studio.money import suspense_account
from studio.wallets.obligation import DebtStanding

SLOW_MS: Final = 1_000
"""A wallet half of whose newest answers took as long as that is slow."""

_IN_SUSPENSE: Final = "SELECT currency, amount FROM balance WHERE account = ? AND amount <> 0 ORDER BY currency"


@dataclass(frozen=True, slots=True)
class Look:
    """One operator's wallet. `state`: `up`, `slow`, `down`; `suspense` in minor units, by currency."""

    operator: str
    pulse: Pulse
    owed: DebtStanding
    suspense: Mapping[str, int]

    @property
    def state(self) -> str:
        return _state(self.pulse)


@dataclass(frozen=True, slots=True)
class RoundLook:
    """How one operator is told of his rounds. `unheard`: so many ends of rounds he has still to hear of, and `owed`
    since when the oldest is owed."""

    operator: str
    pulse: Pulse
    owed: DebtStanding
    unheard: int

    @property
    def state(self) -> str:
        return _state(self.pulse)


def _state(pulse: Pulse) -> str:
    if pulse.silent:
        return "down"
    return "slow" if pulse.median_ms >= SLOW_MS else "up"


Wallets = SeenWallets[SeenWallet]


def looks(wallets: Wallets, reader: Reader, *, own: bool = False) -> Iterator[Look]:
    """Every wallet, as configured; `own`: how it answers this process, and not the whole studio."""
    return (_look(one, one.own_pulse if own else one.pulse, reader) for one in wallets)


def _look(wallet: SeenWallet, pulse: Pulse, reader: Reader) -> Look:
    suspense = dict(reader.read(_IN_SUSPENSE, (suspense_account(wallet.operator),)))
    return Look(wallet.operator, pulse, wallet.desk.standing(), suspense)


def round_looks(tellers: Wallets, reader: Reader) -> Iterator[RoundLook]:
    """Everybody who is told of his rounds, as configured."""
    for one in tellers.rounds or ():
        yield RoundLook(one.operator, one.pulse, one.desk.standing(), one.desk.unheard(reader))
