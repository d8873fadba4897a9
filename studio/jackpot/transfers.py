"""The only place that says which transfers the life of a pot is made of; it moves nothing itself.

The house puts a round's contribution into the pot when the betting closes, before any card, and has the stakes for
it once the round is settled; what lies in escrow is never touched, so a void gives every stake back whole.
"""

from __future__ import annotations

from studio.jackpot.pot import PotTerms
from studio.money import Transfer, house_account, pot_account, pot_house_account, prize_account


def seeding_unit_of(pot: str) -> str:
    """What stands for the round in the seed's transfer: the ledger takes one such row, so a pot is seeded once."""
    return pot_account(pot)


def seeding_transfers(terms: PotTerms) -> tuple[Transfer, ...]:
    """From the house into a pot that was never used."""
    debit, credit = pot_house_account(terms.key), pot_account(terms.key)
    return _one(seeding_unit_of(terms.key), terms, "seed", debit, credit, terms.seed_minor)


def feeding_transfers(terms: PotTerms, round: str, table: str, amount_minor: int) -> tuple[Transfer, ...]:
    """The contribution of a round."""
    return _one(round, terms, "feed", house_account(table), pot_account(terms.key), amount_minor)


def returning_transfers(terms: PotTerms, round: str, table: str, amount_minor: int) -> tuple[Transfer, ...]:
    """The contribution of a round that was voided, as far as the pot still covers it."""
    return _one(round, terms, "unfeed", pot_account(terms.key), house_account(table), amount_minor)


def claiming_transfers(terms: PotTerms, round: str, pot_minor: int, left_minor: int) -> tuple[Transfer, ...]:
    """The whole pot becomes the prize of a round; the pot begins anew, with what could not be shared alike."""
    pot, prize = pot_account(terms.key), prize_account(round)
    return (
        *_one(round, terms, "claim", pot, prize, pot_minor),
        *_one(round, terms, "leftover", prize, pot, left_minor),
        *_one(round, terms, "reset", pot_house_account(terms.key), pot, terms.reset_minor),
    )


def _one(round: str, terms: PotTerms, kind: str, debit: str, credit: str, amount_minor: int) -> tuple[Transfer, ...]:
    """No transfer where there is nothing to move."""
    if not amount_minor:
        return ()
    return (Transfer(round, terms.key, kind, debit, credit, amount_minor, terms.currency),)
