"""What the configuration has of an operator: how his requests come, where he is told of rounds, what he may credit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from dealer_ui.config.secret import no_password
from studio.errors import RefusedError
from studio.money import Rates, convert_minor, format_minor


def _network(text: str) -> str:
    try:
        ip_network(text)
    except ValueError:
        raise ValueError(f"{text} is no address and no network: write it as in 127.0.0.1 or 10.1.0.0/16") from None
    return text


NetworkText = Annotated[str, AfterValidator(_network)]


class CallsSection(BaseModel):
    """What an operator's requests need besides his API key.

    `key_files`: the files, beside the configuration, with the secrets that sign his requests: one, or two while the
    second replaces the first; with none, requests are not signed. `addresses`: the only addresses from which his
    requests may come; with none, they may come from anywhere.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key_files: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=2)] = ()
    addresses: tuple[NetworkText, ...] = ()


class WebhookSection(BaseModel):
    """Where an operator is told of each round of his bettors.

    `key_file`: the file, beside the configuration, with the shared secret that signs each message; without one the
    studio's own key signs. `next_key_file`: a second secret that signs too, while it replaces the first. `wait_s`: how
    long one message may take. `lines`: for how many tables messages are sent at once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    address: Annotated[str, Field(pattern=r"^https?://[^\s?#]+$"), AfterValidator(no_password)]
    key_file: str = ""
    next_key_file: str = ""
    wait_s: Annotated[float, Field(gt=0, le=60)] = 10.0
    lines: Annotated[int, Field(ge=1, le=64)] = 4

    @property
    def key_files(self) -> tuple[str, ...]:
        """Those of all the secrets that sign."""
        return tuple(file for file in (self.key_file, self.next_key_file) if file)


class CreditWords(NamedTuple):
    """How a refusal of credit is said: that `one` movement is worth too much, or `all` that is held."""

    one: str
    all: str


DEPOSIT: Final = CreditWords(
    "A single deposit is worth {most} at most: make a smaller one, or have that limit raised.",
    "Your bettors' purses hold {have} of the {most} they may hold together: deposit {rest} at most now, "
    "withdraw from some of them, or have that limit raised.",
)
GRANT: Final = CreditWords(
    "All bets of one grant are worth {most} at most together: grant fewer or smaller ones, or have that limit raised.",
    "Your bettors' purses and the free bets they have left are worth {have} of the {most} they may be together: "
    "grant {rest} at most now, take free bets back, or have that limit raised.",
)


@dataclass(frozen=True, slots=True)
class CreditLimits:
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

    def need(self, held: Mapping[str, int], *, amount_minor: int, currency: str, words: CreditWords = DEPOSIT) -> None:
        """`RefusedError` where a deposit goes beyond a limit; `held` is what lies in all the purses before it.

        `words` says it of what is no deposit.
        """
        worth_minor = self.worth_minor({currency: amount_minor})
        if worth_minor > self.deposit_most_minor:
            raise RefusedError("deposit_limit", words.one.format(most=self._told(self.deposit_most_minor)))
        held_minor = self.worth_minor(held)
        if held_minor + worth_minor > self.credit_most_minor:
            rest_minor = max(self.credit_most_minor - held_minor, 0)
            most, have, rest = map(self._told, (self.credit_most_minor, held_minor, rest_minor))
            raise RefusedError("credit_limit", words.all.format(have=have, most=most, rest=rest))

    def _told(self, amount_minor: int) -> str:
        return format_minor(amount_minor, self.currency)
