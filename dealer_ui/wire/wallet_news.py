"""What hosts tell every process of operators' wallets: how their calls go, and what wallets said that bettors have.

It is for people's eyes: nothing is decided by it, and what is lost is told again or was older than the next.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import msgspec

from dealer_ui.teller.balance import WalletBalance
from dealer_ui.teller.caller import Pulse
from dealer_ui.teller.look import Wallets
from dealer_ui.wire.link import NatsWire
from dealer_ui.wire.message import pack, read_news, wallets_of
from dealer_ui.wire.terms import ROOT

NEWS_S: Final = 0.1
PULSE_S: Final = 1.0
BALANCES_MOST: Final = 4_000
"""In one message."""


class WalletSays(msgspec.Struct, frozen=True):
    """Of one operator's wallet, by one host. `balances`: of each bettor how much, and in which currency."""

    host: str
    operator: str
    pulse: Pulse | None
    balances: dict[str, tuple[int, str]]


@dataclass(eq=False)
class WalletNews:
    """`wallets` are those of this process."""

    wire: NatsWire
    wallets: Wallets
    monotonic: Callable[[], float] = time.monotonic
    _pulsed_s: float = field(default=float("-inf"))

    def open(self) -> None:
        """Take in what others tell, once the wire starts."""
        self.wire.hear(f"{ROOT}.wallets.*", self._take)

    def keep_telling(self, stopping: threading.Event) -> None:
        """Tell what this process' own wallets have said; a thread's whole work."""
        while not stopping.wait(NEWS_S):
            for news in self._news():
                self.wire.say(wallets_of(self.wire.name), pack(news))

    def _news(self) -> Iterator[WalletSays]:
        now_s = self.monotonic()
        with_pulse = now_s - self._pulsed_s >= PULSE_S
        if with_pulse:
            self._pulsed_s = now_s
        for wallet in self.wallets:
            told = [(bettor, (held.balance_minor, held.currency)) for bettor, held in wallet.balances.news().items()]
            pulse = wallet.own_pulse if with_pulse else None
            parts = [dict(told[at : at + BALANCES_MOST]) for at in range(0, len(told), BALANCES_MOST)]
            for part in parts or ([{}] if pulse is not None else []):
                yield WalletSays(self.wire.name, wallet.operator, pulse, part)

    def _take(self, subject: str, message: bytes) -> None:
        news = read_news(WalletSays, message)
        wallet = self.wallets.of(news.operator)
        if wallet is None or subject != wallets_of(news.host) or news.host == self.wire.name:
            return
        if news.pulse is not None:
            wallet.hear(news.host, news.pulse)
        for bettor, held in news.balances.items():
            wallet.balances.note(bettor, WalletBalance(*held), elsewhere=True)
