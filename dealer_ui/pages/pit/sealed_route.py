"""The pages on which two people open a card that nobody had turned.

/pit/<table>/round/<round>/sealed   where the sealed cards of a round lay; one of them is asked for, with a PIN
/pit/<table>/sealed                 the card that was asked for; another person approves or declines
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs, signed_in
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.felt.face import Face, face
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.frame.screen import Asked, Screen
from dealer_ui.pages.pit.ended import last_unsealing
from dealer_ui.pages.pit.second_person import SecondPerson
from dealer_ui.past.entry import may_look, need_place, not_here
from dealer_ui.words.language import Language
from studio.errors import RefusedError
from studio.people import REQUEST_VALID_MS, Actor
from studio.tables import command as c
from studio.tables.correction.finished_round import read_sealed_round
from studio.tables.correction.unsealing import why_sealed
from studio.tables.past.sealed_round import SealedRound
from studio.views.shape import UnsealingView


@dataclass(frozen=True, slots=True)
class SealedShown:
    """One sealed card as the page has it. `face`: once it is open, for those who may inspect the round. `why`: why it
    cannot be asked for now."""

    id: str
    zone: str
    place: int
    deal: int
    fate: str
    face: Face | None
    why: str


def routes(console: Console) -> Blueprint:
    found = Blueprint("sealed", __name__)

    @found.route("/pit/<table>/round/<round>/sealed", methods=["GET", "POST"])
    @needs("ask_two_people")
    def ask(table: str, round: str) -> Response:
        need_place(console, table, "open_sealed_card")
        try:
            sealed = read_sealed_round(console.house.reader(), table, round)
        except RefusedError as error:
            return not_here(console, error)
        refused = ""
        if request.method == "POST":
            try:
                _ask(console, sealed)
                return redirect(f"/pit/{table}/sealed", 303)
            except RefusedError as error:
                refused = console.language().refusal(error)
        return _list(console, sealed, refused)

    SECOND.add_to(found, console)
    return found


def _ask(console: Console, sealed: SealedRound) -> None:
    console.house.command(
        sealed.table,
        c.AskUnsealing(
            actor=who_acts(console.house, request.form),
            sealed=sealed,
            card=request.form.get("card", ""),
            reason_code=request.form.get("reason_code", ""),
            words=request.form.get("words", ""),
        ),
    )


def _list(console: Console, sealed: SealedRound, refused: str) -> Response:
    view, language = console.house.view(sealed.table), console.language()
    return console.plain(
        "sealed/list.html",
        409 if refused else 200,
        view=view,
        round=sealed.id,
        number=sealed.number,
        cards=_shown(sealed, view.aftermath.sealed.first_kept, language),
        again=max((one.deal for one in sealed.cards), default=1) > 1,
        refused=refused,
        reasons=REASONS,
        wanted=request.form,
    )


def _shown(sealed: SealedRound, first_kept: int, language: Language) -> Sequence[SealedShown]:
    inspects = signed_in().may("inspect_round")
    found = []
    for one in sealed.cards:
        why = why_sealed(sealed, one, first_kept)
        told = sealed.opened.get(one.card.id)
        open_face = face(str(told.face)) if told is not None and inspects else None
        reason = language.refusal(why) if why is not None else ""
        found.append(SealedShown(one.card.id, one.zone, one.place, one.deal, one.fate, open_face, reason))
    return found


def draw(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    """The card that waits to be opened; where none does, how what was asked last has ended."""
    view, here = asked.house.view(asked.table), may_look(asked)
    waits = view.aftermath.sealed.asked if here else None
    last = last_unsealing(asked.house, asked.table) if here and waits is None else None
    return view.seq, {"view": view, "waits": waits, "last": last, "asked_s": REQUEST_VALID_MS // 1_000}


SCREEN: Final = Screen("sealed", ("view_pit", "ask_two_people"), draw)


def _yes(house: House, table: str, asked: UnsealingView, actor: Actor) -> c.ApproveUnsealing:
    sealed = read_sealed_round(house.reader(), table, asked.round)
    return c.ApproveUnsealing(actor=actor, unsealing=asked.id, sealed=sealed, id=f"{asked.id}-yes")


SECOND: Final = SecondPerson(
    screen=SCREEN,
    field="unsealing",
    right="open_sealed_card",
    waits=lambda view: view.aftermath.sealed.asked,
    approve=_yes,
    decline=lambda id, actor: c.DeclineUnsealing(actor=actor, unsealing=id),
    then="/sealed",
)
