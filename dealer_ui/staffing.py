"""The only place for `studio staff`: who may sign in, entered on the machine itself while the studio is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from dealer_ui.clock import SteadyClock
from dealer_ui.secret import pepper_beside
from dealer_ui.staff_desk import StaffDesk
from studio.errors import BadInputError, RefusedError
from studio.journal import Store, Unit, Writer
from studio.people import STAFF_KINDS, Argon2PinHasher, Pin, Role
from studio.people.staffing import NewStaff

_DATABASE = click.option(
    "--db", "database", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The studio's database."
)


@click.group()
def staff() -> None:
    """Add people to the staff, or list them; the studio must not be running on the database."""


@staff.command()
@_DATABASE
@click.option("--id", "id", required=True, help="Short and lasting; it stands in the journal.")
@click.option("--badge", required=True)
@click.option("--name", required=True)
@click.option("--role", "roles", required=True, multiple=True, type=click.Choice([str(role) for role in Role]))
@click.option("--pin", prompt="PIN", hide_input=True, confirmation_prompt=True, help="4 to 8 digits; asked for.")
def add(database: Path, id: str, badge: str, name: str, roles: tuple[str, ...], pin: str) -> None:
    """Let somebody sign in with this badge and PIN."""
    with _open(database) as desk:
        desk.add(NewStaff(id, badge, name, roles, Pin(pin)))
    click.echo(f"{name} may sign in with badge {badge}.")


@staff.command(name="list")
@_DATABASE
def list_staff(database: Path) -> None:
    """Who is of the staff, with badge and roles."""
    table = Table("id", "badge", "name", "roles")
    with _open(database) as desk:
        for person in desk.register.people.values():
            table.add_row(person.id, person.badge, person.name, ", ".join(sorted(person.roles)))
    Console().print(table)


@contextmanager
def _open(database: Path) -> Iterator[StaffDesk]:
    """The register of a database nobody else is using; refusals are plain sentences."""
    try:
        with Store.open(database) as store:
            writer, reader = Writer(store), store.reader()
            clock = SteadyClock(reader.newest_ms())

            def commit(unit: Unit) -> int:
                return writer.commit(unit).last_seq

            desk = StaffDesk(commit, clock.now_ms, Argon2PinHasher(pepper=pepper_beside(database)))
            desk.restore(reader.events(kinds=STAFF_KINDS))
            reader.close()
            try:
                yield desk
            finally:
                writer.close()
    except (BadInputError, RefusedError) as error:
        raise click.ClickException(str(error)) from error
