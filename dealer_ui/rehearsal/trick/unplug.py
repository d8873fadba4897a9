"""Cables that are pulled in a simulated night: each device, at any moment, and how it comes back.

It comes back as it was, under another name, switched on anew, or not at all for a while; now and then another machine
stands in its place, until its own is put back or a pit boss accepts the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from dealer_ui.rehearsal.hand.script_act import ANY_ACT, CARD, DECIDE, REVEAL
from dealer_ui.rehearsal.machine.rig import Rig
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from devices.sim.wire.shoe import SimShoe
from devices.sim.wire.shuffler import SimShuffler

_SOON_MS: Final = 4_000
"""A cable is pulled within so long of the act it was planned for: at any moment of it."""
_AWAY_MS: Final = (20, 12_000)
"""So long, least and most, a device is away."""
_SERIAL: Final = ("shoe", "shuffler")
_EVERY: Final = (*_SERIAL, "camera")
_FLAPS: Final = 5


def _soon(scene: Scene, act: Callable[[], None]) -> None:
    scene.later(scene.rng.randrange(_SOON_MS), act)


def _back_later(scene: Scene, act: Callable[[], None]) -> None:
    scene.later(scene.rng.randrange(*_AWAY_MS), act)


def _out(scene: Scene, device: str) -> None:
    """Pull the cable of a device."""
    if device == "camera":
        scene.night.eye.link(up=False)
    else:
        _machine(scene.night.rig, device).switch_on("unplug")


def _in(scene: Scene, device: str) -> None:
    """Plug it in again, wherever it stands by now."""
    if device == "camera":
        scene.night.eye.link(up=True)
    else:
        _machine(scene.night.rig, device).switch_off("unplug")


def _machine(rig: Rig, device: str) -> SimShoe | SimShuffler:
    return rig.shoe if device == "shoe" else rig.shuffler


def _id(scene: Scene, device: str) -> str:
    config = scene.night.config
    return config.shoe if device == "shoe" else config.shuffler


def _pulled(*devices: str) -> Callable[[Scene], bool]:
    """These devices, each out and in at its own moment."""

    def play(scene: Scene) -> bool:
        for device in devices:
            _soon(scene, partial(_gone_for_a_while, scene, device))
        return False

    return play


def _gone_for_a_while(scene: Scene, device: str) -> None:
    _out(scene, device)
    _back_later(scene, partial(_in, scene, device))


def _at_once(*devices: str) -> Callable[[Scene], bool]:
    """These devices in the same moment; each comes back at its own."""

    def play(scene: Scene) -> bool:
        for device in devices:
            _gone_for_a_while(scene, device)
        return False

    return play


def _any_two(scene: Scene) -> bool:
    return _at_once(*scene.rng.sample(_EVERY, 2))(scene)


def _flapping(device: str) -> Callable[[Scene], bool]:
    """A plug that sits loose: out and in, again and again."""

    def play(scene: Scene) -> bool:
        at_ms = 0
        for _ in range(_FLAPS):
            at_ms += scene.rng.randrange(20, 900)
            scene.later(at_ms, partial(_out, scene, device))
            at_ms += scene.rng.randrange(20, 900)
            scene.later(at_ms, partial(_in, scene, device))
        return False

    return play


def _renamed(device: str) -> Callable[[Scene], bool]:
    """It comes back at another port, under another name."""

    def play(scene: Scene) -> bool:
        _soon(scene, partial(_back_elsewhere, scene, device))
        return False

    return play


def _back_elsewhere(scene: Scene, device: str) -> None:
    _out(scene, device)
    scene.night.rig.board.rename(_id(scene, device))
    _back_later(scene, partial(_in, scene, device))


def _without_power(device: str) -> Callable[[Scene], bool]:
    """Its power goes with the cable: it starts anew when it comes back."""

    def play(scene: Scene) -> bool:
        _soon(scene, partial(_start_anew, scene, device))
        return False

    return play


def _start_anew(scene: Scene, device: str) -> None:
    _out(scene, device)

    def back() -> None:
        _in(scene, device)
        _machine(scene.night.rig, device).power_on()

    _back_later(scene, back)


def _in_the_dark(scene: Scene) -> bool:
    """The dealer draws in the moment in which the cable is out: the card lies there, and no reading comes."""
    slot, rig = scene.slot, scene.night.rig
    if slot is None or not rig.shoe.cards_left or rig.felt.count(*slot):
        return False
    _gone_for_a_while(scene, "shoe")
    scene.night.dealer.draw_to(slot, scene.due)
    return True


def _other_shoe(*, kept: bool, moved: bool) -> Callable[[Scene], bool]:
    """Another shoe is put in its place; `moved`: with the cards of the old one, else with a deck of its own."""

    def play(scene: Scene) -> bool:
        rig = scene.night.rig
        own = rig.shoe
        cards = [own.draw_unseen() for _ in range(own.cards_left)] if moved else rig.fresh_deck()
        rig.put_other_shoe()
        rig.shoe.load(cards)
        if not kept:
            _back_later(scene, partial(_own_shoe_back, scene, moved=moved))
        return False

    return play


def _own_shoe_back(scene: Scene, *, moved: bool) -> None:
    rig, shoe = scene.night.rig, scene.night.config.shoe
    other = rig.shoe
    rig.put_own_back(shoe)
    if moved and rig.shoe is not other:
        rig.shoe.load([other.draw_unseen() for _ in range(other.cards_left)])


def _other_shuffler(*, kept: bool) -> Callable[[Scene], bool]:
    """Another shuffler is put in its place, empty."""

    def play(scene: Scene) -> bool:
        rig = scene.night.rig
        rig.put_other_shuffler()
        if not kept:
            _back_later(scene, partial(rig.put_own_back, scene.night.config.shuffler))
        return False

    return play


def _other_camera(scene: Scene) -> bool:
    """Another camera looks from elsewhere: it sees nothing it can trust until it is put right."""
    _out(scene, "camera")

    def other() -> None:
        scene.night.eye.blind("moved")
        _in(scene, "camera")

    _back_later(scene, other)
    scene.later(_AWAY_MS[1] + scene.rng.randrange(*_AWAY_MS), lambda: scene.night.eye.see())
    return False


_UNPLUGGED: Final = tuple(f"{device}.unplug" for device in _EVERY)

TRICKS: Final[tuple[Trick, ...]] = (
    *(Trick(f"unplug_{device}", f"{device}.unplug", ANY_ACT, _pulled(device)) for device in _EVERY),
    *(
        Trick(f"unplug_{device}_in_the_deal", f"{device}.unplug", (*CARD, *DECIDE, *REVEAL), _pulled(device))
        for device in _EVERY
    ),
    *(Trick(f"loose_{device}", f"{device}.unplug", ANY_ACT, _flapping(device)) for device in _EVERY),
    *(Trick(f"renamed_{device}", f"{device}.renamed", ANY_ACT, _renamed(device)) for device in _SERIAL),
    *(Trick(f"powerless_{device}", f"{device}.restarted", ANY_ACT, _without_power(device)) for device in _SERIAL),
    Trick("unplug_two", _UNPLUGGED, ANY_ACT, _any_two),
    Trick("unplug_two_in_the_deal", _UNPLUGGED, CARD, _any_two),
    Trick("unplug_one_by_one", _UNPLUGGED, ANY_ACT, _pulled(*_EVERY)),
    Trick("unplug_everything", _UNPLUGGED, ANY_ACT, _at_once(*_EVERY)),
    Trick("drawn_while_unplugged", "shoe.unplug", CARD, _in_the_dark),
)
RARE: Final[tuple[Trick, ...]] = (
    Trick("other_shoe_for_a_while", "shoe.other", ANY_ACT, _other_shoe(kept=False, moved=True)),
    Trick("other_shoe_with_the_cards", "shoe.other", ANY_ACT, _other_shoe(kept=True, moved=True)),
    Trick("other_shoe_with_other_cards", "shoe.other", ANY_ACT, _other_shoe(kept=False, moved=False)),
    Trick("other_shuffler_for_a_while", "shuffler.other", ANY_ACT, _other_shuffler(kept=False)),
    Trick("other_shuffler", "shuffler.other", ANY_ACT, _other_shuffler(kept=True)),
    Trick("other_camera", "camera.other", ANY_ACT, _other_camera),
)
"""Another machine stands there. It happens seldom: once where each of the others happens twice."""


def _picked(tricks: Iterable[Trick]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(wrong.key for trick in tricks for wrong in trick.wrongs))


CABLES: Final = _picked(TRICKS)
MACHINES_CHANGED: Final = _picked(RARE)


def any_of(tricks: tuple[Trick, ...]) -> Callable[[Scene], bool]:
    """One of these that may begin now."""

    def play(scene: Scene) -> bool:
        fitting = [trick for trick in tricks if scene.view.now.act.key in trick.acts]
        return bool(fitting) and scene.rng.choice(fitting).play(scene)

    return play


AMONG_OTHERS: Final[tuple[Trick, ...]] = (
    Trick("cables", CABLES, ANY_ACT, any_of(TRICKS)),
    Trick("cables_in_the_deal", CABLES, CARD, any_of(TRICKS)),
    Trick("cables_again", CABLES, ANY_ACT, any_of(TRICKS)),
    Trick("another_machine", MACHINES_CHANGED, ANY_ACT, any_of(RARE)),
)
"""The same among everything else that goes wrong: whichever it is, in one turn."""
