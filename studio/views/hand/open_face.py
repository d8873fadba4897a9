"""A hand of Open-Face Chinese as it is seen: rows, points, fouls, scoops, fantasy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from studio.cards import Card
from studio.games.ofc import KEY
from studio.games.ofc_hand import OpenFaceHand, row_zone
from studio.rounds import CardDealt, Finished
from studio.rulebook.hand_rank import row_rank
from studio.rulebook.hand_terms import HAND
from studio.rulebook.open_face import ROWS, pair_points
from studio.spoken import Amount
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState
from studio.views.hand.hand_words import hand_words
from studio.views.shape import BoardView, Words

_VOID: Final = (Stage.VOIDING, Stage.VOIDED)


def rows_shown(state: TableState) -> Mapping[str, Words]:
    """For each complete row of Open-Face Chinese, by its zone, what it ranks as; a row with a card that an eye doubts
    is left out.
    """
    round = state.round
    if state.game.key != KEY or round is None or round.stage in _VOID:
        return {}
    found = {}
    for seat in state.room.dealt_in:
        for row, places in ROWS.items():
            cards = _open(round, row_zone(seat, row), places)
            if cards:
                found[row_zone(seat, row)] = hand_words(row_rank(cards))
    return found


def _open(round: Round, zone: str, places: int) -> tuple[Card, ...]:
    facts = [round.deal.cards.get((zone, place)) for place in range(1, places + 1)]
    faces = [
        one.face for one in facts if isinstance(one, CardDealt) and one.face and one.card.id not in round.eyes.doubts
    ]
    return tuple(faces) if len(faces) == places else ()


def boards_of(state: TableState) -> Mapping[str, BoardView]:
    """By seat, what its board has come to once the hand is over; before that, how many fantasy cards it was dealt."""
    round = state.round
    if state.game.key != KEY or round is None or HAND not in round.rules or round.stage in _VOID:
        return {}
    if isinstance(round.deal.standing, Finished):
        outcome: OpenFaceHand = round.deal.standing.outcome
        return {seat: _board(outcome, seat) for seat in outcome.seats}
    return {seat: BoardView(in_fantasy=cards) for seat, cards in round.rules[HAND]["fantasy"].items()}


def _board(outcome: OpenFaceHand, seat: str) -> BoardView:
    """Points against all other seats together, as each pair settles them."""
    score = outcome.score
    mine = score.boards[seat]
    pairs = [pair_points(mine, other) for name, other in score.boards.items() if name != seat]
    won_minor = outcome.takes[seat] - outcome.paid[seat]
    return BoardView(
        rows={row: sum(pair.rows[row] for pair in pairs) for row in ROWS},
        scoops=sum(pair.scoop for pair in pairs),
        royalties=sum(pair.royalties for pair in pairs),
        points=score.points[seat],
        won_minor=won_minor,
        over=True,
        out="dead" if mine.dead else "foul" if mine.fouled else "",
        fantasy=mine.fantasy,
    )


def result_told(state: TableState, boards: Mapping[str, BoardView]) -> tuple[Words, ...]:
    """What each seat has won or lost, as the dealer says it, the best first."""
    over = [(seat, board) for seat, board in boards.items() if board.over]
    currency = state.config.currency
    return tuple(_told(seat, board, currency) for seat, board in sorted(over, key=lambda one: -one[1].points))


def _told(seat: str, board: BoardView, currency: str) -> Words:
    key = f"points.{board.out}" if board.out else "points.scoop" if board.scoops > 0 else "points.seat"
    return Words(key, {"box": f"box.{seat}", "points": board.signed, "money": Amount(board.won_minor, currency)})
