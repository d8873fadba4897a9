"""What the public reads of a poker table beside its felt: the headline, and who won of late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from studio.spoken import Amount, Seats, Value
from studio.views.shape import ResultView, RoomView, TableView, Words

HANDS: Final = 8
"""So many of the last hands are shown."""

_SAYS: Final = {
    "public.shuffling": "public.next_hand", "public.dealing": "public.cards_dealt",
    "public.burning": "public.cards_dealt", "public.void": "public.hand_void",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LastPokerHand:
    """`pot_minor` is all that was won; `winners` the seats that won of it."""

    result: ResultView
    pot_minor: int
    winners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoomShow:
    headline: Words
    hands: tuple[LastPokerHand, ...]
    taken: int


def room_show(view: TableView, headline: str) -> RoomShow | None:
    """None where bettors play against the house. `headline` is what the public of any table is told."""
    room = view.room
    if room is None:
        return None
    hands = tuple(_last_hand(one) for one in view.past.results[-HANDS:][::-1])
    return RoomShow(_headline(view, room, headline), hands, sum(seat.taken for seat in room.seats))


def _headline(view: TableView, room: RoomView, headline: str) -> Words:
    if headline in ("public.result", "public.settled") and room.told and not room.pots:
        return room.told[0]
    if headline in ("public.result", "public.settled") and room.pots:
        pot_minor = sum(pot.amount_minor for pot in room.pots)
        seats = sorted({seat for pot in room.pots for seat, _ in pot.winners})
        said: dict[str, Value] = {"money": Amount(pot_minor, view.bets.currency), "seats": Seats(tuple(seats))}
        hand = next((one.hand for one in room.seats if one.seat == seats[0]), None)
        if hand is not None and len(room.pots) == 1:
            return Words("public.pot_with", said, {"hand": hand})
        return Words("public.pot_to", said)
    if headline == "public.deciding" and view.bets.turn:
        return Words("public.turn", {"box": f"box.{view.bets.turn}"})
    if headline in ("public.dealing", "public.burning") and room.street not in ("", "preflop"):
        return Words(f"street.{room.street}")
    if headline == "public.shuffling" and sum(seat.taken for seat in room.seats) < 2:
        return Words("public.wait_players")
    return Words(_SAYS.get(headline, headline))


def _last_hand(result: ResultView) -> LastPokerHand:
    if points := result.outcome.get("points"):
        return _last_points(result, points)
    pots: list[Mapping[str, Any]] = list(result.outcome.get("pots", ()))
    won = {seat for pot in pots for seat in pot["winners"]}
    return LastPokerHand(result, sum(pot["amount"] for pot in pots), tuple(sorted(won)))


def _last_points(result: ResultView, points: Mapping[str, int]) -> LastPokerHand:
    """Of Open-Face Chinese: the seats that won points, and what they took of the others."""
    winners = sorted(seat for seat, won in points.items() if won > 0)
    seats = result.outcome["seats"]
    return LastPokerHand(result, sum(seats[seat]["takes"] - seats[seat]["paid"] for seat in winners), tuple(winners))
