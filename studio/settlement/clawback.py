"""What becomes of money that a correction takes back and a purse does not cover. Pure.

allow_negative           the bettor's balance falls below zero
partial_and_receivable   what is there is taken; the rest stands in the bettor's receivable until it is repaid
write_off                what is there is taken; the house bears the rest
wallet                   the operator keeps the money and is asked for all of it; until his wallet has said yes it
                         stands in the receivable, and what lies in the purse is on its way to that wallet
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from studio.money import Transfer, operator_of, receivable_account, write_off_account
from studio.settlement.difference import Difference
from studio.settlement.transfers import Purse, resettling_transfers, unsettling_transfers

WALLET: Final = "wallet"
POLICIES: Final = ("allow_negative", "partial_and_receivable", "write_off", WALLET)
DEFAULT_POLICY: Final = "partial_and_receivable"

Holding = Callable[[str, str], int | None]
"""What an account holds of a currency at this instant; None where it never held any."""


class Short(msgspec.Struct, frozen=True, kw_only=True):
    """What a purse did not cover of one bet's claw-back, and under which policy it was borne."""

    bet_id: str
    account: str
    currency: str
    amount_minor: int
    policy: str


def policy_of(account: str, policies: Mapping[str, str]) -> str:
    """The policy of the operator whose bettor this is."""
    return policies.get(operator_of(account), DEFAULT_POLICY)


def may_owe(chunk: Sequence[Difference], policies: Mapping[str, str]) -> frozenset[str]:
    """The accounts that these differences may take below zero."""
    return frozenset(
        one.purse for one in chunk if one.take_minor > 0 and policy_of(one.before.account, policies) == "allow_negative"
    )


def correcting(
    chunk: Sequence[Difference], purse: Purse, revision: int, policies: Mapping[str, str], holding: Holding
) -> tuple[tuple[Transfer, ...], tuple[Short, ...]]:
    """The transfers of these differences, in order, and what was short of them.

    Whoever gets something and owes from a claw-back before, repays it first.
    """
    held: dict[tuple[str, str], int] = {}
    made: list[Transfer] = []
    shorts: list[Short] = []

    def now(account: str, currency: str) -> int:
        if (account, currency) not in held:
            held[account, currency] = holding(account, currency) or 0
        return held[account, currency]

    def move(moved: Transfer) -> None:
        for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
            if account.startswith(("bettor:", "receivable:")):
                held[account, moved.currency] = now(account, moved.currency) + change
        made.append(moved)

    for one in chunk:
        account, currency = one.purse, one.before.currency or purse.currency
        policy = policy_of(account, policies)
        covered_minor = 0 if policy == WALLET else max(now(account, currency), 0)
        short_minor = one.take_minor - covered_minor
        if one.take_minor > 0 and short_minor > 0:
            shorts.append(
                Short(bet_id=one.before.id, account=account, currency=currency, amount_minor=short_minor, policy=policy)
            )
            for moved in _borne(shorts[-1], purse, revision):
                move(moved)
        for moved in _moved(one, purse, revision):
            move(moved)
        owed_minor = min(-one.take_minor, -now(receivable_account(account), currency))
        if owed_minor > 0 and policy != WALLET:
            move(_repaid(purse.round, one.before.id, account, owed_minor, currency, revision))
    return tuple(made), tuple(shorts)


def repayment(account: str, id: str, received_minor: int, currency: str, owed_minor: int) -> tuple[Transfer, ...]:
    """The transfer by which this deposit repays at once what its bettor owes; none where he owes nothing."""
    amount_minor = min(received_minor, owed_minor)
    if amount_minor <= 0:
        return ()
    return (_repaid(receivable_account(account), id, account, amount_minor, currency, 0),)


def _repaid(round: str, bet: str, account: str, amount_minor: int, currency: str, revision: int) -> Transfer:
    return Transfer(round, bet, "repay", account, receivable_account(account), amount_minor, currency, revision)


def _moved(one: Difference, purse: Purse, revision: int) -> tuple[Transfer, ...]:
    if one.after is None:
        return unsettling_transfers((one.before,), purse, revision, pending=one.pending)
    return resettling_transfers((one.before,), (one.after,), purse, revision)


def _borne(short: Short, purse: Purse, revision: int) -> Iterator[Transfer]:
    match short.policy:
        case "partial_and_receivable" | "wallet":
            kind, source = "advance", receivable_account(short.account)
        case "write_off":
            kind, source = "write_off", write_off_account(operator_of(short.account))
        case _:
            return
    yield Transfer(purse.round, short.bet_id, kind, source, short.account, short.amount_minor, short.currency, revision)
