"""The dealer's page: `/dealer/<table>`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.felt.act import mended
from dealer_ui.floor.house import window_s_of
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_menu import menu_of
from dealer_ui.frame.incident_way import REASONS, IncidentWay, ways
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.frame.seat_look import on_break, pulse, seat_of
from dealer_ui.public.road import roads_shown
from studio.cards import DECK
from studio.procedures import RULING_BY_KEY, Approval
from studio.views.shape import IncidentView, TableView

GRAVE: Final = frozenset(
    {"device_lost", "card_mismatch", "conflicting_reread", "fouled_deck", "malfunction", "shoe_error"}
)
"""Kinds whose band is red: nothing the dealer does by himself puts them right."""

SHOE_REASONS: Final = ("device_fault", "card_damaged", "dealer_error", "other")
"""What a dealer may name as the reason of a shoe's error, one tap each [EV2]."""

CARDS: Final = tuple((str(card), card.sign) for card in reversed(DECK))


def rulings(incident: IncidentView) -> tuple[str, ...]:
    """What the dealer is shown: all ways where the pit rules, else those he may take by himself."""
    ways = incident.row.options or (incident.row.ruling,)
    if incident.row.approval != Approval.DEALER:
        return ways
    return tuple(way for way in ways if way == incident.row.ruling or RULING_BY_KEY[way].approval == Approval.DEALER)


def asks(view: TableView, incident: IncidentView) -> tuple[IncidentWay, ...]:
    """The ways that take two people: with one pit boss on the floor the dealer asks, and the pit boss approves."""
    return tuple(
        way for way in ways(view, incident) if way.approval == Approval.TWO_PEOPLE and way.takes in ("", "card")
    )


def alarms(view: TableView) -> tuple[str, ...]:
    """What a station should be heard for, each by a word of its own."""
    told = []
    if view.now.held:
        told.append(f"held:{'-'.join(incident.id for incident in view.incidents.open if incident.holds) or 'frozen'}")
    if view.now.pit_called_by:
        told.append("called")
    if not all(view.devices.links.values()) or view.devices.camera_blind:
        told.append("device")
    return tuple(told)


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    view = asked.house.view(asked.table)
    holding = [incident for incident in view.incidents.open if incident.holds]
    return view.seq, {
        "view": view,
        "seat": seat_of(asked.house, view),
        "resting": asked.viewer is not None and on_break(asked.house, asked.viewer.id),
        "first": holding[0] if holding else None,
        "more": max(0, len(holding) - 1),
        "grave": any(incident.kind in GRAVE and not mended(incident) for incident in holding),
        "mended": mended,
        "roads": roads_shown(view),
        "window_s": window_s_of(asked.house, asked.table),
        "alarms": alarms(view),
        "frozen_name": view.now.frozen_by_name,
        "rulings": rulings,
        "shoe_reasons": SHOE_REASONS,
        "asks": asks(view, holding[0]) if holding else (),
        "reasons": REASONS,
        "cards": CARDS,
    }


SCREEN: Final = Screen("dealer", ("view_dealer",), draw, pulse=pulse)


def routes(console: Console) -> Blueprint:
    found = Blueprint("dealer", __name__)

    @found.get("/dealer/<table>")
    @needs("view_dealer")
    def page(table: str) -> Response:
        return console.show(SCREEN, table, menu=menu_of(console.asked(table).house.view(table).game.key))

    return found
