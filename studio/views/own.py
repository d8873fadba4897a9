"""What one bettor may know beyond the public: his choices against the house, his seat of a poker table and its cards.

It is asked for one bettor at a time: a hundred thousand may sit at a table. The faces of hole cards are for their seat
alone, and in no repr, so that a line in a log tells none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studio.rounds import CardDealt
from studio.rulebook.placing import Placing
from studio.rulebook.script import Decide, Turn
from studio.tables.books.book import Book
from studio.tables.state.box import Who, box_of, cards_of
from studio.tables.state.room import Player
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """`cards` are those dealt to the seat, in the order dealt; `turn` what it may do now, None while it may not.

    `hidden`: so many of its cards are shown when it asks to look at them.
    """

    seat: str
    round: str
    stack_minor: int
    in_minor: int
    dealt_in: bool
    away: bool
    waits: bool
    posts: bool
    leaving: bool
    bank_ms: int
    cards: tuple[str, ...] = field(default=(), repr=False)
    turn: dict[str, Any] | None = None
    hidden: int = 0


def own_seat(state: TableState, operator: str, bettor: str) -> OwnSeat | None:
    """What this bettor's seat may know; None where he has none."""
    seat = state.room.seat_of(operator, bettor)
    if not seat:
        return None
    player, round = state.room.players[seat], state.round
    live = round is not None and seat in state.room.dealt_in
    cards = _cards(state, seat) if live else ()
    shown = state.game.peers is None or not state.game.peers.looks or seat in state.room.seen
    return OwnSeat(
        seat=seat,
        round=round.id if round is not None and live else "",
        stack_minor=player.behind_minor,
        in_minor=player.in_minor,
        dealt_in=live,
        away=player.away,
        waits=player.waits,
        posts=player.posts,
        leaving=player.leaving,
        bank_ms=player.bank_ms,
        cards=cards if shown else (),
        turn=_turn(state, seat, player),
        hidden=0 if shown else len(cards),
    )


def _cards(state: TableState, seat: str) -> tuple[str, ...]:
    assert state.round is not None
    dealt = (state.round.deal.cards[slot] for slot in sorted(state.round.deal.cards) if slot[0] == seat)
    return tuple(str(fact.face or fact.card.card()) for fact in dealt if isinstance(fact, CardDealt))


def _turn(state: TableState, seat: str, player: Player) -> dict[str, Any] | None:
    now, round = awaited(state), state.round
    if now is None or round is None or not isinstance(now.step, Turn) or now.step.box != seat or state.held:
        return None
    step = now.step
    return {
        "options": list(step.options),
        "default": step.default,
        "owed": step.owed_minor,
        "front": step.front_minor,
        "to": list(step.to_minor) if step.to_minor else None,
        "closes_at_ms": round.window.closes_at_ms,
        "bank": player.bank_since_ms is not None,
        **(_placing(step.placing) if step.placing else {}),
    }


def _placing(placing: Placing) -> dict[str, Any]:
    return {"cards": placing.cards, "give_up": placing.give_up, "room": dict(placing.room)}


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """One option that the bettor may choose; `adds_minor` is the extra stake it costs, in the currency he plays in."""

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
    boxes = tuple(box for box in round.stakes.boxes if book.owners.has(who, box)) if state.game.owned else ()
    ready, folded = who in round.window.ready, book.conduct.has_folded(who)
    waiting = awaited(state)
    step = waiting.step if waiting is not None else None
    if round.window.closes_at_ms is None or state.held or not isinstance(step, Decide | Turn):
        return OwnPlay(folded=folded, boxes=boxes, ready=ready)
    choices = tuple(_choices(state, book, round, step, who, boxes))
    decided = book.conduct.has_decided(who) or any(book.conduct.has_decided(who, box) for box in boxes)
    mark = f"{round.id}.{round.window.closes_at_ms}"
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
    """Each option of the box with the extra stake it costs."""
    for option in options:
        raised = state.game.decisions.raise_of(option, stakes)
        yield OwnChoice(option, box, raised[1] if raised is not None else 0)
