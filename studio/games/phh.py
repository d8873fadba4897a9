"""The only place for hand histories in the PHH notation: what a file says, and playing it card by card.

PHH is TOML; `actions` holds a line for each card dealt and each act: `d dh p1 AcKd`, `d db 7h7d2c`, `p3 f`, `p3 cc`,
`p3 cbr 1200`, `p3 sm AcKd`. Seats are `p1`, `p2`, … from the left of the button. Burns are not recorded in it.
"""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, cast

from studio.cards import Card, parse_cards
from studio.errors import BadInputError
from studio.games.betting_hand import UNKNOWN, Variant, betting_hand
from studio.games.hand_terms import BOARD, HandOutcome, HandTerms
from studio.games.nlh import NLH
from studio.games.plo import PLO
from studio.games.script import Burn, Deal, Reveal, Step, Turn
from studio.games.short_deck import SHORT_DECK

VARIANTS: Final[Mapping[str, Variant]] = {"NT": NLH, "NS": SHORT_DECK, "PO": PLO}
"""The games of the poker room by their codes in the notation."""

SEATS_MAX: Final = 10

_BLINDS: Final = "blinds_or_straddles"
"""One below 0 is posted by a seat that comes in without waiting for the big blind."""

Number = int | Decimal


@dataclass(frozen=True, slots=True)
class HandHistory:
    """One recorded hand. `scale`: minor units in one of the file's; amounts of `terms` are minor units.

    `acts` are the betting acts in order, each with its seat and what it raises to (0: no amount). `hole`: the cards of
    a seat as far as the file knows them. `mucked`: seats that threw their hand away at the end.
    """

    variant: str
    terms: HandTerms
    scale: int
    board: tuple[Card, ...]
    acts: tuple[tuple[str, str, int], ...]
    hole: Mapping[str, tuple[Card, ...]]
    mucked: frozenset[str]


def read_phh(text: str) -> HandHistory:
    """What the file says; `BadInputError` where it is no hand of the poker room, or cannot be read."""
    try:
        plain = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInputError(f"This is no hand history: it is not valid TOML ({error}).") from None
    except InvalidOperation:
        raise BadInputError("This is no hand history: a number in it cannot be read.") from None
    return _read(plain)


def read_phhs(text: str) -> Iterator[HandHistory]:
    """Several hands in one file: each is a table of its own, `[1]`, `[2]`, …; a single hand is a file without them."""
    try:
        plain = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, InvalidOperation, RecursionError):
        yield read_phh(text)
        return
    hands = [value for value in plain.values() if isinstance(value, dict) and "variant" in value]
    for hand in hands if hands and "variant" not in plain else [plain]:
        yield _read(hand)


def _read(plain: Mapping[str, Any]) -> HandHistory:
    code = str(plain.get("variant", ""))
    if code not in VARIANTS:
        known = ", ".join(f"{code} ({variant.key})" for code, variant in VARIANTS.items())
        raise BadInputError(f"The variant '{code}' is not dealt in this poker room: it deals {known}.")
    stacks = _amounts(plain, "starting_stacks")
    if not 2 <= len(stacks) <= SEATS_MAX:
        raise BadInputError(f"The hand has {len(stacks)} seats: from 2 to {SEATS_MAX} can be dealt in.")
    antes, blinds = _amounts(plain, "antes", len(stacks)), _amounts(plain, _BLINDS, len(stacks))
    least = _amount(plain.get("min_bet"), "min_bet")
    lines = [_words(line) for line in _list(plain, "actions")]
    raises = [_raised(words) for words in lines if len(words) == 3 and words[1] == "cbr"]
    scale = _scale([*stacks, *antes, *blinds, least, *raises])
    seats = tuple(f"p{number}" for number in range(1, len(stacks) + 1))
    terms = HandTerms(
        seats=seats,
        stacks=_minor(stacks, scale),
        antes=_minor(antes, scale),
        blinds=_minor(blinds, scale),
        least_bet=int(least * scale),
        tabled=False,
        ante_trimmed=bool(plain.get("ante_trimming_status", False)),
    )
    told = _Told()
    for words in lines:
        told.take(words, seats, scale)
    return HandHistory(code, terms, scale, tuple(told.board), tuple(told.acts), told.hole, frozenset(told.mucked))


@dataclass(slots=True)
class _Told:
    """What the lines of a hand have told so far."""

    board: list[Card] = field(default_factory=list)
    acts: list[tuple[str, str, int]] = field(default_factory=list)
    hole: dict[str, tuple[Card, ...]] = field(default_factory=dict)
    mucked: set[str] = field(default_factory=set)

    def take(self, words: Sequence[str], seats: Sequence[str], scale: int) -> None:
        match words:
            case []:
                return
            case ["d", "db", cards]:
                self.board += parse_cards(cards)
            case ["d", "dh", seat, cards] if seat in seats:
                self._know(seat, cards, dealt=True)
            case [seat, "f" | "cc" as act] if seat in seats:
                self.acts.append((seat, act, 0))
            case [seat, "cbr", amount] if seat in seats:
                self.acts.append((seat, "cbr", int(_raised(("", "", amount)) * scale)))
            case [seat, "sm"] if seat in seats:
                self.mucked.add(seat)
            case [seat, "sm", "-"] if seat in seats:
                self.mucked.discard(seat)
            case [seat, "sm", cards] if seat in seats:
                self._know(seat, cards, dealt=False)
            case _:
                raise BadInputError(f"The line '{' '.join(words)}' is no act of this hand, or names no seat of it.")

    def _know(self, seat: str, cards: str, *, dealt: bool) -> None:
        """A card the file does not know is `??`; a later line may tell it."""
        if UNKNOWN in cards:
            return
        named = tuple(parse_cards(cards))
        self.hole[seat] = (*self.hole.get(seat, ()), *named) if dealt else named
        if not dealt:
            self.mucked.discard(seat)


def play_phh(history: HandHistory) -> HandOutcome:
    """Play the hand through the poker room's own script; `BadInputError` where the file and the rules part."""
    acts, board = deque(history.acts), deque(history.board)
    outcome = _to_the_end(history, acts, board)
    if acts:
        raise BadInputError(f"The hand is over, and the file goes on: {acts[0][0]} acts once more.")
    if board:
        raise BadInputError(
            f"The hand is over, and the file deals {len(board)} more board cards; one board is dealt here."
        )
    return outcome


def _to_the_end(history: HandHistory, acts: deque[tuple[str, str, int]], board: deque[Card]) -> HandOutcome:
    script = betting_hand(VARIANTS[history.variant], history.terms)
    try:
        step = next(script)
        while True:
            step = script.send(_answer(step, history, acts, board))
    except StopIteration as stop:
        return cast(HandOutcome, stop.value)
    except ValueError as error:
        raise BadInputError(f"The hand cannot have gone so: {error}.") from None
    finally:
        script.close()


def _answer(step: Step, history: HandHistory, acts: deque[tuple[str, str, int]], board: deque[Card]) -> object:
    match step:
        case Deal(box=box) if box == BOARD:
            if not board:
                raise BadInputError("The file ends before the hand does: the next card of the board is missing.")
            return board.popleft()
        case Turn(options=options, box=seat) if "muck" in options:
            known = len(history.hole.get(seat, ())) == VARIANTS[history.variant].hole_cards
            return "muck" if seat in history.mucked or not known else "show"
        case Turn():
            return _act(step, acts, history.scale)
        case Reveal(box=seat):
            return history.hole[seat]
        case Deal() | Burn():
            return None
    raise BadInputError("The hand awaits something that no file tells.")


def _act(turn: Turn, acts: deque[tuple[str, str, int]], scale: int) -> str | tuple[str, int]:
    if not acts:
        raise BadInputError(f"The file ends before the hand does: it is the turn of {turn.box}.")
    seat, act, to_minor = acts.popleft()
    if seat != turn.box:
        raise BadInputError(f"The file lets {seat} act where it is the turn of {turn.box}.")
    staking = next((option for option in turn.options if option in ("bet", "raise")), "")
    match act:
        case "f" if "fold" in turn.options:
            return "fold"
        case "cc":
            return "check" if "check" in turn.options else "call"
        case "cbr" if turn.to_minor and turn.to_minor[0] <= to_minor <= turn.to_minor[1]:
            return staking, to_minor
    amount = f" to {Fraction(to_minor, scale)}" if to_minor else ""
    may = f" (from {turn.to_minor[0]} to {turn.to_minor[1]} minor units)" if turn.to_minor else ""
    raise BadInputError(f"{seat} cannot do '{act}'{amount} here, but {', '.join(turn.options)}{may}.")


def in_file_units(amount_minor: int, scale: int) -> int | float:
    """
    >>> in_file_units(1250, 100), in_file_units(1200, 100)
    (12.5, 12)
    """
    value = Fraction(amount_minor, scale)
    return int(value) if value.denominator == 1 else float(value)


def _list(plain: Mapping[str, Any], name: str) -> list[Any]:
    value = plain.get(name)
    if not isinstance(value, list):
        raise BadInputError(f"The hand has no list '{name}'.")
    return value


def _words(line: object) -> list[str]:
    if not isinstance(line, str):
        raise BadInputError("The actions of a hand are lines of text.")
    return line.partition("#")[0].split()


def _amounts(plain: Mapping[str, Any], name: str, count: int = 0) -> tuple[Number, ...]:
    values = tuple(_amount(value, name) for value in _list(plain, name))
    if count and len(values) != count:
        raise BadInputError(f"The list '{name}' has {len(values)} amounts for {count} seats.")
    return values


def _amount(value: object, name: str) -> Number:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | Decimal)
        or (isinstance(value, Decimal) and not value.is_finite())
    ):
        raise BadInputError(f"An amount of '{name}' is missing, or is no number.")
    if value < 0 and name != _BLINDS:
        raise BadInputError(f"An amount of '{name}' is below 0.")
    return value


def _raised(words: Sequence[str]) -> Number:
    try:
        return _amount(Decimal(words[2].replace(",", "")), "actions")
    except InvalidOperation:
        raise BadInputError(f"'{words[2]}' is no amount to raise to.") from None


def _scale(amounts: Sequence[Number]) -> int:
    """The least power of ten that makes every amount a whole number."""
    places = max((-min(0, int(Decimal(amount).normalize().as_tuple().exponent)) for amount in amounts), default=0)
    if places > 9:
        raise BadInputError("An amount of the hand has more than nine decimal places.")
    return int(10**places)


def _minor(amounts: Sequence[Number], scale: int) -> tuple[int, ...]:
    return tuple(int(amount * scale) for amount in amounts)
