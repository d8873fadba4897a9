"""What goes wrong with simulated machines: their lines, their commands, their decks, the camera."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from dealer_ui.rehearsal.hand.script_act import ANY_ACT, BETS, CARD, DEAL, DECIDE, REVEAL
from dealer_ui.rehearsal.repertoire.deed import empty_shoe
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from devices.driver import HostCommand
from devices.supervisor import Supervisor
from studio.cards import DECK
from studio.errors import RefusedError
from studio.tables import command as c

_ALL_THE_TIME: Final = (*CARD, *BETS, *DECIDE, *REVEAL, "act.load_shoe", "act.start_round", "act.clear_felt")
_BEFORE_SHUFFLE: Final = ("act.load_shoe",)

_SHOE_LINE: Final = (
    "triple_send_off", "wrong_bcc", "lost_frame", "split_frame", "merged_frame", "swapped_frame", "noise",
    "wrong_baud", "unplug",
)  # fmt: skip
_SHOE_CARD: Final = ("unread_card", "conflicting_reread", "overdraw", "reverse_run")
_SHOE_ONCE: Final = ("cut_card_mid_round", "start_without_cut_card")
_SHOE_ORDER: Final = ("nak_busy", "slow_ack", "stx_in_strict", "stx_out_strict")
_SHUFFLER_LINE: Final = (
    "wrong_bcc", "lost_frame", "split_frame", "merged_frame", "noise", "wrong_baud", "unplug", "nak_busy", "slow_ack",
)  # fmt: skip
_SHUFFLER_ALARM: Final = ("jam", "cover_open", "double_feed", "misread", "power")
_DECK: Final = ("deck_short", "deck_over", "deck_duplicate", "deck_foreign")
_ORDERS: Final = (HostCommand("lock"), HostCommand("unlock"), HostCommand("confirm"), HostCommand("cancel_error", 2))
_BLIND: Final = ("dark", "unsharp", "frozen", "moved", "no_picture")
_BLINDED: Final = tuple(f"camera.{how}" for how in _BLIND)


def shoe_fault(*faults: str, least_ms: int = 300, most_ms: int = 6_000) -> Callable[[Scene], bool]:
    def play(scene: Scene) -> bool:
        shoe = scene.night.rig.shoe
        for fault in (one for one in faults if one in shoe.known_faults):
            shoe.switch_on(fault)
            scene.later(scene.rng.randrange(least_ms, most_ms), partial(shoe.switch_off, fault))
        return False

    return play


def _shuffler_fault(fault: str, least_ms: int = 300, most_ms: int = 6_000) -> Callable[[Scene], bool]:
    def play(scene: Scene) -> bool:
        shuffler = scene.night.rig.shuffler
        shuffler.switch_on(fault)
        scene.later(scene.rng.randrange(least_ms, most_ms), partial(shuffler.switch_off, fault))
        return False

    return play


def _bad_line(scene: Scene) -> bool:
    """Several faults of a line at once."""
    return shoe_fault(*scene.rng.sample(_SHOE_LINE[:-1], 3))(scene)


def _order(*faults: str) -> Callable[[Scene], bool]:
    """A technician sends the shoe a command, which it takes badly or well."""

    def play(scene: Scene) -> bool:
        shoe_fault(*faults, least_ms=2_000)(scene)
        for wait_ms in (100, 1_500):
            scene.later(wait_ms, partial(_send, scene, scene.rng.choice(_ORDERS)))
        scene.later(8_000, partial(_send, scene, HostCommand("unlock")))
        return False

    return play


def _send(scene: Scene, order: HostCommand) -> None:
    shoe = scene.night.devices[0]
    if isinstance(shoe, Supervisor):
        with suppress(RefusedError):
            shoe.command(order)


def _shoe_locked(scene: Scene) -> bool:
    shoe = scene.night.rig.shoe
    shoe.lock()
    scene.later(scene.rng.randrange(300, 3_000), shoe.unlock)
    return False


def _new_game_button(scene: Scene) -> bool:
    scene.night.rig.shoe.new_game()
    return False


def cut_card_within(cards: int) -> Callable[[Scene], bool]:
    """The cut card lies in the shoe, somewhere in so many cards to come."""

    def play(scene: Scene) -> bool:
        scene.night.rig.shoe.put_cut_card(scene.rng.randrange(cards))
        return False

    return play


def shoe_runs_out(scene: Scene) -> bool:
    """No card is left in the shoe: the deck was short, or somebody took the rest out."""
    empty_shoe(scene.night.rig)
    return False


def _fouled_deck(scene: Scene) -> bool:
    """One card is in the deck twice after it was verified, and another is not."""
    rig = scene.night.rig
    if rig.shuffler.state != "ready" or "deck" not in scene.view.now.act.values:
        return False
    deck = rig.shuffler.hand_over()
    lost, twice = scene.rng.sample(range(len(deck)), 2)
    deck[lost] = deck[twice]
    rig.shoe.load(deck)
    night = scene.night
    night.dealer.command(c.LoadShoe(actor=night.dealer.actor, deck_id=str(scene.view.now.act.values["deck"])))
    return True


def _foreign_deck(scene: Scene) -> bool:
    """Another deck than the one that was verified goes into the shoe: fewer cards than the round needs."""
    rig = scene.night.rig
    if rig.shoe.cards_left > 8:
        rig.shoe.load([rig.shoe.draw_unseen() for _ in range(scene.rng.randrange(1, 8))])
    return False


def _eye_fault(kind: str) -> Callable[[Scene], bool]:
    def play(scene: Scene) -> bool:
        eye, slot = scene.night.eye, scene.slot
        if slot is None:
            return False
        match kind:
            case "unsure":
                eye.unsure(*slot)
            case "missed":
                eye.missed(*slot)
            case _:
                eye.misread(*slot, scene.rng.choice(DECK))
        return False

    return play


def _eye_fault_behind(scene: Scene) -> bool:
    """A card that was read well before is read otherwise."""
    slots = [slot for slot in scene.night.rig.felt.view().top() if slot[0] != "discard"]
    if slots and scene.rng.random() < 0.5:
        scene.night.eye.unsure(*scene.rng.choice(slots))
    elif slots:
        scene.night.eye.misread(*scene.rng.choice(slots), scene.rng.choice(DECK))
    return False


def _blind(scene: Scene) -> bool:
    scene.night.eye.blind(scene.rng.choice(_BLIND))
    scene.later(scene.rng.randrange(200, 6_000), lambda: scene.night.eye.see())
    return False


def _camera_unplugged(scene: Scene) -> bool:
    scene.night.eye.link(up=False)
    scene.later(scene.rng.randrange(200, 6_000), lambda: scene.night.eye.link(up=True))
    return False


TEXT_SHOE_TRICKS: Final[tuple[Trick, ...]] = (
    *(
        Trick(f"shoe_{fault}", f"shoe.{fault}", _ALL_THE_TIME, shoe_fault(fault))
        for fault in ("repeated_frame", "damaged_byte")
    ),
    *(
        Trick(f"shoe_{fault}", f"shoe.{fault}", _ALL_THE_TIME, shoe_fault(fault, most_ms=301))
        for fault in ("card_not_read", "warning")
    ),
    Trick("shoe_lost_message", "shoe.lost_frame", CARD, shoe_fault("lost_frame")),
)
"""What happens only to shoes without checksum and sequence."""

TRICKS: Final[tuple[Trick, ...]] = (
    *(
        Trick(f"shoe_{fault}", f"shoe.{fault}", _ALL_THE_TIME, shoe_fault(fault))
        for fault in (*_SHOE_LINE, *_SHOE_CARD)
    ),
    *(Trick(f"shoe_{fault}", f"shoe.{fault}", _ALL_THE_TIME, shoe_fault(fault, most_ms=301)) for fault in _SHOE_ONCE),
    *(
        Trick(f"shoe_order_{fault}", ("shoe_order", f"shoe.{fault}"), _ALL_THE_TIME, _order(fault))
        for fault in _SHOE_ORDER
    ),
    Trick("shoe_order", "shoe_order", _ALL_THE_TIME, _order()),
    Trick(
        "shoe_lost_cards",
        ("shoe.triple_send_off", "shoe.lost_frame"),
        CARD,
        shoe_fault("triple_send_off", "lost_frame"),
    ),
    Trick(
        "shoe_broken_cards",
        ("shoe.triple_send_off", "shoe.wrong_bcc"),
        CARD,
        shoe_fault("triple_send_off", "wrong_bcc"),
    ),
    Trick("shoe_bad_line", ("shoe.wrong_baud", "shoe.noise"), _ALL_THE_TIME, _bad_line),
    Trick("shoe_locked", "shoe.locked", CARD, _shoe_locked),
    Trick("shoe_new_game", "shoe.new_game", CARD, _new_game_button),
    Trick("cut_card", "shoe.cut_card", ("act.load_shoe", *CARD), cut_card_within(20)),
    Trick("fouled_deck", "shoe.fouled_deck", _BEFORE_SHUFFLE, _fouled_deck),
    Trick("short_deck", "shoe.short_deck", CARD, _foreign_deck),
    *(
        Trick(f"shuffler_{fault}", f"shuffler.{fault}", _ALL_THE_TIME, _shuffler_fault(fault))
        for fault in _SHUFFLER_LINE
    ),
    *(Trick(f"shuffler_{fault}", f"shuffler.{fault}", ANY_ACT, _shuffler_fault(fault)) for fault in _SHUFFLER_ALARM),
    *(Trick(fault, f"shuffler.{fault}", _BEFORE_SHUFFLE, _shuffler_fault(fault, 3_000, 9_000)) for fault in _DECK),
    *(Trick(f"camera_{kind}", f"camera.{kind}", CARD, _eye_fault(kind)) for kind in ("unsure", "missed", "misread")),
    Trick(
        "camera_changes_its_mind",
        ("camera.unsure", "camera.misread"),
        (*DEAL, *DECIDE, *REVEAL, "act.wait_camera", "act.declare_result"),
        _eye_fault_behind,
    ),
    Trick("camera_blind", _BLINDED, _ALL_THE_TIME, _blind),
    Trick("camera_unplugged", "camera.unplug", _ALL_THE_TIME, _camera_unplugged),
)
