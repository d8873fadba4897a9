"""Progressive pots [THB-16]: what a stake adds, how a win is shared, and which transfers a pot's life is made of. Pure.

The house puts a round's contribution into the pot when the betting closes, before any card, and has the stakes for
it once the round is settled; what lies in escrow is never touched, so a void gives every stake back whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from studio.money import Transfer, exchange_account, house_account, pot_account, pot_house_account, prize_account
from studio.value import replace

Parts = Mapping[str, tuple[int, int]]
"""Of other currencies than the pot's, what was given in each, and what that made in the pot's own."""

NO_PARTS: Final[Parts] = MappingProxyType({})


def seeding_unit_of(pot: str) -> str:
    """What stands for the round in the seed's transfer: the ledger takes one such row, so a pot is seeded once."""
    return pot_account(pot)


def seeding_transfers(terms: PotTerms) -> tuple[Transfer, ...]:
    """From the house into a pot that was never used."""
    debit, credit = pot_house_account(terms.key), pot_account(terms.key)
    return _one(seeding_unit_of(terms.key), terms, "seed", debit, credit, terms.seed_minor)


def feeding_transfers(
    terms: PotTerms, round: str, table: str, amount_minor: int, parts: Parts = NO_PARTS
) -> tuple[Transfer, ...]:
    """The transfers that put a round's contribution into the pot; other currencies are exchanged on the way."""
    house, pot = house_account(table), pot_account(terms.key)
    own_minor = amount_minor - sum(fed_minor for _, fed_minor in parts.values())
    made = list(_one(round, terms, "feed", house, pot, own_minor))
    for currency, (given_minor, fed_minor) in sorted(parts.items()):
        exchange, bet = exchange_account(currency, terms.currency), f"{terms.key}/{currency}"
        made.append(Transfer(round, bet, "exchange", house, exchange, given_minor, currency))
        made.append(Transfer(round, bet, "feed", exchange, pot, fed_minor, terms.currency))
    return tuple(made)


def returning_transfers(
    terms: PotTerms, round: str, table: str, fed: tuple[int, Parts], back_minor: int
) -> tuple[Transfer, ...]:
    """The transfers that take a void round's contribution out of the pot again, as far as the pot covers it; `fed` is
    what had gone in.
    """
    house, pot = house_account(table), pot_account(terms.key)
    amount_minor, parts = fed
    own_minor = min(back_minor, amount_minor - sum(fed_minor for _, fed_minor in parts.values()))
    made = list(_one(round, terms, "unfeed", pot, house, own_minor))
    left_minor = back_minor - own_minor
    for currency, (given_minor, fed_minor) in sorted(parts.items()):
        taken_minor = min(left_minor, fed_minor)
        left_minor -= taken_minor
        exchange, bet = exchange_account(currency, terms.currency), f"{terms.key}/{currency}"
        if taken_minor:
            made.append(Transfer(round, bet, "unfeed", pot, exchange, taken_minor, terms.currency))
        if changed_minor := given_minor * taken_minor // fed_minor:
            made.append(Transfer(round, bet, "exchange_back", exchange, house, changed_minor, currency))
    return tuple(made)


def claiming_transfers(terms: PotTerms, round: str, pot_minor: int, left_minor: int) -> tuple[Transfer, ...]:
    """The whole pot becomes the prize of a round; the pot begins anew, with what could not be shared alike."""
    pot, prize = pot_account(terms.key), prize_account(round)
    return (
        *_one(round, terms, "claim", pot, prize, pot_minor),
        *_one(round, terms, "leftover", prize, pot, left_minor),
        *_one(round, terms, "reset", pot_house_account(terms.key), pot, terms.reset_minor),
    )


def late_claiming_transfers(terms: PotTerms, round: str, taken: TakenFromPot, revision: int) -> tuple[Transfer, ...]:
    """A round won its pot after all: what the pot no longer holds of the prize the house makes up."""
    pot, house, prize = pot_account(terms.key), pot_house_account(terms.key), prize_account(round)
    return _at(
        revision,
        *_one(round, terms, "claim", pot, prize, taken.from_pot_minor),
        *_one(round, terms, "make_up", house, prize, taken.made_up_minor),
        *_one(round, terms, "reset", house, pot, taken.reset_minor),
    )


def unclaiming_transfers(
    terms: PotTerms, round: str, taken: TakenFromPot, reset_back_minor: int, revision: int
) -> tuple[Transfer, ...]:
    """A round did not win its pot after all: each has back what it gave, once the shares lie in the prize again."""
    pot, house, prize = pot_account(terms.key), pot_house_account(terms.key), prize_account(round)
    return _at(
        revision,
        *_one(round, terms, "unclaim", prize, pot, taken.from_pot_minor),
        *_one(round, terms, "make_up_back", prize, house, taken.made_up_minor),
        *_one(round, terms, "unreset", pot, house, reset_back_minor),
    )


def moving_transfers(pot: str, to: str, amount_minor: int, currency: str, times: int) -> tuple[Transfer, ...]:
    """All of a pot that no table feeds any more goes into another; `times`: so often that was done with it before."""
    own, other = pot_account(pot), pot_account(to)
    return (Transfer(own, to, "pot_move", own, other, amount_minor, currency, times),)


def _at(revision: int, *transfers: Transfer) -> tuple[Transfer, ...]:
    return tuple(replace(one, revision=revision) for one in transfers)


def _one(round: str, terms: PotTerms, kind: str, debit: str, credit: str, amount_minor: int) -> tuple[Transfer, ...]:
    """No transfer where there is nothing to move."""
    if not amount_minor:
        return ()
    return (Transfer(round, terms.key, kind, debit, credit, amount_minor, terms.currency),)


class PotTerms(msgspec.Struct, frozen=True, kw_only=True):
    """One pot as configured; `share_percent` of each stake goes into it, in whole minor units, rounded down.

    It begins with `seed_minor` and, once won, again with `reset_minor`.
    """

    key: str
    currency: str
    seed_minor: int
    reset_minor: int
    share_percent: int = 38


class TakenFromPot(msgspec.Struct, frozen=True):
    """What made up a round's prize: of the pot, and of the house where the pot had less; and the pot's new start."""

    from_pot_minor: int
    made_up_minor: int
    reset_minor: int


def taken_late(terms: PotTerms, prize_minor: int, pot_minor: int) -> TakenFromPot:
    """The prize a pot owed once, from what lies in it today: the house makes up the rest.

    >>> taken_late(PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=50), 1000, 300)
    TakenFromPot(from_pot_minor=300, made_up_minor=700, reset_minor=50)
    """
    from_pot_minor = min(prize_minor, pot_minor)
    return TakenFromPot(from_pot_minor, prize_minor - from_pot_minor, terms.reset_minor)


def contribution_minor(terms: PotTerms, stake_minor: int) -> int:
    """What one stake adds to the pot: each is rounded down by itself.

    >>> terms = PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=0)
    >>> contribution_minor(terms, 101)
    38
    """
    return stake_minor * terms.share_percent // 100


def divide(pot_minor: int, sharers: int) -> tuple[int, int]:
    """What each sharer gets, and what cannot be shared alike.

    >>> divide(1000, 3)
    (333, 1)
    """
    return divmod(pot_minor, sharers)
