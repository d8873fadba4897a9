"""Reads what a request brings, and says of what cannot be used why: each field by its name, in a full sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter, ValidationError

from dealer_ui.api.request.answer import AnswerError
from dealer_ui.desk.ticket import VALID_S_MAX
from dealer_ui.floor.bet_offer import ID_RULE, Id
from studio.money import Answer

BETS_A_BATCH_MAX: Final = 1_000
_ID: Final = TypeAdapter(Id)

RULES: Final = {
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
    "returns_to": "returns_to must be an address of yours that begins with https:// or http://, 512 signs at most.",
    "terms": 'terms must be what you lay down for the bettor, each part as the document has it: {"most": 500}.',
    "language": "language must be one the studio speaks, as in ja; leave it out for the studio's own.",
    "round": "round must be the id of a round, as a bet or the game record tells it.",
    "limit": "limit must be a whole number from 1 to {maximum}.",
    "free_bet": "free_bet must be the client_id of free bets you granted him; leave it out for a stake of his own.",
    "count": "count must be a whole number from 1 to 1000: so many bets.",
    "expires_at_ms": "expires_at_ms must be a whole number, a time in UTC milliseconds; leave it out for no end.",
    "games": 'games must be a list of keys of games, as in ["blackjack"]; leave it out for all.',
    "tables": 'tables must be a list of keys of tables, as in ["t1"]; leave it out for all.',
    "before": "before must be a whole number, as an answer of the studio gave it in older.",
    "after": "after must be a whole number, as an answer of the studio gave it in next.",
    "generation": "generation must be a whole number, as the feed of rounds told it.",
    "from_ms": "from_ms must be a whole number, a time in UTC milliseconds.",
    "to_ms": "to_ms must be a whole number, a time in UTC milliseconds.",
    "words": "words must be 1 to 1000 letters: what is wrong with the round.",
    "decisions": f'decisions must be a list of 1 to {BETS_A_BATCH_MAX}, as in {{"decisions": [{{…}}]}}.',
    "bets": f'bets must be a list of 1 to {BETS_A_BATCH_MAX} bets, as in {{"bets": [{{…}}]}}; of free bets, keys.',
}

"""What may stand in each field, by its name in JSON or in the query."""
_KEYS: Final = dict.fromkeys(
    ("before", "after", "generation", "from_ms", "to_ms", "count", "expires_at_ms"), "bad_number"
)


def key_of(field: str) -> str:
    """The key of the error that a field of that name cannot be used."""
    return _KEYS.get(field, f"bad_{field}")


def check_id(name: str, value: str) -> str:
    """An id out of an address; `AnswerError` when no bet or bettor can be called so."""
    try:
        return _ID.validate_python(value)
    except ValidationError:
        raise AnswerError(404, f"bad_{name}", RULES[name]) from None


_T = TypeVar("_T")


def read_whole(adapter: TypeAdapter[_T], body: bytes) -> _T:
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        wrong = error
    if wrong.errors()[0]["type"] == "int_type":
        with suppress(ValidationError):
            return adapter.validate_json(json.dumps(_in_whole_numbers(json.loads(body))))
    raise AnswerError(400, *_why(wrong)) from None


def _in_whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number: 500.0 is the whole number 500, and what reads it strictly takes it for another.

    >>> _in_whole_numbers({"stake": 500.0, "rows": [0.5]})
    {'stake': 500, 'rows': [0.5]}
    """
    match value:
        case float() if value.is_integer():
            return int(value)
        case dict():
            return {name: _in_whole_numbers(inner) for name, inner in value.items()}
        case list():
            return [_in_whole_numbers(inner) for inner in value]
    return value


def read_query(adapter: TypeAdapter[_T], sent: Mapping[str, str]) -> _T:
    """What a query asks, each value a text still."""
    try:
        return adapter.validate_python(sent)
    except ValidationError as error:
        key, sentence = _why(error)
        fields = adapter.json_schema()["properties"]
        raise AnswerError(400, key, sentence.format_map(fields.get("limit", {}))) from None


def read_one(read: Callable[[str], _T], raw: Any) -> _T | Answer:
    """One of a batch, or its refusal."""
    try:
        return read(json.dumps(_in_whole_numbers(raw)))  # strict pydantic takes a mapping for it only out of JSON
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
    field, where = place[0], ".".join(str(part) for part in place)
    if kind == "unexpected_keyword_argument":
        return "unknown_field", f"There is no field '{where[:64]}' here: take it out, or correct its name."
    if kind in ("missing", "missing_argument"):
        return "missing_field", f"The field {where} is missing: {RULES[field]}"
    return key_of(field), f"The field {where} cannot be used: {RULES[field]}"
