"""The bets a table makes for a seat: antes and blinds, in one commit with the start of the hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from studio.errors import InvariantError
from studio.journal import Entry
from studio.money import Offer
from studio.rulebook.script import Rules
from studio.tables.event import table as e
from studio.tables.state.room import stack_purse
from studio.tables.state.table import TableState


def posting_bets(state: TableState, round: str, rules: Rules) -> tuple[e.PlacedBet, ...]:
    """What each seat of the hand posts, in the order of the hand; a seat that posts nothing has no bet here."""
    peers, players = state.game.peers, state.room.players
    posted: Mapping[str, int] = peers.posted(rules) if peers else {}
    return tuple(
        e.PlacedBet(
            bet_id=f"{players[seat].operator}/{round}/{seat}",
            operator=players[seat].operator,
            client_id=f"{round}/{seat}",
            bettor=stack_purse(players[seat].bettor, state.config.key),
            bet=seat,
            stake_minor=amount,
            currency=state.config.currency,
        )
        for seat, amount in posted.items()
        if amount
    )


def offers_in(state: TableState, events: Sequence[e.AnyEvent]) -> tuple[Offer, ...]:
    """The bets that the table has decided by itself, as the writer takes them."""
    round, offers = state.round.id if state.round else "", []
    for event in events:
        if isinstance(event, e.RoundStarted):
            round = event.round
        elif isinstance(event, e.BetsPlaced):
            offers += [bet.offer(state.config.key, round) for bet in event.bets]
    return tuple(offers)


def all_of(offers: Sequence[Offer], entries: Sequence[Entry]) -> Callable[[Sequence[Offer]], Iterable[Entry]]:
    """The entries of a unit whose bets cannot be refused: the stacks cover them, or something of ours is wrong."""

    def told(accepted: Sequence[Offer]) -> Iterable[Entry]:
        if len(accepted) != len(offers):
            raise InvariantError("A blind or an ante is not covered by its stack; nothing of the hand was begun.")
        return entries

    return told
