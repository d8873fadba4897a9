"""Open-Face Chinese (pineapple) as the poker room scores it: `docs/games/ofc.md`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from studio.cards import Card, parse_cards
from studio.errors import BadInputError
from studio.games.open_face import ROWS as ROWS
from studio.games.open_face import Board, OpenFaceOutcome, OpenFaceRules, score_boards
from studio.hands.poker import STANDARD

KEY: Final = "ofc"
TITLE: Final = "Open-Face Chinese"
_ROYALTIES: Final = ("none", "usual")


def check_rules(rules: Mapping[str, Any]) -> OpenFaceRules:
    """The house options; `BadInputError` for one that is not there, or of a wrong kind."""
    if unknown := sorted(set(rules) - {"strict_rows", "royalties"}):
        raise BadInputError(f"{TITLE} has no rule '{unknown[0]}': it has strict_rows and royalties.")
    strict, royalties = rules.get("strict_rows", False), rules.get("royalties", "none")
    if not isinstance(strict, bool):
        raise BadInputError("The rule strict_rows is true or false.")
    if royalties not in _ROYALTIES:
        raise BadInputError(f"The rule royalties is one of {', '.join(_ROYALTIES)}.")
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
    return score_boards(boards, check_rules(rules), frozenset(fantasy))


def _cards(seat: str, row: str, given: object) -> tuple[Card, ...]:
    match given:
        case str():
            return tuple(parse_cards(given))
        case list() if all(isinstance(card, str) for card in given):
            return tuple(Card.parse(card) for card in given)
    raise BadInputError(f'The {row} row of {seat} cannot be read: write a list such as ["As", "Td", "2c"].')


def describe(outcome: OpenFaceOutcome) -> dict[str, Any]:
    """Points and boards in plain values."""
    return {
        "points": dict(outcome.points),
        "between": [{"seats": list(pair), "points": won} for pair, won in outcome.between.items()],
        "seats": {seat: _describe(outcome, seat, board) for seat, board in outcome.cards.items()},
    }


def _describe(outcome: OpenFaceOutcome, seat: str, board: Board) -> dict[str, Any]:
    score = outcome.boards[seat]
    names = {row: STANDARD.describe(value) for row, value in score.values.items()}
    rows = {row: {"cards": [str(card) for card in board[row]], "name": names.get(row, "")} for row in ROWS}
    return {**rows, "fouled": score.fouled, "royalties": score.royalties, "fantasy": score.fantasy}
