"""Hand histories in the PHH notation: what a file says, and playing it card by card.

PHH is TOML; `actions` holds a line for each card dealt and each act: `d dh p1 AcKd`, `d db 7h7d2c`, `p3 f`, `p3 cc`,
`p3 cbr 1200`, `p3 sm AcKd`. Seats are `p1`, `p2`, … from the left of the button. Burns are not recorded in it.
"""

from __future__ import annotations

import tomllib
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, cast

from studio.cards import DECK, Card, parse_cards
from studio.errors import BadInputError
from studio.games.nlh import VARIANT as NLH
from studio.games.plo import VARIANT as PLO
from studio.games.short_deck import VARIANT as SHORT_DECK
from studio.rulebook.betting_game import Variant
from studio.rulebook.betting_hand import UNKNOWN, betting_hand
from studio.rulebook.hand_terms import BOARD, HandOutcome, HandTerms, Rake
from studio.rulebook.script import Burn, Deal, Reveal, Step, Turn

VARIANTS: Final[Mapping[str, Variant]] = {"NT": NLH, "NS": SHORT_DECK, "PO": PLO}
"""The games of the poker room by their codes in the notation."""

_SHORT: Final = DECK[-36:]

SEATS_MAX: Final = 10

DIGITS_MAX: Final = 15
"""Before the point of an amount; and no amount has more than nine places behind it."""

_BLINDS: Final = "blinds_or_straddles"
"""One below 0 is posted by a seat that comes in without waiting for the big blind."""

_TOO_FINE: Final = "An amount of the hand has more than nine decimal places."

_FOLD_FOR_NOTHING: Final = "There is no reason for this player to fold"
"""PokerKit warns of it, and whoever played the hand may have done so all the same."""

Act = tuple[str, str, int]
"""A betting act: the seat, `f`, `cc` or `cbr`, and what it raises to (0: no amount)."""


@dataclass(frozen=True, slots=True)
class HandHistory:
    """One recorded hand. `scale`: minor units in one of the file's; amounts of `terms` are minor units.

    `course`: betting acts and cards of the board, in the file's order. `hole`: the cards of a seat of which the file
    knows every one. `mucked`: seats that threw their hand away at the end.
    """

    variant: str
    terms: HandTerms
    scale: int
    course: tuple[Act | Card, ...]
    hole: Mapping[str, tuple[Card, ...]]
    mucked: frozenset[str]


def read_phh(text: str) -> HandHistory:
    """What the file says; `BadInputError` where it is no hand of the poker room, or cannot be read."""
    return read_hand(_toml(text))


def hands_in(text: str) -> Mapping[str, Mapping[str, Any]]:
    """The hands of a file, not read yet: tables of their own, `[1]`, `[2]`, …, or the file itself, under no name."""
    plain = _toml(text)
    if "variant" in plain or "actions" in plain:
        return {"": plain}
    return {name: hand for name, hand in plain.items() if isinstance(hand, dict) and name.isdecimal()} or {"": plain}


def _toml(text: str) -> Mapping[str, Any]:
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadInputError(f"This is no hand history: it is not valid TOML ({error}).") from None
    except (InvalidOperation, ValueError):
        raise BadInputError("This is no hand history: a number in it cannot be read.") from None


def read_hand(plain: Mapping[str, Any]) -> HandHistory:
    """What one table of a file says; `BadInputError` where it is no hand of the poker room."""
    code, known = plain.get("variant"), ", ".join(f"{code} ({variant.key})" for code, variant in VARIANTS.items())
    if not isinstance(code, str) or not code.isprintable():
        raise BadInputError(f"The hand names no variant: {known} are dealt in this poker room.")
    if code not in VARIANTS:
        raise BadInputError(f"The variant '{code[:20]}' is not dealt in this poker room: it deals {known}.")
    stacks = _amounts(plain, "starting_stacks")
    if not 2 <= len(stacks) <= SEATS_MAX:
        raise BadInputError(f"From 2 to {SEATS_MAX} seats can be dealt in; the hand has {len(stacks)}.")
    antes, blinds = _amounts(plain, "antes", len(stacks)), _amounts(plain, _BLINDS, len(stacks))
    least = _amount(plain.get("min_bet"), "min_bet")
    lines = [_words(line) for line in _list(plain, "actions")]
    raises = [_raised(words[2]) for words in lines if len(words) == 3 and words[1] == "cbr"]
    percent, cap = (
        _amount(plain.get("_rake_percent", 0), "_rake_percent"),
        _amount(plain.get("_rake_cap", 0), "_rake_cap"),
    )
    if percent > 100:
        raise BadInputError("A rake of more than 100 percent cannot be taken: correct '_rake_percent'.")
    scale = _scale([*stacks, cap, *antes, *blinds, least, *raises, *_finishing(plain)])
    seats = tuple(f"p{number}" for number in range(1, len(stacks) + 1))
    terms = HandTerms(
        seats=seats,
        stacks=_minor(stacks, scale),
        antes=_minor(antes, scale),
        blinds=_minor(blinds, scale),
        least_bet=int(least * scale),
        tabled=False,
        ante_trimmed=bool(plain.get("ante_trimming_status", False)),
        full_blind=bool(plain.get("_full_blind", False)),
        rake=Rake(percent, int(cap * scale)),
    )
    told = _Told(VARIANTS[code].hole_cards)
    for words in lines:
        told.take(words, seats, scale)
    told.check(VARIANTS[code].key)
    return HandHistory(code, terms, scale, tuple(told.course), told.known(), frozenset(told.mucked))


@dataclass(slots=True)
class _Told:
    """What the lines of a hand have told so far. A card of `hole` that the file does not know is None."""

    hole_cards: int
    course: list[Act | Card] = field(default_factory=list)
    hole: dict[str, tuple[Card | None, ...]] = field(default_factory=dict)
    mucked: set[str] = field(default_factory=set)

    def take(self, words: Sequence[str], seats: Sequence[str], scale: int) -> None:
        match words:
            case []:
                return
            case ["d", "db", cards]:
                if UNKNOWN in cards:
                    raise BadInputError("A card of the board is not known to the file: such a hand cannot be played.")
                self.course += parse_cards(cards)
            case ["d", "dh", seat, cards] if seat in seats:
                if self.course:
                    raise BadInputError(
                        f"The line '{' '.join(words)}' deals to a seat after the first act of the hand."
                    )
                self.hole[seat] = (*self.hole.get(seat, ()), *_hole(cards))
            case [seat, "f" | "cc" as act] if seat in seats:
                self.course.append((seat, act, 0))
            case [seat, "cbr", amount] if seat in seats:
                self.course.append((seat, "cbr", int(_raised(amount) * scale)))
            case [seat, "sm"] if seat in seats:
                self.mucked.add(seat)
            case [seat, "sm", "-"] if seat in seats:
                self.mucked.discard(seat)
            case [seat, "sm", cards] if seat in seats:
                self._show(seat, _hole(cards))
            case _:
                raise BadInputError(f"The line '{' '.join(words)}' is no act of this hand, or names no seat of it.")

    def _show(self, seat: str, shown: tuple[Card | None, ...]) -> None:
        """A seat may tell cards that were dealt unknown, and keeps back what it likes."""
        held = self.hole.get(seat, (None,) * self.hole_cards)
        if len(shown) != len(held) or len(named := {*held, *shown} - {None}) > len(held):
            raise BadInputError(f"The line '{seat} sm {_written(shown)}' shows other cards than {seat} was dealt.")
        if None not in shown:
            self.hole[seat] = shown
            self.mucked.discard(seat)
        elif len(named) == len(held):
            self.hole[seat] = tuple(named)

    def check(self, game: str) -> None:
        """Every seat has its number of cards, and no card lies in the hand twice, or in another deck."""
        for seat, cards in self.hole.items():
            if len(cards) != self.hole_cards:
                raise BadInputError(
                    f"In {game} a seat has {self.hole_cards} cards; the file deals {len(cards)} to {seat}."
                )
        seen: set[Card] = set()
        board = [one for one in self.course if isinstance(one, Card)]
        for card in (*board, *(card for cards in self.hole.values() for card in cards if card is not None)):
            if card in seen:
                raise BadInputError(f"The card {card} is dealt twice in this hand.")
            if game == SHORT_DECK.key and card not in _SHORT:
                raise BadInputError(f"The card {card} is not in the deck of {game}, which begins with the sixes.")
            seen.add(card)

    def known(self) -> Mapping[str, tuple[Card, ...]]:
        return {seat: cast(tuple[Card, ...], cards) for seat, cards in self.hole.items() if None not in cards}


def play_phh(history: HandHistory) -> HandOutcome:
    """Play the hand through the poker room's own script; `BadInputError` where the file and the rules part."""
    course = deque(history.course)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", _FOLD_FOR_NOTHING)
        outcome = _to_the_end(history, course)
    cards = sum(isinstance(one, Card) for one in course)
    if cards == len(course) > 0:
        raise BadInputError(f"The hand is over, and the file deals {cards} more board cards; one board is dealt here.")
    if course:
        seat = next(one[0] for one in course if not isinstance(one, Card))
        raise BadInputError(f"The hand is over, and the file goes on: {seat} acts once more.")
    return outcome


def _to_the_end(history: HandHistory, course: deque[Act | Card]) -> HandOutcome:
    script = betting_hand(VARIANTS[history.variant], history.terms)
    try:
        step = next(script)
        while True:
            step = script.send(_answer(cast(Step, step), history, course))  # nothing is settled before a hand is over
    except StopIteration as stop:
        return cast(HandOutcome, stop.value)
    except (ValueError, UserWarning) as error:
        raise BadInputError(f"The hand cannot have gone so: {error}") from None
    except AssertionError:
        raise BadInputError("The hand cannot have gone so: nobody is left who could win its chips.") from None
    finally:
        script.close()


def _answer(step: Step, history: HandHistory, course: deque[Act | Card]) -> object:
    match step:
        case Deal(box=box) if box == BOARD:
            return _board_card(course)
        case Turn(options=options, box=seat) if "muck" in options:
            known = len(history.hole.get(seat, ())) == VARIANTS[history.variant].hole_cards
            return "muck" if seat in history.mucked or not known else "show"
        case Turn():
            return _act(step, course, history.scale)
        case Reveal(box=seat):
            return history.hole[seat]
        case Deal() | Burn():
            return None
    raise BadInputError("The hand awaits something that no file tells.")


def _board_card(course: deque[Act | Card]) -> Card:
    if not course:
        raise BadInputError("The file ends before the hand does: the next card of the board is missing.")
    card = course.popleft()
    if not isinstance(card, Card):
        raise BadInputError(f"The file lets {card[0]} act where the next card of the board is missing.")
    return card


def _act(turn: Turn, course: deque[Act | Card], scale: int) -> str | tuple[str, int]:
    if not course:
        raise BadInputError(f"The file ends before the hand does: it is the turn of {turn.box}.")
    act_or_card = course.popleft()
    if isinstance(act_or_card, Card):
        raise BadInputError(f"The file deals {act_or_card} to the board where it is the turn of {turn.box}.")
    seat, act, to_minor = act_or_card
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
    if not line.isprintable():
        raise BadInputError("A line of the actions has a character in it that cannot be printed.")
    return line.partition("#")[0].split()


def _hole(text: str) -> tuple[Card | None, ...]:
    """
    >>> _hole("??7d")
    (None, Card('7d'))
    """
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    return tuple(None if pair == UNKNOWN else parse_cards(pair)[0] for pair in pairs)


def _written(cards: Iterable[Card | None]) -> str:
    return "".join(UNKNOWN if card is None else str(card) for card in cards)


def _amounts(plain: Mapping[str, Any], name: str, count: int = 0) -> tuple[Fraction, ...]:
    values = tuple(_amount(value, name) for value in _list(plain, name))
    if count and len(values) != count:
        raise BadInputError(f"The list '{name}' has {len(values)} amounts for {count} seats.")
    return values


def _finishing(plain: Mapping[str, Any]) -> Iterator[Fraction]:
    """What the file itself says the stacks were at the end: played is only what it says of its smallest unit."""
    stated = plain.get("finishing_stacks")
    for value in stated if isinstance(stated, list) else []:
        try:
            yield _amount(value, "finishing_stacks")
        except BadInputError:
            continue


def _amount(value: object, name: str) -> Fraction:
    if isinstance(value, Decimal) and value.is_infinite():
        raise BadInputError(f"An amount of '{name}' is inf, which is not known: such a hand cannot be played.")
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or Decimal(value).is_nan():
        raise BadInputError(f"An amount of '{name}' is missing, or is no number.")
    exact = Decimal(value)
    if exact < 0 and name != _BLINDS:
        raise BadInputError(f"An amount of '{name}' is below 0.")
    if exact.adjusted() >= DIGITS_MAX:
        raise BadInputError(f"An amount of '{name}' has more than {DIGITS_MAX} digits.")
    if exact.adjusted() < -DIGITS_MAX or len(exact.as_tuple().digits) > 2 * DIGITS_MAX:
        raise BadInputError(_TOO_FINE)
    return Fraction(value)


def _raised(text: str) -> Fraction:
    try:
        return _amount(Decimal(text.replace(",", "")), "actions")
    except InvalidOperation:
        raise BadInputError(f"'{text}' is no amount to raise to.") from None


def _scale(amounts: Sequence[Fraction]) -> int:
    """The least power of ten that makes every amount a whole number."""
    for places in range(10):
        if all((amount * 10**places).denominator == 1 for amount in amounts):
            return int(10**places)
    raise BadInputError(_TOO_FINE)


def _minor(amounts: Sequence[Fraction], scale: int) -> tuple[int, ...]:
    return tuple(int(amount * scale) for amount in amounts)
