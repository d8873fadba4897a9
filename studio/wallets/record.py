"""What the journal keeps of an operator's wallet: what was asked of it, what it said, what it is owed.

    WalletAsked ──► WalletAnswered: in play · refused · stranded, and then a cancel is owed
    WalletOwed  ──► WalletTold: yes, and it is done · no, and it is for people ──► WalletClosed

A row stands before the first sending of whatever it tells of, so that whoever begins again after a crash knows what
may have been sent. A session's token is in no row: it opens a bettor's money.
"""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError
from studio.money import Transfer, free_suspense_account, is_promotion, operator_account, suspense_account
from studio.wallets.answer import Word
from studio.wallets.call import Adjust, Cancel, Credit, Debit
from studio.wallets.id import Facts, transaction_id
from studio.wallets.obligation import Case

_EMPTIED_BY: Final = {
    "credit": "wallet_credit", "compensation": "wallet_compensate", "cancel": "wallet_cancel",
    "free_stake": "wallet_credit",
}  # fmt: skip


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """Money that moves in somebody's wallet: what it is, how the wallet is told, how much, and the account of ours that
    it fills or empties."""

    facts: Facts
    call: Debit | Credit | Cancel | Adjust
    amount_minor: int
    account: str

    @property
    def id(self) -> str:
        return self.call.id

    def stranded(self) -> Movement:
        """What undoes a stake whose bet does not stand."""
        facts, stake = msgspec.structs.replace(self.facts, kind="cancel"), self.call
        cancel = Cancel(
            bettor=stake.bettor, session="", currency=stake.currency, game=stake.game, round=stake.round,
            id=transaction_id(facts), undoes=stake.id,
        )  # fmt: skip
        account = self._suspense
        return Movement(facts=facts, call=cancel, amount_minor=self.amount_minor, account=account)

    def suspended(self) -> Transfer:
        """The stake may have been taken and its bet does not stand."""
        return self._moved("suspend", self.id, self._suspense)

    @property
    def _suspense(self) -> str:
        free = is_promotion(self.account)
        return free_suspense_account(self.facts.operator) if free else suspense_account(self.facts.operator)

    def told(self) -> Transfer:
        """The wallet has said yes to it, or people have found out that nothing more is to be done."""
        operator = operator_account(self.facts.operator)
        if isinstance(self.call, Adjust) and self.call.amount_minor < 0:
            return self._moved("wallet_recover", self.id, self.account)
        kind = "clear" if self.account.startswith("suspense:") else _EMPTIED_BY[self.facts.kind]
        return Transfer(self.facts.round, self.id, kind, self.account, operator, self.amount_minor, self.call.currency)

    def _moved(self, kind: str, id: str, account: str) -> Transfer:
        operator = operator_account(self.facts.operator)
        return Transfer(self.facts.round, id, kind, operator, account, self.amount_minor, self.call.currency)


class WalletEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    operator: str
    at_ms: int


class End(msgspec.Struct, frozen=True, kw_only=True):
    """What was said of the stake of this id; `in_play`: its bet stands."""

    id: str
    word: Word
    in_play: bool = False


class Open(msgspec.Struct, frozen=True, kw_only=True):
    """Something owed since then; `last`: the no that was said of it."""

    movement: Movement
    since_ms: int
    last: Word | None = None


class WalletAsked(WalletEvent, frozen=True, kw_only=True, tag=True):
    """These stakes are asked for from now on."""

    stakes: tuple[Movement, ...]


class WalletAnswered(WalletEvent, frozen=True, kw_only=True, tag=True):
    ends: tuple[End, ...]


class WalletOwed(WalletEvent, frozen=True, kw_only=True, tag=True):
    """This is owed by what the ledger has up to its row `upto`."""

    owed: tuple[Movement, ...]
    upto: int


class WalletTold(WalletEvent, frozen=True, kw_only=True, tag=True):
    """What was said of something owed: a yes, or the first definite no."""

    id: str
    word: Word


class WalletClosed(WalletEvent, frozen=True, kw_only=True, tag=True):
    """A person has found out what became of this movement, with the PIN just entered."""

    id: str
    movement: Movement
    case: Case
    by: str
    by_name: str
    reason: str


class WalletKept(WalletEvent, frozen=True, kw_only=True, tag=True):
    """All that is open, so that nobody need look further back.

    Of stakes and of what became of them it knows the rows up to `through`, for other hosts write such rows meanwhile;
    0, as in older rows: all rows before its own. Of all else it knows every row before its own.
    """

    asked: tuple[Movement, ...]
    owed: tuple[Open, ...]
    upto: int
    through: int = 0


class WalletEnded(WalletEvent, frozen=True, kw_only=True, tag=True):
    """From here on this operator's bettors have their purses in the studio; nothing is open with his wallet."""


AnyWalletEvent = WalletAsked | WalletAnswered | WalletOwed | WalletTold | WalletClosed | WalletKept | WalletEnded

WALLET_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyWalletEvent))
"""The journal's kinds that concern operators' wallets."""

OF_TABLES: Final = frozenset({"WalletAsked", "WalletAnswered"})
"""Those that whoever runs a table writes; the others are written by whoever tells the wallet what it is owed."""


class _Row(msgspec.Struct):
    wallet: AnyWalletEvent


class _Named(msgspec.Struct):
    operator: str


class _NamedRow(msgspec.Struct):
    wallet: _Named


_ROW: Final = msgspec.json.Decoder(_Row)
_NAMED_ROW: Final = msgspec.json.Decoder(_NamedRow)


def write_wallet(event: AnyWalletEvent) -> bytes:
    return msgspec.json.encode(_Row(event))


def whose_wallet(body: bytes) -> str:
    """The operator whose wallet a row tells of, also where the rest of it cannot be read."""
    try:
        return _NAMED_ROW.decode(body).wallet.operator
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row about wallets does not say about whose: {error}") from error


def read_wallet(body: bytes) -> AnyWalletEvent:
    try:
        return _ROW.decode(body).wallet
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of a wallet: {error}") from error
