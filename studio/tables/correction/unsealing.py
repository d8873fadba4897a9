"""The opening of a card that nobody had turned, decided by two people: one asks, another approves.

Only of a round that is over, and only once the shoe it came from deals no more: before that, to know it is to know what
bettors do not. Nothing of the round changes by it.
"""

from __future__ import annotations

from typing import Final

from studio.cards import Card
from studio.errors import BadInputError, RefusedError, SealedError
from studio.people import (
    REQUEST_VALID_MS,
    has_lapsed,
    need_approver,
    need_asker,
    need_decliner,
    need_waiting,
    nobody_asked,
)
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import CardReads, InRound, Situation
from studio.tables.past.sealed_round import SealedPlace, SealedRound
from studio.tables.state.shoe import BACK_IN_SHOE
from studio.tables.state.table import TableState

ACT: Final = "open_sealed_card"
"""The right it takes, and what the exception record calls the act; it stands for the row, too."""


def ask_unsealing(draft: Draft, command: c.AskUnsealing) -> None:
    """The first person: this card and no other, for a minute; sent again meanwhile it is the same."""
    need_asker(command.actor, draft.at_ms, pit_bosses_on_floor=command.pit_bosses, dealer=draft.state.seat.dealer)
    words = command.words.strip()
    other = draft.state.aftermath.unsealings.asked
    if other is not None and not has_lapsed(other, draft.at_ms):
        one = (other.asked_by, other.round, other.card, other.reason_code, other.words)
        if one == (command.actor.id, command.sealed.id, command.card, command.reason_code, words):
            return
    _need_free(draft)
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.", which="sealed")
    found = _found(draft.state, command.sealed, command.card)
    if command.key is None:
        raise RefusedError("key_gone", _KEY_GONE)
    draft.emit(
        e.UnsealingAsked(
            id=f"{draft.state.config.key}-s{draft.state.aftermath.unsealings.count + 1}", round=command.sealed.id,
            number=command.sealed.number, card=found.card.id, zone=found.zone, place=found.place, deal=found.deal,
            asked_by=command.actor.id, asked_by_name=command.actor.name, reason_code=command.reason_code, words=words,
            expires_at_ms=draft.at_ms + REQUEST_VALID_MS,
        )
    )  # fmt: skip


def approve_unsealing(draft: Draft, command: c.ApproveUnsealing) -> None:
    """The second person: another one, with pit rights, within the minute. The key goes on record with the face."""
    asked = _asked(draft, command.unsealing)
    both = need_approver(asked, command.actor, draft.at_ms, rights=("open_sealed_card",))
    if command.sealed.id != asked.round:
        raise nobody_asked()
    found = _found(draft.state, command.sealed, asked.card)
    face, key = _opened(found, command.key)
    draft.emit(
        e.CardUnsealed(
            id=asked.id, round=asked.round, card=found.card, key=key, face=face, zone=found.zone, place=found.place,
            deal=found.deal, asked_by=both.asked_by, approved_by=both.approved_by,
        ),
        exception_of(asked, found, face, both.approved_by),
    )  # fmt: skip


def decline_unsealing(draft: Draft, command: c.DeclineUnsealing) -> None:
    """Drop the request: the person who asked takes it back, or one who could approve it says no."""
    asked = _asked(draft, command.unsealing)
    need_decliner(asked, command.actor)
    draft.emit(e.UnsealingLapsed(id=asked.id, round=asked.round, by=command.actor.id))


def lapse_unsealing(draft: Draft) -> None:
    """A minute has passed and nobody has agreed."""
    asked = draft.state.aftermath.unsealings.asked
    if asked is not None and has_lapsed(asked, draft.at_ms):
        draft.emit(e.UnsealingLapsed(id=asked.id, round=asked.round))


def why_sealed(sealed: SealedRound, one: SealedPlace, first_kept: int) -> RefusedError | None:
    """Why this card cannot be opened now, None where two people may; `first_kept` as the function of that name says."""
    if one.card.id in sealed.opened:
        return RefusedError("opened_already", _OPENED)
    if not sealed.over:
        return RefusedError("round_not_over", "The round is not over yet: a sealed card is opened when it is.")
    if not one.was_read:
        return RefusedError("never_read", "No device has read this card: there is nothing to open.")
    if sealed.number >= first_kept:
        return RefusedError("shoe_deals", _SHOE_DEALS)
    return None


def first_kept(state: TableState) -> int:
    """The number of the first round whose cards came from a shoe that may still deal; they stay sealed until then."""
    dealt = state.deck.rounds if state.deck is not None and deals_on(state) else 0
    return state.rounds + 1 - dealt


def deals_on(state: TableState) -> bool:
    """Whether the deck in the shoe may come onto the felt again."""
    if state.deck is None:
        return False
    if state.round is not None and not state.round.over:
        return True
    most = state.shoe.rounds_per_shuffle
    return not state.deck.change_due and (most is None or state.deck.rounds < most)


def exception_of(asked: e.UnsealingAsked, found: SealedPlace, face: Card, approved_by: str) -> e.ExceptionRecorded:
    return e.ExceptionRecorded(
        incident=asked.id, act=ACT, asked_by=asked.asked_by, approved_by=approved_by,
        before=Situation((InRound(asked.round), CardReads((found.zone, found.place), None, deal=found.deal))),
        after=Situation((CardReads((found.zone, found.place), face, deal=found.deal),)),
        reason_code=asked.reason_code, words=asked.words, row=ACT, sealed=(asked.card,), round=asked.round,
    )  # fmt: skip


def _is_in_play(state: TableState, card: str) -> bool:
    """Whether the card is in the round being dealt, may yet come into a round, or left the shoe between rounds."""
    if any(one.sealed.id == card and one.to in ("", "next", "next_burn", BACK_IN_SHOE) for one in state.loose):
        return True
    if state.round is not None and not state.round.over and card in state.round.eyes.read_at_ms:
        return True
    return state.deck is not None and deals_on(state) and any(one.id == card for one in state.deck.sealed)


def _found(state: TableState, sealed: SealedRound, card: str) -> SealedPlace:
    if sealed.table != state.config.key:
        raise RefusedError("no_such_round", "There is no such round at this table; open it from the table's list.")
    found = sealed.find(card)
    if found is None:
        sentence = "There is no such sealed card in this round; choose one of those listed."
        raise RefusedError("no_card", sentence, which="sealed")
    if why := why_sealed(sealed, found, first_kept(state)):
        raise why
    if card in state.aftermath.unsealings.opened:  # since the record was read
        raise RefusedError("opened_already", _OPENED)
    if _is_in_play(state, card):
        raise RefusedError("shoe_deals", _SHOE_DEALS)
    return found


def _opened(found: SealedPlace, key: bytes | None) -> tuple[Card, bytes]:
    if key is None:
        raise RefusedError("key_gone", _KEY_GONE)
    try:
        return found.card.with_key(key).card(), key
    except (SealedError, BadInputError, ValueError):
        sentence = "The key of this card does not open it: key file or record was changed. Call the technician."
        raise RefusedError("key_wrong", sentence) from None


def _asked(draft: Draft, id: str) -> e.UnsealingAsked:
    asked = draft.state.aftermath.unsealings.asked
    return need_waiting(asked if asked is not None and asked.id == id else None, draft.at_ms)


def _need_free(draft: Draft) -> None:
    other = draft.state.aftermath.unsealings.asked
    if other is not None and not has_lapsed(other, draft.at_ms):
        raise RefusedError("unsealing_open", "Another sealed card waits for its second person; end that one first.")
    lapse_unsealing(draft)


_OPENED: Final = "Two people have opened this card already; its face is on record."
_SHOE_DEALS: Final = (
    "The shoe this card came from may still deal, and whoever knows the card knows more than the bettors: open it when "
    "the shoe is changed."
)
_KEY_GONE: Final = (
    "The key of this card is not in the key file any more, so nobody can open it. Have the key file restored from its "
    "backup, then ask again."
)
