"""What can happen to the free bets an operator grants, and how it is written: `{"free_bets": …}`."""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError
from studio.money import Transfer, grant_account, promotion_account, promotion_round


class FreeBetEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """`grant` is the operator's own id of the grant; no two of his have the same."""

    at_ms: int
    operator: str
    bettor: str
    grant: str


class FreeBetsGranted(FreeBetEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """A bettor may bet `count` times with `stake_minor` of his operator's, until `expires_at_ms`; 0: without an end.

    `games`, `tables` and `bets`: where, by their keys; what is left empty is not limited.
    """

    stake_minor: int
    count: int
    currency: str
    games: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    bets: tuple[str, ...] = ()
    expires_at_ms: int = 0

    @property
    def amount_minor(self) -> int:
        """All of it together."""
        return self.stake_minor * self.count

    @property
    def account(self) -> str:
        """The account that holds what is left of it."""
        return grant_account(self.operator, self.bettor, self.grant)

    def has_expired(self, now_ms: int) -> bool:
        return bool(self.expires_at_ms) and now_ms >= self.expires_at_ms

    def is_for(self, table: str, game: str, currency: str) -> bool:
        """Whether it may be bet there at all, on one bet or another."""
        here = table in self.tables or not self.tables
        return here and (game in self.games or not self.games) and currency == self.currency

    def funded(self) -> Transfer:
        """The transfer that grants them."""
        return self._moved("grant", promotion_account(self.operator, self.bettor), self.account, self.amount_minor)

    def taken_back(self, left_minor: int) -> Transfer:
        """The transfer that takes back what is left of them."""
        return self._moved("ungrant", self.account, promotion_account(self.operator, self.bettor), left_minor)

    def _moved(self, kind: str, debit: str, credit: str, amount_minor: int) -> Transfer:
        round = promotion_round(self.operator)
        return Transfer(round, self.grant, kind, debit, credit, amount_minor, self.currency)


class FreeBetsCancelled(FreeBetEvent, frozen=True, kw_only=True, tag=True):
    """What was left of them was taken back; what is in play stays in play."""


AnyFreeBetEvent = FreeBetsGranted | FreeBetsCancelled

FREE_BET_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyFreeBetEvent))
"""The journal's kinds that concern free bets."""


class _Row(msgspec.Struct):
    free_bets: AnyFreeBetEvent


_ROW: Final = msgspec.json.Decoder(_Row)


def write_free_bets(event: AnyFreeBetEvent) -> bytes:
    return msgspec.json.encode(_Row(event))


def read_free_bets(body: bytes) -> AnyFreeBetEvent:
    try:
        return _ROW.decode(body).free_bets
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of free bets: {error}") from error
