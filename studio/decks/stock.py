"""The physical count of the stock of cards: two people write down what lies where, and it is held against the register.

Whoever counts is not told what should be there. A difference stays open until two people have written what it came to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from studio.decks.deck_event import DeckFound, StockCounted, StockDifference, StockReconciled
from studio.errors import RefusedError
from studio.people import TwoPeople

if TYPE_CHECKING:
    from studio.decks.register import DeckRegister, RegisteredDeck

MISSING, ELSEWHERE, UNKNOWN, GONE = "missing", "elsewhere", "unknown", "gone"
"""What a count may find: a deck nowhere, at another place, of no number the register has, or one that was destroyed."""
WORDS_MAX: Final = 400
DAY_MS: Final = 86_400_000


def differences(register: DeckRegister, found: Iterable[DeckFound]) -> tuple[StockDifference, ...]:
    """Where the register and the count do not say the same, by deck."""
    at = {one.deck: one.place for one in found}
    told = []
    for id in sorted({*register.decks, *at}):
        deck = register.decks.get(id)
        said, place = place_of(deck) if deck is not None else "", at.get(id, "")
        if said != place:
            told.append(StockDifference(deck=id, what=_what(deck, said, place), said=said, place=place))
    return tuple(told)


def place_of(deck: RegisteredDeck) -> str:
    """Where the register says that a deck lies: the key of its table, or a place; empty once it was destroyed."""
    return deck.table or deck.place


def _what(deck: RegisteredDeck | None, said: str, place: str) -> str:
    if deck is None:
        return UNKNOWN
    return GONE if not said else ELSEWHERE if place else MISSING


def places(register: DeckRegister) -> tuple[str, ...]:
    """Every place and table at which a deck should lie, to be looked through."""
    return tuple(dict.fromkeys(sorted(filter(None, map(place_of, register.decks.values())))))


def due_ms(register: DeckRegister, every_days: int) -> int | None:
    """When the next count is due: as the last one said, or from the first deck on; None while there never was one."""
    if register.counted is not None:
        return register.counted.next_ms
    first = min((deck.received_ms for deck in register.decks.values()), default=None)
    return None if first is None else first + every_days * DAY_MS


def count(
    register: DeckRegister, found: Sequence[DeckFound], words: str, people: TwoPeople, *, at_ms: int, every_days: int
) -> StockCounted:
    """The whole stock as two people have found it; `RefusedError` while differences of the last count are open."""
    if register.open:
        open_one = register.open[0].deck
        raise RefusedError(
            "stock_open",
            f"The last count found something with deck {open_one}: write what it came to before you count.",
        )
    seen: set[str] = set()
    for one in found:
        if one.deck in seen:
            raise RefusedError("deck_twice", f"Deck {one.deck} is written down twice: a deck lies at one place only.")
        seen.add(one.deck)
    return StockCounted(
        at_ms=at_ms, by=people.asked_by, beside=people.approved_by, found=tuple(found),
        differences=differences(register, found), next_ms=at_ms + every_days * DAY_MS, words=words.strip()[:WORDS_MAX],
    )  # fmt: skip


def reconcile(register: DeckRegister, id: str, words: str, people: TwoPeople, at_ms: int) -> StockReconciled:
    """What one difference came to. A deck that lies in another storage than the register says is there from now on."""
    one = next((one for one in register.open if one.deck == id.strip()), None)
    if one is None:
        raise RefusedError("stock_settled", "The last count found nothing with this deck that is still open.")
    if not words.strip():
        raise RefusedError("reason_needed", "Write down what it came to: it is kept.")
    deck = register.decks.get(one.deck)
    moves = one.what == ELSEWHERE and deck is not None and not deck.table and deck.place == one.said
    return StockReconciled(
        at_ms=at_ms, deck=one.deck, by=people.asked_by, beside=people.approved_by, what=one.what,
        place=one.place if moves else "", words=words.strip()[:WORDS_MAX],
    )  # fmt: skip
