"""Pays a round's bets or gives them back: one chunk at a time, resumable, exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from studio.errors import InvariantError
from studio.jackpot import PotTerms, claiming_transfers, divide, returning_transfers
from studio.journal import Balances
from studio.money import Rates, convert_minor, pot_account
from studio.rounds import Finished
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement import (
    CHUNK_BETS,
    NO_SHARES,
    UNMERGED,
    Claim,
    PlacedBet,
    Prize,
    Progress,
    Purse,
    merged_stakes,
    need_paid_so,
    pot_shares,
    settle_bets,
    settle_chunk,
    void_transfers,
)
from studio.tables.books.book import Book
from studio.tables.books.pot_feed import Clawing, Paid
from studio.tables.event import table as e
from studio.tables.irregularity.compensation import Money, assessed, claims_of, next_compensation, owed_case
from studio.tables.irregularity.stake_return import next_return
from studio.tables.payment.part_payment import next_part_step, owes_part
from studio.tables.seats.request import leaving_now, paid_out
from studio.tables.state.conduct import Conduct
from studio.tables.state.pot import PotStanding
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState

Paying = Callable[[Balances], Paid]
"""What is told and moved, once the balances of that instant are known; run inside the writer's transaction."""


def owes_money(state: TableState) -> bool:
    return _round_owes(state) or owed_case(state) is not None or leaving_now(state) is not None


def _round_owes(state: TableState) -> bool:
    round = state.round
    if round is None:
        return False
    return round.stage in (Stage.SETTLING, Stage.VOIDING) or bool(round.stakes.giving_back) or owes_part(state)


class Cashier:
    """Pays the rounds of one table; what only a whole round tells is worked out once and kept while it is paid."""

    __slots__ = ("_claims", "_merged", "_shares", "_whole")

    def __init__(self) -> None:
        self._whole: tuple[str, bool] | None = None
        self._merged: Mapping[str, int] = UNMERGED
        self._shares: Mapping[str, int] = NO_SHARES
        self._claims: tuple[str, Mapping[str, Claim]] = ("", {})

    def next(self, state: TableState, book: Book) -> Paid | Paying | Clawing:
        """The events and transfers of the next step: bets decided before the end, then the pot's, then the rest, chunk
        by chunk; the last closes the round.

        The book holds every bet of the round in the journal's order; `Round.paid` says how many are done.
        """
        if not _round_owes(state) and (gone := leaving_now(state)) is not None:
            seat, player = gone
            return paid_out(state, seat, player, missed=0 if player.leaving else player.missed)
        case = None if _round_owes(state) else owed_case(state)
        if case is not None:
            return next_compensation(state.config.key, state.config.currency, case)
        round = state.round
        assert round is not None
        if book.round != round.id or len(book.bets) != round.stakes.bets:
            raise InvariantError(
                f"The book holds {len(book.bets)} bets of {book.round}, the round has {round.stakes.bets}."
            )
        if owes_part(state):
            bets = tuple(with_conduct(book.bets, book.conduct))
            if (step := next_part_step(state, round, bets, purse_of(state, round))) is not None:
                return step
        if round.stakes.giving_back:
            return next_return(round, book, purse_of(state, round))
        if (pot := pot_step(state, book)) is not None:
            return pot
        chunk = book.bets[round.paid.bets : round.paid.bets + CHUNK_BETS]
        purse = purse_of(state, round)
        if round.stage is Stage.VOIDING:
            return self._void(state, round, book, purse)
        self._weigh(state, round, book)
        return self._settle(state, round, with_conduct(chunk, book.conduct), purse)

    def _weigh(self, state: TableState, round: Round, book: Book) -> None:
        whole = (round.id, won(round) is not None)
        if self._whole == whole:
            return
        game, outcome, own = state.game, outcome_of(round), state.config.currency
        looks = game.payment.put_out is not None or bool(game.pot.pots(round.rules, outcome))
        bets = tuple(with_conduct(book.bets, book.conduct)) if looks else ()
        self._merged = merged_stakes(game, bets)
        self._shares = shares_of(game, round.rules, outcome, bets, round.pot, (own, round.rates))
        self._whole = whole

    def _settle(self, state: TableState, round: Round, chunk: Iterable[PlacedBet], purse: Purse) -> Paid:
        paid = settle_bets(state.game, round.rules, outcome_of(round), chunk, self._shares, merged=self._merged)
        since = Progress(round.paid.bets, round.paid.stake_minor, round.paid.returns_minor, round.paid.digest)
        payouts = tuple(paid)
        need_paid_so(payouts, round.parts.returns, self._merged)
        done, transfers = settle_chunk(payouts, purse, since, round.parts.returns, round.parts.revision)
        chunk_done = e.BetsSettled(
            cursor=done.bets, stake_minor=done.stake_minor, returns_minor=done.returns_minor, digest=done.digest
        )
        if done.bets < round.stakes.bets:
            return (chunk_done,), transfers
        all_done = e.RoundSettled(
            bets=done.bets, stake_minor=done.stake_minor, returns_minor=done.returns_minor, digest=done.digest
        )
        return (chunk_done, all_done), transfers

    def _void(self, state: TableState, round: Round, book: Book, purse: Purse) -> Paid:
        bets = tuple(with_conduct(book.bets[round.paid.bets : round.paid.bets + CHUNK_BETS], Conduct()))
        cursor = round.paid.bets + len(bets)
        events: list[e.AnyEvent] = [
            e.BetsVoided(cursor=cursor, stake_minor=sum(purse.worth(bet.stake_minor, bet.currency) for bet in bets))
        ]
        if (case := state.case(round.id)) is not None:
            if self._claims[0] != round.id:
                self._claims = (
                    round.id,
                    claims_of(case, round, tuple(with_conduct(book.bets, Conduct())), state.config.currency),
                )
            if (told := assessed(case, self._claims[1], bets)) is not None:
                events.append(told)
        if cursor == round.stakes.bets:
            events.append(e.RoundRefunded(bets=cursor, stake_minor=round.stakes.stake_minor))
        every = tuple(with_conduct(book.bets, Conduct())) if round.void.pays else bets
        left = tuple(bet for bet in bets if bet.bet not in round.parts.settled_keys)
        return tuple(events), void_transfers(state.game, left, round.void.pays, every, purse, round.parts.revision)


def outcome_of(round: Round) -> Any:
    if not isinstance(round.deal.standing, Finished):
        raise InvariantError(f"Round {round.id} is settled before its deal is finished.")
    return round.deal.standing.outcome


def purse_of(state: TableState, round: Round) -> Purse:
    return Purse(round.id, state.config.key, state.config.currency, round.rates, prize_of(round.pot))


def prize_of(pot: PotStanding | None) -> Prize | None:
    return Prize(pot.won.share_minor, pot.won.currency) if pot and pot.won else None


def shares_of(
    game: Game, rules: Rules, outcome: Any, bets: Sequence[PlacedBet], pot: PotStanding | None, money: Money
) -> Mapping[str, int]:
    """Each bettor's share, in his currency: of the pot the round has won, or of a fixed prize where there is no pot."""
    own, rates = money
    source = pot.terms.currency if pot else own
    if pot is not None and pot.then_minor is None:
        return NO_SHARES
    shares = pot_shares(game, rules, outcome, bets, pot.then_minor if pot else None)
    if rates is None or not shares:
        return shares
    target = {bet.id: bet.currency or own for bet in bets}
    return {id: _changed(share_minor, source, target[id], rates) for id, share_minor in shares.items()}


def _changed(share_minor: int, source: str, target: str, rates: Rates) -> int:
    """A share in another currency; however small, it is not nothing."""
    return max(convert_minor(share_minor, source, target, rates), min(share_minor, 1))


# --- the pot ----------------------------------------------------------------------------------------------


def won(round: Round) -> e.PotWon | None:
    return round.pot.won if round.pot else None


def pot_step(state: TableState, book: Book) -> Paying | None:
    """What happens to the pot before the round's bets are paid or given back; None where nothing has to."""
    round = state.round
    if round is None or (pot := round.pot) is None:
        return None
    if round.stage is Stage.VOIDING:
        due = (pot.fed or state.case(round.id)) and not pot.returned
        return partial(_take_back, state.config.key, round, pot) if due else None
    outcome = outcome_of(round)
    if pot.won is not None or not state.game.pot.pots(round.rules, outcome):
        return None
    bets = tuple(with_conduct(book.bets, book.conduct))
    sharers = len(pot_shares(state.game, round.rules, outcome, bets, 0))
    return partial(_claim, round.id, pot.terms, sharers) if sharers else None


def _claim(round: str, terms: PotTerms, sharers: int, balance: Balances) -> Paid:
    """The whole pot as it is now, whatever another table has just fed or won."""
    pot_minor = balance(pot_account(terms.key), terms.currency) or 0
    share_minor, left_minor = divide(pot_minor, sharers)
    told = e.PotWon(
        pot=terms.key, currency=terms.currency, amount_minor=pot_minor, sharers=sharers, share_minor=share_minor,
        left_minor=left_minor, reset_minor=terms.reset_minor,
    )  # fmt: skip
    return (told,), claiming_transfers(terms, round, pot_minor, left_minor)


def _take_back(table: str, round: Round, pot: PotStanding, balance: Balances) -> Paid:
    """Take the round's contribution out of the pot again, as far as the pot covers it: another table may have won it
    meanwhile.
    """
    fed_minor, parts = (pot.fed.amount_minor, pot.fed.parts) if pot.fed else (0, {})
    pot_minor = balance(pot_account(pot.terms.key), pot.terms.currency) or 0
    back_minor = min(pot_minor, fed_minor)
    told = e.PotReturned(
        pot=pot.terms.key, currency=pot.terms.currency, pot_minor=pot_minor, amount_minor=back_minor,
        short_minor=fed_minor - back_minor,
    )  # fmt: skip
    return (told,), returning_transfers(pot.terms, round.id, table, (fed_minor, parts), back_minor)


# --- the bets ---------------------------------------------------------------------------------------------


def with_conduct(chunk: Sequence[e.PlacedBet], conduct: Conduct) -> Iterator[PlacedBet]:
    """The bets as the settlement takes them: each with its account, and how its bettor conducted himself."""
    return (
        PlacedBet(
            bet.bet_id, bet.bet, bet.account, bet.stake_minor,
            conduct.of(bet.operator, bet.bettor), "" if bet.worth_minor is None else bet.currency,
        )
        for bet in chunk
    )  # fmt: skip
