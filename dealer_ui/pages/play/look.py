"""What a bettor's page shows: the table as the public sees it, and what is his own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from dealer_ui.desk.ticket import Ticket
from dealer_ui.desk.winners import Won, settled_last, winner_lines
from dealer_ui.felt.face import face
from dealer_ui.floor.house import House, window_s_of
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.pages.play.cloth import cloth_of
from dealer_ui.pages.play.playing import Playing, mark_of, sizing_of
from dealer_ui.pages.play.sitting import PlaySession, PlaySessions
from dealer_ui.past.game_record import Rakeback, rakeback
from dealer_ui.public.arc import FAMILY, arc_of
from dealer_ui.public.first_five import first_five
from dealer_ui.public.headline import RESULT, headline_of
from dealer_ui.public.kkclash import COLUMNS, clash_of
from dealer_ui.public.outcome_table import outcome_table
from dealer_ui.public.pay_table import pay_table
from dealer_ui.public.road import roads_shown
from dealer_ui.public.room import room_show
from dealer_ui.public.statistic import marks, player_boxes
from dealer_ui.teller.look import Wallets
from studio.games import find_game
from studio.games.blackjack_hand import BOX_KEYS
from studio.journal import Reader
from studio.journal.extract.played import (
    Played,
    played_in,
)
from studio.journal.extract.winners import Winner
from studio.money import bettor_account, decimals
from studio.views.shape import PlayerView, TableView

HOUR_MS: Final = 60 * 60 * 1000
SPANS: Final = (("day", 24 * HOUR_MS), ("week", 7 * 24 * HOUR_MS), ("month", 30 * 24 * HOUR_MS))
"""The spans a bettor's rakeback is shown for, up to now."""


@dataclass(frozen=True, slots=True)
class Purse:
    balance_minor: int
    currency: str


def screen_of(ticket: Ticket, own: Playing | None, sittings: PlaySessions) -> Screen:
    """The live part of the page this ticket opens."""

    def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
        return draw_table(ticket, asked, own, sittings.of(ticket))

    return Screen("play", (), draw)


def draw_table(
    ticket: Ticket, asked: Asked, own: Playing | None, sitting: PlaySession
) -> tuple[int, Mapping[str, Any]]:
    """`own` where he plays on this page; None where he only looks on."""
    house, view = asked.house, asked.house.view(ticket.table)
    past = arc_of(view)
    boxes = () if past else player_boxes(view)
    headline = headline_of(view)
    reader = house.reader()
    purse = purse_of(house, ticket)
    played = _played(reader, ticket, view.round.id)
    currency = _currency_of(purse, view)
    rtp, limits = house.rtp(ticket.table), view.game.currencies.get(currency, view.game.limits)
    lines = pay_table(view.game.key, view.game.rules, rtp, limits)
    clash = clash_of(view, lines, result=headline in RESULT)
    return view.seq, {
        "plays": ticket.plays,
        "own": own.play() if own is not None else None,
        "free_bets": own.free_bets(view, currency) if own is not None and view.room is None else (),
        "free_gone": own is not None and played is not None and not own.usable(played.free_again),
        **_own_seat(view, own),
        "cloth": cloth_of(view, lines, played, currency, clash.missed if clash else {}) if own is not None else None,
        "view": view,
        "headline": headline,
        "window_s": window_s_of(house, ticket.table),
        "boxes": boxes,
        "marks": marks(view.past.results, boxes),
        "past": past,
        "past_boxes": BOX_KEYS,
        "family": FAMILY,
        "pay_table": lines,
        "outcomes": outcome_table(view.game.key, view.game.rules),
        "road_columns": COLUMNS,
        "room": room_show(view, headline),
        "clash": clash,
        "roads": roads_shown(view),
        "played": played,
        "first5": first_five(view, purse.currency if purse else view.bets.currency, _on_pot(played, view.game.key)),
        "winners": _winners(house, reader, ticket, view),
        "purse": purse,
        "seat": _seat(ticket, view),
        "limits_in": currency,
        "sitting": sitting,
    }


def currency_at(house: House, ticket: Ticket, view: TableView) -> str:
    """The currency in which this bettor is told the limits of the table: his own, where the table takes it."""
    return _currency_of(purse_of(house, ticket), view)


def _currency_of(purse: Purse | None, view: TableView) -> str:
    return purse.currency if purse and purse.currency in view.game.currencies else view.bets.currency


def _own_seat(view: TableView, own: Playing | None) -> Mapping[str, Any]:
    """What a player's seat at a poker table may know and do."""
    seat = own.seat() if own is not None and view.room is not None else None
    return {
        "own_seat": seat,
        "sizing": sizing_of(view.room, seat) if view.room is not None and seat is not None else None,
        "mark": mark_of(view, seat) if seat is not None else "",
        "decimals": decimals(view.bets.currency),
        "face": face,
    }


def _seat(ticket: Ticket, view: TableView) -> PlayerView | None:
    """The bettor's own seat at a poker table; None where he has none, or no seats are there."""
    mine = (ticket.operator, ticket.bettor)
    seats = view.room.seats if view.room is not None else ()
    return next((one for one in seats if (one.operator, one.bettor) == mine), None)


def _played(reader: Reader, ticket: Ticket, round: str) -> Played | None:
    return played_in(reader, ticket.operator, ticket.bettor, round) if round else None


def _winners(house: House, reader: Reader, ticket: Ticket, view: TableView) -> tuple[Won, ...]:
    """The winners as others see them, and what he won himself."""
    result = settled_last(view)
    if result is None:
        return ()
    played, own = _played(reader, ticket, result.round), None
    if played is not None and played.won_minor > 0:
        own = Winner(ticket.operator, ticket.bettor, played.currency, played.won_minor)
    return winner_lines(house.winners.of(view), ticket.operator, ticket.bettor, own)


def _on_pot(played: Played | None, game: str) -> int:
    """What he has on the bet that feeds the pot."""
    key = find_game(game).pot.bet
    return sum(one.bet.stake_minor for one in played.bets if one.bet.bet == key) if played and key else 0


class Counting(Protocol):
    """Who knows what bettors have: the house, and the floor that takes their bets."""

    @property
    def tellers(self) -> Wallets: ...

    def reader(self) -> Reader: ...


def purse_of(house: Counting, ticket: Ticket) -> Purse | None:
    """What he has, here or by his operator's wallet; None where nobody has said so yet."""
    if (teller := house.tellers.of(ticket.operator)) is not None:
        held = teller.balance_of(ticket.bettor)
        return Purse(*held) if held else None
    reader = house.reader()
    account = bettor_account(ticket.operator, ticket.bettor)
    currency = reader.currency(account)
    return Purse(reader.balance(account), currency) if currency else None


def rakebacks(house: House, ticket: Ticket) -> Mapping[str, Rakeback]:
    """What came together in each span; empty at a table whose game has no such fee."""
    if not find_game(house.view(ticket.table).game.key).payment.rakeback:
        return {}
    reader, now_ms, tables = house.reader(), house.now_ms() + 1, len(house.tables)
    return {
        name: rakeback(reader, ticket.operator, ticket.bettor, (now_ms - span_ms, now_ms), tables)
        for name, span_ms in SPANS
    }
