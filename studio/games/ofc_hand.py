"""The deal of Open-Face Chinese as a script, and what its points come to in money.

`docs/games/ofc.md` has the rules. Every card is dealt face down to its seat, which alone sees it, and lies open as soon
as it is set; what is given up is turned by nobody.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from studio.cards import Card
from studio.ports import CardFace
from studio.rulebook.open_face import (
    DEAD,
    FOUL,
    ROWS,
    SCOOP,
    OpenFaceOutcome,
    OpenFaceRules,
    royalty_most,
    score_boards,
)
from studio.rulebook.placing import MUCK, Placing
from studio.rulebook.script import Deal, Lay, Laying, Script, Step, Turn

PLACE: Final = "place"
FIRST_STREET: Final = 5
LATER_STREET: Final = 3
LATER_STREETS: Final = 4
SET_AT_ONCE: Final = sum(ROWS.values())
"""So many cards a seat in fantasy sets, whatever it is dealt [OF-8]."""

TURN_S: Final = 30
FANTASY_S: Final = 90

_PLAIN: Final = OpenFaceRules()


@dataclass(frozen=True, slots=True)
class OpenFaceTerms:
    """What one hand is played under. `seats` from the left of the button on, the button last; `stacks` alike, in minor
    units, as is `unit_minor`, what a point is worth. `fantasy`: the seats that are in it, and how many cards each is
    dealt.
    """

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    unit_minor: int
    rules: OpenFaceRules = _PLAIN
    fantasy: Mapping[str, int] = field(default_factory=dict)
    turn_s: int = TURN_S
    fantasy_s: int = FANTASY_S


@dataclass(frozen=True, slots=True)
class OpenFaceHand:
    """A hand that is over: its score, the seats that did not finish it, and the stacks, in the order of `seats`.

    `moved` is what each pair of seats has settled, in order, in minor units as won by the first of the two; `paid`,
    what each seat had put in before the first card.
    """

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    payoffs: tuple[int, ...]
    score: OpenFaceOutcome
    out: Mapping[str, str]
    moved: Mapping[tuple[str, str], int]
    paid: Mapping[str, int]

    @property
    def takes(self) -> dict[str, int]:
        """What each seat has back of it all."""
        return {seat: self.paid[seat] + payoff for seat, payoff in zip(self.seats, self.payoffs, strict=True)}

    @property
    def fantasy(self) -> dict[str, int]:
        """Who is in fantasy in the next hand, and with how many cards [OF-8] [OF-9]."""
        return {seat: board.fantasy for seat, board in self.score.boards.items() if board.fantasy}


def row_zone(seat: str, row: str) -> str:
    """Where a row of a seat lies on the felt."""
    return f"{seat}_{row}"


@dataclass(slots=True)
class _Board:
    """One seat on its way through the hand. `out`: how it went out, if it did; `kept`: what fantasy lays at the end."""

    seat: str
    in_fantasy: bool
    rows: dict[str, list[Card]] = field(default_factory=lambda: {row: [] for row in ROWS})
    out: str = ""
    kept: Lay | None = None

    def room(self) -> dict[str, int]:
        return {row: most - len(self.rows[row]) for row, most in ROWS.items()}

    def lay(self, rows: Sequence[str]) -> Lay:
        """What the dealer does with a street that is set: each card to the next place of its row."""
        filled = {row: len(cards) for row, cards in self.rows.items()}
        to: list[Laying] = []
        for place, row in enumerate(rows, 1):
            if row != MUCK:
                filled[row] += 1
                to.append((place, row_zone(self.seat, row), filled[row]))
        return Lay(self.seat, tuple(to), tuple(place for place, row in enumerate(rows, 1) if row == MUCK))

    def take(self, lay: Lay, faces: Sequence[Card]) -> None:
        for (_, zone, _), face in zip(lay.to, faces, strict=True):
            self.rows[zone.removeprefix(f"{self.seat}_")].append(face)


def open_face_hand(terms: OpenFaceTerms) -> Script:
    """One hand from the first card to the last point."""
    boards = [_Board(seat, seat in terms.fantasy) for seat in terms.seats]
    yield from _street(terms, boards, {board.seat: terms.fantasy.get(board.seat, FIRST_STREET) for board in boards})
    for _ in range(LATER_STREETS):  # [OF-1]
        still = [board for board in boards if not board.out and not board.in_fantasy]
        yield from _street(terms, still, {board.seat: LATER_STREET for board in still})
    for board in boards:  # [OF-8]
        if board.kept is not None:
            board.take(board.kept, (yield board.kept))
    return hand_outcome(
        terms,
        {board.seat: {row: tuple(cards) for row, cards in board.rows.items()} for board in boards},
        {board.seat: board.out for board in boards if board.out},
    )


def _street(terms: OpenFaceTerms, boards: Sequence[_Board], cards: Mapping[str, int]) -> Generator[Step, Any, None]:
    """Every seat is dealt its cards, and then each sets its own, from the left of the button on."""
    for board in boards:
        for _ in range(cards[board.seat]):
            yield Deal(board.seat, CardFace.DOWN)
    for board in boards:
        choice = yield turn_of(terms, board, cards[board.seat])
        if isinstance(choice, str):
            board.out = choice
            continue
        lay = board.lay(choice[1])
        if board.in_fantasy:
            board.kept = lay
        else:
            board.take(lay, (yield lay))


def turn_of(terms: OpenFaceTerms, board: _Board, cards: int) -> Turn:
    """What the seat has to set; who does not is out, unless its cards can go to one row only [OF-11]."""
    room = board.room()
    placing = Placing(cards, cards - min(SET_AT_ONCE if board.in_fantasy else _set_of(cards), sum(room.values())), room)
    first = cards != LATER_STREET
    return Turn(
        board.seat, (PLACE,), terms.fantasy_s if board.in_fantasy else terms.turn_s,
        default=PLACE if placing.forced else FOUL, away=DEAD if first else "", placing=placing,
    )  # fmt: skip


def _set_of(cards: int) -> int:
    """How many of a street are set: all of the first, two of each later one."""
    return cards if cards == FIRST_STREET else cards - 1


def hand_outcome(
    terms: OpenFaceTerms, boards: Mapping[str, Mapping[str, tuple[Card, ...]]], out: Mapping[str, str]
) -> OpenFaceHand:
    """Points and money of a finished deal."""
    score = score_boards({seat: boards[seat] for seat in terms.seats}, terms.rules, frozenset(terms.fantasy), out)
    moved = settle_pairs(terms.seats, terms.stacks, score.between, terms.unit_minor)
    payoffs = tuple(
        sum(won if seat == one else -won if seat == other else 0 for (one, other), won in moved.items())
        for seat in terms.seats
    )
    stacks = tuple(stack + payoff for stack, payoff in zip(terms.stacks, payoffs, strict=True))
    return OpenFaceHand(terms.seats, stacks, payoffs, score, dict(out), moved, put_in(terms))


def put_in(terms: OpenFaceTerms) -> dict[str, int]:
    """What a seat can lose in this hand, as far as its stack goes, lies in it before the first card [OF-12]."""
    against_each = len(ROWS) + SCOOP + royalty_most(terms.rules)
    most_minor = against_each * terms.unit_minor * (len(terms.seats) - 1)
    return {seat: min(stack, most_minor) for seat, stack in zip(terms.seats, terms.stacks, strict=True)}


def settle_pairs(
    seats: Sequence[str], stacks: Sequence[int], between: Mapping[tuple[str, str], int], unit_minor: int
) -> dict[tuple[str, str], int]:
    """What each pair settles, from the left of the button: nobody pays more than then lies before him [OF-12].

    >>> settle_pairs(("a", "b", "c"), (5, 100, 100), {("a", "b"): -6, ("a", "c"): -6, ("b", "c"): 1}, 1)
    {('a', 'b'): -5, ('a', 'c'): 0, ('b', 'c'): 1}
    """
    left = dict(zip(seats, stacks, strict=True))
    moved: dict[tuple[str, str], int] = {}
    for one, other in combinations(seats, 2):
        points = between[one, other]
        amount_minor = min(abs(points) * unit_minor, left[other if points > 0 else one])
        won = amount_minor if points > 0 else -amount_minor
        left[one], left[other] = left[one] + won, left[other] - won
        moved[one, other] = won
    return moved
