"""How often two hands of KKClash meet over a board: counted over kinds of card, not over deals.

Only one suit can make a flush on a board, and only when three of the five cards are of it. So of all suits but that
one a card's rank is enough: 26 kinds of card (13 of the flush suit, 13 plain) stand for the deck, some forty thousand
boards for all 2,598,960, and 351 pairs of kinds for the holes, each with as many holes as it stands for.

The holes over one board are then told apart by the value they make. How many pairs of them share no card follows from
how many hold each card: of N holes, of which n hold a given card, N² − Σ n² + N ordered pairs are disjoint (a hole
shares two cards with itself, and was taken off once too often).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.cards import DECK, RANKS, SUITS, Card
from studio.games.kkclash import BETS, BOARD, BOXES, KING, SHARK
from studio.hands.array_evaluator import array_evaluator_of
from studio.hands.evaluator import evaluator_of
from studio.hands.poker import STANDARD
from studio.proof.returns.figure import DealGroups, Figure, Report, WeighedDeal, of_deals
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules

Numbers = NDArray[np.int64]

OF_HOLES: Final = ("suited_connectors", "pocket_pair", "pocket_kings")

BOARD_CARDS: Final = BOXES[BOARD]
FLUSH_CARDS: Final = 3
"""Board cards of one suit from which a flush can be made."""

KINDS: Final = 2 * len(RANKS)
"""Of the flush suit by rank, then plain by rank. Where no flush can be made, every card is plain."""

BATCH: Final = 1024
VALUE_BITS: Final = 24
TOP_SHIFT: Final = 16
"""What is left of a value then, its top: the category, and the rank that tells it first."""
RANK_BITS: Final = 4

_PAIRS: Final = np.array(list(combinations_with_replacement(range(KINDS), 2)), np.int64)
_SAME: Final = _PAIRS[:, 0] == _PAIRS[:, 1]


@dataclass(frozen=True, slots=True)
class Board:
    """A kind of board: one of them, how many there are, and the cards left of each kind."""

    cards: tuple[int, ...]
    alike: int
    left: tuple[tuple[int, ...], ...]


def weighed_deals() -> DealGroups:
    """Groups of bets, each with the deals that decide them, told apart only as far as those bets can tell."""
    yield OF_HOLES, _hole_meetings()
    yield tuple(bet for bet in BETS if bet not in OF_HOLES), _showdowns()


# --- the holes alone ----------------------------------------------------------------------------------


@cache
def _hole_meetings() -> tuple[WeighedDeal, ...]:
    """Every two of the 169 kinds of hole, ranks and whether suited: how often they meet, and one such deal."""
    kinds: dict[tuple[int, int, bool], list[tuple[Card, Card]]] = {}
    for low, high in combinations(DECK, 2):
        kinds.setdefault((low.index // 4, high.index // 4, low.suit == high.suit), []).append((low, high))
    holding = np.array([[sum(card in hole for hole in holes) for card in DECK] for holes in kinds.values()], np.int64)
    sharing = holding @ holding.T
    met: list[WeighedDeal] = []
    for a, sharks in enumerate(kinds.values()):
        for b, kings in enumerate(kinds.values()):
            ways = len(sharks) * len(kings) - int(sharing[a, b]) + (len(sharks) if a == b else 0)
            if ways:
                met.append((ways, _first_meeting(sharks, kings)))
    return tuple(met)


def _first_meeting(sharks: Sequence[tuple[Card, Card]], kings: Sequence[tuple[Card, Card]]) -> Hands:
    shark, king = next((s, k) for s in sharks for k in kings if not {*s} & {*k})
    rest = [card for card in DECK if card not in (*shark, *king)]
    return {SHARK: shark, KING: king, BOARD: tuple(rest[:BOARD_CARDS])}


# --- the showdown -------------------------------------------------------------------------------------


@cache
def _showdowns() -> tuple[WeighedDeal, ...]:
    """Every way to win and to draw, by what the better hand is and the rank that tells it first: how often, and one."""
    won, drawn = _Tally(), _Tally()
    boards = board_kinds()
    for start in range(0, len(boards), BATCH):
        batch = boards[start : start + BATCH]
        at, tops, decided, equal = meetings(batch)
        won.add(batch, at, tops, decided)
        drawn.add(batch, at, tops, equal)
    deals: list[WeighedDeal] = []
    for top, board in won.seen_at.items():
        better, worse = one_meeting(board, top, draw=False)
        ways = int(won.ways[top]) // 2  # as often the one way round as the other
        deals += [(ways, _deal(board, better, worse)), (ways, _deal(board, worse, better))]
    for top, board in drawn.seen_at.items():
        deals.append((int(drawn.ways[top]), _deal(board, *one_meeting(board, top, draw=True))))
    return tuple(deals)


class _Tally:
    """How many deals end with each top, and the first kind of board where one does."""

    __slots__ = ("seen_at", "ways")

    def __init__(self) -> None:
        self.ways: Final = np.zeros(len(STANDARD.categories) << RANK_BITS, np.int64)
        self.seen_at: Final[dict[int, Board]] = {}

    def add(self, boards: Sequence[Board], at: Numbers, tops: Numbers, pairs: Numbers) -> None:
        alike = np.array([board.alike for board in boards], np.int64)
        np.add.at(self.ways, tops, alike[at] * pairs)
        there = pairs > 0
        found, first = np.unique(tops[there], return_index=True)
        for top, board in zip(found.tolist(), at[there][first].tolist(), strict=True):
            self.seen_at.setdefault(top, boards[board])


def meetings(boards: Sequence[Board]) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """For each top some hole makes over one of the boards: which board, the top, and how many ordered pairs of holes
    meet there of which the better one has that top, won and drawn.
    """
    left = np.array([[len(cards) for cards in board.left] for board in boards], np.int64)
    at, pair, holes, values = _holes(boards, left)
    marks, place = np.unique(at << VALUE_BITS | values, return_inverse=True)
    count = np.zeros(len(marks), np.int64)
    np.add.at(count, place, holes)
    holding = _holding(place, at, pair, left, len(marks))
    drawn = _disjoint(count, holding, left[marks >> VALUE_BITS])
    begins = np.flatnonzero(np.diff(marks >> TOP_SHIFT, prepend=-1))
    count, holding, drawn = (np.add.reduceat(each, begins, axis=0) for each in (count, holding, drawn))
    board_of = marks[begins] >> VALUE_BITS
    starts = np.flatnonzero(np.diff(board_of, prepend=-1))
    count, holding = (_summed(each, starts, board_of) for each in (count, holding))
    up_to = _disjoint(count, holding, left[board_of])
    below = np.concatenate([np.zeros(1, np.int64), up_to[:-1]])
    below[starts] = 0
    tops = (marks[begins] & (1 << VALUE_BITS) - 1) >> TOP_SHIFT
    return board_of, tops, up_to - below - drawn, drawn


def _holes(boards: Sequence[Board], left: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Every kind of hole left over each board: which board, which pair of kinds, how many holes, and their value."""
    one, two = left[:, _PAIRS[:, 0]], left[:, _PAIRS[:, 1]]
    many = np.where(_SAME, one * (one - 1) // 2, one * two)
    at, pair = np.nonzero(many)
    shown = np.array([board.cards for board in boards], np.uint8)
    lying = np.array([[(*cards, 0, 0)[:2] for cards in board.left] for board in boards], np.uint8)
    hole = [lying[at, _PAIRS[pair, 0], 0], lying[at, _PAIRS[pair, 1], _SAME[pair].astype(np.int64)]]
    values = array_evaluator_of(STANDARD).of_columns([*shown[at].T, *hole])
    return at, pair, many[at, pair], values.astype(np.int64)


def _holding(place: Numbers, at: Numbers, pair: Numbers, left: Numbers, places: int) -> Numbers:
    """Of the holes at each place, how many hold one given card of each kind: `(places, KINDS)`."""
    holding = np.zeros(places * KINDS, np.int64)
    one, two = _PAIRS[pair].T
    np.add.at(holding, place * KINDS + one, left[at, two] - _SAME[pair])
    apart = ~_SAME[pair]
    np.add.at(holding, (place * KINDS + two)[apart], left[at, one][apart])
    return holding.reshape(places, KINDS)


def _disjoint(count: Numbers, holding: Numbers, cards: Numbers) -> Numbers:
    """Ordered pairs of holes that share no card."""
    disjoint: Numbers = count * count - np.einsum("ij,ij,ij->i", cards, holding, holding) + count
    return disjoint


def _summed(each: Numbers, starts: Numbers, board_of: Numbers) -> Numbers:
    """Running sums, begun anew at every board. `board_of` counts the boards from 0, without a gap."""
    running = each.cumsum(axis=0)
    before = running[starts] - each[starts]
    summed: Numbers = running - before[board_of]
    return summed


# --- the boards ---------------------------------------------------------------------------------------


@cache
def board_kinds() -> tuple[Board, ...]:
    """Every kind of board, first those of three cards or more of one suit, then the others by their ranks."""
    flushes: Counter[tuple[int, ...]] = Counter()
    boards: list[Board] = []
    for suited_cards in range(FLUSH_CARDS, BOARD_CARDS + 1):
        for suited in combinations(range(len(RANKS)), suited_cards):
            for plain in combinations_with_replacement(range(len(RANKS)), BOARD_CARDS - suited_cards):
                alike = len(SUITS) * _ways(plain, len(SUITS) - 1)
                flushes[tuple(sorted((*suited, *plain)))] += alike
                boards.append(_flush_board(suited, plain, alike))
    for ranks in combinations_with_replacement(range(len(RANKS)), BOARD_CARDS):
        if alike := _ways(ranks, len(SUITS)) - flushes[ranks]:
            boards.append(_plain_board(ranks, alike))
    return tuple(boards)


def _ways(ranks: Sequence[int], suits: int) -> int:
    return prod(comb(suits, count) for count in Counter(ranks).values())


def _flush_board(suited: Sequence[int], plain: Sequence[int], alike: int) -> Board:
    """The flush suit is the first; of each rank the plain cards are laid in the order of the others."""
    laid = Counter(plain)
    cards = [rank * 4 for rank in suited] + [rank * 4 + 1 + n for rank in laid for n in range(laid[rank])]
    own = tuple(() if rank in suited else (rank * 4,) for rank in range(len(RANKS)))
    others = tuple(tuple(rank * 4 + suit for suit in range(1 + laid[rank], 4)) for rank in range(len(RANKS)))
    return Board(tuple(cards), alike, own + others)


def _plain_board(ranks: Sequence[int], alike: int) -> Board:
    """Suits laid in turn, so that no more than two cards are of one."""
    cards = tuple(rank * 4 + n % 4 for n, rank in enumerate(ranks))
    others = tuple(
        tuple(card for card in range(rank * 4, rank * 4 + 4) if card not in cards) for rank in range(len(RANKS))
    )
    return Board(cards, alike, ((),) * len(RANKS) + others)


def one_meeting(board: Board, top: int, *, draw: bool) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two holes over that board of which the better one has that top; a draw, or the better one first."""
    read = evaluator_of(STANDARD).of
    holes = {hole: read((*hole, *board.cards)) for hole in combinations(sorted(sum(board.left, ())), 2)}
    return next(
        (better, other)
        for better, value in holes.items()
        if value >> TOP_SHIFT == top
        for other, its in holes.items()
        if (its == value if draw else its < value) and not {*better} & {*other}
    )


def _deal(board: Board, shark: tuple[int, int], king: tuple[int, int]) -> Hands:
    laid = {SHARK: shark, KING: king, BOARD: board.cards}
    return {box: tuple(DECK[card] for card in cards) for box, cards in laid.items()}


def figures(game: Game, rules: Rules, report: Report) -> Iterator[Figure]:
    """Nobody decides anything: the deals, told apart, say it all."""
    return of_deals(game, rules, weighed_deals())
