"""The diagnosis of a device, rung by rung: which rung holds, which fails, and what to do about it.

    a line      link open → bytes → frames → cards (of a shuffler: its state)
    a camera    link open → pictures → felt → cards

The first rung that does not hold is the one to mend; about the rungs after it nothing can be said until then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from studio.diagnosis import LineCounts, Rung

RUNGS: Final[Mapping[str, tuple[str, ...]]] = {
    "shoe": ("open", "bytes", "frames", "cards"),
    "shuffler": ("open", "bytes", "frames", "state"),
    "camera": ("open", "pictures", "felt", "sight"),
}

SENTENCES: Final[Mapping[str, str]] = {
    "open.good": "The link is open.",
    "open.waiting": "The link has not been opened yet; wait a moment.",
    "open.bad": "The link cannot be opened: {reason}",
    "bytes.good": "Bytes come.",
    "bytes.waiting": "No byte has come yet. Switch the device off and on, or draw a card: it must say something.",
    "bytes.bad": "The link is open and the device says nothing: check its power, the cable at the device's end, and "
    "that transmit and receive are not crossed.",
    "frames.good": "The bytes are whole frames.",
    "frames.waiting": "The first bytes make no frame yet; wait for more.",
    "frames.poor": "Many frames come damaged: fasten or change the cable, keep it away from power lines, shorten it.",
    "frames.bad": "The bytes make no frame of this driver: set the speed the device is set to, or name its driver; "
    "`studio devices probe` finds both.",
    "cards.good": "Cards are read.",
    "cards.waiting": "No card has come yet: close the table and draw one.",
    "cards.poor": "Some cards come unread: clean the window of the shoe.",
    "cards.bad": "Cards come and none is read: clean the window of the shoe, and look whether the deck is "
    "the right one.",
    "state.good": "The machine tells its state.",
    "state.waiting": "The machine has not told its state yet; it does when it is switched on, or asked for it.",
    "pictures.good": "Pictures come.",
    "pictures.waiting": "No picture has come yet; wait a moment.",
    "pictures.bad": "The camera sends no new picture: check its power and its cable, then its address.",
    "felt.good": "The felt is found, and the picture is clear.",
    "felt.waiting": "Nothing is known of the picture yet.",
    "felt.dark": "The picture is too dark: put the light on, take the cap off the lens.",
    "felt.glare": "The picture is too bright: dim the light over the felt, or shade the lens.",
    "felt.colourless": "The picture has lost its colours: look at the camera's night setting, and at the light.",
    "felt.covered": "Something lies or hangs before the camera: take it away.",
    "felt.resized": "The picture has another size than when the felt was calibrated: set it back, or calibrate again.",
    "felt.unsharp": "The picture is not sharp: clean the lens, or focus it.",
    "felt.frozen": "The picture stands still: switch the camera off and on.",
    "felt.moved": "The camera was moved: hang it straight, or calibrate it again.",
    "felt.no_picture": "The felt is not found: uncover its four markers, or click its corners to calibrate.",
    "sight.good": "Cards are seen.",
    "sight.waiting": "No card has been seen yet: lay one on the felt.",
}
"""What each rung says, in English; the consoles say it in their own words under `ladder.<key>`."""

_POOR_SHARE: Final = 0.05
_ENOUGH_BYTES: Final = 64
_ENOUGH_DAMAGED: Final = 3
SILENT_MS: Final = 20_000
"""A line that is open so long without a byte is worth looking at, not only waiting for."""


def sentence_of(rung: Rung) -> str:
    return SENTENCES[rung.key].format(reason=rung.reason) if rung.key else ""


def line_ladder(role: str, counts: LineCounts) -> tuple[Rung, ...]:
    """The four rungs of a serial device.

    >>> [rung.state for rung in line_ladder("shoe", LineCounts(up=True, bytes=9, frames=1))]
    ['good', 'good', 'good', 'waiting']
    """
    names = RUNGS[role]
    states = (_open(counts), _bytes(counts), _frames(counts), _reports(names[3], counts))
    return _climb(names, states, counts.reason)


@dataclass(frozen=True, slots=True)
class CameraCounts:
    """What is known of a camera. `blind` is the reason it last gave for not seeing, empty while it sees."""

    up: bool = False
    reason: str = ""
    picture: bool = False
    told: bool = False
    blind: str = ""
    cards: int = 0


def camera_ladder(counts: CameraCounts) -> tuple[Rung, ...]:
    """The four rungs of a camera."""
    pictures = "good" if counts.picture else "bad" if counts.told else "waiting"
    felt = counts.blind if f"felt.{counts.blind}" in SENTENCES else "good" if counts.told else "waiting"
    opened = "good" if counts.up else "bad" if counts.reason else "waiting"
    states = (opened, pictures, felt, "good" if counts.cards else "waiting")
    return _climb(RUNGS["camera"], states, counts.reason)


def _climb(names: tuple[str, ...], words: tuple[str, ...], reason: str) -> tuple[Rung, ...]:
    found: list[Rung] = []
    for name, word in zip(names, words, strict=True):
        if found and found[-1].state not in ("good", "poor"):
            found.append(Rung(name, "unknown"))
        else:
            state = word if word in ("good", "poor", "waiting") else "bad"
            found.append(Rung(name, state, f"{name}.{word}", reason if name == "open" else ""))
    return tuple(found)


def _open(counts: LineCounts) -> str:
    return "good" if counts.up else "bad" if counts.reason else "waiting"


def _bytes(counts: LineCounts) -> str:
    return "good" if counts.bytes else "bad" if counts.open_ms >= SILENT_MS else "waiting"


def _frames(counts: LineCounts) -> str:
    if not counts.frames:
        return "bad" if counts.bytes >= _ENOUGH_BYTES or counts.damaged >= _ENOUGH_DAMAGED else "waiting"
    share = counts.damaged / (counts.frames + counts.damaged)
    return "poor" if counts.damaged >= _ENOUGH_DAMAGED and share > _POOR_SHARE else "good"


def _reports(name: str, counts: LineCounts) -> str:
    if name == "state":
        return "good" if counts.reports else "waiting"
    if not counts.reports:
        return "bad" if counts.unread else "waiting"
    return "poor" if counts.unread * 10 > counts.reports else "good"
