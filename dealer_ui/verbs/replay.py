"""`studio replay`: one recorded round, step by step, as text, in the words of the English catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from dealer_ui.past.timeline import RowNarrator, sentence_of
from dealer_ui.words.language import ENGLISH, Languages
from studio.cli.keys import source
from studio.cli.older import reading
from studio.cli.place import PLACE
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.keys.keyring import read_keys
from studio.journal.keys.wrapping import WrappedBy
from studio.journal.place import Place, is_address
from studio.money import format_minor
from studio.proof.telling.event import Catalogue
from studio.proof.telling.replay import FoundRound, find_round, tell_round
from studio.reports.subject import names_of_staff


@click.command("replay")
@click.argument("db", type=PLACE, metavar="DB")
@click.argument("round_asked", metavar="ROUND")
@click.option("--table", metavar="KEY", help="The table, where ROUND is a number and there are several tables.")
@click.option("--json", "as_json", is_flag=True, help="Print the journal's rows of the round, one a line.")
@click.option("--phh", is_flag=True, help="Write a hand of the poker room in the PHH notation.")
@click.option("--text", is_flag=True, help="Write a hand of Open-Face Chinese as text, street by street.")
@click.option("--wrapped-by", callback=source, help="With --seat: where the key that wraps the key file comes from.")
@click.option(
    "--seat", metavar="SEAT", help="With --phh or --text: with this seat's own cards, opened by the key file."
)
def command(  # noqa: PLR0913 - one option each
    db: Place,
    round_asked: str,
    table: str | None,
    as_json: bool,
    phh: bool,
    text: bool,
    seat: str | None,
    wrapped_by: WrappedBy | None,
) -> None:
    """Tell one round step by step: what was seen, what happened, who did it, what was paid.

    ROUND is its id or its number. Times are UTC. A card that was never revealed stays sealed: no keys are used but
    those that were published with the cards. A hand of the poker room can be written as PHH, cards that nobody showed
    as `??`, and one of Open-Face Chinese as text; --seat needs the key file beside the database, and is for the player
    of that seat.
    """
    if phh and text:
        raise click.UsageError("--phh and --text are two ways to write a hand: ask for one of them.")
    if seat and is_address(db):
        raise click.UsageError("--seat needs the key file, which lies beside no address: it is for a studio on a file.")
    if seat and not phh and not text:
        raise click.UsageError("--seat goes with --phh or --text: it writes the hand as that seat knew it.")
    try:
        with reading(db) as reader:
            found = find_round(reader, round_asked, table)
            if phh or text:
                click.echo(_history(db, reader, found, seat or "", wrapped_by=wrapped_by, phh=phh), nl=False)
                return
            if as_json:
                for row in reader.events(round=found.id):
                    click.echo(row.body.decode())
                return
            names = names_of_staff(reader)
            for line in tell_round(reader, found, english(found.config.currency, names), names):
                click.echo(line)
    except BadInputError as error:
        raise click.ClickException(str(error)) from None


def english(currency: str, names: Mapping[str, str] | None = None) -> Catalogue:
    """The English catalogue, in which a round at a table of this currency is told; `names` of people by their ids."""
    language, known = Languages().speak(ENGLISH), names or {}
    teller = RowNarrator(language, currency, name_of=lambda id: known.get(id, id), money=format_minor)
    return Catalogue(lambda event: sentence_of(event, teller), lambda kind: language.say(f"posting.{kind}"))


def _history(
    db: Place, reader: Reader, found: FoundRound, seat: str, *, wrapped_by: WrappedBy | None, phh: bool
) -> str:
    # PokerKit takes a quarter of a second, which no other verb should wait
    from studio.proof.telling.hand_replay import phh_of, text_of

    write = phh_of if phh else text_of
    return write(reader, found, seat, lambda ids: read_keys(Path(f"{db}.keys"), ids, wrapped_by))
