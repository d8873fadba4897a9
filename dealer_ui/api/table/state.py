"""What an operator may see of a table: what the public sees, and no other operator's bets.

A place that is sealed shows no face, whatever the view carried.
"""

from __future__ import annotations

from typing import Final, Literal

from dealer_ui.api.request.answer import plain
from dealer_ui.api.shape.road import roads_told
from dealer_ui.api.shape.table import (
    BetOffered,
    Box,
    CardPlace,
    DecisionOpen,
    Message,
    OtherCurrency,
    Past,
    Pot,
    ReadyCount,
    Result,
    Room,
    RoundNow,
    SeatShown,
    TableLine,
    TableState,
    Window,
)  # fmt: skip
from dealer_ui.words.language import LANGUAGES, Languages
from studio.games import find_game
from studio.games.kkclash import KKCLASH
from studio.views.past.big_road import ROWS, big_road
from studio.views.past.kkclash import last_hands, long_missed
from studio.views.shape import BoxView, CardView, MessageView, PlayerView, ResultView, RoomView, TableView

_WORDS: Final = Languages()
_OPEN: Final = frozenset({"shoe", "confirmed", "unsure", "contradiction"})
"""The states of a card that lies face up and was read."""


def public_state(view: TableView) -> TableState:
    """All of the table that changes; neither its `seq` nor the time is in it, so that two may be compared."""
    game = find_game(view.game.key)
    return {
        **table_line(view),
        "round": _round(view),
        "boxes": [_box(box) for box in view.boxes],
        "outcome": plain(view.round.outcome) if view.round.outcome is not None else None,
        "decided": [{"bet": bet, "returns": ret} for bet, ret in view.round.decided.items()],
        "bets": [_limit(view, bet) for bet in game.betting.bets if game.peers is None],
        "currencies": [_currency(view, currency) for currency in view.game.currencies],
        "rates": {"date": view.game.rates.date, "worth": dict(view.game.rates.worth)} if view.game.rates else None,
        "pot": _pot(view),
        "room": _room(view.room) if view.room is not None else None,
        "past": _past(view),
        "roads": roads_told(view),
        "messages": [_message(one) for one in view.now.messages],
    }


def table_line(view: TableView) -> TableLine:
    """The table in short."""
    return {
        "table": view.table,
        "title": view.title,
        "game": view.game.key,
        "currency": view.bets.currency,
        "status": view.now.status,
        "phase": view.now.phase,
        "held": view.now.held,
        "window": _window(view),
        "ready": _ready(view),
        "decision": _decision(view),
    }


def result(view: ResultView) -> Result:
    return {
        "round": view.round,
        "number": view.number,
        "at_ms": view.at_ms,
        "voided": view.voided,
        "outcome": plain(view.outcome) or None,
        "corrected": view.corrected,
        "before": plain(view.before) or None,
    }


def _past(view: TableView) -> Past | None:
    """What a KKClash screen draws of past rounds; None at any other game. [KK-20] [KK-21] [KK-22]"""
    if view.game.key != KKCLASH.key:
        return None
    road = big_road(view.past.winners)
    return {
        "last_hands": [
            {
                "number": hand.number, "winner": hand.winner, "name": hand.name, "ranks_in": hand.ranks_in,
                "king_mark": hand.king_mark,
            }
            for hand in last_hands([one.outcome for one in view.past.results if not one.voided])
        ],
        "big_road": {
            "rows": ROWS,
            "draws_first": road.draws_first,
            "circles": [
                {"column": one.column, "row": one.row, "winner": one.winner, "draws": one.draws} for one in road.circles
            ],
        },
        "missed": dict(long_missed(view.past.missed)),
    }  # fmt: skip


def _window(view: TableView) -> Window:
    """`open`: a bet that arrives now is looked at. A held table takes none, though its window may still run."""
    taking = view.bets.open and not view.now.held and view.now.status == "open"
    return {"open": taking, "closes_at_ms": view.bets.closes_at_ms if view.bets.open else None}


def _ready(view: TableView) -> ReadyCount | None:
    """Of those who bet so far, how many have said that they bet no more; None where that is not asked now."""
    bets = view.bets
    if not bets.open or find_game(view.game.key).owned is None:
        return None
    return {"ready": bets.ready, "bettors": bets.bettors}


def _decision(view: TableView) -> DecisionOpen | None:
    """What may be chosen now, by every bettor or by the one of a `box`, and until when; None while nothing is open."""
    if not view.bets.deciding or view.now.held or view.now.status != "open":
        return None
    return {
        "options": list(view.bets.deciding),
        "box": view.bets.turn or None,
        "closes_at_ms": view.bets.closes_at_ms,
    }


def _round(view: TableView) -> RoundNow | None:
    if not view.round.id:
        return None
    return {"id": view.round.id, "number": view.round.number, "stage": view.round.stage, "attempt": view.round.attempt}


def _box(box: BoxView) -> Box:
    return {"key": box.key, "won": box.won, "cards": [_card(card) for card in box.places]}


def _card(card: CardView) -> CardPlace:
    return {"place": card.place, "state": card.state, "card": card.face if card.state in _OPEN else None}


def _message(one: MessageView) -> Message:
    """What the bettors are told: `text` in every language where it is a sentence of ours, `words` as the pit wrote."""
    spoken = {tag: _WORDS.speak(tag) for tag in LANGUAGES}
    return {
        "id": one.id or None,
        "key": one.says.key if one.says else None,
        "text": {tag: language.words(one.says) for tag, language in spoken.items()} if one.says else None,
        "because": one.because or None,
        "reason": {tag: language.say(f"because.{one.because}") for tag, language in spoken.items()}
        if one.because
        else None,
        "words": one.words or None,
    }


def _currency(view: TableView, currency: str) -> OtherCurrency:
    """A currency that bettors may bring beside the table's own, with the limits as they are in it."""
    limits = view.game.currencies[currency].items()
    return {"currency": currency, "bets": [{"bet": bet, "least": least, "most": most} for bet, (least, most) in limits]}


def _pot(view: TableView) -> Pot | None:
    """What lies in the pot that a bet of this table feeds, and that other tables may feed and win too."""
    pot = view.game.pot
    return {"pot": pot.key, "currency": pot.currency, "amount": pot.amount_minor} if pot else None


def _room(room: RoomView) -> Room:
    """The seats of a poker table as everybody at it sees them; who sits there is each operator's own to know."""
    return {
        "stakes": dict(room.stakes),
        "rake": {"percent": room.rake_percent, "cap": room.rake_cap_minor},
        "street": room.street,
        "in_play": room.in_play_minor,
        "seats": [_seat(one) for one in room.seats],
        "pots": [{"amount": pot.amount_minor, "seats": list(pot.seats), "rake": pot.rake_minor} for pot in room.pots],
    }


def _seat(one: PlayerView) -> SeatShown:
    return {
        "seat": one.seat,
        "taken": one.taken,
        "stack": one.stack_minor,
        "front": one.front_minor,
        "marks": list(one.marks),
    }


def _limit(view: TableView, bet: str) -> BetOffered:
    least, most = view.game.limits.get(bet) or view.game.limits.get("*") or (None, None)
    return {
        "bet": bet, "least": least, "most": most, "needs": view.game.needs.get(bet),
        "placed_by": _placed_by(view.game.key, bet),
    }  # fmt: skip


def _placed_by(key: str, bet: str) -> Literal["bettor", "decision", "house"]:
    """Who stakes this bet: the bettor in the betting window, his `decision` later, or the house beside another."""
    game = find_game(key)
    return "house" if bet in game.betting.automatic else "decision" if bet in game.decisions.raised else "bettor"
