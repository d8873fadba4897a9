"""Rulings by people: who may, with whose approval, and what is written of it."""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError
from studio.people import (
    REQUEST_VALID_MS,
    Actor,
    TwoPeople,
    has_lapsed,
    may,
    need_approver,
    need_asker,
    need_fresh_pin,
    need_reason,
    need_right,
    need_waiting,
)
from studio.procedures import Approval, effective_approval
from studio.procedures.meaning import VOIDS
from studio.rounds import CardDealt, Finished, Revealed
from studio.spoken import Places, named
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import (
    CameraSays,
    CardReads,
    InRound,
    NoRound,
    NothingBack,
    Situation,
    SituationPart,
)
from studio.tables.felt.camera_look import open_face, open_or_due, place_of
from studio.tables.incident import open_incident
from studio.tables.irregularity.device_proof import is_awaited
from studio.tables.irregularity.eye_account import need_as_shown
from studio.tables.irregularity.outstanding import unexplained
from studio.tables.irregularity.remedy import carry_out, do_afterwards, settle_incident
from studio.tables.state.felt import kept
from studio.tables.state.incident import AskedRuling, Incident
from studio.tables.state.round import Stage
from studio.tables.state.table import TableState

_READS: Final = {"shoe": ("override_card",), "camera": ("override_card",), "manual": ("override_card", "enter_card")}
"""What it takes to have a card count otherwise than a device read it, beside the right to rule."""


def rule_incident(draft: Draft, command: c.RuleIncident) -> None:
    """Carry a ruling out, or ask for the second person it needs."""
    incident = _open(draft.state, command.incident)
    if incident.ruled.ruling and not may(command.actor.roles, "rule_pit"):
        raise RefusedError("being_done", "This has been ruled; do the steps shown, or ask the pit boss.")
    _need_not_asked(draft, incident, command.actor)
    needed = _needed(draft.state, incident, command)
    _check(draft, command.actor, needed, command)
    _check_possible(draft.state, incident, command.ruling, command.reason_code)
    need_as_shown(draft.state, incident, command.ruling, command.arguments)
    if needed is Approval.TWO_PEOPLE:
        draft.emit(_asked(draft, command))
        return
    _carry(draft, incident, _asked_of(command), None, needed=needed)


def approve_ruling(draft: Draft, command: c.ApproveRuling) -> None:
    """The second of two people: another person, with pit rights, within 60 s, for this one act."""
    incident = _open(draft.state, command.incident)
    asked = need_waiting(incident.asked, draft.at_ms)
    both = need_approver(asked, command.actor, draft.at_ms, rights=rights_of(asked.ruling))
    if command.asked != asked.mark:
        raise RefusedError("asked_anew", "Something else is asked for now than you were shown: read it, then approve.")
    _check_possible(draft.state, incident, asked.ruling, asked.reason_code)
    need_as_shown(draft.state, incident, asked.ruling, asked.arguments)
    _carry(draft, incident, asked, both, needed=Approval.TWO_PEOPLE)


def decline_ruling(draft: Draft, command: c.DeclineRuling) -> None:
    incident = _open(draft.state, command.incident)
    need_right(command.actor, "approve_two_people")
    if incident.asked is None:
        raise RefusedError("lapsed", "There is nothing to decline any more.", which="declined")
    draft.emit(e.RulingLapsed(id=incident.id, by=command.actor.id))


def override_card(draft: Draft, command: c.OverrideCard) -> None:
    """Ask that a card on the felt be read otherwise: an incident of its own, and two people."""
    need_right(command.actor, "ask_two_people")
    round = draft.round
    fact = round.deal.cards.get((command.box, command.place)) if round is not None and round.live else None
    if not isinstance(fact, CardDealt) or not open_or_due(draft.state, fact):
        raise RefusedError("no_card", "There is no open card in that place; choose one that lies on the felt.")
    at = place_of(round, fact.card.id) if round is not None else None
    look = draft.state.felt.looks.get(at) if at is not None else None
    id = open_incident(
        draft, "card_mismatch", by=command.actor.id, cards=(fact.card.id,), slot=(command.box, command.place),
        evidence=kept(look.evidence) if look is not None else (),
    )  # fmt: skip
    asked = c.RuleIncident(
        actor=command.actor, incident=id, ruling="manual", arguments=(command.card,),
        reason_code=command.reason_code, words=command.words, pit_bosses=command.pit_bosses,
    )  # fmt: skip
    rule_incident(draft, asked)


def void_round(draft: Draft, command: c.VoidRound) -> None:
    """The pit voids the round being dealt, whatever else happened: an incident of its own, ruled at once [EV12]."""
    need_right(command.actor, "void_round")
    if _declared(draft.state):
        raise RefusedError(
            "result_declared", "The result of this round is declared: correct the settled round instead.", which="void"
        )
    if draft.round is None or not draft.round.live:
        raise RefusedError(
            "no_round", "No round is being dealt, so there is nothing to void; freeze the table instead.", which="void"
        )
    id = open_incident(draft, "void_called", by=command.actor.id)
    asked = c.RuleIncident(
        actor=command.actor, incident=id, ruling="void_round", reason_code=command.reason_code, words=command.words,
        pit_bosses=command.pit_bosses,
    )  # fmt: skip
    rule_incident(draft, asked)


def rights_of(ruling: str) -> tuple[str, ...]:
    """What this ruling needs beside the right to rule: to void, to have a card read otherwise, to enter one."""
    return ("void_round",) if ruling in VOIDS else _READS.get(ruling, ())


def _need_not_asked(draft: Draft, incident: Incident, actor: Actor) -> None:
    """Refuse while what somebody else has asked for here waits for its second person."""
    asked = incident.asked
    if asked is not None and asked.asked_by != actor.id and not has_lapsed(asked, draft.at_ms):
        raise RefusedError(
            "ruling_asked", f"{asked.asked_by_name} has asked for a ruling here: a pit boss approves or declines it.",
            name=asked.asked_by_name,
        )  # fmt: skip


def _open(state: TableState, id: str) -> Incident:
    incident = state.incident(id)
    if incident is None:
        raise RefusedError("gone", "This incident is closed already; the table has moved on.")
    return incident


def revealed(state: TableState) -> bool:
    """A reveal is done, or the result is declared or lies open on the felt."""
    round = state.round
    if round is None:
        return False
    shown = round.outcome is not None or isinstance(round.deal.standing, Finished)
    return shown or any(isinstance(fact, Revealed) for fact in round.deal.facts)


def _needed(state: TableState, incident: Incident, command: c.RuleIncident) -> Approval:
    """Who must agree. A pit boss who lets an unconfirmed card pass reads it from the picture: his PIN and reason."""
    needed = effective_approval(command.ruling, incident.ruling, revealed_done=revealed(state))
    return needed | Approval.PIT_BOSS if _reads_picture(incident, command) else needed


def _reads_picture(incident: Incident, command: c.RuleIncident) -> bool:
    asks_to_pass = incident.kind == "camera_unsure" and command.ruling == "continue"
    return asks_to_pass and may(command.actor.roles, "confirm_card")


def _check(draft: Draft, actor: Actor, needed: Approval, command: c.RuleIncident) -> None:
    if needed in (Approval.NONE, Approval.DEALER):
        if not may(actor.roles, "rule_dealer"):
            need_right(actor, "rule_pit")
        return
    if needed is Approval.TWO_PEOPLE:
        need_asker(actor, draft.at_ms, pit_bosses_on_floor=command.pit_bosses, dealer=draft.state.seat.dealer)
    else:
        for right in ("rule_pit", *rights_of(command.ruling)):
            need_right(actor, right)
        if actor.id == draft.state.seat.dealer:
            raise RefusedError("deals_here", "You deal at this table: another pit boss rules on this.")
        need_fresh_pin(actor, draft.at_ms)
    need_reason(command.reason_code, command.words)


def hindrance(state: TableState, incident: Incident, ruling: str) -> RefusedError | None:
    """Why nobody can give this ruling yet; None when it depends only on who gives it."""
    try:
        _check_possible(state, incident, ruling, reason_code="named")
    except RefusedError as why:
        return why
    return None


def _check_possible(state: TableState, incident: Incident, ruling: str, reason_code: str) -> None:
    """A table goes on only when what stopped it is over; what a round has paid is not given back by a ruling."""
    if ruling in VOIDS and _declared(state) and _ways_on(state, incident):
        raise RefusedError(
            "result_declared",
            "The result of this round is declared, and no ruling gives its bets back: choose another way here, then "
            "correct the settled round.",
        )
    if ruling == "swap_hands" and _is_over(state):
        raise RefusedError("round_is_over", "The round is over: its result is corrected as a whole, not card by card.")
    if ruling != "continue":
        return
    if incident.kind in ("device_lost", "restart"):
        lost = [device for device in state.config.devices if not state.devices.links.get(device, False)]
        if lost:
            named = ", ".join(_part(state, device) for device in lost)
            raise RefusedError("still_lost", f"Still not connected: {named}. Check the cable and the power.")
        if owed := [device for device in state.config.devices if is_awaited(state, device)]:
            named = ", ".join(_part(state, device) for device in owed)
            raise RefusedError("not_proved", f"Not known yet who it is: {named}. Wait a moment.")
        if state.devices.camera_blind:
            raise RefusedError("blind", "The camera has no usable picture; clear its view first.")
        _check_felt(state)
    if incident.kind == "shoe_error":
        if state.devices.shoe_errors - set(state.config.expected_errors):
            raise RefusedError("shoe_error", "The shoe still shows an error; clear it on the shoe first.")
        if not reason_code:
            raise RefusedError(
                "reason_needed", "Name the reason of the shoe's error: it is kept with the ruling.", which="error"
            )


def _ways_on(state: TableState, incident: Incident) -> frozenset[str]:
    """The rulings offered that void nothing and can still be given."""
    ways = frozenset(incident.ruling.options) - VOIDS
    return ways - {"swap_hands"} if _is_over(state) else ways


def _is_over(state: TableState) -> bool:
    return state.round is None or not state.round.live


def _part(state: TableState, device: str) -> str:
    """What a device is at this table, in a sentence for whoever stands there."""
    config = state.config
    return {config.shoe: "the shoe", config.shuffler: "the shuffler", config.camera: "the camera"}.get(device, device)


def _declared(state: TableState) -> bool:
    return state.round is not None and state.round.stage in (Stage.SETTLING, Stage.SETTLED)


def _check_felt(state: TableState) -> None:
    if wrong := unexplained(state):
        drawn = any(one.why == "held" and not one.to for one in state.loose)
        more = " A card drawn while the table was held belongs to the deal: lay it in its place." if drawn else ""
        sentence = f"Felt and record do not agree at {named(wrong)}. Put the cards right, or void the round.{more}"
        raise RefusedError("felt_differs", sentence, places=Places(tuple(wrong)))


def _asked(draft: Draft, command: c.RuleIncident) -> e.RulingAsked:
    return e.RulingAsked(
        id=command.incident,
        ruling=command.ruling,
        arguments=command.arguments,
        asked_by=command.actor.id,
        asked_by_name=command.actor.name,
        reason_code=command.reason_code,
        words=command.words,
        expires_at_ms=draft.at_ms + REQUEST_VALID_MS,
    )


def _asked_of(command: c.RuleIncident) -> AskedRuling:
    return AskedRuling(
        command.ruling, command.arguments, command.actor.id, command.actor.name, command.reason_code, command.words, 0
    )


def _carry(draft: Draft, incident: Incident, asked: AskedRuling, both: TwoPeople | None, *, needed: Approval) -> None:
    by, approved_by = asked.asked_by, both.approved_by if both else ""
    arguments = asked.arguments or incident.ruling.arguments
    before = describe(draft.state, incident)
    draft.emit(
        e.IncidentRuled(
            id=incident.id, ruling=asked.ruling, arguments=arguments, row=incident.ruling.row, asked_by=by,
            approved_by=approved_by, reason_code=asked.reason_code, words=asked.words, procedures=incident.procedures,
            asked_by_name=asked.asked_by_name, approved_by_name=both.approved_by_name if both else "",
        )
    )  # fmt: skip
    bets = draft.round.stakes.bets if draft.round else 0
    carry_out(draft, incident, asked.ruling, arguments, approved_by or by)
    live = draft.round is not None and draft.round.live
    if live and incident.kind == "camera_unsure" and asked.ruling == "continue" and needed is not Approval.DEALER:
        draft.emit(*(e.CardConfirmed(id=id, by=by) for id in incident.scene.cards))
    do_afterwards(draft, incident.kind, incident.ruling.afterwards)
    if needed not in (Approval.NONE, Approval.DEALER):
        draft.emit(_exception(draft, incident, asked, (by, approved_by), before, bets))
    if (ruled := draft.state.incident(incident.id)) is not None:
        settle_incident(draft, ruled)


def _exception(
    draft: Draft, incident: Incident, asked: AskedRuling, people: tuple[str, str], before: Situation, bets: int
) -> e.ExceptionRecorded:
    return e.ExceptionRecorded(
        incident=incident.id,
        act=asked.ruling,
        asked_by=people[0],
        approved_by=people[1],
        before=before,
        after=_after(draft.state, incident, asked),
        reason_code=asked.reason_code,
        words=asked.words,
        row=incident.ruling.row,
        evidence=incident.scene.evidence,
        sealed=incident.scene.cards,
        bets=bets,
    )


def _after(state: TableState, incident: Incident, asked: AskedRuling) -> Situation:
    now = describe(state, incident)
    return Situation((*now.parts, NothingBack())) if _gave_nothing(state, asked) else now


def _gave_nothing(state: TableState, asked: AskedRuling) -> bool:
    """A row that knows no other way than a void, after the result: only what follows it was done."""
    return asked.ruling in VOIDS and _declared(state)


def describe(state: TableState, incident: Incident) -> Situation:
    """The round and the cards concerned, for the exception record; sealed cards by their id alone."""
    round = state.round
    if round is None:
        return Situation((NoRound(),))
    shown: list[SituationPart] = []
    for slot, fact in sorted(round.deal.cards.items()):
        if fact.card.id in incident.scene.cards:
            face = fact.face if isinstance(fact, CardDealt) else None
            shown.append(CardReads(slot, face, "" if face else fact.card.id))
    look = state.felt.looks.get(incident.scene.slot)
    if look is not None and shown and incident.kind == "card_mismatch":
        seen = open_face(look)
        shown.append(CameraSays(seen, "" if seen else str(look.face)))
    return Situation((InRound(round.id, str(round.stage)), *shown))
