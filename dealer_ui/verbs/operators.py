"""`studio operators`: who brings bettors, and with which keys; a running studio obeys at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.table import Table

from dealer_ui.assembly.operators_door import account, ask_running
from dealer_ui.assembly.operators_order import Answered, OperatorStanding, Order, carry_out
from dealer_ui.config.file import load_config, record_file
from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk.operator import OperatorDesk
from dealer_ui.desk.operator_key import OperatorKeys, digest_of_key, new_key
from dealer_ui.process.clock import SteadyClock
from studio.cli.drawn_table import print_table
from studio.errors import BadInputError, StorageError
from studio.journal import Store, Unit, Writer
from studio.operators import OPERATOR_KINDS

_CONFIG = click.option(
    "--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The studio's file."
)
_REASON = click.option("--reason", required=True, help="A few words; they are kept.")
_OPERATOR = click.argument("operator")


@click.group()
def operators() -> None:
    """Keep operators and their keys; it counts at once, whether the studio runs or not."""


@operators.command(name="list")
@_CONFIG
def list_operators(path: Path) -> None:
    """Who the operators are, and which of their keys are good."""
    table = Table("operator", "standing", "keys")
    for one in _ask(path, Order("list")).standings:
        standing = "suspended" if one.suspended else "active"
        table.add_row(one.operator, f"{standing}, test" if one.test else standing, _keys(one))
    print_table(table)


def _keys(one: OperatorStanding) -> str:
    """
    >>> print(_keys(OperatorStanding("north", False, (("3fa1", None), ("77c0", 0)))))
    3fa1…
    77c0… ends 1970-01-01 00:00 UTC
    """
    return "\n".join(f"{hint}…{_end(ends_at_ms)}" for hint, ends_at_ms in one.keys) or "none is good"


def _end(ends_at_ms: int | None) -> str:
    return "" if ends_at_ms is None else f" ends {datetime.fromtimestamp(ends_at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


@operators.command()
@_CONFIG
@_OPERATOR
@_REASON
@click.option("--test", is_flag=True, help="All of his bettors are test accounts, for good: reports leave them out.")
def add(path: Path, operator: str, reason: str, *, test: bool) -> None:
    """A new operator; his key is shown once, here."""
    key = new_key()
    _ask(path, Order("add", operator, reason, digest_of_key(key), test=test))
    said = "an operator of test accounts, for good" if test else "an operator"
    click.echo(f"{operator} is {said}. His key, shown this once:\n{key}")


@operators.command()
@_CONFIG
@_OPERATOR
@_REASON
def suspend(path: Path, operator: str, reason: str) -> None:
    """Refuse him everything; what his bettors have open is settled and paid."""
    _ask(path, Order("suspend", operator, reason))
    click.echo(f"{operator} is suspended: he places nothing new, what is open is settled and paid.")


@operators.command()
@_CONFIG
@_OPERATOR
@_REASON
def resume(path: Path, operator: str, reason: str) -> None:
    """Let a suspended operator go on."""
    _ask(path, Order("resume", operator, reason))
    click.echo(f"{operator} may go on.")


@operators.command()
@_CONFIG
@_OPERATOR
@_REASON
@click.option("--hours", default=24.0, show_default=True, type=float, help="The old one's end.")
def rotate(path: Path, operator: str, reason: str, hours: float) -> None:
    """Make a new key and show it once; the old key stays good for some hours."""
    key = new_key()
    digest = digest_of_key(key)
    answered = _ask(path, Order("rotate", operator, reason, digest, hours=hours))
    [his] = (one for one in answered.standings if one.operator == operator)
    there_are_others = any(not digest.startswith(hint) for hint, _ in his.keys)
    said = (
        f"The old key of {operator} ends in {hours:g} h." if there_are_others else f"{operator} has no other good key."
    )
    click.echo(f"{said} The new one, shown this once:\n{key}")


@operators.command()
@_CONFIG
@_OPERATOR
@_REASON
@click.option("--key", "hint", default="", help="Only the key whose digest begins so, as the list shows it.")
def revoke(path: Path, operator: str, reason: str, hint: str) -> None:
    """End his keys now, all or one, for good; their streams end with them."""
    _ask(path, Order("revoke", operator, reason, hint=hint))
    click.echo(f"{'This key' if hint else 'Every key'} of {operator} has ended.")


@operators.command()
@_CONFIG
@_REASON
def reload(path: Path, reason: str) -> None:
    """Have the running studio read its configuration again, as SIGHUP does, and say what counts now."""
    click.echo(_ask(path, Order("reload", reason=reason)).said)


def _ask(path: Path, order: Order) -> Answered:
    """The running studio, or the desk of a stopped one; what is refused is said on the error stream."""
    try:
        config = load_config(path)
        database = Path(config.studio.database)
        answered = ask_running(database, order)
        if answered is None:
            with Store.open(record_file(config, of_desk=True), create=False) as store:
                answered = _stopped(store, order, config.operators)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    if answered.refused:
        raise click.ClickException(answered.refused)
    return answered


def _stopped(store: Store, order: Order, sections: Mapping[str, OperatorSection]) -> Answered:
    writer = Writer(store)
    try:
        with store.reader() as reader:
            clock = SteadyClock(reader.newest_ms())

            def commit(unit: Unit) -> int:
                return writer.commit(unit).last_seq

            desk = OperatorDesk(commit, clock.now_ms, OperatorKeys({}), lambda: reader)
            desk.take_file(sections)
            desk.restore(reader.events(kinds=OPERATOR_KINDS))
            return carry_out(desk, order, account(os.getuid()))
    finally:
        writer.close()
