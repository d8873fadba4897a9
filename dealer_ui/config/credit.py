"""What an operator may credit his bettors with: at once, and together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.errors import RefusedError
from studio.money import Rates, convert_minor, format_minor


@dataclass(frozen=True, slots=True)
class Credit:
    """Both limits are in the studio's own `currency`; other currencies count at its `rates`."""

    deposit_most_minor: int
    credit_most_minor: int
    currency: str
    rates: Rates | None = None

    def worth_minor(self, held: Mapping[str, int]) -> int:
        """What amounts of several currencies are worth together; a currency without a rate any more counts nothing."""
        known = {self.currency} if self.rates is None else {self.currency, *self.rates.worth}
        return sum(
            convert_minor(amount, currency, self.currency, self.rates)
            for currency, amount in held.items()
            if currency in known
        )

    def need(self, held: Mapping[str, int], *, amount_minor: int, currency: str) -> None:
        """`RefusedError` where a deposit goes beyond a limit; `held` is what lies in all the purses before it."""
        worth_minor = self.worth_minor({currency: amount_minor})
        if worth_minor > self.deposit_most_minor:
            most = format_minor(self.deposit_most_minor, self.currency)
            sentence = f"A single deposit is worth {most} at most: make a smaller one, or have that limit raised."
            raise RefusedError("deposit_limit", sentence)
        held_minor = self.worth_minor(held)
        if held_minor + worth_minor > self.credit_most_minor:
            most, have = (format_minor(one, self.currency) for one in (self.credit_most_minor, held_minor))
            rest = format_minor(max(self.credit_most_minor - held_minor, 0), self.currency)
            sentence = (
                f"Your bettors' purses hold {have} of the {most} they may hold together: deposit {rest} at most now, "
                "withdraw from some of them, or have that limit raised."
            )
            raise RefusedError("credit_limit", sentence)
