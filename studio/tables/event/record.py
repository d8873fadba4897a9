"""How an event is written in the journal and read back.

A body is `{"table", "round", "event"}`; the kind beside it is the event's tag, or for a fact of the deal and a
recorded observation the inner one's own. Sealed cards are written without their keys.
"""

from __future__ import annotations

from typing import Any

import msgspec

from studio.cards import Card, Sealed, SealedCard
from studio.cards.sealed import COMMITMENT_BYTES
from studio.errors import BadInputError
from studio.tables.event.situation import AnySituation, Situation
from studio.tables.event.table import AnyEvent, CardSetAside, FactStood, ObservationRecorded


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """An event as the journal's body holds it."""

    table: str
    round: str
    event: AnyEvent


def kind_of(event: AnyEvent) -> str:
    """The journal's kind: `CardDealt` for a fact that stood, `ShoeDrewCard` for a recorded observation."""
    match event:
        case FactStood(fact=inner):
            return type(inner).__name__
        case ObservationRecorded(observation=seen):
            return type(seen).__name__
    return type(event).__name__


def _to_plain(value: Any) -> Any:
    if isinstance(value, Sealed):
        id, *parts = value.written()
        return [id, *(part.hex() for part in (parts if value.is_committed else parts[:-1]))]
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} has no form in the journal")


def _from_plain(wanted: type, value: Any) -> Any:
    if wanted is Card:
        return Card.parse(value)
    if wanted is Sealed or wanted is SealedCard:
        id, nonce, ciphertext, *commitment = value
        return wanted(id, bytes.fromhex(nonce), bytes.fromhex(ciphertext), *map(_commitment, commitment))
    raise NotImplementedError(f"{wanted.__name__} has no form in the journal")


def _commitment(written: str) -> bytes:
    """A commitment read from hexadecimal; `BadInputError` if its length is wrong. So is an empty one: what was sealed
    before there were commitments has none.
    """
    if len(commitment := bytes.fromhex(written)) != COMMITMENT_BYTES:
        raise BadInputError("A sealed card has a commitment of another length than one has.")
    return commitment


_ENCODER = msgspec.json.Encoder(enc_hook=_to_plain)
_DECODER = msgspec.json.Decoder(Recorded, dec_hook=_from_plain)


def write_body(table: str, round: str, event: AnyEvent) -> bytes:
    return _ENCODER.encode(Recorded(table=table, round=round, event=event))


def read_body(body: bytes) -> Recorded:
    """The event of a journal body; sealed cards come back without their keys."""
    try:
        return _DECODER.decode(body)
    except (msgspec.MsgspecError, BadInputError, ValueError, TypeError) as error:
        raise BadInputError(f"A journal row cannot be read as an event: {error}") from error


def read_situation(plain: Any) -> AnySituation:
    """What was or is, out of a row's plain JSON; empty where it holds something else."""
    if isinstance(plain, str):
        return plain
    try:
        return msgspec.convert(plain, Situation, dec_hook=_from_plain)
    except (msgspec.MsgspecError, BadInputError):
        return ""


def seals_in(event: AnyEvent) -> tuple[Sealed, ...]:
    """Every sealed thing the event carries, whose key must be kept before the event is committed."""
    match event:
        case ObservationRecorded(observation=told) | FactStood(fact=told):
            return tuple(seal for name in ("card", "sealed") if isinstance(seal := getattr(told, name, None), Sealed))
        case CardSetAside(card=card):
            return (card,)
    return ()
