"""How far an incident's procedure is: what is done, who owes the next step, and since when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from studio.people import REQUEST_VALID_MS
from studio.procedures import PIT_DECIDES, Approval, effective_approval
from studio.procedures.course import Matter, course
from studio.procedures.rule import words_key
from studio.procedures.step import Sign, Step
from studio.tables.felt.camera_look import unconfirmed
from studio.tables.irregularity.outstanding import left_to_do, places_to_lay, unexplained
from studio.tables.irregularity.ruling import revealed
from studio.tables.irregularity.stub import going_back
from studio.tables.state.incident import Incident
from studio.tables.state.rotation import AT_WORK
from studio.tables.state.table import TableState
from studio.views.act import ONE_BY_ONE
from studio.views.shape import FollowView, LayView, ProcedureView, RowWords, StepView

_PROVES_THE_REST: Final = frozenset({Sign.RULED, Sign.LOADED, Sign.DEALT})
"""Signs that all that stands before them is done, too."""
_MACHINE: Final = frozenset({Sign.INSERTED, Sign.VERIFIED, Sign.LOADED})


def view_procedure(state: TableState, incident: Incident) -> ProcedureView:
    """The steps of an open incident, as far as they are known now."""
    steps = course(_matter(state, incident))
    done = _done(state, incident, steps)
    due = _due(steps, done)
    owed = steps[due.start] if due else None
    return ProcedureView(
        steps=tuple(StepView(step.key, step.who, _state(at, done, due)) for at, step in enumerate(steps)),
        owed=str(owed.who) if owed else "",
        since_ms=_since_ms(state, incident, steps[due.stop - 1].sign) if due else 0,
        places=_places(state, incident),
    )


def row_words(state: TableState, incident: Incident) -> RowWords:
    """What the row says, for every language."""
    key = words_key(state.config.game, incident.ruling.row, incident.ruling.text)
    kept = state.incidents.procedures.rows if state.incidents.procedures else ()
    own = next((row.words for row in kept if (row.id, row.text) == (incident.ruling.row, incident.ruling.text)), ())
    return RowWords(f"row.{key}" if key else "", dict(own))


def view_following(state: TableState) -> FollowView | None:
    """What is left to do of the incident that was closed last; nothing while another holds the table."""
    incident = state.incidents.following
    if incident is None or state.held or state.status == "closed":
        return None
    procedure = view_procedure(state, incident)
    return FollowView(incident.kind, incident.ruling.row, incident.ruled.ruling, procedure) if procedure.owed else None


def _matter(state: TableState, incident: Incident) -> Matter:
    ruling = incident.ruled.ruling or (incident.asked.ruling if incident.asked else incident.ruling.ruling)
    return Matter(
        incident.kind, ruling, _approval(state, incident, ruling), incident.ruling.afterwards, incident.holds,
        bool(state.config.shuffler),
    )  # fmt: skip


def _approval(state: TableState, incident: Incident, ruling: str) -> Approval:
    """Who has to agree to the ruling: what was settled when the ruling was asked for or made, else what would be needed
    now.
    """
    if incident.asked is not None:
        return Approval.TWO_PEOPLE
    if incident.ruled.ruling or ruling == PIT_DECIDES:
        return incident.ruling.approval
    procedure = incident.ruling
    return effective_approval(ruling, procedure, revealed_done=revealed(state))


def _done(state: TableState, incident: Incident, steps: Sequence[Step]) -> tuple[bool, ...]:
    """Whether each is done: a step that shows nothing is done with the next that does."""
    shown = [_shows(state, incident, step.sign) for step in steps]
    last = max((at for at, step in enumerate(steps) if shown[at] and step.sign in _PROVES_THE_REST), default=-1)
    found = [at <= last or bool(shown[at]) for at in range(len(steps))]
    for at in reversed(range(len(steps))):
        if shown[at] is None and at > last:
            later = [number for number in range(at + 1, len(steps)) if shown[number] is not None]
            found[at] = bool(later) and found[later[0]]
    return tuple(found)


def _shows(state: TableState, incident: Incident, sign: Sign) -> bool | None:  # noqa: C901 - one line a sign
    """Whether the sign is there; None of what nothing shows."""
    round, deck = state.round, state.deck
    live = round is not None and round.live
    match sign:
        case Sign.HELD:
            return True
        case Sign.LINKED:
            up = all(state.devices.links.get(device, False) for device in state.config.devices)
            return up and not state.devices.camera_blind
        case Sign.AGREED:
            return not live or not unexplained(state)
        case Sign.CLEARED:
            return not state.devices.shoe_errors - set(state.config.expected_errors)
        case Sign.FREED:
            return "jam" not in state.decks.machine.alarms
        case Sign.CONFIRMED:
            return round is None or not {fact.card.id for fact in unconfirmed(round)} & set(incident.scene.cards)
        case Sign.ASKED:
            return bool(incident.asked or incident.ruled.ruling)
        case Sign.RULED:
            return bool(incident.ruled.ruling)
        case Sign.PLACED:
            return bool(incident.ruled.ruling) and not left_to_do(state, incident)
        case Sign.FELT_CLEAR:
            return bool(incident.ruled.ruling) and state.felt.clear
        case Sign.INSERTED:
            return bool(incident.ruled.ruling) and (state.decks.machine.state in AT_WORK or bool(state.approved))
        case Sign.VERIFIED:
            return bool(incident.ruled.ruling) and bool(state.approved)
        case Sign.LOADED:
            return bool(incident.ruled.ruling) and deck is not None and not deck.change_due
        case Sign.DEALT:
            return (
                bool(incident.ruled.ruling)
                and live
                and round is not None
                and deck is not None
                and bool(round.deal.cards)
            )
        case Sign.STUB_SHUFFLED:
            return bool(incident.ruled.ruling) and not going_back(state)
        case Sign.DECIDED:
            return not state.aftermath.cases
        case Sign.UNSEEN:
            return None


def _due(steps: Sequence[Step], done: Sequence[bool]) -> range:
    """The step that is due, with those after it up to the next that shows; empty when all are done."""
    first = next((at for at, one in enumerate(done) if not one), len(steps))
    end = next((at for at in range(first, len(steps)) if steps[at].sign is not Sign.UNSEEN), len(steps) - 1)
    return range(first, end + 1)


def _state(at: int, done: Sequence[bool], due: range) -> str:
    return "done" if done[at] else "now" if at in due else "later"


def _since_ms(state: TableState, incident: Incident, sign: Sign) -> int:
    """The time since which a step with this sign has been owed: that of the report, the request, the ruling, or the
    last thing done.
    """
    if incident.asked is not None:
        return incident.asked.expires_at_ms - REQUEST_VALID_MS
    if not incident.ruled.ruling:
        return incident.opened_at_ms
    if sign in _MACHINE:
        return max(incident.ruled.at_ms, state.decks.machine.since_ms)
    if sign is Sign.PLACED:
        left = set(left_to_do(state, incident))
        laid = (look.at_ms for slot, look in state.felt.looks.items() if slot not in left)
        return max((incident.ruled.at_ms, *laid))
    return incident.ruled.at_ms


def _places(state: TableState, incident: Incident) -> tuple[LayView, ...]:
    """The places of a round that is laid out or read anew, each ticked as the camera sees it."""
    if incident.ruled.ruling not in ONE_BY_ONE or state.incidents.following is incident:
        return ()
    left = left_to_do(state, incident)
    due = left[0] if left else None
    return tuple(LayView(*slot, slot not in left, slot == due) for slot in places_to_lay(state))
