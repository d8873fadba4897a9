"""The second opinion on a hand of the poker room: who takes how much of what everybody put in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions.dealt import Cards, Dealt
from dealer_ui.rehearsal.opinions.rank import Worth, best_five, best_of_omaha, best_short_deck

_OUT = frozenset({"fold", "muck"})

Cut = tuple[Fraction, int]
"""What the house takes: percent of each pot, and at most so many minor units of a hand."""

NOTHING: Final[Cut] = (Fraction(0), 0)


def takes(
    game: str, seats: Sequence[str], paid: Mapping[str, int], dealt: Dealt, cut: Cut = NOTHING
) -> Mapping[str, int]:
    """What each seat takes of it, in minor units; `seats` from the left of the button on."""
    staying = [seat for seat in seats if not _OUT.intersection(dealt.chosen.get(seat, ()))]
    called, taken = _called(paid), Counter(dict.fromkeys(seats, 0))
    for seat, minor in paid.items():
        taken[seat] += minor - called[seat]
    percent, left_minor = cut if dealt.hands.get("board") else NOTHING
    for pot_minor, winners in _won(game, staying, called, dealt):
        house_minor = min(pot_minor * percent // 100, left_minor)
        left_minor -= house_minor
        each_minor, odd_minor = divmod(pot_minor - house_minor, len(winners))
        for at, seat in enumerate(winners):
            taken[seat] += each_minor + (odd_minor if at == 0 else 0)
    return dict(taken)


def _called(paid: Mapping[str, int]) -> Mapping[str, int]:
    """What each put in, as far as anybody else put in as much."""
    second = sorted(paid.values())[-2]
    return {seat: min(minor, second) for seat, minor in paid.items()}


def _won(game: str, staying: Sequence[str], paid: Mapping[str, int], dealt: Dealt) -> list[tuple[int, Sequence[str]]]:
    """Each pot with the seats that win it."""
    if len(staying) == 1:
        return [(sum(paid.values()), staying)]
    worth = {seat: _worth(game, dealt.hands[seat], dealt.hands["board"]) for seat in staying}
    return [(pot_minor, _winners(playing, worth)) for pot_minor, playing in _pots(staying, paid, worth)]


def _pots(
    staying: Sequence[str], paid: Mapping[str, int], worth: Mapping[str, Worth]
) -> list[tuple[int, Sequence[str]]]:
    """Each pot with the seats that play for it; what is left to the same unbeaten hands is one. [PR-9]"""
    levels, under = sorted({paid[seat] for seat in staying}), 0
    layers: list[tuple[int, Sequence[str]]] = []
    for level in levels:
        top = max(paid.values()) if level == levels[-1] else level
        pot_minor = sum(min(minor, top) - min(minor, under) for minor in paid.values())
        layers.append((pot_minor, [seat for seat in staying if paid[seat] >= level]))
        under = level
    unbeaten = {seat for _, playing in layers for seat in _winners(playing, worth)}
    merged: dict[tuple[str, ...], int] = {}
    for pot_minor, playing in layers:
        left = tuple(seat for seat in playing if seat in unbeaten)
        merged[left] = merged.get(left, 0) + pot_minor
    return [(pot_minor, playing) for playing, pot_minor in merged.items()]


def _winners(playing: Sequence[str], worth: Mapping[str, Worth]) -> Sequence[str]:
    best = max(worth[seat] for seat in playing)
    return [seat for seat in playing if worth[seat] == best]


def _worth(game: str, hole: Cards, board: Cards) -> Worth:
    if game == "plo":
        return best_of_omaha(hole, board)
    return (best_short_deck if game == "short_deck" else best_five)((*hole, *board))
