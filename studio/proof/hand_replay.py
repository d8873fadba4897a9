"""The only place that takes a recorded hand of the poker room out of the journal, to be written as a hand history."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from studio.cards import Card
from studio.errors import BadInputError
from studio.games.hand_terms import HAND, read_terms
from studio.journal import Reader
from studio.proof.replay import Found
from studio.rounds import CardDealt, PlainFact, corrected
from studio.rounds.hand_history import PlayedHand, read_hand
from studio.rounds.phh_text import CODES, Heading, variant_of, write_phh
from studio.tables import event as e
from studio.tables.dealt import facts_of
from studio.tables.record import read_body

KeysOf = Callable[[Collection[str]], Mapping[str, bytes]]
"""Gives the keys of sealed cards by their ids, as far as it has them."""


def phh_of(reader: Reader, found: Found, seat: str = "", keys_of: KeysOf = lambda ids: {}) -> str:
    """The hand in the PHH notation: what everybody may know, or what the player of that seat knew.

    `BadInputError` where the round is no hand that was played to its end, or a key of the seat's cards is missing.
    """
    return write_phh(_hand(reader, found, seat, keys_of), _heading(found))


def _hand(reader: Reader, found: Found, seat: str, keys_of: KeysOf) -> PlayedHand:
    if found.started.game not in CODES or HAND not in found.started.rules:
        games = ", ".join(CODES)
        raise BadInputError(f"Round {found.id} is no hand of the poker room ({games}): replay it without --phh.")
    if _is_void(reader, found.id):
        raise BadInputError(f"Round {found.id} is void: of a hand that does not count no history is written.")
    terms, facts = read_terms(found.started.rules), facts_of(reader, found.id)
    if seat and seat not in terms.seats:
        raise BadInputError(f"{seat} has no cards in round {found.id}: name one of {', '.join(terms.seats)}.")
    own = {seat: _own_cards(corrected(facts), seat, keys_of)} if seat else {}
    return read_hand(variant_of(found.started.game), terms, facts, own)


def _is_void(reader: Reader, round: str) -> bool:
    void = False
    for row in reader.events(round=round, kinds=("RoundVoided", "RoundResettled")):
        event = read_body(row.body).event
        void = event.void if isinstance(event, e.RoundResettled) else True
    return void


def _own_cards(plain: Collection[PlainFact], seat: str, keys_of: KeysOf) -> tuple[Card, ...]:
    sealed = [fact.card for fact in plain if isinstance(fact, CardDealt) and fact.box == seat]
    keys = keys_of([card.id for card in sealed])
    if len(keys) < len(sealed):
        raise BadInputError(f"The key file has no keys for the cards of {seat}: write the hand without --seat.")
    return tuple(card.with_key(keys[card.id]).card() for card in sealed)


def _heading(found: Found) -> Heading:
    players = found.started.rules[HAND].get("players", {})
    return Heading(
        hand=found.id,
        table=found.config.key,
        at_ms=found.at_ms,
        currency=found.config.currency,
        players={seat: "/".join(names) for seat, names in players.items()},
    )
