"""What becomes of a free stake: the stake of a free bet is its operator's, and only what it wins is the bettor's. Pure.

returns nothing        the stake is lost, as any other
returns the stake      the stake goes back into the grant: it may be bet again
returns more           the bettor gets what is more; the stake goes back to his operator's promotion
returns less           what comes back of the stake goes to the promotion, and the bettor gets nothing
"""

from __future__ import annotations

from studio.money import is_promotion
from studio.settlement.payout import Payout


def own_minor(payout: Payout) -> int:
    """What the bettor himself gets of a return, in minor units: of a free bet the win alone."""
    if not is_promotion(payout.account):
        return payout.returns_minor
    return max(payout.returns_minor - payout.stake_minor, 0)


def free_minor(payout: Payout) -> int:
    """What goes back to the promotion; nothing where the stake was the bettor's own."""
    return payout.returns_minor - own_minor(payout)


def promotion_of(payout: Payout) -> str:
    """The account that a free stake goes back to: of its grant where it comes back whole and has won nothing."""
    if payout.returns_minor == payout.stake_minor:
        return payout.account
    return payout.account.partition("/")[0]
