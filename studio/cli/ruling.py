"""`studio ruling`: what the procedures say about an incident, with the row that says it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import click

from studio.cli.procedures import table_rows
from studio.errors import BadInputError
from studio.games import find_game
from studio.procedures import AFTERWARDS, KIND_BY_KEY, RULING_BY_KEY, Procedures, Ruling, Severity, procedures_of
from studio.procedures.course import Matter, course
from studio.procedures.record import in_force
from studio.procedures.rule import rule_by
from studio.procedures.step import Step, Who


@click.command("ruling")
@click.option("--game", default="", metavar="KEY", help="The game dealt at the table.")
@click.option("--incident", required=True, metavar="KIND", help="What happened, by its key.")
@click.option("--phase", required=True, metavar="PHASE", help="The phase of the round in which it was found.")
@click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="A circumstance; may be given many times.")
@click.option("--config", type=click.Path(path_type=Path), help="A configuration file: its tables' own rows rule too.")
@click.option("--table", default="", metavar="KEY", help="The table of that file; the first where nothing is said.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.argument("more", nargs=-1, metavar="[NAME=VALUE]...")
def command(  # noqa: PLR0913 - one option each
    game: str,
    incident: str,
    phase: str,
    given: tuple[str, ...],
    config: Path | None,
    table: str,
    as_json: bool,
    more: tuple[str, ...],
) -> None:
    """Say what the procedures rule: the row that decides, who approves, and what goes back."""
    try:
        procedures = _procedures(game.strip(), config, table.strip())
        told = _circumstances((*given, *more))
        ruling = _of_this_game(procedures.game, rule_by(procedures, incident.strip(), phase.strip(), told))
    except BadInputError as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(json.dumps(_plain(ruling), ensure_ascii=False))
        return
    click.echo(_words(incident.strip(), ruling))
    if phase.strip() == "revealing" and "void_round" in ruling.choices and "reveal_done" not in told:
        click.echo("Where cards were turned already, a void takes two people: ask with --with reveal_done=yes.")


def _procedures(game: str, config: Path | None, table: str) -> Procedures:
    """The procedures that ship for a game or, with a configuration, those in force at one of its tables."""
    if config is None:
        if table:
            raise BadInputError("--table names a table of a configuration file: name that with --config FILE.")
        if not game:
            raise BadInputError("Say which game is dealt with --game KEY, or which table with --config FILE.")
        return procedures_of(game)
    dealt, own = table_rows(config, table)
    return in_force(game or dealt, own)


def _circumstances(given: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for pair in given:
        name, sign, value = (part.strip() for part in pair.partition("="))
        if not sign or not name:
            raise BadInputError(f"'{pair}' is not a circumstance: write it as NAME=VALUE.")
        if found.setdefault(name, value) != value:
            raise BadInputError(f"'{name}' is given twice, as '{found[name]}' and as '{value}'. Give it once.")
    return found


def _of_this_game(game: str, ruling: Ruling) -> Ruling:
    """The ruling, without those payments of a void round that this game does not make."""
    paid = find_game(game).payment.paid_though_void
    kept = tuple(key for key in ruling.afterwards if not key.startswith(_PAID) or key in paid)
    return replace(ruling, afterwards=kept)


def _plain(ruling: Ruling) -> dict[str, object]:
    """The ruling as plain data. Its `text` also says what a void round still pays, since "every bet goes back" is not
    all then.
    """
    paid = (AFTERWARDS[key] for key in ruling.afterwards if key.startswith(_PAID))
    return {**ruling.plain(), "text": " ".join((ruling.text, *paid))}


def _course(kind: str, ruling: Ruling) -> tuple[Step, ...]:
    holds = KIND_BY_KEY[kind].severity is Severity.HOLD
    return course(Matter(kind, ruling.ruling, ruling.approval, ruling.afterwards, holds))


def _words(kind: str, ruling: Ruling) -> str:
    meaning = RULING_BY_KEY[ruling.ruling]
    chosen = f" ({', '.join(ruling.options)})" if ruling.options else ""
    boxes = f" [{', '.join(ruling.arguments)}]" if ruling.arguments else ""
    lines = [
        f"{ruling.row or 'no row'}: {ruling.ruling}{boxes}{chosen}",
        ruling.text,
        f"Approved by: {_APPROVED_BY[ruling.approval]}",
        f"Given back: {meaning.gives_back}",
        *(AFTERWARDS[key] for key in ruling.afterwards),
        *(f"  {number}. {_WHO[step.who]}: {step.text}" for number, step in enumerate(_course(kind, ruling), 1)),
    ]
    return "\n".join(lines)


_PAID = "pay_"
"""So begin the keys of what is paid though the round is void."""
_WHO = {
    Who.DEALER: "Dealer", Who.PIT_BOSS: "Pit boss", Who.SECOND: "Second person", Who.FLOOR: "Technician",
    Who.SHUFFLER: "Shuffler",
}  # fmt: skip
_APPROVED_BY = {
    "none": "nobody needs to.",
    "dealer": "the dealer.",
    "pit_boss": "a pit boss, with a reason and the PIN.",
    "two_people": "two people; the second, with pit rights, is another person.",
}
