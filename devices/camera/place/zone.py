"""The life of one place on the felt: empty, obscured, a card face down, up and read, or unread.

No picture comes here: `CameraPlace` is told when something moves in it and what a look at it showed, and says what is
new. A card is read only when it is still, and named only when several frames together are sure.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from devices.camera.face.reader import Judgement, Scores, fuse, judge
from devices.camera.outline.search import Nothing
from studio.ports import CardFace

_FRAMES_MIN: Final = 2
_FRAMES_FUSED: Final = 6
_OTHER: Final = 0.25
_OTHER_A_LITTLE: Final = 0.02
_RANK_SEEN: Final = 0.85
_SUIT_SEEN: Final = 0.7


@dataclass(frozen=True, slots=True)
class WatchTiming:
    """How long things must last before they are said, in milliseconds."""

    settle_ms: int = 180
    hand_ms: int = 700
    unsure_ms: int = 1_000
    give_up_ms: int = 6_000
    again_ms: int = 3_000
    """After this a doubtful card that was given up is looked at again."""
    blind_ms: int = 500
    frozen_ms: int = 4_000
    """0: pictures may stand still (a film, a folder)."""
    silent_ms: int = 3_000
    stray_ms: int = 700
    """A card may lie in the open felt for so long before it is told."""
    stay_ms: int = 5_000
    """A hand that was told is told once more when it is still there."""

    def faster(self, speed: float) -> WatchTiming:
        """The same watcher on a table whose dealer is that much faster; link times stay.

        No time falls below what a camera's frames can tell: a hand passes in some of them at any speed.
        """
        times = {
            "settle_ms": 30, "hand_ms": 250, "unsure_ms": 300, "give_up_ms": 1_500, "again_ms": 500, "stray_ms": 60,
            "stay_ms": 1_500,
        }  # fmt: skip
        return replace(self, **{name: max(least, round(getattr(self, name) / speed)) for name, least in times.items()})


@dataclass(frozen=True, slots=True, eq=False)
class CardLook:
    """A look that found a card: what the network says of it and how high it is in the frame."""

    scores: Scores
    height_px: float


def half_hidden(scores: Scores) -> bool:
    """Whether something that is no card, such as a hand or a chip, hides one half of a card, or its suits alone."""
    other = scores[:, 2] > _OTHER
    ranks, suits = scores[:, 3:16].max(axis=1), scores[:, 16:20].max(axis=1)
    suit_hidden = (scores[:, 2] > _OTHER_A_LITTLE) & (ranks > _RANK_SEEN) & (suits < _SUIT_SEEN)
    return bool((other.any() and not other.all()) or suit_hidden.any())


Look = CardLook | Nothing
Told = Literal["empty", "hand"] | Judgement
"""What was last said of a place."""


@dataclass(slots=True)
class CameraPlace:
    """One place of the felt, or one stray card; driven frame by frame."""

    timing: WatchTiming
    told: Told | None = None
    restless: bool = True
    _moved_ms: int | None = None
    _since_ms: int | None = None
    _card_ms: int | None = None
    _looks: list[Scores] = field(default_factory=list)
    scores: Scores | None = None
    """What the network says of the card here, of all frames looked at together."""
    _stay_told: bool = False
    _rested_ms: int | None = None
    _brief: bool = False

    @property
    def holds_card(self) -> bool:
        return isinstance(self.told, Judgement)

    @property
    def identified(self) -> bool:
        return isinstance(self.told, Judgement) and self.told.face is CardFace.UP

    def disturb(self, now_ms: int) -> None:
        """Something moves in the place, or it no longer looks as it did."""
        self.restless = True
        self._since_ms = now_ms if self._since_ms is None else self._since_ms
        self._moved_ms, self._card_ms = now_ms, None
        self._rested_ms, self._brief = None, False
        self._looks.clear()

    def turn_to(self, told: Told | None) -> None:
        """Look at something else from now on, of which `told` was last said."""
        self.told, self._card_ms, self.restless = told, None, True
        self._looks.clear()

    def may_want_look(self, now_ms: int) -> bool:
        """Whether `wants_look` may say so now, whatever moves in the picture."""
        if not self.restless:
            return self._rested_ms is not None and now_ms - self._rested_ms >= self.timing.again_ms
        return not self._moving(now_ms) or self._covered_long(now_ms)

    def wants_look(self, now_ms: int) -> bool:
        """Whether it is worth looking: restless, and still for long enough or covered for too long.

        A doubtful card that was given up is looked at again, briefly, every few seconds: light and focus change.
        """
        if not self.restless:
            if not self.may_want_look(now_ms):
                return False
            self.restless = self._brief = True
        self._since_ms = now_ms if self._since_ms is None else self._since_ms
        self._moved_ms = now_ms if self._moved_ms is None else self._moved_ms
        return self.may_want_look(now_ms)

    def stays(self, now_ms: int) -> bool:
        """Whether a hand that was reported has stayed so long that it must be reported again; True once for each such
        hand.
        """
        since_ms = self._since_ms
        if self.told != "hand" or self._stay_told or since_ms is None or now_ms - since_ms < self.timing.stay_ms:
            return False
        self._stay_told = True
        return True

    def see(self, look: Look, now_ms: int) -> Told | None:
        """Take in a look; gives what is new to say, or None."""
        if look is Nothing.COVERED:
            self._looks.clear()
            return self._say("hand", settled=False) if self._covered_long(now_ms) else None
        if self._moving(now_ms):
            return self._say("hand", settled=False) if self._covered_long(now_ms) else None
        self._since_ms = None
        return self._read(look, now_ms) if isinstance(look, CardLook) else self._say("empty")

    def _read(self, look: CardLook, now_ms: int) -> Told | None:
        self._card_ms = now_ms if self._card_ms is None else self._card_ms
        self._looks = [*self._looks, look.scores][-_FRAMES_FUSED:]
        self.scores = fuse(self._looks)
        said = judge(self.scores, look.height_px)
        if said.face is not CardFace.UNSURE and len(self._looks) >= _FRAMES_MIN:
            self._rested_ms = None
            return self._say(said)
        if self._brief and len(self._looks) == _FRAMES_FUSED:
            return self._give_up(said, now_ms)
        if now_ms - self._card_ms < self.timing.unsure_ms:
            return None
        if now_ms - self._card_ms >= self.timing.give_up_ms:
            return self._give_up(said, now_ms)
        return self._say(_unsure(said), settled=False)

    def _give_up(self, said: Judgement, now_ms: int) -> Told | None:
        self._rested_ms = now_ms
        return self._say(_unsure(said))

    def _say(self, what: Told, *, settled: bool = True) -> Told | None:
        if settled:
            self.restless, self._brief, self._since_ms, self._card_ms = False, False, None, None
            self._looks.clear()
        if _same(what, self.told):
            return None
        self.told, self._stay_told = what, False
        return what

    def _moving(self, now_ms: int) -> bool:
        return self._moved_ms is not None and now_ms - self._moved_ms < self.timing.settle_ms

    def _covered_long(self, now_ms: int) -> bool:
        return self._since_ms is not None and now_ms - self._since_ms >= self.timing.hand_ms


def _unsure(said: Judgement) -> Judgement:
    return replace(said, face=CardFace.UNSURE, card=None)


def _same(one: Told, other: Told | None) -> bool:
    if isinstance(one, Judgement) and isinstance(other, Judgement):
        return one.face is other.face and one.card == other.card
    return one == other
