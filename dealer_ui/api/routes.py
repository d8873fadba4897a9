"""The addresses of the interface, in the order the document tells them: each with what it takes, asks and refuses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer_ui.api.account.complaint import COMPLAINT, ComplaintDesk
from dealer_ui.api.account.hand import HANDS, HandDesk
from dealer_ui.api.account.limit import LimitDesk
from dealer_ui.api.account.movement import MOVEMENTS, MovementDesk
from dealer_ui.api.account.purse import LATEST, MONEY, AccountDesk
from dealer_ui.api.account.record import ROUNDS, SPAN, RecordDesk
from dealer_ui.api.account.round import FEED, ROUND, ROUND_BETS, RoundDesk
from dealer_ui.api.account.statement import StatementDesk
from dealer_ui.api.bettor.bet import BETS, BetDesk
from dealer_ui.api.bettor.decision import DECISIONS, DecisionDesk
from dealer_ui.api.bettor.free_bet import FREE_BETS, FreeBetsDesk
from dealer_ui.api.bettor.ready import READY, ReadyDesk
from dealer_ui.api.bettor.seat import SEAT, SeatDesk
from dealer_ui.api.bettor.standing import StandingDesk
from dealer_ui.api.bettor.ticket import PAGE, TicketDesk
from dealer_ui.api.request.route import Events, Route, Sheet
from dealer_ui.api.shape.seat import SeatTold
from dealer_ui.api.shape.table import Stamp, TableTold
from dealer_ui.api.table.stream import StreamDesk
from dealer_ui.api.table.table import RESULTS, TableDesk
from dealer_ui.desk.ticket import Tickets
from dealer_ui.floor.operators_floor import OperatorsFloor

_HIS: Final = {"bettor": "$request.path.bettor"}
_BACKLOG: Final = {429: ("backlog_full",)}


def routes_of(
    floor: OperatorsFloor, stream: StreamDesk, seat: SeatDesk, tickets: Tickets | None = None
) -> Iterator[Route]:
    """All of them; without `tickets` an operator gets no page."""
    yield from _table_routes(floor, stream, seat)
    yield from _bettor_routes(floor)
    yield from _past_routes(floor)
    if tickets is not None:
        desk = TicketDesk(floor, tickets)
        refuses = {404: ("unknown_table",), 409: _LAUNCHES}
        yield Route("POST", "/bettors/<bettor>/pages", desk.open_page, takes=PAGE, refuses=refuses)
        yield Route("DELETE", "/bettors/<bettor>/pages", desk.close_pages)
        yield from _standing_routes(StandingDesk(floor, tickets))


_LAUNCHES: Final = (
    "tickets_taken", "session_missing", "bettor_blocked", "logged_out", "same_person", "terms_contradict",
)  # fmt: skip


def _standing_routes(desk: StandingDesk) -> Iterator[Route]:
    yield Route("GET", "/bettors/<bettor>/standing", desk.standing)
    yield Route("POST", "/bettors/<bettor>/blocked", desk.block)
    yield Route("DELETE", "/bettors/<bettor>/blocked", desk.unblock)
    yield Route("POST", "/bettors/<bettor>/logout", desk.log_out)


def _table_routes(floor: OperatorsFloor, stream: StreamDesk, seat: SeatDesk) -> Iterator[Route]:
    table, bet, decision, ready = TableDesk(floor), BetDesk(floor), DecisionDesk(floor), ReadyDesk(floor)
    yield Route("GET", "/tables", table.tables, leads={"table": {"table": "$response.body#/tables/0/table"}})
    yield Route("GET", "/tables/<table>", table.table)
    yield Route("GET", "/tables/<table>/results", table.results, asks=RESULTS)
    told = Events({"state": TableTold, "beat": Stamp})
    yield Route("GET", "/tables/<table>/stream", stream.table_stream, gives=told)
    refuses = {400: ("wrong_currency",), **_BACKLOG}
    placed = {"bet": {"client_id": "$response.body#/answers/0/client_id"}}
    yield Route("POST", "/tables/<table>/bets", bet.place_bets, takes=BETS, refuses=refuses, leads=placed)
    yield Route("POST", "/tables/<table>/decisions", decision.decide, takes=DECISIONS, refuses=_BACKLOG, leads=placed)
    not_now = {409: ("closed", "held", "no_bet", "round_over", "waits_for_nobody")}
    yield Route("POST", "/tables/<table>/ready", ready.say_ready, takes=READY, refuses=not_now)
    yield Route("POST", "/tables/<table>/seats", seat.ask_seat, takes=SEAT, refuses=_BACKLOG)
    seated = {404: ("not_seated",), 503: ("cards_unreadable",)}
    yield Route("GET", "/tables/<table>/seats/<bettor>", seat.own_seat, refuses=seated)
    told = Events({"seat": SeatTold, "beat": Stamp})
    yield Route("GET", "/tables/<table>/seats/<bettor>/stream", seat.seat_stream, gives=told, refuses=seated)


def _bettor_routes(floor: OperatorsFloor) -> Iterator[Route]:
    bettor, bet = AccountDesk(floor), BetDesk(floor)
    yield Route("GET", "/limits", LimitDesk(floor).limits)
    unplaced = {404: ("bet_not_found",)}
    yield Route("GET", "/bets/<client_id>", bet.bet, refuses=unplaced)
    yield Route("GET", "/bets/<client_id>/<bet>", bet.bet_beside, refuses=unplaced)
    yield Route("GET", "/bettors/<bettor>/balance", bettor.balance, refuses={404: ("unknown_bettor",)})
    refuses = {400: ("wrong_currency",), 409: _MOVES}
    moved = {"balance": {"bettor": "$request.path.bettor"}}
    yield Route("POST", "/bettors/<bettor>/deposits", bettor.deposit, takes=MONEY, refuses=refuses, leads=moved)
    yield Route("POST", "/bettors/<bettor>/withdrawals", bettor.withdraw, takes=MONEY, refuses=refuses, leads=moved)
    yield from _free_bet_routes(FreeBetsDesk(floor))
    placed = {"bet": {"client_id": "$response.body#/bets/0/client_id"}}
    yield Route("GET", "/bettors/<bettor>/bets", bettor.bettor_bets, asks=LATEST, leads=placed)


def _free_bet_routes(desk: FreeBetsDesk) -> Iterator[Route]:
    path, lost = "/bettors/<bettor>/free-bets", ("free_bets_not_found",)
    refuses = {400: ("wrong_currency",), 404: ("unknown_bettor", *lost), 409: _GRANTS}
    listed = {"free_bets": _HIS, "cancel_free_bets": {**_HIS, "client_id": "$response.body#/client_id"}}
    yield Route("GET", path, desk.free_bets)
    yield Route("POST", path, desk.grant, takes=FREE_BETS, refuses=refuses, leads=listed)
    yield Route("DELETE", f"{path}/<client_id>", desk.cancel_free_bets, refuses={404: lost, 409: ("free_bet_used",)})


_GRANTS: Final = (
    "client_id_reused", "deposit_limit", "credit_limit", "free_bet_expired", "free_bet_nowhere", "too_many_free_bets",
)  # fmt: skip
_MOVES: Final = (
    "insufficient_balance", "own_wallet", "deposit_limit", "credit_limit", "client_id_reused", "currency_mismatch",
)  # fmt: skip


def _round_routes(rounds: RoundDesk) -> Iterator[Route]:
    refuses = {409: ("cursor_ahead",), 410: ("archived",)}
    ended = {"round": "$response.body#/rounds/0/round"}
    leads = {"ended_round": ended, "round_bets": ended}
    yield Route("GET", "/rounds", rounds.feed, asks=FEED, refuses=refuses, leads=leads)
    unknown = {404: ("round_not_found",)}
    yield Route("GET", "/rounds/<round>", rounds.ended_round, asks=ROUND, refuses=unknown)
    yield Route("GET", "/rounds/<round>/bets", rounds.round_bets, asks=ROUND_BETS, refuses=unknown)


def _movement_routes(movements: MovementDesk) -> Iterator[Route]:
    refuses = {409: ("cursor_ahead",), 410: ("archived",)}
    found = {"movement": {"movement": "$response.body#/movements/0/id"}}
    yield Route("GET", "/movements", movements.movements, asks=MOVEMENTS, refuses=refuses, leads=found)
    unknown = {404: ("movement_not_found",)}
    yield Route("GET", "/movements/<movement>", movements.movement, refuses=unknown)
    yield Route("GET", "/movements/by-client-id/<client_id>", movements.of_client_id, refuses=unknown)
    yield Route("GET", "/movements/by-transaction/<round>/<transaction>", movements.of_transaction, refuses=unknown)


def _past_routes(floor: OperatorsFloor) -> Iterator[Route]:
    record, hand, complaint = RecordDesk(floor), HandDesk(floor), ComplaintDesk(floor)
    played = {"record_round": {**_HIS, "round": "$response.body#/rounds/0/round"}}
    yield Route("GET", "/bettors/<bettor>/record", record.record, asks=ROUNDS, leads=played)
    yield Route("GET", "/bettors/<bettor>/record/<round>", record.record_round, refuses={404: ("round_not_found",)})
    dealt = {"hand": {**_HIS, "round": "$response.body#/hands/0/round"}}
    yield Route("GET", "/bettors/<bettor>/hands", hand.hands, asks=HANDS, leads=dealt)
    refuses = {404: ("hand_not_found",), 409: ("hand_open",)}
    yield Route("GET", "/bettors/<bettor>/hands/<round>", hand.hand, refuses=refuses)
    yield Route("GET", "/bettors/<bettor>/rakeback", record.rakeback, asks=SPAN, refuses={400: ("bad_span",)})
    found = {"complaint": {"client_id": "$response.body#/client_id"}}
    kept = {
        404: ("unknown_round", "round_not_found"),
        409: ("client_id_reused", "too_many_complaints", "complaint_empty"),
    }
    yield Route("POST", "/bettors/<bettor>/complaints", complaint.complain, takes=COMPLAINT, refuses=kept, leads=found)
    yield Route("GET", "/bettors/<bettor>/complaints", complaint.complaints)
    lost = {404: ("complaint_not_found",)}
    yield Route("GET", "/complaints/<client_id>", complaint.complaint, refuses=lost)
    yield from _round_routes(RoundDesk(floor))
    yield from _movement_routes(MovementDesk(floor))
    sheet = Sheet("text/csv; charset=utf-8", "A line for each movement, RFC 4180, heads first.")
    over = {409: ("day_not_over",)}
    yield Route("GET", "/statements/<day>", StatementDesk(floor).statement, gives=sheet, refuses=over)
