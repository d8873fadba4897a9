"""What the dealer passed over in a deal to boxes: his own card, a box's card, a whole box.

The shoe's card stands where the script awaits it; the camera sees it in the place that is due after that one. So
somebody was passed over, and which row it is follows from whom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studio.errors import RefusedError
from studio.rounds import CardDealt, CardMoved, CardPostponed, Chose, HandVoided, Misfit, play
from studio.rounds.fact import AnyFact
from studio.rulebook.script import Deal
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.incident import Circumstances
from studio.tables.state.box import zones_of
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round, bets_closed
from studio.tables.state.table import TableState, awaited

_FIRST_TWO = 2

PassedOver = tuple[str, Circumstances]
"""The kind of incident it is, and its circumstances."""


def passed_over(state: TableState, fact: CardDealt, slot: Slot) -> PassedOver | None:
    """The incident's kind and circumstances when the card lies in a `slot` that is due later; None where it is just
    misplaced.
    """
    round = state.round
    if round is None or not round.stakes.boxes or any(isinstance(one, Chose) for one in round.deal.plain):
        return None
    order = _order(round)
    due = (fact.box, fact.place)
    if due not in order or slot not in order or order.index(slot) <= order.index(due) or slot in round.deal.cards:
        return None
    if fact.box not in round.stakes.boxes:
        return "wrong_order", {f"{fact.box}_cards": 0}  # [BJ6]
    if fact.place == _FIRST_TWO:
        return "wrong_count", {f"{fact.box}_cards": 1, "count": 1}  # [BJ8]
    bare = {f"{box}_cards": 0 for box, place in _between(round, due, slot) if place == 1 and box in round.stakes.boxes}
    return "wrong_count", {**bare, "count": 0}  # [BJ7]


def _order(round: Round) -> Sequence[Slot]:
    """The places of the opening deal in the order they are dealt: a card to each box, one to the dealer, a second to
    each box. [BJ-2]
    """
    first = [(box, 1) for box in round.stakes.boxes]
    return [*first, ("dealer", 1), *((box, _FIRST_TWO) for box in round.stakes.boxes)]


def _between(round: Round, due: Slot, slot: Slot) -> Sequence[Slot]:
    """What was passed over: from the place that was due up to the one where the card lies."""
    order = _order(round)
    if due not in order or slot not in order:
        return (due,)
    return order[order.index(due) : order.index(slot)]


def give_later(draft: Draft, incident: Incident) -> None:
    """The card counts where it lies, and each place that was passed over gets its card after all the others."""
    round = draft.round
    if round is None or not round.live:
        return
    facts = _as_it_lies(round, incident)
    due = _due(round, incident)
    passed = _between(round, due, incident.scene.slot) if due else _passed(draft.state, incident)
    if passed:
        _stand(draft, (*facts, *(CardPostponed(box=box, place=place) for box, place in passed)))


def _due(round: Round, incident: Incident) -> Slot | None:
    """Where the card that lies wrong is on record."""
    return next((slot for slot, fact in round.deal.cards.items() if _is_of(fact.card.id, incident)), None)


def _passed(state: TableState, incident: Incident) -> Sequence[Slot]:
    """The places that were passed over when no card lies wrong yet: the dealer's own place, or the second place of the
    box that the incident names or that is due.
    """
    if incident.kind == "wrong_order":
        return (("dealer", 1),)  # [BJ6]
    if incident.scene.box:
        return ((incident.scene.box, _FIRST_TWO),)  # [BJ8]
    now = awaited(state)
    if now is None or not isinstance(now.step, Deal) or now.place != _FIRST_TWO:
        return ()
    return ((now.step.box, now.place),)


def need_passed_over(state: TableState, found: Mapping[str, str]) -> None:
    """Refuse what a person tells of a box left without a card, or with only one, where it cannot be: the boxes have no
    cards yet, no bet lies on the box, or the record has its second card.
    """
    told = {name.removesuffix("_cards"): cards for name, cards in found.items() if name.endswith("_cards")}
    if not told and "count" not in found:
        return
    round = state.round
    if round is None or not round.live or not bets_closed(round):
        raise RefusedError("boxes_bare", "No card has been dealt to the boxes yet: tell it once they are dealt to.")
    for box, cards in told.items():
        if box != "dealer" and box not in round.stakes.boxes:
            with_bets = ", ".join(round.stakes.boxes)
            raise RefusedError(
                "box_no_bet", f"No bet lies on box {box} in this round: choose one of {with_bets}.",
                box=box, boxes=with_bets,
            )  # fmt: skip
        if cards == "1" and (box, _FIRST_TWO) in round.deal.cards:
            raise RefusedError(
                "box_has_cards",
                f"On the record box {box} has its second card: if that lies elsewhere, report a misplaced card.",
                box=box,
            )


def void_hands(draft: Draft, incident: Incident, boxes: Sequence[str]) -> None:
    """Give back the bets of these boxes; a card meant for one of them counts where it lies.

    Any other box that was passed over gets its card late.
    """
    round = draft.round
    assert round is not None
    voided = (HandVoided(box=box, zones=zones_of(draft.state.game, box)) for box in boxes)
    due = _due(round, incident)
    passed = _between(round, due, incident.scene.slot) if due else ()
    late = (CardPostponed(box=box, place=place) for box, place in passed if box not in boxes)
    _stand(draft, (*_as_it_lies(round, incident), *voided, *late))


def _as_it_lies(round: Round, incident: Incident) -> tuple[AnyFact, ...]:
    slot = incident.scene.slot
    if not incident.scene.place or slot in round.deal.cards:
        return ()
    return tuple(
        CardMoved(id=fact.card.id, box=slot[0], place=slot[1])
        for fact in round.deal.cards.values()
        if _is_of(fact.card.id, incident)
    )


def _is_of(id: str, incident: Incident) -> bool:
    return bool(incident.scene.place) and incident.scene.cards[:1] == (id,)


def _stand(draft: Draft, facts: Sequence[AnyFact]) -> None:
    state, round = draft.state, draft.round
    assert round is not None
    if isinstance(play(state.game.deal.script(round.rules), (*round.deal.facts, *facts)), Misfit):
        raise RefusedError(
            "does_not_fit",
            "With the cards as they lie this cannot be done; void the round instead, or move the card.",
            which="lie",
        )
    draft.emit(*(e.FactStood(fact=fact) for fact in facts))
