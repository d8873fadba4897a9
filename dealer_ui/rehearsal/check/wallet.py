"""Holds a night's ledger against the operator's own till: what was taken is in play or went back, to the cent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from studio.journal import Reader
from studio.money import (
    Transfer,
    bettor_account,
    free_suspense_account,
    is_of_free_bets,
    operator_account,
    suspense_account,
)
from studio.wallets.call import Adjust
from studio.wallets.obligation import Debt, Owed

if TYPE_CHECKING:
    from dealer_ui.rehearsal.wallet.night_wallet import NightWallet

WALLET_MOVES: Final = frozenset(
    (
        "grant",
        "ungrant",
        "wallet_debit",
        "wallet_credit",
        "wallet_compensate",
        "wallet_cancel",
        "wallet_recover",
        "suspend",
        "clear",
    )
)
"""Kinds of transfers between an operator's wallet and the studio, and of free bets that are granted; they belong to no
account of a round."""
_MOVED: Final = (
    "SELECT round, bet, kind, debit, credit, amount, currency, revision FROM ledger WHERE seq > ? ORDER BY seq"
)


class WalletCheck:
    """One operator's. It reads the ledger's rows and the till's balances, and nothing the studio remembers."""

    def __init__(self, wallet: NightWallet, reader: Reader) -> None:
        self._wallet = wallet
        self._reader = reader
        self._operator = operator_account(wallet.operator)
        self._taken: Counter[str] = Counter()
        self._staked_free: Counter[str] = Counter()
        self._seq = 0

    def look(self) -> tuple[Transfer, ...]:
        """What moved between wallet and studio since the last look."""
        head = self._reader.ledger_head().seq
        rows = self._reader.read(_MOVED, (self._seq,))
        moved = tuple(one for row in rows if (one := Transfer(*row)).kind in WALLET_MOVES)
        self._seq = head
        for transfer in moved:
            if self._operator not in (transfer.debit, transfer.credit):
                continue
            out = transfer.debit == self._operator
            side = transfer.credit if out else transfer.debit
            book = self._staked_free if is_of_free_bets(side) else self._taken
            book[_bettor_of(side)] += transfer.amount_minor if out else -transfer.amount_minor
        return moved

    def ended(self, owed: Iterable[Owed[Debt]]) -> Iterator[str]:
        """Once the wallet has had its time: the till holds what our books say it does, and nothing is left over but
        `owed`."""
        wallet = self._wallet
        for one in owed:
            if not isinstance(one.call, Adjust):
                yield f"The wallet was never told of {one.call.id}, though it had days without a fault: {one.last}."
        if wallet.line.unsigned:
            yield f"{wallet.line.unsigned} requests came to the wallet with a wrong signature."
        if free_minor := self._reader.balance(free_suspense_account(wallet.operator)):
            yield f"Free stakes of {free_minor} are left in suspense with {wallet.operator}, and nothing is owed."
        if suspense_minor := self._reader.balance(suspense_account(wallet.operator)):
            yield f"{suspense_minor} are left in suspense with {wallet.operator}, and nothing is owed for them."
        for name, opening_minor in wallet.bettors.items():
            ours, theirs = self._taken[name], opening_minor - wallet.till.balance_minor(name)
            if ours != theirs:
                yield f"By our books {ours} were taken from {name}'s wallet; the wallet itself gave {theirs}."
            free, promoted = self._staked_free[name], -wallet.till.promotion_minor(name)
            if free != promoted:
                yield f"By our books free bets of {name} staked {free}; the wallet itself has {promoted}."
            if purse_minor := self._reader.balance(bettor_account(wallet.operator, name)):
                yield f"{purse_minor} are left in the purse of {name}, whose money is in his own wallet."


def _bettor_of(account: str) -> str:
    """`bettor:sim:b1` and `receivable:sim:b1` are b1's; suspense is nobody's by itself."""
    family, _, rest = account.partition(":")
    return rest.partition(":")[2] if family in ("bettor", "receivable", "promotion") else ""
