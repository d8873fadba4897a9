"""Rooms for the report of collusion: simulated ones at the real table, and hands made of chance."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.rehearsal.poker import guests
from dealer_ui.rehearsal.poker.guests import Act
from dealer_ui.rehearsal.poker.sight import PlayerSight, sight_of
from dealer_ui.rehearsal.poker.temperament import ROCK, SOLID, Temperament
from studio.journal import Reader
from studio.reports import Report, ReportAsked, between, find_kind
from studio.reports.collusion.hand import RoomHand
from studio.reports.sheet.shape import Money
from studio.rulebook.script import Turn
from studio.tables.state.table import TableState

CHEAP: Final = 500
DUMPS: Final = {"b0": "b1"}
SOFT: Final = {"b0": "b1", "b1": "b0"}


def report_of(path: Path) -> Report:
    with Reader.open(path) as reader:
        period = between(reader, 0, reader.head().seq, begin_ms=0, end_ms=10**13)
        return find_kind("collusion").make(ReportAsked(reader, period))


def told(report: Report, sheet: str = "leads") -> list[dict[str, object]]:
    names = [column.key for column in report.sheet(sheet).columns]
    return [
        dict(zip(names, (one.amount_minor if isinstance(one, Money) else one for one in row), strict=True))
        for row in report.sheet(sheet).rows
    ]


def play(
    path: Path,
    patch: pytest.MonkeyPatch,
    hands: int,
    *,
    seed: int,
    dumps: Mapping[str, str] = {},
    soft: Mapping[str, str] = {},
) -> Path:
    """A night of Hold'em. Who dumps gives his partner his chips; who is soft does not attack him when they are left."""
    think = guests._think

    def agreed(mind: Temperament, state: TableState, turn: Turn, chance: random.Random) -> Act | None:
        own = state.room.players[turn.box].bettor
        sight, still = sight_of(state, turn), _still_in(state)
        if own in dumps:
            return _gives(sight, dumps[own] in still, len(still))
        if any(own == taker and giver in still for giver, taker in dumps.items()) and len(still) == 2:
            return _takes(sight)
        if len(still) == 2 and soft.get(own) in still and "muck" not in sight.options:
            return ("check" if "check" in sight.options else "call"), 0, ()
        return think(mind, state, turn, chance)

    patch.setattr(guests, "_think", agreed)
    night = Night(NightOptions("nlh", seed, bettors=4 if soft else 6, database=str(path)))
    assert isinstance(night.punters, guests.Guests)
    for guest in night.punters._guests:
        guest.mind = SOLID if soft else ROCK if dumps and guest.name not in dumps.values() else guest.mind
    try:
        while night.state.rounds < hands:
            night.step()
    finally:
        night.close()
    return path


def _gives(sight: PlayerSight, partner_is_in: bool, left: int) -> Act:
    """He comes in cheaply beside his partner; when they two are left he bets most of what he has, and folds to more."""
    if "muck" in sight.options:
        return "muck", 0, ()
    cheap = sight.owed_minor <= CHEAP
    if partner_is_in and left == 2 and cheap and sight.to_minor is not None:
        least, most = sight.to_minor
        return ("raise" if "raise" in sight.options else "bet"), max(least, most * 3 // 5), ()
    if "check" in sight.options:
        return "check", 0, ()
    return ("call" if partner_is_in and cheap else "fold"), 0, ()


def _takes(sight: PlayerSight) -> Act:
    """He lets the other bet, and puts all in."""
    if "muck" in sight.options:
        return "show", 0, ()
    if "check" in sight.options:
        return "check", 0, ()
    return ("call", 0, ()) if sight.to_minor is None else ("raise", sight.to_minor[1], ())


def _still_in(state: TableState) -> set[str]:
    assert state.round is not None
    seats = [seat for seat in state.room.dealt_in if seat not in state.round.deal.mucked]
    return {state.room.players[seat].bettor for seat in seats if seat in state.room.players}


# --- hands made of chance -------------------------------------------------------------------------------


def honest_hands(seed: int, count: int, players: int = 6) -> list[RoomHand]:
    """Hands of players who differ: how often each is in, and how well he wins; pots as unlike as at a real table."""
    chance = random.Random(seed)
    names = [f"north/p{number}" for number in range(players)]
    loose = {name: chance.uniform(0.2, 0.9) for name in names}
    skill = {name: chance.uniform(0.6, 1.6) for name in names}
    return [_hand(f"t-{number:07}", names, loose, skill, chance) for number in range(count)]


def _hand(
    round: str, names: Sequence[str], loose: Mapping[str, float], skill: Mapping[str, float], chance: random.Random
) -> RoomHand:
    inside = [name for name in names if chance.random() < loose[name]]
    inside += chance.sample([name for name in names if name not in inside], max(0, 2 - len(inside)))
    winner = chance.choices(inside, [skill[name] for name in inside])[0]
    put = {name: round_of(chance) for name in inside if name != winner}
    hand = RoomHand(round, "t", "nlh", "EUR", dict.fromkeys(names, 0))
    for name, minor in put.items():
        hand.net[name] = -minor
    hand.net[winner] = sum(put.values())
    if len(inside) == 2:
        hand.duel = {name: chance.random() < 0.5 * loose[name] + 0.2 for name in inside}
    return hand


def round_of(chance: random.Random) -> int:
    """A loss: many small ones, and now and then a stack."""
    return int(min(20_000, 100 * chance.paretovariate(0.9)))
