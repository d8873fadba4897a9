"""The addresses of the register of decks, and what is done there.

    GET  /decks                 the inventory, and taking a deck in
    GET  /decks/<deck>          one deck, its life, and what may be done with it
    POST /decks                 `act` receive issue return withdraw destroy count reconcile
                                → 303, or the page with the refusal

Every act takes the PIN; receiving, destroying and counting the stock take badge and PIN of a second person as well. A
count is sent as `where` and `found`, as many of both as there are places: the place, and the numbers of its decks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from flask import Blueprint, abort, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.frame.command_door import second_person
from dealer_ui.frame.command_form import Fields, read_fields
from dealer_ui.frame.console import Console
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.pages.decks.look import inventory, life_of, look_at, stock_look
from studio.decks.deck_event import DeckFound
from studio.decks.keeping import TEXT_MAX, NewDeck
from studio.errors import RefusedError
from studio.people import Actor

_OF_ALL: Final = ("receive", "count", "reconcile")
"""Acts of the page of all decks."""
SECRET: Final = frozenset({"pin", "second_pin", "csrf"})
"""Fields that are never written back into a page."""

Act = Callable[[Console, Fields, Actor], str]
"""Does it, and gives the deck it was done to."""


def routes(console: Console) -> Blueprint:
    found = Blueprint("decks", __name__)

    @found.get("/decks")
    @needs("view_decks")
    def page() -> Response:
        return _inventory(console)

    @found.get("/decks/<deck>")
    @needs("view_decks")
    def one(deck: str) -> Response:
        return _one(console, deck)

    @found.post("/decks")
    @needs("manage_decks")
    def act() -> Response:
        fields = read_fields(request.get_json(silent=True), request.form)
        try:
            if (work := _ACTS.get(fields.get("act", ""))) is None:
                raise RefusedError("unknown_command", "This page asked for something unknown: load it again.")
            deck = work(console, fields, who_acts(console.house, fields))
        except RefusedError as error:
            sentence = console.language().refusal(error)
            kept = {name: value for name, value in fields.items() if name not in SECRET}
            kept |= {f"found {where}": listed for where, listed in _listed(fields)}
            if fields.get("act") in _OF_ALL or fields.get("deck", "") not in console.house.decks.register.decks:
                return _inventory(console, sentence, kept)
            return _one(console, fields["deck"], sentence, kept)
        return redirect(f"/decks/{deck}" if deck else "/decks#stock", 303)

    return found


def _inventory(console: Console, refused: str = "", kept: Mapping[str, str] | None = None) -> Response:
    house = console.house
    return console.plain(
        "decks/page.html", 409 if refused else 200, groups=inventory(house), refused=refused, kept=kept or {},
        backs=house.decks.rules.backs, asked=house.decks.rules.register_of_decks, stock=stock_look(house),
    )  # fmt: skip


def _one(console: Console, id: str, refused: str = "", kept: Mapping[str, str] | None = None) -> Response:
    house = console.house
    deck = house.decks.register.decks.get(id)
    if deck is None:
        abort(404)
    return console.plain(
        "decks/deck.html", 409 if refused else 200, look=look_at(house, deck), refused=refused, kept=kept or {},
        life=life_of(house, deck, console.language()), tables=[house.view(table) for table in house.tables],
        reasons=REASONS,
    )  # fmt: skip


def _receive(console: Console, fields: Fields, by: Actor) -> str:
    packs = fields.get("packs", "").strip()
    new = NewDeck(
        id=fields.get("deck", ""), design=fields.get("design", ""), back=fields.get("back", ""),
        packs=int(packs) if packs.isascii() and packs.isdigit() and len(packs) <= 3 else 0, seal=fields.get("seal", ""),
        place=fields.get("place", ""), mark=fields.get("mark", ""), words=fields.get("words", ""),
    )  # fmt: skip
    console.house.decks.receive(new, by, second_person(console, fields))
    return new.id.strip()


def _issue(console: Console, fields: Fields, by: Actor) -> str:
    table = fields.get("table", "")
    if table not in console.house.tables:
        raise RefusedError("table_unknown", "Choose the table the deck is brought to.")
    console.house.decks.issue(fields.get("deck", ""), table, fields.get("seal", ""), by)
    return fields.get("deck", "")


def _give_back(console: Console, fields: Fields, by: Actor) -> str:
    new = (fields.get("place", ""), fields.get("seal", ""), fields.get("words", ""))
    console.house.decks.give_back(fields.get("deck", ""), new, by)
    return fields.get("deck", "")


def _withdraw(console: Console, fields: Fields, by: Actor) -> str:
    why = (fields.get("place", ""), fields.get("reason_code", ""), fields.get("words", ""))
    console.house.decks.withdraw(fields.get("deck", ""), why, by)
    return fields.get("deck", "")


def _destroy(console: Console, fields: Fields, by: Actor) -> str:
    console.house.decks.destroy(fields.get("deck", ""), fields.get("how", ""), by, second_person(console, fields))
    return fields.get("deck", "")


def _count(console: Console, fields: Fields, by: Actor) -> str:
    found = []
    for where, listed in _listed(fields):
        for deck in listed.replace(",", " ").split():
            if not where.strip():
                raise RefusedError("deck_field", "Write down the place at which you found these decks.")
            found.append(DeckFound(deck=deck[:TEXT_MAX], place=where.strip()[:TEXT_MAX]))
    console.house.decks.count(found, fields.get("words", ""), by, second_person(console, fields))
    return ""


def _reconcile(console: Console, fields: Fields, by: Actor) -> str:
    deck = fields.get("deck", "")
    console.house.decks.reconcile(deck, fields.get("words", ""), by, second_person(console, fields))
    return ""


def _listed(fields: Fields) -> Iterator[tuple[str, str]]:
    """Each place that was looked through, and the numbers found there, as they were typed."""
    return zip(fields.getlist("where"), fields.getlist("found"), strict=False)


_ACTS: Final[Mapping[str, Act]] = {
    "receive": _receive,
    "issue": _issue,
    "return": _give_back,
    "withdraw": _withdraw,
    "destroy": _destroy,
    "count": _count,
    "reconcile": _reconcile,
}
