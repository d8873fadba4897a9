"""What one seat of a poker table may know beyond the public: its own cards, and its turn.

The faces of its hole cards are for this seat alone. They are in no repr, so that a line in a log tells none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from studio.games.placing import Placing
from studio.games.script import Turn
from studio.rounds import CardDealt
from studio.tables.state.room import Player
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
    dealt = (state.round.cards[slot] for slot in sorted(state.round.cards) if slot[0] == seat)
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
        "closes_at_ms": round.closes_at_ms,
        "bank": player.bank_since_ms is not None,
        **(_placing(step.placing) if step.placing else {}),
    }


def _placing(placing: Placing) -> dict[str, Any]:
    return {"cards": placing.cards, "give_up": placing.give_up, "room": dict(placing.room)}
