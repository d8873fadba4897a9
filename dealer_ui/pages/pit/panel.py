"""What the pit may open at its page of a table: an incident, the release, the void, another reading of a card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dealer_ui.felt.face import face, face_of
from dealer_ui.words.language import Language
from studio.cards import DECK
from studio.views.shape import TableView

CARD_SIGNS: Final[Mapping[str, str]] = {str(card): face(str(card)).sign for card in reversed(DECK)}
"""Every card as it is sent, and as it is read."""


def panels(view: TableView, viewer: str, language: Language) -> Mapping[str, Any]:
    """What the act of the page is drawn from; `first` is the panel that stands open until another one is chosen."""
    stake = view.room.in_play_minor if view.room else view.bets.stake_minor
    return {
        "first": first_of(view, viewer),
        "voidable": view.round_stage == "dealing",
        "open_cards": open_cards(view) if view.round_stage == "dealing" else (),
        "card_signs": CARD_SIGNS,
        "money_back": language.money(stake, view.bets.currency),
    }


def first_of(view: TableView, viewer: str) -> str:
    """What waits for this person to approve, then what holds the table, then the oldest; then the release."""
    found = sorted(view.incidents, key=lambda one: (one.asked_by in ("", viewer), not one.holds, one.opened_at_ms))
    if found:
        return f"incident-{found[0].id}"
    return "act-release" if view.frozen_by else ""


def open_cards(view: TableView) -> tuple[tuple[str, int, str], ...]:
    """Every card that lies open: its box, its place, its face."""
    return tuple(
        (box.key, place.place, place.face)
        for box in view.boxes
        for place in box.places
        if place.face is not None and face_of(place) is not None
    )
