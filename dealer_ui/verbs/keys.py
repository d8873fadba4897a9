"""`studio keys`: the core's verbs about the key file, and those that exchange a key while the studio runs, or not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

from dealer_ui.assembly.key_rotation import PEPPER, SIGNING, WRAPPING, KeyRotation
from dealer_ui.assembly.operators_door import account, ask_running
from dealer_ui.assembly.operators_order import Order
from dealer_ui.config.file import load_config, record_file
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.desk.staff import StaffDesk
from dealer_ui.process.clock import SteadyClock
from dealer_ui.process.factor_file import FactorFile
from dealer_ui.process.secret import peppers_beside
from studio.care.signing import signer_in
from studio.cli.keys import command as group
from studio.errors import BadInputError, RefusedError, StorageError
from studio.journal import Store, Unit, Writer
from studio.people import STAFF_KINDS, Argon2PinHasher

_CONFIG = click.option(
    "--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The studio's file."
)
_REASON = click.option("--reason", required=True, help="A few words; they are kept.")

keys: Final = click.Group("keys", dict(group.commands), help="Wrap the key file of sealed cards, and exchange keys.")


@keys.command()
@click.argument("which", type=click.Choice([PEPPER, SIGNING, WRAPPING]))
@_CONFIG
@_REASON
@click.option("--to", "source", default="", help="Of wrapping: the new key, from file:/PATH, env:NAME or command:…")
def rotate(which: str, path: Path, reason: str, source: str) -> None:
    """Have another key count from now on, at once; the one before opens what it opened until it is retired."""
    if (which == WRAPPING) is not bool(source):
        raise click.UsageError("Say --to with the wrapping key, and with no other.")
    click.echo(_ask(path, Order("rotate_key", key=which, reason=reason, source=source)))


@keys.command()
@click.argument("which", type=click.Choice([PEPPER, SIGNING]))
@_CONFIG
@_REASON
def retire(which: str, path: Path, reason: str) -> None:
    """Let the keys before the newest go, for good; refused while somebody needs one."""
    click.echo(_ask(path, Order("retire_key", key=which, reason=reason)))


def _ask(path: Path, order: Order) -> str:
    """The running studio, or the keys of a stopped one; what is refused is said on the error stream."""
    try:
        config = load_config(path)
        database = Path(config.studio.database)
        answered = ask_running(database, order)
        if answered is None:
            with Store.open(record_file(config), create=False, wrapped_by=config.keys.source) as store:
                return _stopped(store, database, order, several=config.cluster is not None)
    except (BadInputError, RefusedError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    if answered.refused:
        raise click.ClickException(answered.refused)
    return answered.said


def _stopped(store: Store, database: Path, order: Order, *, several: bool) -> str:
    writer, reader = Writer(store), store.reader()
    clock = SteadyClock(reader.newest_ms())

    def commit(unit: Unit) -> int:
        return writer.commit(unit).last_seq

    peppers = peppers_beside(database)
    staff = StaffDesk(commit, clock.now_ms, Argon2PinHasher(peppers=peppers))
    staff.restore(reader.events(kinds=STAFF_KINDS))
    reader.close()
    factors = FactorFile(database.with_name(f"{database.name}.factors"), *peppers.newest_first)
    staff.second = SecondFactors(staff, factors)
    rotation = KeyRotation(database, staff, signer_in(database), store.keyring, commit, several)
    by = account(os.geteuid())
    try:
        if order.verb == "rotate_key":
            return rotation.rotate(order.key, by, order.reason, order.source)
        return rotation.retire(order.key, by, order.reason)
    finally:
        writer.close()
