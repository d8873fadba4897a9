"""What a showdown of the poker room says: the hands that lie open, and which pot each of them wins.

A hand is read only when all of its cards and those of the board are open and no eye doubts one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from studio.cards import Card
from studio.rounds import CardDealt
from studio.rulebook.hand_rank import BETTING, HandRank, rank_of
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Amount, Seats, Value
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState
from studio.views.hand.hand_words import hand_words
from studio.views.shape import PotShare, Words


def hands_shown(state: TableState) -> Mapping[str, Words]:
    """By seat, the hand that lies open before it, in words."""
    ranks = _ranks(state)
    return {seat: hand_words(rank, ranks.values()) for seat, rank in ranks.items()}


def _ranks(state: TableState) -> Mapping[str, HandRank]:
    round = state.round
    if round is None or state.game.key not in BETTING or round.stage in (Stage.VOIDING, Stage.VOIDED):
        return {}
    board = _open(round, BOARD)
    found = {}
    for seat in state.room.dealt_in:
        hole = _open(round, seat)
        if seat not in round.deal.folded and len(hole) == state.game.felt.boxes[seat]:
            rank = rank_of(state.game.key, hole, board)
            if rank is not None:
                found[seat] = rank
    return found


def _open(round: Round, zone: str) -> tuple[Card, ...]:
    """The faces that lie open in a zone; none of them while one of its cards is doubted or still face down."""
    facts = [round.deal.cards[slot] for slot in sorted(round.deal.cards) if slot[0] == zone]
    faces = [
        one.face for one in facts if isinstance(one, CardDealt) and one.face and one.card.id not in round.eyes.doubts
    ]
    return tuple(faces) if len(faces) == len(facts) else ()


def pots_told(pots: Sequence[PotShare], shown: Mapping[str, Words], currency: str) -> tuple[Words, ...]:
    """Who wins which pot with which hand, in words, the last side pot first. Pots for which nobody had to show a hand
    are left out.
    """
    if len(pots) == 1:
        return tuple(_told(pots[0], None, shown))
    named = [
        (pot, Words("won_pot.side" if at else "won_pot.main", {"money": Amount(pot.amount_minor, currency)}))
        for at, pot in enumerate(pots)
    ]
    return tuple(words for pot, name in reversed(named) for words in _told(pot, name, shown))


def _told(pot: PotShare, name: Words | None, shown: Mapping[str, Words]) -> Iterable[Words]:
    seats = sorted(seat for seat, _ in pot.winners)
    if not seats or seats[0] not in shown:
        return
    hand, many = shown[seats[0]], len(seats) > 1
    who: dict[str, Value] = {"seats": Seats(tuple(seats))} if many else {"box": f"box.{seats[0]}"}
    if name is None:
        yield Words("spoken.hold_alike" if many else "spoken.holds", who, {"hand": hand})
    else:
        yield Words("spoken.chop" if many else "spoken.wins", who, {"hand": hand, "pot": name})
