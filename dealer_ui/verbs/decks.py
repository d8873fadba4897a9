"""`studio decks`: the register of decks on the machine itself, read at any time, added to while the studio is
stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.table import Table

from dealer_ui.config.file import load_config, record_file
from dealer_ui.desk.deck import DeckDesk
from dealer_ui.desk.staff import StaffDesk
from dealer_ui.pages.decks.look import Names, tell
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.secret import peppers_beside
from dealer_ui.words.language import Languages
from studio.cli.drawn_table import print_table
from studio.cli.place import RECORD_FILE
from studio.decks import DeckRegister, RegisteredDeck, evolve_decks
from studio.decks.deck_event import DECK_KINDS, read_deck_body
from studio.decks.keeping import NewDeck
from studio.errors import BadInputError, RefusedError, StorageError
from studio.journal import Reader, Store, Unit, Writer
from studio.people import STAFF_KINDS, Actor, Argon2PinHasher
from studio.people.record import read_staff
from studio.people.staff import StaffRegister, evolve_staff

_DATABASE = click.option("--db", "database", required=True, type=RECORD_FILE, help="The studio's database.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")


@click.group()
def decks() -> None:
    """Look at the register of decks, and take decks in; what else is done with them is done on the page /decks."""


@decks.command(name="list")
@_DATABASE
@_JSON
def list_decks(database: Path, as_json: bool) -> None:
    """Every deck there is or was, and where it is; a studio may be at work."""
    register, _ = _read(database)
    if as_json:
        for deck in register.decks.values():
            click.echo(json.dumps(_plain(deck), ensure_ascii=False))
        return
    table = Table("deck", "where", "table or place", "design", "back", "packs", "seal", "brought out", "loaded")
    for deck in register.decks.values():
        where = str(deck.whereabouts).replace("_", " ")
        counts = (str(deck.packs), deck.seal, str(deck.issues), str(deck.loads))
        table.add_row(deck.id, where, deck.table or deck.place, deck.design, deck.back, *counts)
    print_table(table)


@decks.command()
@_DATABASE
@_JSON
@click.argument("deck", metavar="DECK")
def show(database: Path, deck: str, as_json: bool) -> None:
    """The life of one deck, from its receipt on; a studio may be at work."""
    register, staff = _read(database)
    found = register.decks.get(deck)
    if found is None:
        raise click.ClickException(f"No deck of the register has the number {deck}: `studio decks list` names them.")
    words = Languages().speak("en")
    names = Names(lambda id: staff.people[id].name if id in staff.people else id, lambda table: table)
    for event in found.history:
        if as_json:
            click.echo(json.dumps(msgspec.to_builtins(event), ensure_ascii=False))
        else:
            click.echo(f"{words.moment(event.at_ms)}  {tell(event, words, names)}")


@decks.command()
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--deck", "id", required=True, help="Its number, which no other deck has or had.")
@click.option("--design", required=True)
@click.option("--back", required=True, help="The colour of the backs.")
@click.option("--packs", default=1, show_default=True, help="Packs of 52 cards.")
@click.option("--seal", required=True, help="The number on its seal.")
@click.option("--place", required=True, help="Where it is locked away.")
@click.option("--mark", default="", help="What the shuffler calls it, if it does.")
@click.option("--words", default="")
@click.option("--badge", required=True, help="Of the pit boss who takes it in; the PIN is asked for.")
@click.option("--second-badge", required=True, help="Of whoever stands by; that PIN is asked for, too.")
def receive(path: Path, badge: str, second_badge: str, **new: str | int) -> None:
    """Take a sealed deck in, before two people, while the studio is stopped."""
    with _open(path) as (desk, staff):
        by = _person(staff, badge, "PIN")
        beside = _person(staff, second_badge, "PIN of the second person")
        desk.receive(NewDeck(**new), by, beside)  # type: ignore[arg-type]  # the options are its fields
    click.echo(f"Deck {new['id']} is taken in and locked away in {new['place']}.")


def _person(staff: StaffDesk, badge: str, asked: str) -> Actor:
    person = staff.register.with_badge(badge)
    if person is None:
        raise RefusedError("second_unknown", f"Nobody of the staff wears badge {badge}: read it again.")
    return staff.confirm_pin(person.id, click.prompt(asked, hide_input=True))


def _read(database: Path) -> tuple[DeckRegister, StaffRegister]:
    register, staff = DeckRegister(), StaffRegister()
    try:
        with Reader.open(database) as reader:
            for row in reader.events(kinds=(*STAFF_KINDS, *DECK_KINDS)):
                if row.kind in DECK_KINDS:
                    register = evolve_decks(register, read_deck_body(row.body))
                else:
                    staff = evolve_staff(staff, read_staff(row.body))
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    return register, staff


def _plain(deck: RegisteredDeck) -> dict[str, object]:
    return {
        "deck": deck.id, "whereabouts": str(deck.whereabouts), "table": deck.table, "place": deck.place,
        "design": deck.design, "back": deck.back, "packs": deck.packs, "mark": deck.mark, "seal": deck.seal,
        "issues": deck.issues, "loads": deck.loads, "received_ms": deck.received_ms,
    }  # fmt: skip


class _NoTables:
    """While the studio is stopped no table is asked."""

    def decks_of(self, table: str) -> int:
        raise RefusedError("not_running", f"The studio is stopped, and nobody knows what table {table} does.")

    def deck_in_shoe(self, table: str) -> str:
        raise RefusedError("not_running", f"The studio is stopped, and nobody knows what table {table} does.")


@contextmanager
def _open(path: Path) -> Iterator[tuple[DeckDesk, StaffDesk]]:
    """The registers of the configured database, which nobody else is using; refusals are plain sentences."""
    try:
        config = load_config(path)
        database = record_file(config, of_desk=True)
        with Store.open(database, create=False) as store, store.reader() as reader:
            writer, clock = Writer(store), SteadyClock(reader.newest_ms())

            def commit(unit: Unit) -> int:
                return writer.commit(unit).last_seq

            staff = StaffDesk(commit, clock.now_ms, Argon2PinHasher(peppers=peppers_beside(database)))
            staff.restore(reader.events(kinds=STAFF_KINDS))
            desk = DeckDesk(commit, clock.now_ms, _NoTables(), config.decks)
            desk.restore(reader.events(kinds=DECK_KINDS))
            try:
                yield desk, staff
            finally:
                writer.close()
    except (BadInputError, RefusedError, StorageError) as error:
        raise click.ClickException(str(error)) from error
