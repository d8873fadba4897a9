"""What one bettor may decide now at a table against the house, and what each choice adds to his stakes.

It is asked for one bettor at a time: a hundred thousand may sit at a table, and each is shown his own buttons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.games.script import Decide, Turn
from studio.tables.books.book import Book
from studio.tables.state.box import Who, box_of, cards_of
from studio.tables.state.table import Round, TableState, awaited


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """One thing he may choose; `adds_minor` is what it stakes beside, in the currency he plays in."""

    option: str
    box: str = ""
    adds_minor: int = 0


@dataclass(frozen=True, slots=True)
class OwnPlay:
    """`mark` names the window that is open, and no other one. `decided`: he has chosen in it already."""

    mark: str = ""
    choices: tuple[OwnChoice, ...] = ()
    decided: bool = False
    folded: bool = False
    boxes: tuple[str, ...] = ()
    """Where the game is played by boxes, those that are his."""
    ready: bool = False
    """He has said that he bets no more."""


def own_play(state: TableState, book: Book, operator: str, bettor: str) -> OwnPlay:
    """How this bettor stands in the round, and what he may choose now."""
    who, round = (operator, bettor), state.round
    if round is None or round.over or book.round != round.id or state.game.peers is not None:
        return OwnPlay()
    boxes = tuple(box for box in round.boxes if book.owners.has(who, box)) if state.game.owned else ()
    ready, folded = who in round.ready, book.conduct.has_folded(who)
    waiting = awaited(state)
    step = waiting.step if waiting is not None else None
    if round.closes_at_ms is None or state.held or not isinstance(step, Decide | Turn):
        return OwnPlay(folded=folded, boxes=boxes, ready=ready)
    choices = tuple(_choices(state, book, round, step, who, boxes))
    decided = book.conduct.has_decided(who) or any(book.conduct.has_decided(who, box) for box in boxes)
    mark = f"{round.id}.{round.closes_at_ms}"
    return OwnPlay(mark, choices, decided and not choices, folded, boxes, ready)


def _choices(
    state: TableState, book: Book, round: Round, step: Decide | Turn, who: Who, boxes: tuple[str, ...]
) -> Iterator[OwnChoice]:
    game, conduct = state.game, book.conduct
    if isinstance(step, Turn):
        if (box := box_of(step.box)) in boxes:
            yield from _worth(state, step.box, step.options, book.opening_stakes(who, box))
    elif game.owned is not None:
        for box in boxes:
            if not conduct.has_decided(who, box):
                yield from _worth(
                    state, box, game.owned.options_of(step, cards_of(round, box)), book.opening_stakes(who, box)
                )
    elif not conduct.has_decided(who) and conduct.owes(game, step, who):
        yield from _worth(state, "", step.options, conduct.stakes(who))


def _worth(state: TableState, box: str, options: Sequence[str], stakes: Mapping[str, int]) -> Iterator[OwnChoice]:
    """Each option with what it stakes beside."""
    for option in options:
        raised = state.game.decisions.raise_of(option, stakes)
        yield OwnChoice(option, box, raised[1] if raised is not None else 0)
