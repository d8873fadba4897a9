"""What the pit, the bettors and the program itself do out of the ordinary in a simulated night."""

from __future__ import annotations

from functools import partial
from typing import Final

from dealer_ui.rehearsal.hand.script_act import ANY_ACT, BETS, BURN, DEAL, DECIDE, DOWN, END, REVEAL
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from devices.sim.felt import LyingCard
from studio.cards import DECK
from studio.people import Actor
from studio.ports import CardFace
from studio.tables import command as c
from studio.tables.state.round import Stage

_BETWEEN: Final = ("act.start_round", "act.clear_felt", "act.load_shoe", "act.shuffle", "act.wait_shuffler")
_CROWD: Final = 5_100
"""More bets than are settled in one transaction."""


def _pit(scene: Scene, number: int = 0) -> Actor:
    return scene.night.people[number].with_pin(scene.night.now_ms)


def _open_card(scene: Scene) -> LyingCard | None:
    up = [one for one in scene.night.rig.felt.view().cards if one.face is CardFace.UP and one.slot is not None]
    return scene.rng.choice(up) if up else None


def _ask_override(scene: Scene, lying: LyingCard, card: str) -> None:
    assert lying.slot is not None
    scene.night.pit.give(
        c.OverrideCard(
            actor=_pit(scene), box=lying.slot[0], place=lying.slot[1], card=card, reason_code="misread", words="seen so"
        )
    )


def _override(scene: Scene) -> bool:
    """The pit boss has a card entered by hand as it lies, and another one approves."""
    if lying := _open_card(scene):
        _ask_override(scene, lying, str(lying.card))
    return False


def _override_wrongly(scene: Scene) -> bool:
    """Two people agree on a card that does not lie there."""
    if lying := _open_card(scene):
        _ask_override(scene, lying, str(scene.rng.choice(DECK)))
    return False


def _override_nonsense(scene: Scene) -> bool:
    if lying := _open_card(scene):
        _ask_override(scene, lying, scene.rng.choice(("", "1x", "ten of hearts")))
    return False


def _abandoned_request(scene: Scene) -> bool:
    """The second person is called away; the request lapses after a minute."""
    scene.night.pit.away_until_ms = scene.night.now_ms + scene.rng.randrange(61_000, 75_000)
    return _override(scene)


def _approve_own(scene: Scene) -> bool:
    """Who asked approves himself, and the dealer tries to."""
    night = scene.night
    _override(scene)
    for incident in night.view().incidents.open:
        id, mark = incident.id, incident.asked.mark
        night.pit.give(c.ApproveRuling(actor=_pit(scene), incident=id, asked=mark))
        night.dealer.command(c.ApproveRuling(actor=night.dealer.actor, incident=id, asked=mark))
        night.dealer.command(c.RuleIncident(actor=night.dealer.actor, incident=incident.id, ruling="void_round"))
    return False


def _override_sealed(scene: Scene) -> bool:
    """Two people enter a card that lies face down, which nobody may."""
    down = [one for one in scene.night.rig.felt.view().cards if one.face is CardFace.DOWN and one.slot is not None]
    if down:
        _ask_override(scene, scene.rng.choice(down), str(scene.rng.choice(DECK)))
    return False


def _video_lost(scene: Scene) -> bool:
    scene.night.pit.give(c.ReportIncident(actor=_pit(scene), kind="video_lost"))
    return False


def _malfunction(scene: Scene) -> bool:
    scene.night.pit.give(c.ReportIncident(actor=_pit(scene), kind="malfunction"))
    return False


def _disconnected(scene: Scene) -> bool:
    scene.night.pit.give(c.ReportIncident(actor=_pit(scene), kind="disconnected"))
    return False


def _pause(scene: Scene) -> bool:
    scene.night.pit.give(c.PauseTable(actor=_pit(scene)))
    return False


def _close(scene: Scene) -> bool:
    scene.night.pit.give(c.CloseTable(actor=_pit(scene)))
    return False


def _change_dealer(scene: Scene) -> bool:
    scene.night.pit.give(c.ChangeDealer(actor=_pit(scene), dealer="d2", dealer_name="Hana"))
    return False


def _withdraw(scene: Scene) -> bool:
    scene.night.pit.give(c.WithdrawShoe(actor=_pit(scene), reason_code="worn", words="the cards are worn"))
    return False


def _too_early(scene: Scene) -> bool:
    """Buttons pressed when they are not due, and on a screen that has not followed."""
    night, actor = scene.night, scene.night.dealer.actor
    for command in (
        c.StartRound(actor=actor), c.OpenBetting(actor=actor), c.CloseBetting(actor=actor, seen=0),
        c.DeclareResult(actor=actor), c.ConfirmFeltClear(actor=actor), c.LoadShoe(actor=actor, deck_id="none"),
    ):  # fmt: skip
        if scene.rng.random() < 0.5:
            night.dealer.command(command)
    return False


def _late_bets(scene: Scene) -> bool:
    scene.night.punters.shout(scene.night.at_table, scene.night.now_ms)
    return False


def _crowd(scene: Scene) -> bool:
    """More bets than one transaction settles."""
    scene.night.punters.crowd(scene.night.at_table, scene.night.now_ms, _CROWD)
    return False


def _crowd_and_restart(scene: Scene) -> bool:
    _crowd(scene)
    return _restart_while_paying(scene)


def _restart(scene: Scene) -> bool:
    scene.night.restart()
    return False


def restart_soon(scene: Scene) -> bool:
    """The program dies within two seconds and comes up again."""
    scene.later(scene.rng.randrange(40, 2_000), scene.night.restart)
    return False


def _restart_twice(scene: Scene) -> bool:
    scene.later(scene.rng.randrange(40, 400), scene.night.restart)
    scene.later(scene.rng.randrange(400, 1_500), scene.night.restart)
    return False


def _restart_with_incident(scene: Scene) -> bool:
    night = scene.night
    night.dealer.command(c.ReportIncident(actor=night.dealer.actor, kind="wrong_count"))
    scene.later(scene.rng.randrange(40, 900), night.restart)
    return False


def _restart_while_paying(scene: Scene) -> bool:
    """Kill the program once the result stands: before the money, or between two chunks of it."""
    round = scene.night.state.round
    if round is not None:
        _wait_for_paying(scene, round.id, scene.rng.randrange(2))
    return False


def _wait_for_paying(scene: Scene, id: str, paid_least: int) -> None:
    round = scene.night.state.round
    if round is None or round.id != id or round.over:
        return
    paying = round.stage in (Stage.SETTLING, Stage.VOIDING)
    if paying and (round.paid.bets >= paid_least or round.stakes.bets < _CROWD):
        scene.night.restart()
    else:
        scene.later(0, partial(_wait_for_paying, scene, id, paid_least))


def _disk_full(scene: Scene) -> bool:
    night = scene.night
    night.disk_full = True
    scene.later(scene.rng.randrange(40, 3_000), lambda: setattr(night, "disk_full", False))
    return False


def _clock_back(scene: Scene) -> bool:
    scene.night.now_ms -= scene.rng.randrange(1, 5_000)
    return False


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("override", "override", (*DEAL, *DECIDE, *END), _override),
    Trick("override_wrongly", "override", (*DEAL, *DECIDE, *END), _override_wrongly),
    Trick("override_nonsense", "override", (*DEAL, *DECIDE, *END), _override_nonsense),
    Trick("override_sealed", "override", (*DEAL, *DECIDE, *REVEAL), _override_sealed),
    Trick("abandoned_request", "abandoned_request", (*DEAL, *DECIDE, *END), _abandoned_request),
    Trick("approves_himself", "approves_himself", (*DEAL, *DECIDE, *END), _approve_own),
    Trick("video_lost", "video_lost", ANY_ACT, _video_lost),
    Trick("malfunction", "malfunction", ANY_ACT, _malfunction),
    Trick("bettor_disconnected", "disconnected", ANY_ACT, _disconnected),
    Trick("table_paused", "table_paused", _BETWEEN, _pause),
    Trick("table_closed", "table_closed", _BETWEEN, _close),
    Trick("dealer_changed", "dealer_changed", ANY_ACT, _change_dealer),
    Trick("shoe_withdrawn", "shoe_withdrawn", ANY_ACT, _withdraw),
    Trick("buttons_too_early", "buttons_too_early", ANY_ACT, _too_early),
    Trick("late_bets", "late_bets", ANY_ACT, _late_bets),
    Trick("crowd", "crowd", BETS, _crowd),
    Trick("crowd_and_restart", ("crowd", "restart"), BETS, _crowd_and_restart),
    Trick("restart", "restart", ANY_ACT, _restart),
    Trick("restart_burning", "restart", BURN, restart_soon),
    Trick("restart_betting", "restart", BETS, restart_soon),
    Trick("restart_dealing", "restart", DEAL, restart_soon),
    Trick("restart_with_down_cards", "restart", (*DOWN, *DECIDE, *REVEAL), restart_soon),
    Trick("restart_twice", "restart", ANY_ACT, _restart_twice),
    Trick("restart_with_incident", "restart", (*DEAL, *BETS, *DECIDE, *REVEAL), _restart_with_incident),
    Trick("restart_while_paying", "restart", (*DEAL, *BETS, *REVEAL), _restart_while_paying),
    Trick("disk_full", "disk_full", ANY_ACT, _disk_full),
    Trick("clock_back", "clock_back", ANY_ACT, _clock_back),
)
