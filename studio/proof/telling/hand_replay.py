"""Takes a recorded hand of the poker room out of the journal, to be written as a hand history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from studio.cards import Card
from studio.errors import BadInputError
from studio.games.ofc import OFC
from studio.games.ofc import read_terms as read_open_face
from studio.histories.open_face import write_open_face
from studio.histories.phh_text import CODES, Heading, variant_of, write_phh
from studio.histories.played_hand import RecordedHand, read_hand
from studio.journal import Reader
from studio.proof.telling.replay import FoundRound
from studio.rounds import AnyFact, CardDealt, corrected
from studio.rulebook.hand_terms import HAND, read_terms
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.past.dossier import facts_of

KeysOf = Callable[[Collection[str]], Mapping[str, bytes]]
"""Gives the keys of sealed cards by their ids, as far as it has them."""


def phh_of(reader: Reader, found: FoundRound, seat: str = "", keys_of: KeysOf = lambda ids: {}) -> str:
    """The hand in the PHH notation: what everybody may know, or what the player of that seat knew.

    `BadInputError` where the round is no hand that was played to its end, or a key of the seat's cards is missing.
    """
    return write_phh(_hand(reader, found, seat, keys_of), _heading(found))


def text_of(reader: Reader, found: FoundRound, seat: str = "", keys_of: KeysOf = lambda ids: {}) -> str:
    """A hand of Open-Face Chinese street by street: what everybody may know, or what the player of that seat knew."""
    game = found.started.game
    if game != OFC.key:
        how = "write it with --phh" if game in CODES else "replay it without --text"
        raise BadInputError(f"Round {found.id} is no hand of {OFC.title} but of {game}: {how}.")
    facts = _facts(reader, found)
    terms = read_open_face(found.started.rules)
    return write_open_face(terms, facts, _heading(found), _own(found, terms.seats, facts, seat, keys_of))


def _hand(reader: Reader, found: FoundRound, seat: str, keys_of: KeysOf) -> RecordedHand:
    if found.started.game == OFC.key:
        raise BadInputError(
            f"Round {found.id} is a hand of {OFC.title}: the PHH notation has no code for that game and no word "
            "for setting a street. Write the hand with --text."
        )
    if found.started.game not in CODES or HAND not in found.started.rules:
        games = ", ".join(CODES)
        raise BadInputError(f"Round {found.id} is no hand of the poker room ({games}): replay it without --phh.")
    facts = _facts(reader, found)
    terms = read_terms(found.started.rules)
    own = _own(found, terms.seats, facts, seat, keys_of)
    return read_hand(variant_of(found.started.game), terms, facts, {seat: tuple(own.values())} if seat else {})


def _facts(reader: Reader, found: FoundRound) -> tuple[AnyFact, ...]:
    if _is_void(reader, found.id):
        raise BadInputError(f"Round {found.id} is void: of a hand that does not count no history is written.")
    return tuple(facts_of(reader, found.id))


def _is_void(reader: Reader, round: str) -> bool:
    void = False
    for row in reader.events(round=round, kinds=("RoundVoided", "RoundResettled")):
        event = read_body(row.body).event
        void = event.void if isinstance(event, e.RoundResettled) else True
    return void


def _own(
    found: FoundRound, seats: Collection[str], facts: Sequence[AnyFact], seat: str, keys_of: KeysOf
) -> dict[str, Card]:
    """The cards that were dealt to this seat, by the ids of their seals, in the order dealt; none for no seat."""
    if not seat:
        return {}
    if seat not in seats:
        raise BadInputError(f"{seat} has no cards in round {found.id}: name one of {', '.join(seats)}.")
    sealed = [fact.card for fact in corrected(facts) if isinstance(fact, CardDealt) and fact.box == seat]
    keys = keys_of([card.id for card in sealed])
    if len(keys) < len(sealed):
        raise BadInputError(f"The key file has no keys for the cards of {seat}: write the hand without --seat.")
    return {card.id: card.with_key(keys[card.id]).card() for card in sealed}


def _heading(found: FoundRound) -> Heading:
    players = found.started.rules[HAND].get("players", {})
    return Heading(
        hand=found.id,
        table=found.config.key,
        at_ms=found.at_ms,
        currency=found.config.currency,
        players={seat: "/".join(names) for seat, names in players.items()},
    )
