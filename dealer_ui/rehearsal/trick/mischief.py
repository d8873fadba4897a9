"""What goes wrong in a simulated night, and when: seeded, of all kinds in turn."""

from __future__ import annotations

import heapq
import random
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from dealer_ui.rehearsal.hand.script_act import DEFAULTS, EVERY_TABLE, acts_of
from dealer_ui.rehearsal.night import Night
from dealer_ui.rehearsal.person.dealer import SimDealer
from dealer_ui.rehearsal.repertoire.register import find_wrong
from dealer_ui.rehearsal.repertoire.wrong import Wrong
from studio.ports import CardFace
from studio.rulebook.script import Rules
from studio.views import TableView

if TYPE_CHECKING:
    from studio.spoken import Slot

_SECOND_RATE: Final = 0.2
"""The share of those in which a second thing does."""
_IN_VAIN_MAX: Final = 3
"""So many rounds a trick waits for its occasion; then it goes back into the bag."""


class Scene:
    """What a trick is played with: the whole night, the screen as the dealer sees it, and chance."""

    def __init__(self, night: Night, view: TableView, rng: random.Random, later: Callable[..., None]) -> None:
        self.night = night
        self.view = view
        self.rng = rng
        self.later = later
        """`later(wait_ms, act)`: have something done after a while."""

    @property
    def slot(self) -> Slot | None:
        """The place the console shows as the next."""
        places = ((box.key, card.place, card.state) for box in self.view.boxes for card in box.places)
        return next(((key, place) for key, place, state in places if state == "awaited"), None)

    @property
    def due(self) -> CardFace:
        """Which side of the next card is to lie up."""
        return CardFace.UP if self.view.now.act.key == "act.deal" else CardFace.DOWN

    @property
    def free_slots(self) -> list[Slot]:
        """Places of the boxes where nothing lies and nothing is awaited."""
        felt = self.night.rig.felt
        return [
            (box.key, card.place)
            for box in self.view.boxes
            for card in box.places
            if box.key != "burn" and card.state == "empty" and not felt.count(box.key, card.place)
        ]


@dataclass(frozen=True, slots=True)
class Trick:
    """One of the repertoire, or several at once, made to go wrong in a simulated night.

    `picks` are their keys. `acts` are the acts of the console at which it may begin. `play` is True when it took the
    place of what the dealer was about to do. `when`: the occasion, where not every such act is one; then the first is
    taken. `rows`: those of the procedures that it makes happen by itself.
    """

    name: str
    picks: str | tuple[str, ...]
    acts: tuple[str, ...]
    play: Callable[[Scene], bool]
    when: Callable[[Scene], bool] | None = None
    rows: tuple[str, ...] = ()

    @property
    def wrongs(self) -> tuple[Wrong, ...]:
        keys = (self.picks,) if isinstance(self.picks, str) else self.picks
        return tuple(map(find_wrong, keys))


def may_come(trick: Trick, game: str, rules: Rules = DEFAULTS) -> bool:
    """Whether a table of this game, under these house rules, ever comes to an act at which the trick may begin."""
    return any(act in EVERY_TABLE or act in acts_of(game, rules) for act in trick.acts)


class _Bag:
    """Gives every trick once, in a shuffled order, before any comes again."""

    def __init__(self, tricks: Sequence[Trick], rng: random.Random) -> None:
        self.tricks = tuple(tricks)
        self._rng = rng
        self._left: list[Trick] = []

    def draw(self) -> Trick:
        if not self._left:
            self._left = list(self.tricks)
            self._rng.shuffle(self._left)
        return self._left.pop()

    def put_back(self, trick: Trick) -> None:
        self._left.insert(0, trick)


class Mischief:
    """Plays tricks on a night. Several lists of them take turns: each trick of a short one comes round sooner."""

    def __init__(self, night: Night, tricks: Sequence[Sequence[Trick]], rate: float) -> None:
        self.played: Counter[str] = Counter()
        self._night = night
        game, rules = night.options.game, night.options.rules
        self._looks = acts_of(game, rules)
        self._rate = rate
        self._rng = random.Random(f"{night.options.seed}/mischief")
        fitting = [[trick for trick in one if may_come(trick, game, rules)] for one in tricks]
        chance = [self._rng, *(random.Random(f"{night.options.seed}/{game}/{at}") for at in range(1, len(tricks)))]
        self._bags = deque(map(_Bag, fitting, chance))
        self._due: list[tuple[Trick, int]] = []
        self._in_vain = 0
        self._round = ""
        self._later: list[tuple[int, int, Callable[[], object]]] = []
        self._serial = 0
        night.dealer.trick = self

    def step(self, now_ms: int) -> None:
        """Let go on, or end, what began before."""
        due = []
        while self._later and self._later[0][0] <= now_ms:
            due.append(heapq.heappop(self._later)[2])
        for act in due:
            act()

    def later(self, wait_ms: int, act: Callable[[], object]) -> None:
        self._serial += 1
        heapq.heappush(self._later, (self._night.now_ms + wait_ms, self._serial, act))

    def play(self, dealer: SimDealer, view: TableView, now_ms: int) -> bool:
        """The dealer comes to a new act: whether a trick takes its place."""
        if view.round.id != self._round:
            self._round = view.round.id
            self._plan()
        for at, (trick, skip) in enumerate(self._due):
            if view.now.act.key not in trick.acts:
                continue
            if skip:
                self._due[at] = (trick, skip - 1)
                continue
            scene = Scene(self._night, view, self._rng, self.later)
            if trick.when is not None and not trick.when(scene):
                continue
            del self._due[at]
            self.played[trick.name] += 1
            return trick.play(scene)
        return False

    def _plan(self) -> None:
        """What is to go wrong in the round that has begun; what found no occasion before comes first."""
        self._due = [(trick, 0) for trick, _ in self._due]
        self._in_vain = self._in_vain + 1 if self._due else 0
        if self._in_vain > _IN_VAIN_MAX:
            for trick, _ in self._due:
                next(bag for bag in self._bags if trick in bag.tricks).put_back(trick)
            self._due, self._in_vain = [], 0
        if any(trick.when is None for trick, _ in self._due) or self._rng.random() >= self._rate:
            return
        for _ in range(2 if self._rng.random() < _SECOND_RATE else 1):
            trick = self._bags[0].draw()
            self._bags.rotate()
            looks = sum(self._looks.get(act, 1) for act in trick.acts)
            self._due.append((trick, 0 if trick.when is not None else self._rng.randrange(looks)))
