"""Walks the procedures: which rows serve a game, in which order, and what they rule.

The game's own rows first, then those of the house, then the game's catch-alls, then those of every table.
The first match rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studio.errors import BadInputError
from studio.games import GAMES
from studio.procedures.circumstance import PHASES, Circumstances, circumstances
from studio.procedures.condition import boxes_with
from studio.procedures.incident import KIND_BY_KEY
from studio.procedures.meaning import RULING_BY_KEY, effective_approval, row_approval
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow, Refund, Ruling
from studio.procedures.rows import (
    andar_bahar,
    baccarat,
    blackjack,
    every_table,
    house,
    kkclash,
    poker_room,
    three_knights,
)
from studio.rulebook.game import Game


@dataclass(frozen=True, slots=True)
class Procedures:
    """The rows of one game in the order they are tried. `dealt_after_bets`: boxes bare before bets are in."""

    game: str
    rows: tuple[ProcedureRow, ...]
    boxes: tuple[str, ...]
    dealt_after_bets: tuple[str, ...] = ()


_DAGGER_AND_EVERY = (*house.EVERY_GAME, *every_table.ROWS)
_BETTING_AND_EVERY = (*poker_room.BETTING, *_DAGGER_AND_EVERY)
_HOUSE_AND_EVERY = (*house.ROWS, *every_table.ROWS)
_FOUR_HANDS = ("player1", "player2", "player3", "banker")
_NUMBERS = tuple(str(number) for number in range(1, 8))
_SEVEN_BOXES = ("dealer", *_NUMBERS, *(f"box{number}" for number in _NUMBERS))
_SEATS = (*(str(n) for n in range(1, 10)), *(f"seat{n}" for n in range(1, 10)), "board", "burn")

_OWN: Mapping[str, Procedures] = {
    own.game: own
    for own in (
        Procedures(
            "three_knights",
            (*three_knights.ROWS, *house.EVERY_GAME, *three_knights.CATCH_ALLS, *every_table.ROWS),
            (*_FOUR_HANDS, "burn"),
            dealt_after_bets=_FOUR_HANDS,
        ),
        Procedures("kkclash", (*kkclash.ROWS, *_HOUSE_AND_EVERY), ("shark", "king", "board", "burn")),
        Procedures("andar_bahar", (*andar_bahar.ROWS, *_HOUSE_AND_EVERY), ("joker", "andar", "bahar", "burn")),
        Procedures("baccarat", (*baccarat.ROWS, *_HOUSE_AND_EVERY), ("player", "banker", "first", "burn")),
        Procedures("dragon_tiger", (*baccarat.DRAGON_TIGER, *_HOUSE_AND_EVERY), ("dragon", "tiger", "burn")),
        Procedures("blackjack", (*blackjack.ROWS, *_DAGGER_AND_EVERY), _SEVEN_BOXES),
        Procedures("nlh", _BETTING_AND_EVERY, _SEATS),
        Procedures("short_deck", _BETTING_AND_EVERY, _SEATS),
        Procedures("plo", _BETTING_AND_EVERY, _SEATS),
        Procedures("ofc", (*poker_room.OPEN_FACE, *poker_room.ANY_HAND, *_DAGGER_AND_EVERY), (*_SEATS, "a", "b", "c")),
    )
}
"""Games with rows of their own, or with other boxes than the cards are dealt to."""


def _of_the_house(game: Game) -> Procedures:
    """The rows of the house, as they stand, for a game that has none of its own."""
    return Procedures(game.key, _HOUSE_AND_EVERY, (*game.felt.boxes, "burn"))


PROCEDURES: tuple[Procedures, ...] = tuple(_OWN.get(game.key) or _of_the_house(game) for game in GAMES)

BY_GAME: Mapping[str, Procedures] = {procedures.game: procedures for procedures in PROCEDURES}

NO_ROW = Ruling(
    row="",
    ruling=PIT_DECIDES,
    options=("void_round", "continue"),
    approval=Approval.PIT_BOSS,
    refund=Refund.NONE,
    text="No row of the procedures fits what is known: the pit boss voids the round or lets it go on.",
)
"""No incident is left without a ruling."""


def rule(game: str, kind: str, phase: str, circumstances_given: Mapping[str, object] | None = None) -> Ruling:
    """What the procedures that ship say of it."""
    return rule_by(procedures_of(game), kind, phase, circumstances_given)


def rule_by(
    procedures: Procedures, kind: str, phase: str, circumstances_given: Mapping[str, object] | None = None
) -> Ruling:
    """What these procedures say; `BadInputError` lists what is allowed where a name or value is not known."""
    if kind not in KIND_BY_KEY:
        raise BadInputError(f"There is no incident '{kind}'. The kinds are: {', '.join(KIND_BY_KEY)}.")
    found = circumstances(
        kind,
        phase,
        circumstances_given or {},
        boxes=procedures.boxes,
        dealt_after_bets=procedures.dealt_after_bets,
    )
    row = first_match(procedures.rows, kind, found)
    return NO_ROW if row is None else _ruling(row, found)


def procedures_of(game: str) -> Procedures:
    """The procedures of a game, or `BadInputError` with the games there are."""
    if game not in BY_GAME:
        raise BadInputError(f"There is no game '{game}'. The games are: {', '.join(BY_GAME)}.")
    return BY_GAME[game]


def first_match(rows: tuple[ProcedureRow, ...], kind: str, found: Circumstances) -> ProcedureRow | None:
    """The row that decides, or None."""
    return next((row for row in rows if row.matches(kind, found)), None)


def row_of(game: str, row_id: str, *, ruling: str = "") -> ProcedureRow | None:
    """The row an incident record names; of branches under one id the one with this ruling, else the first."""
    named = [row for row in procedures_of(game).rows if row.id == row_id]
    return next((row for row in named if row.ruling == ruling), named[0] if named else None)


def words_key(game: str, row_id: str, text: str) -> str:
    """The key of a row's words in the catalogues: `HG1`, and `HG1.2` of the second branch under one id; empty where
    the text is not that of a row that ships.
    """
    if not row_id:
        return "none" if text == NO_ROW.text else ""
    branches = [row.text for row in procedures_of(game).rows if row.id == row_id]
    if text not in branches:
        return ""
    at = branches.index(text)
    return f"{row_id}.{at + 1}" if at else row_id


def is_shown(found: Circumstances) -> bool:
    """Whether a reveal is done or the result is shown: then a void takes two people."""
    return found.phase in PHASES[PHASES.index("result") :] or found.value("reveal_done") is True


def _ruling(row: ProcedureRow, found: Circumstances) -> Ruling:
    approval = row_approval(row)
    if row.ruling != PIT_DECIDES:
        over = is_shown(found)
        approval = effective_approval(row.ruling, row, revealed_done=over, settled=found.phase == "settled")
    return Ruling(
        row=row.id,
        ruling=row.ruling,
        options=row.options,
        approval=approval,
        refund=RULING_BY_KEY[row.ruling].refund,
        text=row.text,
        arguments=boxes_with(0, found) if row.ruling == "void_hand" else row.arguments,
        afterwards=row.afterwards,
    )
