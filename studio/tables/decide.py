"""`decide(state, message, at_ms)` is a table making up its mind: it gives events, or refuses.

Observations are never refused; a command may be (`RefusedError`). `can` is `decide` asked politely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from studio import ports
from studio.errors import BadInputError, RefusedError
from studio.people import need_fresh_pin, need_reason, need_right
from studio.tables import command as c
from studio.tables.acting import name_actor
from studio.tables.correction.request import approve_correction, ask_correction, decline_correction
from studio.tables.correction.unsealing import approve_unsealing, ask_unsealing, decline_unsealing
from studio.tables.deal import course, relief
from studio.tables.deal.change import change_table
from studio.tables.deal.pay_table import allow_pay_table
from studio.tables.decks.count import end_count, need_no_count, start_count, type_count
from studio.tables.decks.shuffler import watch_shuffler
from studio.tables.devices.approval import approve_device
from studio.tables.devices.order import order_device
from studio.tables.devices.service import service_device
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.table import AnyEvent
from studio.tables.felt.happening import see
from studio.tables.felt.shoe_reading import read_shoe
from studio.tables.irregularity import report, ruling
from studio.tables.irregularity.compensation import decide_compensation
from studio.tables.irregularity.link import watch_links
from studio.tables.irregularity.remedy import resume, settle_incident
from studio.tables.irregularity.stub import shuffle_stub
from studio.tables.seats.dismissal import dismiss_seat
from studio.tables.state.table import TableState
from studio.tables.timing import tick

Message = c.PersonCommand | c.Tick | ports.Observation


def decide(state: TableState, message: Message, at_ms: int) -> tuple[AnyEvent, ...]:
    """What happens because of the message; `RefusedError` (nothing happens) only for commands."""
    draft = Draft(state, at_ms)
    if isinstance(message, ports.Observation):
        _observe(draft, message)
    elif isinstance(message, c.Tick):
        tick(draft)
    else:
        _obey(draft, message)
    course.open_turn(draft)
    return tuple(draft.events)


def refusal(state: TableState, command: c.PersonCommand, at_ms: int) -> RefusedError | None:
    """None when the command would be carried out now, else what it would be refused with."""
    try:
        _obey(Draft(state, at_ms), command)
    except RefusedError as refused:
        return refused
    return None


def can(state: TableState, command: c.PersonCommand, at_ms: int) -> str | None:
    """The sentence of the refusal alone."""
    refused = refusal(state, command, at_ms)
    return refused.sentence if refused else None


def _observe(draft: Draft, seen: ports.Observation) -> None:
    before = draft.state
    draft.emit(e.ObservationRecorded(observation=seen))  # type: ignore[arg-type]  # the closed union of ports
    watch_links(draft, seen)  # type: ignore[arg-type]
    if seen.device == draft.state.config.shuffler:
        watch_shuffler(draft, before, seen)  # type: ignore[arg-type]
    if seen.device == draft.state.config.shoe:
        read_shoe(draft, seen)  # type: ignore[arg-type]
    elif seen.device == draft.state.config.camera:
        see(draft, seen)  # type: ignore[arg-type]
        for incident in draft.state.incidents:
            if incident.ruled:
                settle_incident(draft, incident)


def _obey(draft: Draft, command: c.PersonCommand) -> None:
    if command.is_stale(draft.state.moves, draft.state.dealt):
        raise RefusedError("moved_on", "The table has moved on; look again, then repeat what you still want.")
    since = len(draft.events)
    need_no_count(draft.state, command)
    try:
        _OBEY[type(command)](draft, command)
    except BadInputError as error:
        raise RefusedError("bad_input", str(error)) from error
    name_actor(draft, command.actor, type(command).__name__, since)


def _release(draft: Draft, command: c.ReleaseTable) -> None:
    need_right(command.actor, "release")
    need_fresh_pin(command.actor, draft.at_ms)
    if not draft.state.frozen_by:
        raise RefusedError("not_frozen", "The table is not frozen.")
    need_reason(command.reason_code, command.words)
    draft.emit(
        e.TableReleased(by=command.actor.id, reason_code=command.reason_code, words=command.words),
        *((e.PitAnswered(by=command.actor.id),) if draft.state.pit_called_by else ()),
    )
    resume(draft)


_OBEY: Final[Mapping[type, Callable[[Draft, Any], None]]] = {
    c.OpenTable: course.open_table,
    c.AllowPayTable: allow_pay_table,
    c.ChangeTable: change_table,
    c.ApproveDevice: approve_device,
    c.StartCount: start_count,
    c.EndCount: end_count,
    c.TypeCount: type_count,
    c.CloseTable: course.close_table,
    c.PauseTable: course.pause_table,
    c.ResumeTable: course.resume_table,
    c.ChangeDealer: relief.change_dealer,
    c.TakeTable: relief.take_table,
    c.DeclineRelief: relief.decline_relief,
    c.StandDown: relief.stand_down,
    c.PlanRotation: relief.plan_rotation,
    c.DismissSeat: dismiss_seat,
    c.LoadShoe: course.load_shoe,
    c.VerifyDeck: course.verify_deck,
    c.WithdrawShoe: course.withdraw_shoe,
    c.StartRound: course.start_round,
    c.OpenBetting: course.open_betting,
    c.CloseBetting: course.close_betting,
    c.DeclareResult: course.declare_result,
    c.ConfirmFeltClear: course.confirm_felt_clear,
    c.ShuffleStub: shuffle_stub,
    c.FreezeTable: course.freeze,
    c.CallPit: course.call_pit,
    c.AnswerCall: course.answer_call,
    c.ReleaseTable: _release,
    c.ServiceDevice: service_device,
    c.OrderDevice: order_device,
    c.ReportIncident: report.report,
    c.RuleIncident: ruling.rule_incident,
    c.ApproveRuling: ruling.approve,
    c.DeclineRuling: ruling.decline,
    c.OverrideCard: ruling.override_card,
    c.VoidRound: ruling.void_round,
    c.DecideCompensation: decide_compensation,
    c.AskCorrection: ask_correction,
    c.ApproveCorrection: approve_correction,
    c.DeclineCorrection: decline_correction,
    c.AskUnsealing: ask_unsealing,
    c.ApproveUnsealing: approve_unsealing,
    c.DeclineUnsealing: decline_unsealing,
}
