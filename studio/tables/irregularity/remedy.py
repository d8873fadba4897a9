"""Carries a ruling out: what it does to the record, and what is left to do on the felt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from studio.cards import Card
from studio.errors import RefusedError
from studio.rounds import (
    CardBurned,
    CardDealt,
    CardReplaced,
    Misfit,
    play,
)
from studio.spoken import Slot
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import (
    awaited_slot,
    judge,
    open_face,
    open_or_due,
    place_of,
    unconfirmed,
)
from studio.tables.felt.shoe_reading import adopt, refuse_seen
from studio.tables.felt.skipped_card import give_later, void_hands
from studio.tables.irregularity.acceptance import accept_device
from studio.tables.irregularity.card_change import swap_hands, take_out
from studio.tables.irregularity.compensation import open_case, tell_lost_prize
from studio.tables.irregularity.outstanding import STUB_KINDS, goes_back, left_to_do
from studio.tables.irregularity.stub import board_stands, replace_exposed, take_back
from studio.tables.state.box import paid_though_void
from studio.tables.state.incident import Incident
from studio.tables.state.round import bets_closed
from studio.tables.state.shoe import BACK_IN_SHOE
from studio.tables.state.table import awaited
from studio.tables.street import is_betting_hand

Carrying = Callable[[Draft, Incident, tuple[str, ...], str], None]


def carry_out(draft: Draft, incident: Incident, ruling: str, arguments: tuple[str, ...], by: str) -> None:
    """Change the record as the ruling says; refuses where it cannot be done as things lie."""
    CARRY[ruling](draft, incident, arguments, by)


def do_afterwards(draft: Draft, kind: str, keys: tuple[str, ...]) -> None:
    """What has to follow a ruling: the deck leaves the shoe, the shoe is changed after the round, decks are verified.

    `verify_deck` speaks of the decks outside the shoe: the one that deals has been verified.
    """
    if "replace_deck" in keys and draft.state.deck is not None:
        draft.emit(e.ShoeWithdrawn(why="replace_deck", replace=True))
    if "change_shoe" in keys:
        draft.emit(e.CutCardCame(at_once=kind != "cut_card"))
    if "verify_deck" in keys:
        draft.emit(*(e.DeckRefused(deck_id=deck, count=0, verdict="unverified") for deck in draft.state.approved))


def settle_incident(draft: Draft, incident: Incident) -> None:
    """Close a ruled incident once nothing is left to do on the felt, and let the deal go on."""
    if draft.state.incident(incident.id) is None or left_to_do(draft.state, incident):
        return
    if incident.ruled.ruling == "reread_all" and draft.round is not None and draft.round.live:
        _take_camera_readings(draft)
    draft.emit(e.IncidentClosed(id=incident.id))
    resume(draft)


def resume(draft: Draft) -> None:
    """When nothing holds the table any more: held cards enter the deal, and every place is looked at anew."""
    if draft.state.held:
        return
    adopt(draft)
    round = draft.round
    if round is None or not round.live or draft.state.deck is None:
        return
    for slot in sorted(set(draft.state.felt.looks) | set(round.deal.cards)):
        judge(draft, slot)
    adopt(draft)  # a hand that lay turned already stands as revealed now, and a card may be due after it


def _continue(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The round stands as it is: whatever was doubted in this incident is accepted by the person who rules."""
    _discard_loose(draft, incident)
    if "give_later" in incident.ruling.afterwards:
        give_later(draft, incident)
        return
    round = draft.round
    if round is None or not round.live:
        return
    if incident.kind == "unread_card":
        _use_camera(draft, incident.scene.slot, by)
    if incident.kind == "burn_error" and not board_stands(draft, incident):
        burned = (fact for fact in unconfirmed(round) if isinstance(fact, CardBurned))
        draft.emit(*(e.CardConfirmed(id=fact.card.id, by=by) for fact in burned))
    if incident.kind in ("misplaced_card", "wrong_order") and incident.scene.cards and incident.scene.place:
        left = place_of(round, incident.scene.cards[0])
        draft.emit(e.PlaceAccepted(id=incident.scene.cards[0], zone=incident.scene.box, place=incident.scene.place))
        if left is not None and len(incident.scene.cards) == 2:  # the two changed places
            draft.emit(e.PlaceAccepted(id=incident.scene.cards[1], zone=left[0], place=left[1]))


def _discard(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The card does not count: a loose one is disposed of, one that stands already is taken out of the deal."""
    _discard_loose(draft, incident)
    if incident.kind == "boxed_card" and not incident.scene.cards:
        _discard_boxed(draft, incident)
    round = draft.round
    if round is None or not round.live:
        return  # a deal that is over keeps its cards
    for fact in tuple(round.deal.cards.values()):
        if fact.card.id in incident.scene.cards:
            take_out(draft, fact.card.id)


def _discard_boxed(draft: Draft, incident: Incident) -> None:
    """A boxed card without a reading yet: the one the shoe could not read, or the first out since it was told [HG9]."""
    if draft.round is not None and incident.scene.slot in draft.round.eyes.missed:
        draft.emit(e.ReadingWaived(box=incident.scene.box, place=incident.scene.place))
        return
    since = (one for one in draft.state.undisposed if one.at_ms >= incident.opened_at_ms)
    if (first := next(since, None)) is not None:
        draft.emit(e.CardDisposed(id=first.sealed.id, to="discard"))


def _discard_loose(draft: Draft, incident: Incident, to: str = "discard") -> None:
    for one in draft.state.undisposed:
        if one.sealed.id in incident.scene.cards:
            draft.emit(e.CardDisposed(id=one.sealed.id, to=to))


def _next_card(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """One drawn after the last card, unseen, goes back into a shoe of many rounds [BC2]."""
    back = incident.kind == "extra_card" and goes_back(draft.state, incident)
    _discard_loose(draft, incident, BACK_IN_SHOE if back else "next")


def _next_burn(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if incident.kind == "exposed_card" and is_betting_hand(draft.state.game):
        replace_exposed(draft, incident)
    else:
        _discard_loose(draft, incident, "next_burn")


def _reuse(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The card that fell lies in its place again; the camera owes a fresh word on it."""


def _move(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The record stands; the dealer moves the card, and the incident closes when the camera agrees."""


def _reread(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """Doubt every card of the live round, mucked ones apart, until it is read again. A round that is over is left
    alone.
    """
    if draft.round is not None and draft.round.live:
        mucked = draft.round.deal.mucked
        for (zone, _), fact in draft.round.deal.cards.items():
            if zone not in mucked:
                draft.emit(e.CardDoubted(id=fact.card.id, why="reread"))


def _relay(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """Have the cards laid back one by one; the incident closes when felt and record agree."""


def _swap(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    swap_hands(draft, arguments)
    _close_others(draft, incident)


def _withdraw(draft: Draft, incident: Incident, why: str, *, replace: bool = False) -> None:
    """The deck in the shoe deals no further; a round that was being dealt is dealt again from its first card.

    A shoe that is empty is filled again, and the round goes on from where it stands [BJ10].
    """
    if incident.kind == "deck_unverified":
        return  # the deck that is not verified lies in the shuffler, not in the shoe [EV6]
    if draft.state.deck is not None:
        draft.emit(e.ShoeWithdrawn(why=why, replace=replace))
    if incident.kind == "shoe_empty":
        return
    _sweep(draft)
    if draft.round is not None and draft.round.live:
        draft.emit(e.RedealOrdered(row=incident.ruling.row))
        _close_others(draft, incident)


def _redeal(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """Take the deal back and have the deck shuffled. Where no round is being dealt any more, no deal follows, but the
    deck is shuffled all the same.
    """
    _withdraw(draft, incident, "reshuffle_and_redeal")


def _reshuffle(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The deck in the shoe; in a betting hand what is left of it, with the cards that came too early."""
    if incident.kind in STUB_KINDS and is_betting_hand(draft.state.game):
        take_back(draft, incident)
    else:
        _withdraw(draft, incident, "reshuffle")


def _replace_deck(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    _withdraw(draft, incident, "replace_deck", replace=True)


def _void_round(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """Every bet goes back. Where no round is open, nothing is left to void, and only what follows is done."""
    if draft.round is not None and draft.round.live:
        lost = tell_lost_prize(draft, incident, by)
        paid = paid_though_void(draft.state.game, draft.round, incident.ruling.afterwards, incident.scene.box)
        told = {bet: str(ret) for bet, ret in paid.items()}
        draft.emit(e.RoundVoided(row=incident.ruling.row, incident=incident.id, by=by, paid=told))
        open_case(draft, lost)
    _sweep(draft)
    _close_others(draft, incident)


def _void_hand(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The bets of one box go back; where no other box has a bet, the round is void. After the round none are left."""
    round, wanted = draft.round, arguments or (incident.scene.box,)
    if round is None or not round.live:
        return
    if not (boxes := tuple(box for box in round.stakes.boxes if box in wanted)):
        raise RefusedError("no_box", "Name the box whose hand is void: one with a bet.")
    if not bets_closed(round):
        raise RefusedError("bets_not_in", "Bets are still being taken, so no hand can be void: void the round instead.")
    if set(boxes) == set(round.stakes.boxes):
        _void_round(draft, incident, arguments, by)
    else:
        void_hands(draft, incident, boxes)


def _void_shoe(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    _void_round(draft, incident, arguments, by)
    if draft.state.deck is not None:
        draft.emit(e.ShoeWithdrawn(why="void_shoe"))


def _sweep(draft: Draft) -> None:
    """Every card of the deal goes to the discard, those that waited for their turn too."""
    for one in draft.state.loose:
        if one.to in ("", "next", "next_burn", "stub"):
            draft.emit(e.CardDisposed(id=one.sealed.id, to="discard"))


def _close_others(draft: Draft, incident: Incident) -> None:
    """Incidents about cards that no longer count are over; devices and decks still have to be put right."""
    for other in draft.state.incidents.open:
        if other.id != incident.id and other.kind not in _OUTLAST_THE_ROUND:
            draft.emit(e.IncidentClosed(id=other.id))


_OUTLAST_THE_ROUND: Final = frozenset(
    {"device_lost", "device_changed", "shoe_error", "shuffler_jam", "deck_unverified", "fouled_deck", "boxed_card",
     "cut_card", "disconnected"}
)  # fmt: skip


def _shoe_right(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    """The doubt is over; of a round that is over too, nothing is left to confirm. A card that was pushed back and did
    not come out again is in the shoe no more.
    """
    first = draft.state.pushed_back
    if first is not None and first.sealed.id in incident.scene.cards:
        draft.emit(e.CardDisposed(id=first.sealed.id, to="discard"))
        return
    if draft.round is not None and draft.round.live:
        draft.emit(*(e.CardConfirmed(id=id, by=by) for id in incident.scene.cards))


def _camera_right(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    look = draft.state.felt.looks.get(incident.scene.slot)
    face = open_face(look) if look else None
    if face is None:
        raise RefusedError(
            "not_seen", "The camera has no face for this card: choose the shoe's, or enter it by hand.", which="no_face"
        )
    if not incident.scene.cards:
        _use_camera(draft, incident.scene.slot, by)
        return
    _replace(draft, incident.scene.cards[0], face, "camera", by)


def _manual(draft: Draft, incident: Incident, arguments: tuple[str, ...], by: str) -> None:
    if not arguments:
        raise RefusedError("arguments", "Write the card as both of you see it, as in Th for the ten of hearts.")
    face = Card.parse(arguments[0])
    if incident.scene.cards:
        _replace(draft, incident.scene.cards[0], face, "manual", by)
        return
    raise RefusedError("no_card", "This incident names no card: rule on it another way.", which="none_named")


def _replace(draft: Draft, id: str, face: Card, source: str, by: str) -> None:
    round = draft.round
    if round is not None and not round.live:
        raise RefusedError("round_is_over", "The round is over: its result is corrected as a whole, not card by card.")
    if round is None or not any(fact.card.id == id for fact in round.deal.cards.values()):
        raise RefusedError(
            "no_card", "This card no longer counts in the round; there is nothing to correct.", which="gone"
        )
    if any(fact.card.id == id and not open_or_due(draft.state, fact) for fact in round.deal.cards.values()):
        raise RefusedError(
            "sealed", "That card lies face down: nobody says what it is before it is turned. Void the round instead."
        )
    own = next((f.face for f in round.deal.cards.values() if isinstance(f, CardDealt) and f.card.id == id), None)
    refuse_seen(draft.state, face, own)
    replaced = CardReplaced(id=id, face=face, source=source)
    if isinstance(play(draft.state.game.deal.script(round.rules), (*round.deal.facts, replaced)), Misfit):
        raise RefusedError(
            "does_not_fit",
            "With that card a box could not have chosen or drawn as it did: void the round instead.",
            which="card",
        )
    draft.emit(e.FactStood(fact=replaced), e.CardConfirmed(id=id, by=by))


def _use_camera(draft: Draft, slot: Slot, by: str) -> None:
    """The shoe read nothing: the camera's reading becomes the card, marked as such [HG13]."""
    state, round = draft.state, draft.round
    look = state.felt.looks.get(slot)
    now = awaited(state)
    if round is None or now is None or look is None or open_face(look) is None or slot not in round.eyes.missed:
        raise RefusedError(
            "not_seen", "The camera does not read this card: lay it square and face up, then try again.", which="unread"
        )
    if slot != awaited_slot(state):
        raise RefusedError("not_now", "Another card is due before this one; rule on that one first.", which="card")
    assert look.sealed is not None
    refuse_seen(draft.state, look.sealed.card(), None)
    fact = CardDealt(
        card=look.sealed, box=slot[0], place=slot[1], face=look.sealed.card(), key=look.sealed.publish_key(),
        source="camera",
    )  # fmt: skip
    draft.emit(e.FactStood(fact=fact), e.CardConfirmed(id=fact.card.id, by=by, evidence=look.evidence))


def _take_camera_readings(draft: Draft) -> None:
    """After a complete re-read the places the shoe missed count as the camera reads them."""
    round = draft.round
    assert round is not None
    for slot in tuple(round.eyes.missed):
        if slot == awaited_slot(draft.state) and slot[0] != "burn":
            _use_camera(draft, slot, "camera")


CARRY: Final[Mapping[str, Carrying]] = {
    "continue": _continue,
    "card_to_discard": _discard,
    "card_is_next_card": _next_card,
    "card_is_next_burn": _next_burn,
    "reuse_card": _reuse,
    "move_card": _move,
    "swap_hands": _swap,
    "reread_all": _reread,
    "relay_from_discard": _relay,
    "reshuffle": _reshuffle,
    "reshuffle_and_redeal": _redeal,
    "replace_deck": _replace_deck,
    "void_hand": _void_hand,
    "void_round": _void_round,
    "void_shoe": _void_shoe,
    "shoe": _shoe_right,
    "camera": _camera_right,
    "manual": _manual,
    "accept_device": accept_device,
}
