"""The web application of a whole studio: consoles, operators' interface, bettors' pages, metrics, and who is let in."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from flask import Flask
from prometheus_client.registry import Collector

from dealer_ui.access.session_shelf import SessionShelf
from dealer_ui.access.sessions import SignedInElsewhere
from dealer_ui.api.door import blueprint
from dealer_ui.assembly.app import create_app
from dealer_ui.assembly.metrics import Owed, metrics_routes
from dealer_ui.config.file import StudioConfig
from dealer_ui.desk.ticket import Tickets, TicketStore
from dealer_ui.desk.ticket_file import TicketFile
from dealer_ui.floor.house import House
from dealer_ui.floor.operators_floor import OperatorsFloor
from dealer_ui.live.seats import Capacity, open_files
from dealer_ui.pages.play import route as play
from dealer_ui.serving.proxy import Proxies
from dealer_ui.serving.tls import FILES_EACH, ServedTls
from studio.people import Actor


class ServedFloor(House, OperatorsFloor, Protocol):
    """What consoles and operators need together: the floor of a table host, and that of a web node."""


def web_of(floor: ServedFloor, beside: Path, tls: ServedTls | None) -> Flask:
    """All of it over this floor; whoever serves it finds in its `extensions` what concerns connections.

    `beside`: where the list of who was turned away lies and, unless the hosts share a database, the tickets of pages,
    each with an ending of its own.
    """
    studio, server = floor.config.studio, floor.config.server
    room = Capacity.of_files(open_files() // (FILES_EACH if tls else 1))
    app = create_app(floor, title=studio.title, language=studio.language, room=room)
    app.extensions["tls"] = tls
    console = app.extensions["console"]
    if (shelf := shelf_of(floor.config)) is not None:
        console.sessions.share(SignedInElsewhere(shelf, partial(_actor_at, floor)))
    tickets = Tickets(
        lambda: secrets.token_urlsafe(32), floor.now_ms, time.monotonic, _tickets_kept(floor, beside)
    )  # fmt: skip
    doors = console.turned_away
    doors.keep_in(beside.with_name(f"{beside.name}.access"))
    operators = blueprint(floor, console.lanes.operators, tickets=tickets, closing=console.closing, turned_away=doors)
    app.register_blueprint(operators)
    app.register_blueprint(play.routes(console, tickets, floor))
    app.extensions["tickets"] = tickets
    app.extensions["usher"] = replace(
        app.extensions["usher"], operator_of=lambda key: floor.operators.operator_of(key),
        has_ticket=lambda token: tickets.look(token) is not None,
    )  # fmt: skip
    app.extensions["proxies"] = Proxies(server.trusted_proxy)
    return app


def _actor_at(floor: ServedFloor, id: str, station: str) -> Actor | None:
    """This person, where he is signed in at that station by the newest of what any process has kept."""
    floor.staff.catch_up()
    person = floor.staff.register.people.get(id)
    return floor.staff.actor(id) if person is not None and station in person.stations else None


def _tickets_kept(floor: ServedFloor, beside: Path) -> TicketStore:
    """The tickets of bettors' pages lie in the database that all hosts share, where there is one; else in a file."""
    cluster = floor.config.cluster
    if cluster is None or not cluster.postgres:
        return TicketFile(beside.with_name(f"{beside.name}.tickets"))
    from dealer_ui.desk.ticket_shelf import TicketShelf  # only where the database's driver is wanted
    from studio.journal.postgres.ticket_rows import TicketRows

    return TicketShelf(TicketRows(cluster.postgres), floor.now_ms)


def shelf_of(config: StudioConfig) -> SessionShelf | None:
    """Sessions of consoles lie in the database that all hosts share, where there is one."""
    if config.cluster is None or not config.cluster.postgres:
        return None
    from studio.journal.postgres.session_rows import SessionRows  # only where its driver is wanted

    return SessionShelf(SessionRows(config.cluster.postgres))


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a process tells its monitoring beside its tables: what waits for the disk, what witnesses are owed, and what
    concerns operators.
    """

    waiting: Callable[[], int] = lambda: 0
    owed: Owed = dict
    beside: Sequence[Collector] = ()


def tell_numbers(app: Flask, floor: ServedFloor, numbers: Numbers) -> None:
    """Have the application tell them at /metrics."""
    doors = app.extensions["console"].turned_away
    routes = metrics_routes(
        lambda: [floor.view(key) for key in floor.tables], numbers.waiting, numbers.owed, lambda: doors.counts,
        key_sha256=floor.config.server.metrics_key_sha256, beside=numbers.beside,
    )  # fmt: skip
    app.register_blueprint(routes)
