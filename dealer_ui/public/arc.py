"""The last rounds of a table of boxes: what the dealer came to, and what each box made of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.felt.spread import GAMES
from dealer_ui.public.statistic import SHOWN, Share
from studio.games.blackjack import DEALER, ROWS
from studio.games.blackjack_hand import BOX_KEYS
from studio.views.shape import ResultView, TableView

FAMILY: Final[Mapping[str, str]] = {
    "win": "win", "blackjack": "win", "even_money": "win", "push": "tie", "lose": "lose", "bust": "lose",
    "surrender": "lose",
}  # fmt: skip
"""Every way a hand may end, by what it came to for its bettor."""


@dataclass(frozen=True, slots=True)
class ArcRound:
    """One finished round. `dealer` is `21` or a key of `total.`; `boxes` how each hand of each box ended."""

    result: ResultView
    dealer: str
    points: int
    boxes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ArcPast:
    """`rounds` newest first. `share` counts hands, not rounds; `busts` in percent of the rounds the dealer drew in."""

    rounds: tuple[ArcRound, ...]
    share: Share | None
    busts: int | None
    blackjacks: int


def arc_of(view: TableView) -> ArcPast | None:
    """The past rounds as a screen shows them for a game whose hands lie in boxes; None for any other game."""
    if view.game.key not in GAMES:
        return None
    ended = [hand for result in view.past.results for hands in _hands(result.outcome) for hand in hands]
    dealt = [one.outcome[DEALER] for one in view.past.results if one.outcome.get(DEALER)]
    busts = sum(said["name"] == "Bust" for said in dealt)
    return ArcPast(
        rounds=tuple(_round(result) for result in view.past.results[-SHOWN:][::-1]),
        share=_share([FAMILY[hand] for hand in ended]),
        busts=round(100 * busts / len(dealt)) if dealt else None,
        blackjacks=ended.count("blackjack"),
    )


def _round(result: ResultView) -> ArcRound:
    said = result.outcome.get(DEALER) or {}
    name = str(said.get("name", ""))
    dealer = name.lower() if name in ("Blackjack", "Bust") else str(said.get("points", ""))
    return ArcRound(result, dealer, int(said.get("points", 0)), tuple(_hands(result.outcome)))


def _hands(outcome: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    """How the hands of every box ended, in the order of the boxes; none for a box that was not played."""
    for box in BOX_KEYS:
        zones = (box, *(box + row for row in ROWS))
        yield tuple(str(outcome[zone]["result"]) for zone in zones if zone in outcome)


def _share(families: Sequence[str]) -> Share | None:
    if not families:
        return None
    win, tie = (round(100 * families.count(one) / len(families)) for one in ("win", "tie"))
    return Share("", win, tie, 100 - win - tie, len(families))
