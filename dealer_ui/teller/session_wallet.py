"""A wallet whose calls carry the bettor's session, and whose reports of his balance are kept."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from dealer_ui.teller.balance import Balances, WalletBalance
from dealer_ui.teller.session import WalletSessions
from studio.wallets.answer import Said
from studio.wallets.call import Call
from studio.wallets.port import Wallet


class SessionWallet:
    """See `studio.wallets.port.Wallet`."""

    def __init__(self, operator: str, wallet: Wallet, sessions: WalletSessions) -> None:
        self.sessions = sessions
        self.balances = Balances()
        self._operator = operator
        self._wallet = wallet

    def ask(self, call: Call, wait_s: float, heard: Callable[[Said], None]) -> None:
        def told(said: Said) -> None:
            if said.balance_minor is not None:
                self.balances.note(call.bettor, WalletBalance(said.balance_minor, call.currency))
            heard(said)

        session = self.sessions.of(self._operator, call.bettor)
        self._wallet.ask(replace(call, session=session), wait_s, told)

    def close(self) -> None:
        self._wallet.close()
