"""Reads the body of a request: a batch of bets, a deposit, a withdrawal.

A batch is read in one pass by pydantic. Only when something in it is wrong is it read again, one by one, so that a
malformed one spoils no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Final, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from dealer_ui.api.answer import AnswerError
from dealer_ui.desk.ticket import VALID_S_MAX
from dealer_ui.floor.bet_offer import ID_RULE, STRICT, BetOffer, Currency, Id, Minor
from studio.money import Answer

BETS_A_BATCH_MAX: Final = 1_000


@dataclass(frozen=True, slots=True)
class MoneyOrder:
    """A deposit or a withdrawal; in JSON `amount_minor` is written `amount`."""

    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    client_id: Id
    amount_minor: Annotated[Minor, Field(alias="amount")]
    currency: Currency | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """The bets of one request in their order; a bet that could not be read is there as its refusal."""

    bets: tuple[BetOffer | Answer, ...]
    currency: str | None


@dataclass(frozen=True, slots=True)
class _Bets:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bets: Annotated[list[BetOffer], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]
    currency: Currency | None = None


@dataclass(frozen=True, slots=True)
class _Anything:
    __pydantic_config__: ClassVar[ConfigDict] = STRICT

    bets: Annotated[list[Any], Field(min_length=1, max_length=BETS_A_BATCH_MAX)]
    currency: Currency | None = None


_BETS: Final = TypeAdapter(_Bets)
_ANYTHING: Final = TypeAdapter(_Anything)
_BET: Final = TypeAdapter(BetOffer)
_MONEY: Final = TypeAdapter(MoneyOrder)
_ID: Final = TypeAdapter(Id)

_RULES: Final = {
    "client_id": f"client_id must be an id of your own making: {ID_RULE}.",
    "bettor": f"bettor must be your name for the bettor: {ID_RULE}.",
    "bet": "bet must be the key of a bet of this table, as in player1_win.",
    "stake": "stake must be a whole number of minor units above 0, as in 500 for 5.00 EUR.",
    "amount": "amount must be a whole number of minor units above 0, as in 500 for 5.00 EUR.",
    "currency": "currency must be three capital letters, as in EUR; leave it out for the table's own.",
    "option": "option must be one of those the table's state offers now, as in play.",
    "box": "box must be the key of a box or of a row of a split box, as in 3 or 3a; leave it out in other games.",
    "to": "to must be the whole number of minor units that a seat bets or raises to; leave it out elsewhere.",
    "rows": 'rows must be a list of the rows his cards go to, as in ["top", "back"]; leave it out in other games.',
    "act": "act must be what a seat asks, as in sit, buy, leave, away, back or post.",
    "seat": "seat must be the key of a seat, as in seat3; leave it out where the bettor sits already.",
    "table": "table must be the key of a table, as the list of tables tells it.",
    "valid_s": f"valid_s must be a whole number of seconds from 1 to {VALID_S_MAX}; leave it out for an hour.",
    "plays": "plays must be true or false: whether the bettor may bet and decide on the page.",
    "session": "session must be 1 to 512 printable signs without a space: what your wallet knows the bettor by.",
    "language": "language must be one the studio speaks, as in ja; leave it out for the studio's own.",
    "round": "round must be the id of a round, as a bet or the game record tells it.",
    "words": "words must be 1 to 1000 letters: what is wrong with the round.",
    "decisions": f'decisions must be a list of 1 to {BETS_A_BATCH_MAX}, as in {{"decisions": [{{…}}]}}.',
    "bets": f'bets must be a list of 1 to {BETS_A_BATCH_MAX} bets, as in {{"bets": [{{…}}]}}.',
}


def read_batch(body: bytes) -> Batch:
    """The bets of a body; `AnswerError` when it holds no list of them."""
    try:
        read = _BETS.validate_json(body)
    except ValidationError:
        loose = read_whole(_ANYTHING, body)
        return Batch(tuple(read_one(_BET.validate_json, raw) for raw in loose.bets), loose.currency)
    return Batch(tuple(read.bets), read.currency)


def read_money(body: bytes) -> MoneyOrder:
    return read_whole(_MONEY, body)


def check_id(name: str, value: str) -> str:
    """An id out of an address; `AnswerError` when no bet or bettor can be called so."""
    try:
        return _ID.validate_python(value)
    except ValidationError:
        raise AnswerError(404, f"bad_{name}", _RULES[name]) from None


_T = TypeVar("_T")


def read_whole(adapter: TypeAdapter[_T], body: bytes) -> _T:
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        raise AnswerError(400, *_why(error)) from None


def read_one(read: Callable[[str], _T], raw: Any) -> _T | Answer:
    """One of a batch, or its refusal."""
    try:
        return read(json.dumps(raw))  # strict pydantic takes a mapping for it only out of JSON
    except ValidationError as error:
        said = raw.get("client_id") if isinstance(raw, dict) else None
        client_id = said if isinstance(said, str) and len(said) <= 64 else ""
        return Answer(client_id, "", "refused", *_why(error))


def _why(error: ValidationError) -> tuple[str, str]:
    """The key and the sentence of the first thing wrong."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    kind, place = first["type"], first["loc"]
    if kind == "json_invalid":
        return "not_json", "The body is not JSON: send one JSON object, in UTF-8."
    if not place or not isinstance(place[0], str):
        return "malformed", "One JSON object with named fields is awaited here."
    field = place[0]
    if kind == "unexpected_keyword_argument":
        return "unknown_field", f"There is no field '{field[:64]}' here: take it out, or correct its name."
    if kind in ("missing", "missing_argument"):
        return "missing_field", f"The field {field} is missing: {_RULES[field]}"
    return f"bad_{field}", f"The field {field} cannot be used: {_RULES[field]}"
