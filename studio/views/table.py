"""A table's state as its screens draw it, put together of its parts."""

from __future__ import annotations

from studio.games.blackjack import BLACKJACK, DEALER
from studio.tables.books.book import Book
from studio.tables.felt.camera_look import awaited_slot
from studio.tables.irregularity.ruling import revealed
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState, phase_of
from studio.views.act import next_act, primary, view_messages
from studio.views.bets import view_bets, view_game
from studio.views.device import view_devices, view_shoe
from studio.views.felt import view_boxes
from studio.views.hand import blackjack, poker
from studio.views.hand.room import view_room
from studio.views.hand.showdown import hands_shown
from studio.views.incident import view_aftermath, view_incidents
from studio.views.shape import NowView, PastView, RoundView, SeatView, TableView, Words

NOTHING_PAST = PastView()


def view_table(state: TableState, book: Book, seq: int, past: PastView = NOTHING_PAST) -> TableView:
    """Everything a console needs of one table; holds no sealed face."""
    return TableView(
        table=state.config.key,
        title=state.config.title,
        seq=seq,
        moves=state.moves.count,
        game=view_game(state),
        now=_now(state),
        boxes=view_boxes(state, book),
        bets=view_bets(state, book),
        seat=_seat(state),
        round=_round(state),
        room=view_room(state),
        shoe=view_shoe(state),
        devices=view_devices(state),
        incidents=view_incidents(state),
        aftermath=view_aftermath(state),
        past=past,
    )


def _now(state: TableState) -> NowView:
    freeze, call = state.pit.freeze, state.pit.call
    return NowView(
        status=str(state.status),
        phase=phase_of(state),
        held=state.held,
        act=next_act(state),
        primary=primary(state),
        why=_why(state),
        messages=view_messages(state),
        frozen_by=freeze.by,
        frozen_by_name=freeze.by_name,
        frozen_with=freeze.floor,
        pit_called_by=call.by,
        pit_called_by_name=call.by_name,
    )


def _why(state: TableState) -> Words | None:
    round = state.round
    if state.game.peers is not None:
        return poker.said(state, hands_shown(state))
    if state.game.key != BLACKJACK.key or state.held or round is None or not round.live:
        return None
    slot = awaited_slot(state)
    return blackjack.why(round, draws=slot is not None and slot[0] == DEALER)


def _seat(state: TableState) -> SeatView:
    seat = state.seat
    plan = tuple((turn.dealer, turn.dealer_name, turn.at_ms) for turn in seat.plan)
    return SeatView(
        seat.dealer,
        seat.dealer_name,
        seat.since_ms,
        seat.relief,
        seat.relief_name,
        seat.relief_at_ms,
        plan,
        seat.plan_mark,
        seat.stood_down,
        seat.why,
    )


def _round(state: TableState) -> RoundView:
    round = state.round
    if round is None:
        return RoundView(revealed=revealed(state))
    return RoundView(
        id=round.id,
        number=round.number,
        stage=str(round.stage),
        attempt=round.deal.attempt,
        outcome=round.outcome,
        decided=_decided(round),
        revealed=revealed(state),
    )


def _decided(round: Round) -> dict[str, str]:
    """What each bet decided before the end returns, once those bets are paid; empty for a void round."""
    if round.parts.turned is not None or round.stage in (Stage.VOIDING, Stage.VOIDED):
        return {}
    return {bet: str(ret) for bet, ret in round.parts.returns.items()}
