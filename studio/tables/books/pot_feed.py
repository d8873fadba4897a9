"""What a table feeds its pot: when the betting closes, before any card, once for the round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from studio.jackpot import PotTerms, feeding_transfers, seeding_transfers
from studio.journal import Balances
from studio.money import Transfer, pot_account
from studio.rulebook.script import OpenBets
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.table import TableState, awaited

Paid = tuple[tuple[e.AnyEvent, ...], tuple[Transfer, ...]]


@dataclass(frozen=True, slots=True)
class Clawing:
    """What is told and moved by what purses hold at that instant; `may_owe`: who may fall below zero by it."""

    decided: Callable[[Balances], Paid]
    may_owe: frozenset[str] = frozenset()


def feed_pot(draft: Draft) -> None:
    """What the stakes owe the pot, if it is the window for bets that ends now."""
    round, now = draft.round, awaited(draft.state)
    if round is None or round.pot is None or now is None or not isinstance(now.step, OpenBets):
        return
    if (fed := round.pot.contribution(round.rates)) is not None:
        draft.emit(fed)


def feeding_of(state: TableState, events: Sequence[e.AnyEvent]) -> Iterable[Transfer]:
    """What these events of the table's open round move into its pot."""
    round = state.round
    for event in events:
        if isinstance(event, e.PotFed) and round is not None and round.pot is not None:
            terms = round.pot.terms
            yield from feeding_transfers(terms, round.id, state.config.key, event.amount_minor, event.parts)


def seed_pot(terms: PotTerms, balance: Balances) -> Paid:
    """Pay the first money into a pot that was never used; for a pot that was, there is nothing to pay."""
    if balance(pot_account(terms.key), terms.currency) is not None:
        return (), ()
    seeded = e.PotSeeded(pot=terms.key, currency=terms.currency, amount_minor=terms.seed_minor)
    return (seeded,), seeding_transfers(terms)
