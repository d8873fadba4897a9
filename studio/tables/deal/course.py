"""The ordinary commands of dealer and pit: the table, the shoe, the round."""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError
from studio.people import need_fresh_pin, need_reason, need_right
from studio.rounds import CardBurned, Finished, WindowClosed
from studio.rulebook.script import Decide, OpenBets, Turn
from studio.spoken import Places, Slot, named
from studio.tables import command as c
from studio.tables.books.forced_bet import posting_bets
from studio.tables.books.pot_feed import feed_pot
from studio.tables.deal.pay_table import need_pay_table
from studio.tables.deal.relief import need_dealer, need_open
from studio.tables.decks.shuffler import found_wrong, which_no_deck, why_no_deck, why_not_this
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.camera_look import unconfirmed
from studio.tables.felt.shoe_reading import adopt
from studio.tables.incident import UNKNOWN_YET, open_incident, put_in_force
from studio.tables.irregularity.device_proof import need_known
from studio.tables.irregularity.remedy import resume
from studio.tables.seats.player import chosen_for, open_bank, rules_of_next, turn_s
from studio.tables.state.round import Round, Stage
from studio.tables.state.shoe import BACK_IN_SHOE
from studio.tables.state.table import Status, TableState, awaited


def open_table(draft: Draft, command: c.OpenTable) -> None:
    need_right(command.actor, "open_table")
    if draft.state.status is not Status.CLOSED:
        raise RefusedError("open_already", "The table is open already.", which="table")
    need_pay_table(draft.state)
    put_in_force(draft)
    draft.emit(e.TableOpened(dealer=command.dealer, dealer_name=command.dealer_name, by=command.actor.id))
    for device in draft.state.config.devices:
        if not draft.state.devices.links.get(device, False):
            open_incident(draft, "device_lost", by=UNKNOWN_YET, device=device)
    need_known(draft)
    if draft.state.devices.shoe_errors - set(draft.state.config.expected_errors):
        open_incident(draft, "shoe_error", by=draft.state.config.shoe, device=draft.state.config.shoe)


def close_table(draft: Draft, command: c.CloseTable) -> None:
    need_right(command.actor, "close_table")
    need_open(draft.state)
    if _round_open(draft.state):
        raise RefusedError("round_open", "A round is open: finish it or void it, then close the table.", which="close")
    draft.emit(e.TableClosed(by=command.actor.id))
    for incident in draft.state.incidents.open:
        draft.emit(e.IncidentClosed(id=incident.id))


def pause_table(draft: Draft, command: c.PauseTable) -> None:
    need_right(command.actor, "pause_table")
    need_open(draft.state)
    if _round_open(draft.state):
        raise RefusedError("round_open", "A round is open: finish it, then pause the table.", which="pause")
    draft.emit(e.TablePaused(by=command.actor.id))


def resume_table(draft: Draft, command: c.ResumeTable) -> None:
    need_right(command.actor, "pause_table")
    if draft.state.status is not Status.PAUSED:
        raise RefusedError("not_paused", "The table is not paused.")
    draft.emit(e.TableResumed(by=command.actor.id))


_WAITING: Final = ("", "next", "next_burn", BACK_IN_SHOE)
"""Where a card goes that still waits for its turn, or for a ruling."""


def load_shoe(draft: Draft, command: c.LoadShoe) -> None:
    """A verified deck goes into the shoe; a deck that was never verified does not deal [EV6]."""
    need_right(command.actor, "load_shoe")
    state = draft.state
    need_open(state)
    if state.deck is not None and _dealing(state):
        raise RefusedError("round_open", "A round is being dealt from the shoe; finish it first.", which="load")
    if _dealing(state) and not state.felt.clear and not _cards_lie(state):
        raise RefusedError("felt_not_clear", "Collect every card from the felt, then load the shoe.", which="load")
    if not state.approved:
        raise RefusedError("deck_unverified", why_no_deck(state), which=which_no_deck(state))
    deck = command.deck_id or state.approved[-1]
    if deck not in state.approved:
        raise RefusedError("deck_unverified", why_not_this(state, deck))
    if not _dealing(state):
        _end_cards_aside(draft)
    out = state.deck.id if state.deck else "–"
    draft.emit(e.ShoeLoaded(deck_id=deck, by=command.actor.id, out=out))
    if _dealing(draft.state):
        resume(draft)


def _end_cards_aside(draft: Draft) -> None:
    """Cards of the shoe before that lie aside are cards of no later round: they go to the discard, and what was to be
    ruled of them alone is over.
    """
    ids = {one.sealed.id for one in draft.state.loose if one.to in _WAITING}
    draft.emit(*(e.CardDisposed(id=one.sealed.id, to="discard") for one in draft.state.loose if one.sealed.id in ids))
    for incident in draft.state.incidents.open:
        if incident.kind in _OF_CARDS_ASIDE and incident.scene.cards and ids.issuperset(incident.scene.cards):
            draft.emit(e.IncidentClosed(id=incident.id))


_OF_CARDS_ASIDE: Final = ("extra_card", "early_card")


def _cards_lie(state: TableState) -> bool:
    """The cards of a round that goes on with a new shoe stay where they lie [BJ10]."""
    return state.round is not None and bool(state.round.deal.cards)


def verify_deck(draft: Draft, command: c.VerifyDeck) -> None:
    """A deck counted by hand may deal, on the word of the pit boss who counted it."""
    need_right(command.actor, "verify_deck")
    need_fresh_pin(command.actor, draft.at_ms)
    need_open(draft.state)
    deck = command.deck_id.strip()
    if not deck or not command.words.strip():
        raise RefusedError("deck_unnamed", "Write the deck's id and how it was counted: both are kept.")
    if draft.state.deck is not None and draft.state.deck.id == deck:
        raise RefusedError("deck_in_shoe", "This deck is in the shoe; take it out before you count it.")
    if found_wrong(draft.state, deck):
        raise RefusedError("deck_blocked", f"{why_not_this(draft.state, deck)} Nobody vouches for it by hand.")
    count = draft.state.shoe.cards
    draft.emit(e.DeckApproved(deck_id=deck, count=count, by=command.actor.id, words=command.words.strip()))


def withdraw_shoe(draft: Draft, command: c.WithdrawShoe) -> None:
    need_right(command.actor, "change_shoe")
    need_fresh_pin(command.actor, draft.at_ms)
    if draft.state.deck is None:
        raise RefusedError("no_shoe", "There is no deck in the shoe.")
    if _dealing(draft.state):
        raise RefusedError(
            "round_open", "A round is being dealt from the shoe; finish it or void it first.", which="withdraw"
        )
    if not command.reason_code:
        raise RefusedError("reason_needed", "Choose a reason for changing the shoe.", which="shoe")
    draft.emit(e.ShoeWithdrawn(reason_code=command.reason_code, words=command.words.strip()))


def start_round(draft: Draft, command: c.StartRound) -> None:
    need_right(command.actor, "start_round")
    state = draft.state
    need_open(state)
    if state.status is Status.PAUSED:
        raise RefusedError("paused", "The table is paused; the pit boss resumes it.")
    need_pay_table(state)
    need_dealer(state)
    _need_free(state)
    if _round_open(state):
        raise RefusedError("round_open", "The round before is not over yet.", which="before")
    if not state.felt.clear:
        raise RefusedError("felt_not_clear", "Clear every card from the felt before the next round.", which="start")
    if sentence := shoe_is_short(state):
        raise RefusedError("shoe_short", sentence, which=_short_of(state)[0])
    number, rules = state.rounds + 1, rules_of_next(state)
    round = f"{state.config.key}-{number:07d}"
    draft.emit(
        e.RoundStarted(
            round=round,
            number=number,
            game=state.game.key,
            version=state.game.edition.version,
            rules=rules,
            dealer=state.seat.dealer,
            pot=state.config.pot if state.game.pot.bet else None,
            rates=state.config.rates,
        )
    )
    if bets := posting_bets(state, round, rules):
        draft.emit(e.BetsPlaced(bets=bets))
    adopt(draft)


def shoe_is_short(state: TableState) -> str:
    """Why no round may start from this shoe, in a sentence; empty when one may."""
    _, why = _short_of(state)
    return why if not why or state.approved else f"{why} {why_no_deck(state)}"


def _short_of(state: TableState) -> tuple[str, str]:
    """Which it is, and the sentence; both empty where nothing is short."""
    deck, shoe = state.deck, state.shoe
    if deck is None:
        return "no_deck", "There is no deck in the shoe: load a verified one."
    if deck.change_due:
        return "cut", "The cut card is out: change the shoe."
    if shoe.rounds_per_shuffle is not None and deck.drawn and deck.rounds >= shoe.rounds_per_shuffle:
        return "dealt", "This deck has dealt its rounds: load a freshly shuffled one."
    if shoe.cards - deck.drawn < shoe.cards_per_round:
        return "few", "Too few cards are left in the shoe: load a freshly shuffled deck."
    return "", ""


def open_betting(draft: Draft, command: c.OpenBetting) -> None:
    need_right(command.actor, "open_bets")
    state, round = draft.state, _need_round(draft.state)
    _need_free(state)
    if (now := awaited(state)) is None or not isinstance(now.step, OpenBets | Decide):
        raise RefusedError("not_now", "Bets cannot be opened now; the console shows the next act.", which="bets")
    if round.window.closes_at_ms is not None:
        raise RefusedError("open_already", "Bets are open already.", which="bets")
    if owed := owed_burns(round):
        raise RefusedError("burn_not_seen", f"The camera does not see burn card {owed}: square the burn cards.")
    if round.window.bets_in and isinstance(now.step, OpenBets):
        end_betting(draft)
        return
    _open_window(draft, now.step)


def _open_window(draft: Draft, step: OpenBets | Decide | Turn) -> None:
    window_s = min(step.window_s, draft.state.config.window_s or step.window_s)
    if draft.state.game.peers is not None and isinstance(step, Turn):
        window_s = turn_s(draft.state, step)
    draft.emit(e.BetsOpened(closes_at_ms=draft.at_ms + int(window_s * 1000)))


def open_turn(draft: Draft) -> None:
    """A box whose turn it is has its time from now on: no button of the dealer opens that window."""
    now, round = awaited(draft.state), draft.round
    if round is None or now is None or not isinstance(now.step, Turn) or draft.state.held:
        return
    if round.window.closes_at_ms is None and draft.state.deck is not None:
        _open_window(draft, now.step)


def end_window(draft: Draft) -> None:
    """The time is over: for bets, for decisions, or for a box, which does then what the rule has it do [BJ12]."""
    now = awaited(draft.state)
    if now is None or not isinstance(now.step, Turn):
        end_betting(draft)
        return
    if open_bank(draft, now.step.box):
        return
    draft.emit(e.FactStood(fact=chosen_for(draft, now.step)))
    adopt(draft)


def owed_burns(round: Round) -> str:
    """The burn cards the camera has not seen, in words; empty when it has seen them all."""
    return ", ".join(str(fact.place) for fact in unconfirmed(round) if isinstance(fact, CardBurned))


def go_on_with_bets(draft: Draft) -> None:
    """End the betting of a deal that is dealt again, once its burn is seen: the bets stand, and no window opens."""
    now, round = awaited(draft.state), draft.round
    if round is None or now is None or not isinstance(now.step, OpenBets):
        return
    if round.window.bets_in and not owed_burns(round):
        end_betting(draft)


def close_betting(draft: Draft, command: c.CloseBetting) -> None:
    need_right(command.actor, "close_bets")
    _need_free(draft.state)
    if (round := draft.round) is None or round.window.closes_at_ms is None:
        raise RefusedError("not_open", "Bets are not open.")
    if (now := awaited(draft.state)) is not None and isinstance(now.step, Turn):
        raise RefusedError(
            "not_now", "The box has its time to choose; the console shows when it is over.", which="turn"
        )
    end_betting(draft)


def end_betting(draft: Draft) -> None:
    """No more bets or decisions; a card ruled to be the next one enters the deal."""
    feed_pot(draft)
    round = draft.round
    assert round is not None
    boxes = round.stakes.boxes
    if (now := awaited(draft.state)) is not None and isinstance(now.step, Decide):
        default = now.step.default
        draft.emit(e.DecisionsClosed(options=now.step.options, by_default=default))
        boxes = round.window.took
    draft.emit(e.FactStood(fact=WindowClosed(boxes=boxes)))
    adopt(draft)


def declare_result(draft: Draft, command: c.DeclareResult) -> None:
    """The result stands when every card is confirmed by the second eye [HG21]."""
    need_right(command.actor, "declare_result")
    state, round = draft.state, _need_round(draft.state)
    _need_free(state)
    if not isinstance(round.deal.standing, Finished):
        raise RefusedError("not_finished", "The deal is not finished; the console shows the next card.")
    if owed := waiting_for_eyes(round):
        sentence = (
            f"The camera has not confirmed {named(owed)}: square the card, or ask the pit boss to read the picture."
        )
        raise RefusedError("unconfirmed", sentence, places=Places(owed))
    outcome = state.game.deal.describe(round.deal.standing.outcome)
    draft.emit(e.ResultDeclared(outcome=outcome, by=command.actor.id))


def waiting_for_eyes(round: Round) -> tuple[Slot, ...]:
    """The places whose cards the camera still owes its word on."""
    return tuple(("burn" if isinstance(fact, CardBurned) else fact.box, fact.place) for fact in unconfirmed(round))


def confirm_felt_clear(draft: Draft, command: c.ConfirmFeltClear) -> None:
    """A person's word that the felt is clear. Where the camera sees cards, it is a pit boss's to say that it errs."""
    need_right(command.actor, "confirm_felt")
    if _round_open(draft.state):
        raise RefusedError("round_open", "The round is not over; leave the cards where they lie.", which="cards")
    if not command.actor.may("confirm_card") and (seen := _cards_seen(draft.state)):
        sentence = f"The camera sees cards at {named(seen)}: collect them. If none lie there, call the pit boss."
        raise RefusedError("cards_seen", sentence, places=Places(seen))
    draft.emit(e.FeltCleared())


def _cards_seen(state: TableState) -> tuple[Slot, ...]:
    """The places at which the camera sees cards on a felt that should be clear; empty when it sees none or is blind."""
    if state.felt.clear or state.devices.camera_blind or not state.devices.links.get(state.config.camera, False):
        return ()
    return (*sorted(state.felt.looks), *(("stray", 1) for _ in state.felt.strays))


def freeze_table(draft: Draft, command: c.FreezeTable) -> None:
    """One tap, anybody, no dialog. Whoever answers calls himself calls nobody by it.

    A table that stands with the whole floor can be frozen by itself, and is not released with the floor then.
    """
    need_right(command.actor, "freeze")
    freeze = draft.state.pit.freeze
    if not freeze.by or (not freeze.own and not command.floor):
        draft.emit(e.TableFrozen(by=command.actor.id, by_name=command.actor.name, floor=command.floor))
    if not draft.state.pit.call.by and not command.actor.may("answer_call"):
        draft.emit(e.PitCalled(by=command.actor.id, by_name=command.actor.name))


def release_table(draft: Draft, command: c.ReleaseTable) -> None:
    need_right(command.actor, "release")
    need_fresh_pin(command.actor, draft.at_ms)
    freeze, call = draft.state.pit.freeze, draft.state.pit.call
    if not freeze.by or (command.floor and freeze.own):
        raise RefusedError("not_frozen", "The table is not frozen.")
    need_reason(command.reason_code, command.words)
    answered = bool(call.by) and (not command.floor or call.by == freeze.by)
    draft.emit(
        e.TableReleased(by=command.actor.id, reason_code=command.reason_code, words=command.words),
        *((e.PitAnswered(by=command.actor.id),) if answered else ()),
    )
    resume(draft)


def call_pit(draft: Draft, command: c.CallPit) -> None:
    need_right(command.actor, "call_pit")
    if not draft.state.pit.call.by:
        draft.emit(e.PitCalled(by=command.actor.id, by_name=command.actor.name))


def answer_call(draft: Draft, command: c.AnswerCall) -> None:
    need_right(command.actor, "answer_call")
    if draft.state.pit.call.by:
        draft.emit(e.PitAnswered(by=command.actor.id))


def _need_free(state: TableState) -> None:
    if state.held:
        raise RefusedError("held", "The table is held: what stopped it must be ruled on first.")


def _need_round(state: TableState) -> Round:
    if state.round is None or not state.round.live:
        raise RefusedError("no_round", "No round is being dealt; start one.", which="start")
    return state.round


def _round_open(state: TableState) -> bool:
    return state.round is not None and not state.round.over


def _dealing(state: TableState) -> bool:
    return state.round is not None and state.round.stage is Stage.DEALING
