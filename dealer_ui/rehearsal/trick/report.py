"""What simulated people say has happened, true or not, and a frozen table."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import ANY_ACT
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from studio.people import Actor
from studio.tables import command as c

_REPORTS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("burn_error", {}),
    ("exposed_card", {}),
    ("extra_card", {"revealed": "yes", "moment": "street"}),
    ("extra_card", {"revealed": "yes", "moment": "last"}),
    ("extra_card", {"revealed": "no"}),
    ("extra_card", {"refused": "yes"}),
    ("extra_card", {"dealer_total": "17"}),
    ("dropped_card", {"identified": "yes"}),
    ("dropped_card", {}),
    ("wrong_order", {}),
    ("wrong_order", {"pattern": "other"}),
    ("wrong_order", {"pattern": "reversed"}),
    ("wrong_order", {"read": "no"}),
    ("misplaced_card", {"next_dealt": "yes", "read": "no"}),
    ("misplaced_card", {"next_dealt": "yes"}),
    ("misplaced_card", {"next_dealt": "no"}),
    ("wrong_count", {}),
    ("wrong_count", {"revealed": "no"}),
    ("wrong_count", {"revealed": "yes"}),
    ("wrong_count", {"count": "0"}),
    ("wrong_count", {"count": "1"}),
    ("shuffler_jam", {"harmed": "yes"}),
    ("shuffler_jam", {"harmed": "no"}),
    ("early_card", {}),
    ("early_card", {"revealed": "yes"}),
    ("early_card", {"revealed": "no", "read": "no"}),
    ("boxed_card", {"count": "1"}),
    ("boxed_card", {"count": "2"}),
    ("fouled_deck", {}),
    ("shoe_empty", {}),
    ("unread_card", {}),
    ("unread_card", {"read": "yes"}),
    ("unread_card", {"harmed": "yes"}),
    ("cleared_early", {}),
    ("misdeal_claimed", {}),
    ("timed_out", {}),
    ("card_mismatch", {}),
    ("conflicting_reread", {}),
    ("camera_unsure", {}),
    ("deck_unverified", {}),
    ("device_lost", {}),
    ("shoe_error", {}),
    ("restart", {}),
    ("cut_card", {}),
    ("video_lost", {}),
    ("disconnected", {}),
    ("prize_lost", {}),
    ("malfunction", {}),
    ("void_called", {}),
    ("no_such_kind", {}),
    ("burn_error", {"no_such_name": "1"}),
    ("wrong_order", {"pattern": "no such word"}),
)
"""What may be reported, with nothing at all having happened; the last ones are refused."""


def report(scene: Scene, kind: str, box: str = "", place: int = 0, *, pit: bool = False, **circumstances: str) -> None:
    """Somebody at the table says so; where it is not his to say he is refused."""
    actor = scene.night.people[0] if pit else scene.night.dealer.actor
    scene.night.dealer.command(
        c.ReportIncident(actor=actor, kind=kind, circumstances=tuple(circumstances.items()), box=box, place=place)
    )


def _say_something_happened(scene: Scene) -> bool:
    kind, circumstances = scene.rng.choice(_REPORTS)
    slots = scene.night.rig.felt.view().top()
    box, place = scene.rng.choice([("", 0), *slots])
    report(scene, kind, box, place, pit=scene.rng.random() < _BY_THE_PIT, **circumstances)
    return False


_BY_THE_PIT: Final = 0.4


def _anyone(scene: Scene) -> Actor:
    return scene.night.dealer.actor


def _freeze(scene: Scene) -> bool:
    scene.night.dealer.command(c.FreezeTable(actor=_anyone(scene)))
    return False


def _call_pit(scene: Scene) -> bool:
    scene.night.dealer.command(c.CallPit(actor=_anyone(scene)))
    return False


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("report", "false_report", ANY_ACT, _say_something_happened),
    Trick("false_report", "false_report", ANY_ACT, _say_something_happened),
    Trick("another_report", "false_report", ANY_ACT, _say_something_happened),
    Trick("freeze", "freeze", ANY_ACT, _freeze),
    Trick("call_pit", "call_pit", ANY_ACT, _call_pit),
)
