"""What a shoe, a shuffler or a camera does wrong: the simulators' named faults, and what befalls a whole machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dealer_ui.rehearsal.repertoire.wrong import MACHINES, Doer, Wrong
from devices.sim.wire.fault import FAULTS, SHOE, SHUFFLER, TEXT_SHOES

OTHER: Final = "other"
"""Another machine, with the cards of the table's own, stands in its place."""

_LOST: Final = ("device_lost",)
_UNVERIFIED: Final = ("deck_unverified",)
_OF_A_SHOE: Final[Mapping[str, tuple[str, ...]]] = {
    "wrong_baud": ("unread_card",),
    "damaged_byte": ("unread_card",),
    "unplug": (*_LOST, "unread_card"),
    "unread_card": ("unread_card",),
    "card_not_read": ("unread_card",),
    "conflicting_reread": ("conflicting_reread",),
    "overdraw": ("shoe_error",),
    "reverse_run": ("shoe_error",),
    "cut_card_mid_round": ("cut_card",),
    "start_without_cut_card": ("shoe_restart",),
}
_OF_A_SHUFFLER: Final[Mapping[str, tuple[str, ...]]] = {
    "unplug": _LOST,
    "power": _LOST,
    "jam": ("shuffler_jam",),
    **dict.fromkeys(("cover_open", "double_feed", "misread"), _UNVERIFIED),
    **dict.fromkeys(("deck_short", "deck_over", "deck_duplicate", "deck_foreign"), _UNVERIFIED),
}
"""The kinds of incident a fault leads to; a fault that is in none of these is borne: it costs nothing but time."""

_OF_A_CAMERA: Final = {
    "unplug": "The cable of the camera is pulled.",
    "dark": "The camera's picture is dark.",
    "unsharp": "The camera's picture is out of focus.",
    "moved": "Somebody has moved the camera.",
    "frozen": "The camera sends the same picture again and again.",
}
_SEES_WRONG: Final = {
    "unsure": ("The camera is not sure of a card.", ("camera_unsure",)),
    "missed": ("The camera does not see a card that lies there.", ("camera_unsure",)),
    "no_picture": ("No picture comes from the camera.", _LOST),
    "misread": ("The camera reads a card as another one.", ("card_mismatch", "fouled_deck")),
}
_GONE: Final = ("device_lost", "device_changed")
_OF_A_WHOLE: Final = {
    "renamed": "It comes back at another port, under another name.",
    "restarted": "Its power goes with its cable: it starts anew when it comes back.",
    OTHER: "Another machine stands in its place.",
}
_OF_A_DECK: Final = (
    Wrong("shoe.locked", Doer.SHOE, what="The shoe is locked for a while, and gives no card."),
    Wrong("shoe.new_game", Doer.SHOE, what="Somebody presses the button of a new game on the shoe."),
    Wrong("shoe.cut_card", Doer.SHOE, ("cut_card",), "The cut card lies somewhere in the cards to come."),
    Wrong("shoe.fouled_deck", Doer.SHOE, ("fouled_deck",), "A verified deck holds one card twice and lacks another."),
    Wrong("shoe.short_deck", Doer.SHOE, ("shoe_empty",), "Fewer cards are in the shoe than the round needs."),
)


def _faults() -> Iterator[Wrong]:
    for fault in FAULTS:
        if {SHOE, *TEXT_SHOES} & set(fault.devices):
            yield Wrong(f"shoe.{fault.name}", Doer.SHOE, _OF_A_SHOE.get(fault.name, ()), fault.sentence)
        if SHUFFLER in fault.devices:
            yield Wrong(f"shuffler.{fault.name}", Doer.SHUFFLER, _OF_A_SHUFFLER.get(fault.name, ()), fault.sentence)


def _camera() -> Iterator[Wrong]:
    for name, what in _OF_A_CAMERA.items():
        yield Wrong(f"camera.{name}", Doer.CAMERA, _LOST, what)
    for name, (what, kinds) in _SEES_WRONG.items():
        yield Wrong(f"camera.{name}", Doer.CAMERA, kinds, what)


def _whole() -> Iterator[Wrong]:
    for machine in MACHINES:
        for name, what in _OF_A_WHOLE.items():
            if machine is not Doer.CAMERA or name == OTHER:
                yield Wrong(f"{machine}.{name}", machine, _GONE, what)


MACHINE: Final[tuple[Wrong, ...]] = (*_faults(), *_camera(), *_whole(), *_OF_A_DECK)

CAMERA_FAULTS: Final = tuple(_OF_A_CAMERA)
"""What of a camera can be switched on and off by name."""
