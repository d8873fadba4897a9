"""Measures the seconds from a card being laid until the camera has confirmed it, on films of a felt.

How many of the cards that lie still are named within a second, too. `python -m bench.laying --films 60` shows more.

The films have a clock of their own, a frame every tenth or fifth of a second: what is measured is how long the watcher
looks before it says what it sees, not how fast a machine is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median, quantiles
from typing import Final

import click

from bench.figure import Figure
from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import SlotName, layout_for
from devices.camera.place.zone import WatchTiming
from devices.camera.source.live import open_source
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.deck_art import FELT_POKER, HOUSE_CASINO, random_design
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from studio.cards import DECK, Card, Sealer
from studio.games import find_game
from studio.ports import CameraSawCard, CardFace

FILMS: Final = 6
_FRAME_MS: Final = 100
_SLOW_MS: Final = 200
_BETWEEN_MS: Final = 500
_SETTLED_MS: Final = 1_000
_LAST_MS: Final = 4_000
_SHARE: Final = 0.99


@dataclass(frozen=True, slots=True)
class Kind:
    """`look_of` gives the deck and the camera of a film; a frame comes every `frame_ms`."""

    title: str
    look_of: Callable[[random.Random], FeltLook]
    frame_ms: int = _FRAME_MS


def _ordinary(rng: random.Random) -> FeltLook:
    return FeltLook(design=rng.choice((FELT_POKER, HOUSE_CASINO)), back=rng.randrange(1_000))


def _of_chance(rng: random.Random) -> FeltLook:
    return FeltLook(design=random_design(rng), back=rng.randrange(1_000))


def _poor(rng: random.Random) -> FeltLook:
    """A dim, noisy and soft camera."""
    return replace(_ordinary(rng), noise=9.0, blur_px=0.9, light=0.6)


KINDS: Final = (
    Kind("ordinary decks", _ordinary),
    Kind("ordinary decks, 5 frames a second", _ordinary, _SLOW_MS),
    Kind("decks of chance", _of_chance),
    Kind("a dim, noisy, soft camera", _poor),
)


@dataclass(slots=True)
class Shown:
    """Of the cards laid: how long until each was named, in milliseconds, how many within a second of lying still with
    nothing over them, and how many wrongly.
    """

    laid: int = 0
    wrong: int = 0
    in_time: int = 0
    waits_ms: list[int] = field(default_factory=list)

    @property
    def median_s(self) -> float:
        return median(self.waits_ms) / 1000

    @property
    def p99_s(self) -> float:
        return quantiles(self.waits_ms, n=100)[98] / 1000


class _Film:
    """One felt, its camera and the watcher: twelve cards are laid one after the other, as a dealer does."""

    def __init__(self, kind: Kind, seed: int, reader: CardReader) -> None:
        rng = random.Random(seed)
        self._layout = layout_for(find_game("three_knights").felt.zones)
        self._felt = SimFelt(self._layout, rng)
        self._look = kind.look_of(rng)
        camera = FeltRenderer(self._felt, seed, self._look)
        self._watcher = Watcher(
            open_source("sim://felt", {"felt": camera.frame}), self._layout, Sealer(rng.randbytes),
            settings=WatchSettings(reader=reader),
        )  # fmt: skip
        self._frame_ms, self._now_ms = kind.frame_ms, 0
        self._cards = rng.sample(DECK, 12)
        self._offset_ms = rng.randrange(kind.frame_ms)

    def shown(self, count: Shown) -> None:
        """Show it from its start to its end."""
        laid: dict[SlotName, tuple[Card, int]] = {}
        self._frames(_SETTLED_MS)
        slots = [slot.name for slot in self._layout.slots if not slot.pile and slot.zone != "burn"]
        for slot, card in zip(slots, self._cards, strict=True):
            laid[slot] = card, self._now_ms + self._offset_ms
            self._felt.lay(*slot, card, CardFace.UP)
            self._count(self._frames(_BETWEEN_MS), laid, count)
        count.laid += len(laid)
        self._count(self._frames(_LAST_MS), laid, count)

    def _frames(self, wait_ms: int) -> Iterator[CameraSawCard]:
        said: list[CameraSawCard] = []
        for _ in range(wait_ms // self._frame_ms):
            self._now_ms += self._frame_ms
            said += [one for one in self._watcher.step(self._now_ms) if isinstance(one, CameraSawCard)]
        return iter(said)

    def _count(self, said: Iterator[CameraSawCard], laid: dict[SlotName, tuple[Card, int]], count: Shown) -> None:
        for one in said:
            if one.card is None or (one.zone, one.place) not in laid:
                continue
            card, at_ms = laid[one.zone, one.place]
            if one.card.card() is not card:
                count.wrong += 1
                continue
            count.waits_ms.append(one.at_ms - at_ms)
            count.in_time += one.at_ms - at_ms <= self._look.hand_ms + _SETTLED_MS


def look(kind: Kind, films: int, seed: int = 1) -> Shown:
    """Show so many films of a kind."""
    reader, count = CardReader(), Shown()
    for number in range(films):
        _Film(kind, seed * 10_000 + number, reader).shown(count)
    return count


def measure() -> Sequence[Figure]:
    """From the hand that lays a card to its name; raw is what the hand and the wait for rest take alone."""
    raw_s = (FeltLook().hand_ms + WatchTiming().settle_ms) / 1000
    figures: list[Figure] = []
    for kind in KINDS:
        count = look(kind, FILMS)
        share = count.in_time / count.laid
        figures += [
            Figure(
                name=f"{kind.title}: laid to confirmed, median", value=count.median_s, unit="s", raw=raw_s,
                raw_name="the hand, then at rest",
            ),
            Figure(
                name=f"{kind.title}: the same, 99th of 100", value=count.p99_s, unit="s", raw=raw_s,
                raw_name="the hand, then at rest",
            ),
            Figure(
                name=f"{kind.title}: named within a second of lying still, {count.wrong} wrong", value=100 * share,
                unit="%", target=f"{_SHARE:.0%}, 0 wrong", holds=share >= _SHARE and not count.wrong,
            ),
        ]  # fmt: skip
    return figures


@click.command()
@click.option("--films", default=60, show_default=True, help="Films of twelve cards for each kind.")
@click.option("--seed", default=1, show_default=True)
def main(films: int, seed: int) -> None:
    """Show films of each kind, and tell how soon the cards on them were confirmed."""
    click.echo("| film | laid | named | within a second of lying still | WRONG | laid to confirmed, median | p99 |")
    click.echo("| --- | --- | --- | --- | --- | --- | --- |")
    for kind in KINDS:
        count = look(kind, films, seed)
        click.echo(
            f"| {kind.title} | {count.laid} | {len(count.waits_ms)} | {100 * count.in_time / count.laid:.1f} % "
            f"| {count.wrong} | {count.median_s:.2f} s | {count.p99_s:.2f} s |"
        )


if __name__ == "__main__":
    main()
