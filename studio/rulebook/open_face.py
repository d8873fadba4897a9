"""What an Open-Face Chinese board is worth: rows, fouls, points, royalties, fantasy.

`docs/games/ofc.md` has the rules.

Three rows: `top` of three cards, `middle` and `bottom` of five. A row's value is a poker value whose ties are broken by
as many cards as it has, so that a top row can be held against a middle one [OF-3].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from studio.cards import RANKS, Card, parse_cards
from studio.errors import BadInputError
from studio.hands.poker import STANDARD, Category

TITLE: Final = "Open-Face Chinese"

ROWS: Final[Mapping[str, int]] = MappingProxyType({"top": 3, "middle": 5, "bottom": 5})
"""The rows and how many cards each takes, from the top of the board."""

_ROYALTY_RULES: Final = ("none", "usual")
SEATS_MIN: Final = 2
SEATS_MAX: Final = 3
SCOOP: Final = 3
"""Beside the three rows, for winning all of them [OF-4]."""

Board = Mapping[str, tuple[Card, ...]]


@dataclass(frozen=True, slots=True)
class OpenFaceRules:
    """`strict_rows`: a row equal to the one below it is a foul. `royalties`: `none`, or `usual` [OF-7]."""

    strict_rows: bool = False
    royalties: str = "none"


@dataclass(frozen=True, slots=True)
class BoardScore:
    """One seat's board: the value of each row, whether it is fouled, its royalties, and its next fantasy in cards.

    `dead`: the seat was away before it saw a card, and has no board [OF-11].
    """

    values: Mapping[str, int]
    fouled: bool
    royalties: int
    fantasy: int
    dead: bool = False


@dataclass(frozen=True, slots=True)
class OpenFaceOutcome:
    """`points` sum to zero; `between` has them pair by pair, as won by the first seat of the pair."""

    boards: Mapping[str, BoardScore]
    points: Mapping[str, int]
    between: Mapping[tuple[str, str], int]
    cards: Mapping[str, Board] = field(default_factory=dict)


def row_value(cards: Sequence[Card]) -> int:
    """What three or five cards are worth; three cards know neither straights nor flushes.

    >>> from studio.cards import parse_cards
    >>> row_value(parse_cards("QhQd2c")) < row_value(parse_cards("QsQc3h2d4s"))
    True
    """
    ranks = [RANKS.index(card.rank) for card in cards]
    if len(cards) == ROWS["bottom"]:
        return STANDARD.law(ranks, suited=len({card.suit for card in cards}) == 1)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    value = STANDARD.categories.index(_OF_THREE[groups[0][0]])
    for place in range(_DIGITS):
        value = value << 4 | (groups[place][1] + 2 if place < len(groups) else 0)
    return value


_DIGITS: Final = 5
_OF_THREE: Final = {1: Category.HIGH_CARD, 2: Category.PAIR, 3: Category.THREE_OF_A_KIND}


def score_board(board: Board, rules: OpenFaceRules, *, in_fantasy: bool = False) -> BoardScore:
    """A board by itself. `in_fantasy`: this hand was played in fantasy, which is harder to stay in than to enter."""
    values = {row: row_value(board[row]) for row in ROWS}
    fouled = _fouled(values, strict=rules.strict_rows)
    royal = 0 if fouled or rules.royalties == "none" else sum(royalty(row, board[row]) for row in ROWS)
    fantasy = 0 if fouled else next_fantasy(values, in_fantasy=in_fantasy)
    return BoardScore(MappingProxyType(values), fouled, royal, fantasy)


def _fouled(values: Mapping[str, int], *, strict: bool) -> bool:
    """Each row must be at least as high as the one above it [OF-3]; with `strict`, higher."""
    pairs = ((values["bottom"], values["middle"]), (values["middle"], values["top"]))
    return any(lower < upper or (strict and lower == upper) for lower, upper in pairs)


def next_fantasy(values: Mapping[str, int], *, in_fantasy: bool) -> int:
    """How many cards the next hand is dealt in fantasy; 0 outside of it [OF-8, OF-9]."""
    top, bottom = values["top"], values["bottom"]
    trips = STANDARD.category(top) is Category.THREE_OF_A_KIND
    if in_fantasy:
        quads = STANDARD.categories.index(STANDARD.category(bottom)) >= _QUADS
        return (_FANTASY_TRIPS if trips else _FANTASY["Q"]) if trips or quads else 0
    if trips:
        return _FANTASY_TRIPS
    if STANDARD.category(top) is Category.PAIR:
        return _FANTASY.get(STANDARD.telling(top)[0], 0)
    return 0


_QUADS: Final = STANDARD.categories.index(Category.FOUR_OF_A_KIND)
_FANTASY: Final = {"Q": 14, "K": 15, "A": 16}
_FANTASY_TRIPS: Final = 17


FOUL: Final = "foul"
DEAD: Final = "dead"


def score_boards(
    boards: Mapping[str, Board],
    rules: OpenFaceRules,
    in_fantasy: frozenset[str] = frozenset(),
    out: Mapping[str, str] = MappingProxyType({}),
) -> OpenFaceOutcome:
    """Every seat against every other; `BadInputError` where the boards are no finished hand.

    `out` are seats that did not finish theirs in time: `foul`, or `dead` for one that never saw a card [OF-11].
    """
    _check(boards, out)
    scores = {
        seat: BoardScore({}, fouled=True, royalties=0, fantasy=0, dead=out[seat] == DEAD)
        if seat in out
        else score_board(board, rules, in_fantasy=seat in in_fantasy)
        for seat, board in boards.items()
    }
    between = {(a, b): pair_points(scores[a], scores[b]).total for a, b in combinations(boards, 2)}
    points = dict.fromkeys(boards, 0)
    for (a, b), won in between.items():
        points[a] += won
        points[b] -= won
    return OpenFaceOutcome(scores, points, between, boards)


@dataclass(frozen=True, slots=True)
class PairPoints:
    """What one board wins of another: by row, for the scoop beside them [OF-4], and by royalties."""

    rows: Mapping[str, int]
    scoop: int
    royalties: int

    @property
    def total(self) -> int:
        return sum(self.rows.values()) + self.scoop + self.royalties


def pair_points(one: BoardScore, other: BoardScore) -> PairPoints:
    """What the first board wins of the second: a point a row, a scoop three more, royalties beside [OF-4 to OF-7].

    A dead hand costs three points; boards that are both out, fouled or dead, win nothing of each other [OF-11].
    """
    dead = one.dead or other.dead
    royalties = 0 if dead else one.royalties - other.royalties
    if dead or one.fouled or other.fouled:
        won = int(other.fouled) - int(one.fouled)
        return PairPoints(dict.fromkeys(ROWS, won), 0 if dead else SCOOP * won, royalties)
    rows = {row: _sign(one.values[row] - other.values[row]) for row in ROWS}
    swept = sum(rows.values())
    return PairPoints(rows, SCOOP * _sign(swept) if abs(swept) == len(ROWS) else 0, royalties)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def royalty(row: str, cards: Sequence[Card]) -> int:
    """The usual bonus of a row [OF-7].

    >>> from studio.cards import parse_cards
    >>> royalty("top", parse_cards("6h6d2c")), royalty("middle", parse_cards("2c2d2h5s9c"))
    (1, 2)
    """
    value = row_value(cards)
    category = STANDARD.category(value)
    if row != "top":
        return _ROYALTIES[row].get(category, 0)
    rank = RANKS.index(STANDARD.telling(value)[0])
    if category is Category.THREE_OF_A_KIND:
        return 10 + rank
    return max(0, rank - RANKS.index("5")) if category is Category.PAIR else 0


def royalty_most(rules: OpenFaceRules) -> int:
    """More royalties than this no board wins."""
    if rules.royalties == "none":
        return 0
    return 10 + RANKS.index("A") + sum(max(lines.values()) for lines in _ROYALTIES.values())


_BOTTOM: Final = {
    Category.STRAIGHT: 2,
    Category.FLUSH: 4,
    Category.FULL_HOUSE: 6,
    Category.FOUR_OF_A_KIND: 10,
    Category.STRAIGHT_FLUSH: 15,
    Category.ROYAL_FLUSH: 25,
}
_ROYALTIES: Final = {
    "bottom": _BOTTOM,
    "middle": {Category.THREE_OF_A_KIND: 2, **{category: 2 * points for category, points in _BOTTOM.items()}},
}


def _check(boards: Mapping[str, Board], out: Mapping[str, str]) -> None:
    if not SEATS_MIN <= len(boards) <= SEATS_MAX:
        raise BadInputError(
            f"Open-Face Chinese is played by {SEATS_MIN} or {SEATS_MAX} seats: {len(boards)} are given."
        )
    for seat, board in boards.items():
        if set(board) != set(ROWS):
            raise BadInputError(f"The rows of {seat} are {', '.join(board) or 'missing'}: give {', '.join(ROWS)}.")
        for row, count in ROWS.items():
            if len(board[row]) != count and seat not in out:
                raise BadInputError(f"The {row} row of {seat} has {len(board[row])} cards: it takes {count}.")
    seen = Counter(card for board in boards.values() for row in board.values() for card in row)
    if twice := [card for card, times in seen.items() if times > 1]:
        raise BadInputError(f"The card {twice[0]} is given {seen[twice[0]]} times: one pack holds it once.")


def read_scoring(rules: Mapping[str, Any]) -> OpenFaceRules:
    """The house options of scoring; `BadInputError` for one that is not there, or of a wrong kind."""
    if unknown := sorted(set(rules) - {"strict_rows", "royalties"}):
        raise BadInputError(f"{TITLE} has no rule '{unknown[0]}': it has strict_rows and royalties.")
    strict, royalties = rules.get("strict_rows", False), rules.get("royalties", "none")
    if not isinstance(strict, bool):
        raise BadInputError("The rule strict_rows is true or false.")
    if royalties not in _ROYALTY_RULES:
        raise BadInputError(f"The rule royalties is one of {', '.join(_ROYALTY_RULES)}.")
    return OpenFaceRules(strict, royalties)


def settle(cards: Mapping[str, Any], rules: Mapping[str, Any]) -> OpenFaceOutcome:
    """A finished hand from `{"rows": {seat: {row: cards}}, "fantasy": [seats]}`; `fantasy` may be left out."""
    rows, fantasy = cards.get("rows"), cards.get("fantasy", [])
    if not isinstance(rows, Mapping) or not all(isinstance(board, Mapping) for board in rows.values()):
        raise BadInputError(
            'Give the rows of each seat, as in {"rows": {"a": {"top": […], "middle": […], "bottom": […]}}}.'
        )
    if unknown := sorted(set(cards) - {"rows", "fantasy"}):
        raise BadInputError(f"{TITLE} has no box '{unknown[0]}': give rows, and fantasy where a seat was in it.")
    if not isinstance(fantasy, list) or not set(map(str, fantasy)) <= set(rows):
        raise BadInputError("The list fantasy names seats of this hand.")
    boards = {seat: {row: _cards(seat, row, given) for row, given in board.items()} for seat, board in rows.items()}
    return score_boards(boards, read_scoring(rules), frozenset(fantasy))


def _cards(seat: str, row: str, given: object) -> tuple[Card, ...]:
    match given:
        case str():
            return tuple(parse_cards(given))
        case list() if all(isinstance(card, str) for card in given):
            return tuple(Card.parse(card) for card in given)
    raise BadInputError(f'The {row} row of {seat} cannot be read: write a list such as ["As", "Td", "2c"].')


def describe_score(outcome: OpenFaceOutcome) -> dict[str, Any]:
    """Points and boards in plain values."""
    return {
        "points": dict(outcome.points),
        "between": [{"seats": list(pair), "points": won} for pair, won in outcome.between.items()],
        "seats": {seat: _seat_score(outcome, seat, board) for seat, board in outcome.cards.items()},
    }


def _seat_score(outcome: OpenFaceOutcome, seat: str, board: Board) -> dict[str, Any]:
    score = outcome.boards[seat]
    names = {row: STANDARD.describe(value) for row, value in score.values.items()}
    rows = {row: {"cards": [str(card) for card in board[row]], "name": names.get(row, "")} for row in ROWS}
    return {**rows, "fouled": score.fouled, "royalties": score.royalties, "fantasy": score.fantasy}
