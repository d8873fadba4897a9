"""The seats of a table as screens show them: who sits, how he stands, how he plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from studio.rulebook.game import Game, PeerRules
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Rules, Turn
from studio.tables.state.room import Player
from studio.tables.state.table import TableState, awaited
from studio.views.hand import poker
from studio.views.hand.open_face import boards_of, result_told
from studio.views.hand.showdown import hands_shown, pots_told
from studio.views.shape import PlayerView, RoomView, Words

STAKES = ("unit", "ante", "small_blind", "big_blind", "button_blind", "buy_in_least", "buy_in_most")
"""The house options that say how high a table is played, as they are shown."""


def view_room(state: TableState) -> RoomView | None:
    """The seats of a table and its open hand; None where bettors play against the house."""
    peers = state.game.peers
    if peers is None:
        return None
    hand, shown, boards = poker.hand_of(state), hands_shown(state), boards_of(state)
    rules = state.game.options.check(state.config.rules)
    return RoomView(
        seats=tuple(
            replace(_seat(state, peers, hand, seat, shown.get(seat)), board=boards.get(seat)) for seat in peers.seats
        ),
        dealt_in=state.room.dealt_in,
        stakes=stakes_of(state.game, state.config.rules),
        street=hand.street,
        pots=hand.pots,
        in_play_minor=hand.in_play_minor,
        choices=hand.choices,
        mucks=_mucks(state),
        spoken=poker.spoken(hand, state.config.currency),
        told=pots_told(hand.pots, shown, state.config.currency) if hand.won_minor else result_told(state, boards),
        turn_s=_turn_s(state),
        rake_percent=str(rules.get("rake_percent", "0")),
        rake_cap_minor=rules.get("rake_cap", 0),
    )


def stakes_of(game: Game, rules: Rules) -> Mapping[str, int]:
    """How high a table is played under these house options; empty where bettors play against the house."""
    checked = game.options.check(rules) if game.peers is not None else {}
    return {key: checked[key] for key in STAKES if checked.get(key)}


def _seat(state: TableState, peers: PeerRules, hand: poker.HandNow, seat: str, shown: Words | None) -> PlayerView:
    player = state.room.players.get(seat)
    button = ("button",) if seat == state.room.button else ()
    if player is None:
        return PlayerView(seat, marks=button)
    return PlayerView(
        seat=seat,
        bettor=player.bettor,
        operator=player.operator,
        stack_minor=hand.behind_minor.get(seat, player.behind_minor),
        front_minor=hand.front_minor.get(seat, 0),
        marks=(*button, *_marks(state, peers, hand, seat, player)),
        hand=shown,
        won_minor=hand.won_minor.get(seat, 0),
        back_minor=hand.back_minor.get(seat, 0),
    )


def _marks(state: TableState, peers: PeerRules, hand: poker.HandNow, seat: str, player: Player) -> Iterator[str]:
    round, now = state.round, awaited(state)
    dealt_in = seat in state.room.dealt_in
    if dealt_in and round is not None:
        yield from _blinds(round.rules, seat)
    if now is not None and isinstance(now.step, Turn) and now.step.box == seat and not state.held:
        yield "acts"
        if player.bank_since_ms is not None:
            yield "bank"
    if dealt_in and round is not None and seat in round.deal.folded:
        yield "folded"
    if seat in hand.all_in:
        yield "all_in"
    for mark in ("away", "waits", "posts", "leaving"):
        if getattr(player, mark):
            yield mark
    if state.room.dealt_in and not dealt_in and player.wants_cards and not player.waits:
        yield "next_hand"
    if seat in hand.won_minor:
        yield "won"


def _blinds(rules: Mapping[str, object], seat: str) -> Iterator[str]:
    """Heads-up the button has the small blind. [PR-2]"""
    hand = rules.get(HAND)
    if "big_blind" not in rules or not isinstance(hand, Mapping):
        return
    seats = hand["seats"]
    small, big = (seats[1], seats[0]) if len(seats) == 2 else (seats[0], seats[1])
    if seat in (small, big):
        yield "small_blind" if seat == small else "big_blind"


def _mucks(state: TableState) -> tuple[str, ...]:
    """Hands that were given up and whose cards the camera still sees."""
    if state.round is None or not state.round.live:
        return ()
    lying = {zone for zone, _ in state.felt.looks}
    return tuple(sorted(state.round.deal.folded & lying))


def _turn_s(state: TableState) -> float:
    now = awaited(state)
    if now is None or not isinstance(now.step, Turn):
        return 0.0
    player = state.room.players.get(now.step.box)
    if player is not None and player.bank_since_ms is not None:
        return max(1.0, player.bank_ms / 1000)
    return float(now.step.window_s)
