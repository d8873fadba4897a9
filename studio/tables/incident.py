"""Opens an incident: the procedures are asked, and their answer goes on record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from studio.procedures import Ruling
from studio.procedures.record import in_force, records_in_force, version_in_force
from studio.procedures.rule import rule_by
from studio.rounds import CardBurned, CardDealt, Finished
from studio.rulebook.game import Game
from studio.rulebook.hand_terms import BOARD
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.state.box import box_of, dealers_total
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round, bets_are_in
from studio.tables.state.table import TableState, phase_of
from studio.tables.street import is_betting_hand, told_of_hand

NOT_HOLDING: Final = frozenset(
    {"camera_unsure", "cut_card", "shoe_restart", "deck_unverified", "disconnected", "timed_out"}
)
"""Told and recorded, while the deal goes on [HG21, EV3, EV4, EV6, EV9, OF1, OF2]."""

UNKNOWN_YET: Final = "system"
"""Reports a device that has not spoken since the table or the program came up; its first word ends that."""

Circumstances = Mapping[str, str | int | bool]


def open_incident(  # noqa: PLR0913 - one event, all of whose parts may be given
    draft: Draft,
    kind: str,
    *,
    by: str,
    circumstances: Circumstances | None = None,
    cards: tuple[str, ...] = (),
    slot: Slot = ("", 0),
    device: str = "",
    evidence: tuple[str, ...] = (),
) -> str:
    """Open an incident of this kind, unless the very same one is open; gives its id.

    `by` is a person's id, or the id of the device that noticed.
    """
    state = draft.state
    for known in state.incidents.open:
        same = (known.kind, known.scene.slot, known.scene.device) == (kind, slot, device)
        if same and not known.ruled.ruling:
            return known.id
    given = {**implied(state), **told_of_hand(state, kind, cards, slot), **(circumstances or {})}
    phase = _phase(state)
    put_in_force(draft)
    config = state.config
    found = rule_by(in_force(config.game, config.own_rows), kind, phase, given)
    id = f"{config.key}-i{state.incidents.count + 1}"
    opened = _opened(id, kind, phase, given, found, by, cards, slot, device, evidence)
    version = version_in_force(config.game, config.own_rows)
    draft.emit(msgspec.structs.replace(opened, procedures=version))
    return id


def put_in_force(draft: Draft) -> None:
    """Keep the rows that rule from now on, if others did before."""
    config, kept = draft.state.config, draft.state.incidents.procedures
    version = version_in_force(config.game, config.own_rows)
    if kept is None or kept.version != version:
        draft.emit(e.ProceduresInForce(version=version, rows=records_in_force(config.game, config.own_rows)))


def tell_more(  # noqa: PLR0913 - what is known, and what more was seen of it
    draft: Draft, known: Incident, more: Circumstances, *, by: str, slot: Slot, evidence: tuple[str, ...] = (),
    kind: str = "",
) -> None:  # fmt: skip
    """An open incident turns out to be more than the device knew, or of another kind: the procedures are asked again,
    on a new record.
    """
    given = {**known.circumstances, **more}
    draft.emit(e.IncidentClosed(id=known.id))
    open_incident(
        draft, kind or known.kind, by=by, circumstances=given, cards=known.scene.cards, slot=slot,
        evidence=evidence or known.scene.evidence,
    )  # fmt: skip


def _phase(state: TableState) -> str:
    """Once the felt is clear after a round, the cards are being shuffled for the next."""
    over = state.round is not None and state.round.over
    return "shuffling" if over and state.felt.clear else phase_of(state)


def tell(draft: Draft, kind: str, *, by: str, device: str = "", circumstances: Circumstances | None = None) -> None:
    """Record an incident that needs nobody: opened, ruled by its row and closed at once."""
    id = open_incident(draft, kind, by=by, device=device, circumstances=circumstances)
    incident = draft.state.incident(id)
    assert incident is not None
    found = incident.ruling
    draft.emit(
        e.IncidentRuled(
            id=id, ruling=found.ruling, arguments=(), row=found.row, asked_by=by, approved_by="", reason_code="",
            words="", procedures=incident.procedures,
        ),
        e.IncidentClosed(id=id),
    )  # fmt: skip


def implied(state: TableState) -> dict[str, str | int | bool]:
    """What the state of the round says: the cards of each box, whether the bets are in, whether the last card is out.

    In a game dealt to boxes with a bet, a box that has no card yet is not spoken of; its rows count with it, and the
    dealer's total is told with his cards.
    """
    round = state.round
    if round is None or not round.live:
        return {}
    dealt = Counter(box_of(fact.box) for fact in round.deal.plain if isinstance(fact, CardDealt))
    if state.game.owned is None:
        dealt.update(dict.fromkeys(dealt_to(state.game), 0))
    if is_betting_hand(state.game):
        del dealt[BOARD]  # which street it is about is told by name
    counts = {f"{box}_cards": cards for box, cards in dealt.items()}
    if state.game.owned is not None and (total := dealers_total(round)):
        counts["dealer_total"] = total
    return {**counts, "bets_in": bets_are_in(round), "moment": "last" if is_dealt(state, round) else "street"}


def dealt_to(game: Game) -> tuple[str, ...]:
    """The boxes that cards are dealt to: for a seat, only its own zone and not the rows in which it sets its cards."""
    if game.peers is None:
        return tuple(game.felt.boxes)
    return tuple(box for box in game.felt.boxes if box in (*game.peers.seats, BOARD))


def is_dealt(state: TableState, round: Round) -> bool:
    """Whether the last card is out: what is left is turning cards, deciding, or nothing."""
    if state.game.owned is not None or state.shoe.rounds_per_shuffle is None:
        return isinstance(round.deal.standing, Finished)
    cards = sum(isinstance(fact, CardDealt | CardBurned) for fact in round.deal.plain)
    return cards >= state.shoe.cards_per_round


def _opened(  # noqa: PLR0913 - one event, all of whose parts are given
    id: str,
    kind: str,
    phase: str,
    circumstances: Circumstances,
    found: Ruling,
    by: str,
    cards: tuple[str, ...],
    slot: Slot,
    device: str,
    evidence: tuple[str, ...],
) -> e.IncidentOpened:
    return e.IncidentOpened(
        id=id,
        incident=kind,
        phase=phase,
        circumstances=dict(circumstances),
        row=found.row,
        ruling=found.ruling,
        options=found.options,
        approval=found.approval,
        refund=found.refund,
        text=found.text,
        arguments=found.arguments,
        afterwards=found.afterwards,
        reported_by=by,
        holds=kind not in NOT_HOLDING,
        cards=cards,
        evidence=evidence,
        box=slot[0],
        place=slot[1],
        device=device,
    )
