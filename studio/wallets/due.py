"""What the ledger makes owed to an operator's wallet: what came into bettors' purses, and what corrections take back.

    return · share · void · compensate · cash_out … ──► purse ──► Credit, or Cancel where a stake goes back whole
    advance, where a correction takes what the purse does not have ──► Adjust
    a free stake that its grant has back ──► Cancel, where it is void, or Adjust, as where it is taken from there again

Of one bet and one revision only the difference is told. Pure; what stands elsewhere in the ledger is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

import msgspec

from studio.errors import InvariantError
from studio.money import Transfer, grant_of, is_promotion, receivable_account
from studio.wallets.call import Adjust, Cancel, Credit
from studio.wallets.id import Facts, transaction_id
from studio.wallets.record import Movement

OF_WALLETS: Final = frozenset({
    "wallet_debit", "wallet_credit", "wallet_compensate", "wallet_cancel", "wallet_recover",
    "deposit", "withdraw", "reserve", "buy_in", "carry", "grant", "ungrant",
})  # fmt: skip
"""These fill a purse for a stake, or empty it into a wallet: neither makes anything owed."""

ROOM: Final = "room:"
"""What stands for a round where chips are bought and paid out."""


class Taken(NamedTuple):
    """A stake that a wallet has given: the id of the debit, how much, and how often it had been asked for before."""

    id: str
    amount_minor: int
    attempt: int = 0


class Stakes(Protocol):
    """What the ledger says of stakes."""

    def table_of(self, bet: str) -> str:
        """The table a bet was placed at; empty for what is no bet."""
        ...

    def taken(self, facts: Facts, account: str) -> Taken | None:
        """The stake of this bet; of the chips of a poker table the newest that were bought."""
        ...

    def free_of(self, bet: str) -> str:
        """The grant of free bets that this bet's stake came from; empty where it is the bettor's own."""
        ...


class _Part(NamedTuple):
    purse: str
    round: str
    bet: str
    revision: int
    kind: str
    currency: str


def dues(operator: str, transfers: Iterable[Transfer], stakes: Stakes) -> list[Movement]:
    """What these rows, whole units of the ledger in their order, make owed to the operator's wallet."""
    net: dict[_Part, int] = {}
    voids: dict[_Part, bool] = {}
    advanced: dict[_Part, int] = {}
    for moved in transfers:
        for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
            if moved.kind in OF_WALLETS or not (is_purse(account, operator) or is_grant(account, operator)):
                continue
            kind = "compensation" if moved.kind == "compensate" else "credit"
            kind = "free_stake" if is_promotion(account) else kind
            part = _Part(account, moved.round, moved.bet, moved.revision, kind, moved.currency)
            net[part] = net.get(part, 0) + change
            voids[part] = voids.get(part, True) and moved.kind == "void"
            if moved.kind == "advance":
                advanced[part] = advanced.get(part, 0) + moved.amount_minor
    made = _Making(operator, stakes)
    found = [made.takes(part, taken_minor) for part, taken_minor in advanced.items()]
    for part, amount_minor in net.items():
        if part.kind == "free_stake":
            found += [made.free(part, amount_minor, void=voids[part])] if amount_minor else []
            continue
        if amount_minor < 0:
            raise InvariantError(f"Bet {part.bet} took from a purse that its operator's wallet fills.")
        if amount_minor:
            found.append(made.gives(part, amount_minor, whole=voids[part]))
    return found


class _Making:
    """Makes movements of what the ledger says."""

    def __init__(self, operator: str, stakes: Stakes) -> None:
        self._operator = operator
        self._stakes = stakes

    def gives(self, part: _Part, amount_minor: int, *, whole: bool) -> Movement:
        """A return, or the stake itself where it goes back `whole`."""
        facts = self._facts(part, part.kind)
        stake = self._stakes.taken(facts, part.purse)
        if whole and stake is not None and stake.amount_minor == amount_minor:
            facts = msgspec.structs.replace(facts, kind="cancel", attempt=stake.attempt)
            undone = Cancel(**_named(part, facts), undoes=stake.id)
            return Movement(facts=facts, call=undone, amount_minor=amount_minor, account=part.purse)
        debit = stake.id if stake else ""
        credit = Credit(
            **_named(part, facts), amount_minor=amount_minor, debit=debit, free=self._stakes.free_of(part.bet)
        )
        return Movement(facts=facts, call=credit, amount_minor=amount_minor, account=part.purse)

    def takes(self, part: _Part, amount_minor: int) -> Movement:
        """What a correction takes back."""
        facts = self._facts(part, "adjust")
        stake = self._stakes.taken(facts, part.purse)
        debit = stake.id if stake else ""
        adjust = Adjust(**_named(part, facts), amount_minor=-amount_minor, debit=debit)
        account = receivable_account(part.purse)
        return Movement(facts=facts, call=adjust, amount_minor=amount_minor, account=account)

    def free(self, part: _Part, amount_minor: int, *, void: bool) -> Movement:
        """A free stake that its grant has back; below zero, one that a correction takes from it again. Only a `void` is
        a cancel: after that nothing more comes of the bet."""
        facts, account = self._facts(part, part.kind), part.purse.partition("/")[0]
        stake = self._stakes.taken(facts, part.purse)
        if stake is not None and void and not part.revision:
            facts = msgspec.structs.replace(facts, kind="cancel", attempt=stake.attempt)
            undone = Cancel(**_named(part, facts), undoes=stake.id)
            return Movement(facts=facts, call=undone, amount_minor=amount_minor, account=account)
        debit, grant = stake.id if stake else "", grant_of(part.purse)
        adjust = Adjust(**_named(part, facts), amount_minor=amount_minor, debit=debit, free=grant)
        return Movement(facts=facts, call=adjust, amount_minor=abs(amount_minor), account=account)

    def _facts(self, part: _Part, kind: str) -> Facts:
        return Facts(
            operator=self._operator, table=self._stakes.table_of(part.bet) or part.round.removeprefix(ROOM),
            round=part.round, bettor=part.purse.split(":", 2)[2].partition("/")[0], bet=part.bet, kind=kind,
            generation=part.revision,
        )  # fmt: skip


def _named(part: _Part, facts: Facts) -> dict[str, str]:
    return {
        "bettor": facts.bettor, "session": "", "currency": part.currency, "game": facts.table,
        "id": transaction_id(facts), "round": part.round,
    }  # fmt: skip


def is_purse(account: str, operator: str) -> bool:
    """Whether a bettor of this operator has his money there; his chips at a poker table are another purse."""
    return account.startswith(f"bettor:{operator}:") and "/" not in account


def is_grant(account: str, operator: str) -> bool:
    """Whether it holds what is left of free bets that this operator granted."""
    return account.startswith(f"promotion:{operator}:") and "/" in account
