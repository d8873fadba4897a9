"""What the First 5 bet can win now, in a bettor's own currency: the pot, his share of it, the fixed prizes. [THB-14]"""

from __future__ import annotations

from dataclasses import dataclass

from studio.games import holdem_bonus
from studio.jackpot import divide
from studio.money import Rates, convert_minor
from studio.rulebook.pay_ladder import read_ladder
from studio.views.shape import PotView, TableView


@dataclass(frozen=True, slots=True)
class FirstFive:
    """`share_minor` of the pot is each one's of `sharers`, whom the bettor who looks is among. `prizes`: hand and
    amount for a stake of `stake_minor`."""

    currency: str
    amount_minor: int
    sharers: int
    share_minor: int
    stake_minor: int
    prizes: tuple[tuple[str, int], ...]


def first_five(view: TableView, currency: str, stake_minor: int = 0) -> FirstFive | None:
    """The pot and its prizes for a bettor who staked `stake_minor` on its bet; None at a table without a pot.

    With no stake he is shown what the least stake would win, and his share if he joined.
    """
    pot = view.game.pot
    if pot is None or view.game.key != holdem_bonus.HOLDEM_BONUS.key:
        return None
    own = currency if _is_told(currency, pot, view.game.rates) else pot.currency
    sharers = max(1, pot.sharers + (0 if stake_minor else 1))
    whole_minor = pot.amount_minor + pot.due_minor
    limits = view.game.currencies.get(own, view.game.limits)
    stake_minor = stake_minor if stake_minor and own == currency else limits[holdem_bonus.HOLDEM_BONUS.pot.bet][0]
    rungs = read_ladder(holdem_bonus.check_rules(view.game.rules)[holdem_bonus.HOLDEM_BONUS.pot.bet])
    return FirstFive(
        currency=own,
        amount_minor=convert_minor(whole_minor, pot.currency, own, view.game.rates),
        sharers=sharers,
        share_minor=convert_minor(divide(whole_minor, sharers)[0], pot.currency, own, view.game.rates),
        stake_minor=stake_minor,
        prizes=tuple((hand, stake_minor * paid.numerator // paid.denominator) for hand, paid in rungs.items() if paid),
    )


def first_fives(view: TableView) -> tuple[FirstFive, ...]:
    """For whoever looks at the display: in every currency the table takes."""
    told = (first_five(view, currency) for currency in (view.bets.currency, *view.game.currencies))
    return tuple({one.currency: one for one in told if one}.values())


def _is_told(currency: str, pot: PotView, rates: Rates | None) -> bool:
    """Whether there is a rate to tell the pot in this currency by."""
    return currency == pot.currency or (rates is not None and {currency, pot.currency} <= rates.worth.keys())
