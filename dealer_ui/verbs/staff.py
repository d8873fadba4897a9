"""`studio staff`: who may sign in, entered on the machine itself: in a file while the studio is stopped, and at a
database's address beside the processes that serve it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from dealer_ui.desk.staff import FIRST
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.secret import PEPPER_BYTES
from dealer_ui.verbs.staff_register import RegisterPlace, open_register, refused
from studio.cli.drawn_table import print_table
from studio.cli.place import PLACE
from studio.errors import RefusedError
from studio.games import GAMES
from studio.journal import Reader
from studio.journal.place import Place
from studio.people import (
    LICENCE,
    STAFF_KINDS,
    Argon2PinHasher,
    NewPaper,
    NewStaff,
    Pin,
    Role,
    Staff,
    change_roles,
    day_of,
    fresh_code,
    give_code,
    retire_staff,
)
from studio.people.papering import bar_staff, issue_paper, lift_bar
from studio.people.record import read_staff
from studio.people.second_factor import reset_factor
from studio.people.staff import StaffRegister, evolve_staff
from studio.people.staffing import add_staff

_PLACE = click.option(
    "--db", "place", required=True, type=PLACE, metavar="DB", help="The studio's database: a file, or an address."
)
_SHARED = click.option(
    "--shared",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Of a database at an address: the folder every process of the studio reads.",
)


def _at(command: Callable[..., None]) -> Callable[..., None]:
    """The command is told first where the staff's register lies."""

    @_PLACE
    @_SHARED
    @wraps(command)
    def placed(place: Place, shared: Path | None, **given: Any) -> None:
        command(RegisterPlace(place, shared), **given)

    return placed


_ID = click.option("--id", "id", required=True, help="Whom, by the id of the list.")


@click.group()
def staff() -> None:
    """Keep the staff: people, roles, one-time codes, papers, bars.

    No studio may be running on a file. At an address they may all go on: what is entered counts there within a second.
    """


@staff.command()
@_at
@click.option("--id", "id", required=True, help="Short and lasting; it stands in the journal.")
@click.option("--badge", required=True)
@click.option("--name", required=True)
@click.option("--role", "roles", required=True, multiple=True, type=click.Choice([str(role) for role in Role]))
def add(at: RegisterPlace, id: str, badge: str, name: str, roles: tuple[str, ...]) -> None:
    """Let somebody sign in with this badge; prints the code to come in with. The first make a new studio's database."""
    first = at.is_new
    person = NewStaff(id, badge, name, roles, fresh_code(secrets.randbelow), code=True)
    with refused():
        if first:  # who is refused makes no database
            add_staff(StaffRegister(), person, by=FIRST, now_ms=0, hasher=Argon2PinHasher(pepper=bytes(PEPPER_BYTES)))
    with open_register(at, create=True) as desk:
        desk.add(person)
        until_ms = desk.register.people[id].pin.code_until_ms
    if first:
        click.echo(f"{at.place} is new: the database of a studio that has nobody else yet.")
    click.echo(f"{name} may sign in with badge {badge}. {_said(person.pin, until_ms)}")


def _said(code: Pin, until_ms: int) -> str:
    digits, until = code.digits(), datetime.fromtimestamp(until_ms // 1_000, UTC)
    once = f"Until {until:%Y-%m-%d %H:%M} UTC it is typed in place of a PIN, once, to choose one."
    return f"The code is {digits[:4]} {digits[4:]}, and is not shown again. {once}"


@staff.command(name="list")
@_at
def list_staff(at: RegisterPlace) -> None:
    """Who is of the staff, with badge and roles; a studio may be at work."""
    table = Table("id", "badge", "name", "roles", "papers", "standing")
    with refused(), Reader.open(at.place) as reader:
        register = StaffRegister()
        for row in reader.events(kinds=STAFF_KINDS):
            register = evolve_staff(register, read_staff(row.body))
        today = day_of(SteadyClock(reader.newest_ms()).now_ms())
    for person in register.people.values():
        roles = ", ".join(sorted(person.roles))
        table.add_row(person.id, person.badge, person.name, roles, _papers(person, today), _standing(person))
    print_table(table)


def _papers(person: Staff, today: date) -> str:
    """
    >>> from studio.people.staff import KeptPin
    >>> _papers(Staff("d1", "1", "Dewi", frozenset(), KeptPin("#")), date(2026, 1, 1))
    ''
    """
    told = (f"{one.paper} to {one.valid_until} ({one.standing(today)})" for one in person.papers.values())
    return "\n".join(told)


def _standing(person: Staff) -> str:
    return "left" if not person.active else f"barred: {person.barred}" if person.barred else "active"


@staff.command()
@_at
@_ID
@click.option("--number", required=True, help="As it stands on the paper.")
@click.option("--from", "first", required=True, help="Its first day, 2026-01-31.")
@click.option("--until", "last", required=True, help="Its last day.")
def license(at: RegisterPlace, id: str, number: str, first: str, last: str) -> None:
    """Enter a dealing licence: without a current one nobody gets a table."""
    _issue(at, id, NewPaper(LICENCE, number, first, last))


@staff.command()
@_at
@_ID
@click.option("--game", required=True, type=click.Choice([game.key for game in GAMES]))
@click.option("--number", required=True, help="As it stands on the paper.")
@click.option("--from", "first", required=True, help="Its first day, 2026-01-31.")
@click.option("--until", "last", required=True, help="Its last day.")
def certify(at: RegisterPlace, id: str, game: str, number: str, first: str, last: str) -> None:
    """Enter the certificate for a game: without a current one nobody deals it."""
    _issue(at, id, NewPaper(game, number, first, last))


def _issue(at: RegisterPlace, id: str, new: NewPaper) -> None:
    games = [game.key for game in GAMES]
    with open_register(at) as desk:
        desk.change(lambda register, now: issue_paper(register, id, new, by=FIRST, now_ms=now, games=games))
    click.echo(f"{id} has the {new.paper} {new.number}, good to {new.valid_until}.")


@staff.command()
@_at
@_ID
@click.option("--role", "wanted", required=True, multiple=True, type=click.Choice([str(role) for role in Role]))
def roles(at: RegisterPlace, id: str, wanted: tuple[str, ...]) -> None:
    """Change what somebody may do; all of the roles are named anew."""
    with open_register(at) as desk:
        desk.change(lambda register, now: change_roles(register, id, wanted, by=FIRST, now_ms=now))
    click.echo(f"{id} is now {', '.join(wanted)}.")


@staff.command(name="code")
@_at
@_ID
def new_code(at: RegisterPlace, id: str) -> None:
    """Give somebody who forgot his PIN a code, to come in once and choose another; it ends a lock-out."""
    code = fresh_code(secrets.randbelow)
    with open_register(at) as desk:
        desk.change(lambda register, now: give_code(register, id, code, by=FIRST, now_ms=now, hasher=desk.hasher))
        until_ms = desk.register.people[id].pin.code_until_ms
    click.echo(f"The PIN of {id} opens nothing any more. {_said(code, until_ms)}")


@staff.command(name="reset-factor")
@_at
@_ID
@click.option("--reason", required=True, help="A few words; they are kept.")
@click.option("--beside", required=True, metavar="BADGE", help="Who stands by: a pit boss, auditor or administrator.")
@click.option("--pin", prompt="PIN of whoever stands by", hide_input=True, help="4 to 8 digits; asked for.")
def reset_lost(at: RegisterPlace, id: str, reason: str, beside: str, pin: str) -> None:
    """Take somebody's second factor away, as when the device is lost; somebody else stands by."""
    with open_register(at) as desk:
        witness = desk.register.with_badge(beside)
        if witness is None:
            raise RefusedError("second_unknown", "Nobody of the staff wears the second badge: read it again.")
        second = desk.confirm_pin(witness.id, pin)
        by = FIRST.with_pin(desk.now_ms())
        desk.change(lambda register, now: reset_factor(register, id, by=by, beside=second, reason=reason, now_ms=now))
    click.echo(f"{id} sets up a new second factor at the next sign-in.")


@staff.command()
@_at
@_ID
@click.option("--reason", required=True, help="A few words; they are kept.")
@click.option("--lift", is_flag=True, help="Lift the bar instead.")
def bar(at: RegisterPlace, id: str, reason: str, lift: bool) -> None:
    """Bar somebody: nothing opens for this person until the bar is lifted."""
    act = lift_bar if lift else bar_staff
    with open_register(at) as desk:
        desk.change(lambda register, now: act(register, id, reason=reason, by=FIRST, now_ms=now))
    click.echo(f"{id} may sign in again." if lift else f"{id} is barred.")


@staff.command()
@_at
@_ID
def retire(at: RegisterPlace, id: str) -> None:
    """Somebody has left the staff: the badge opens nothing any more, what was done stays on record."""
    with open_register(at) as desk:
        desk.change(lambda register, now: retire_staff(register, id, by=FIRST, now_ms=now))
    click.echo(f"{id} has left the staff.")
