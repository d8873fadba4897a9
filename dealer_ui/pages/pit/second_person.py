"""The page on which what one person asked waits for another, who agrees or declines with badge and PIN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from dealer_ui.access.auth import needs
from dealer_ui.access.typed_pin import who_acts
from dealer_ui.floor.house import House
from dealer_ui.frame.console import Console
from dealer_ui.frame.screen import Screen
from dealer_ui.past.entry import need_place
from studio.errors import RefusedError
from studio.people import Actor, nobody_asked
from studio.tables.declaration import Command
from studio.views import TableView


class Waits(Protocol):
    """What a view shows of a request."""

    @property
    def id(self) -> str: ...
    @property
    def round(self) -> str: ...


W = TypeVar("W", bound=Waits)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondPerson(Generic[W]):
    """`field`: of the form, and names the request. `right`: what he needs at the table. `then`: the end of the round's
    address, where he goes on."""

    screen: Screen
    field: str
    right: str
    waits: Callable[[TableView], W | None]
    approve: Callable[[House, str, W, Actor], Command]
    decline: Callable[[str, Actor], Command]
    then: str = ""

    def add_to(self, found: Blueprint, console: Console) -> None:
        address = f"/pit/<table>/{self.screen.name}"

        @found.get(address)
        @needs("view_pit", "ask_two_people")
        def waiting(table: str) -> Response:
            need_place(console, table, "view_pit")
            return self._show(console, table, "")

        @found.post(address)
        @needs("ask_two_people")
        def answer(table: str) -> Response:
            need_place(console, table, self.right)
            try:
                round = self._answer(console.house, table)
            except RefusedError as error:
                return self._show(console, table, console.language().refusal(error))
            return redirect(f"/pit/{table}/round/{round}{self.then}", 303)

    def _show(self, console: Console, table: str, refused: str) -> Response:
        answer = console.show(self.screen, table, refused=refused)
        answer.status_code = 409 if refused else 200
        return answer

    def _answer(self, house: House, table: str) -> str:
        """Carry his yes or no out; gives the round it is about."""
        asked = self.waits(house.view(table))
        if asked is None or asked.id != request.form.get(self.field):
            raise nobody_asked()
        actor = who_acts(house, request.form)
        if request.form.get("answer") == "decline":
            house.command(table, self.decline(asked.id, actor))
        else:
            house.command(table, self.approve(house, table, asked, actor))
        return asked.round
