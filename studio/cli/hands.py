"""`studio hands`: recorded hands of poker, played again card by card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from studio.errors import BadInputError
from studio.text_file import read_text

if TYPE_CHECKING:
    from studio.histories.phh import HandHistory


@click.command("hands")
@click.argument("files", nargs=-1, required=True, metavar="FILE.phh…")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a hand, each at once.")
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Play hand histories in the PHH notation through the poker room and print the finishing stacks.

    No-limit Hold'em (NT), short-deck (NS) and pot-limit Omaha (PO) are dealt here. Burn cards, which the notation does
    not record, are supplied as unknown. A file may hold many hands, as tables [1], [2] and so on. A hand that cannot be
    played is answered with an error, the others go on, and the exit code is 1.
    """
    bad = False
    for file in files:
        for told in _played(file):
            bad |= "error" in told
            click.echo(json.dumps(told, ensure_ascii=False) if as_json else _words(told))
    ctx.exit(1 if bad else 0)


def _played(file: str) -> Iterator[dict[str, Any]]:
    from studio.histories.phh import (  # PokerKit takes a quarter of a second, which no other verb waits
        hands_in,
        read_hand,
    )

    try:
        hands = hands_in(_text(file))
    except BadInputError as error:
        yield {"file": file, "error": str(error)}
        return
    for name, hand in hands.items():
        which = {"file": file, "hand": name} if name else {"file": file}
        try:
            history = read_hand(hand)
            yield {**which, "variant": history.variant, "finishing_stacks": _stacks(history)}
        except BadInputError as error:
            yield {**which, "error": str(error)}


def _text(file: str) -> str:
    try:
        return read_text(Path(file))
    except BadInputError as error:
        raise BadInputError(error.sentence) from None  # the line names the file already


def _stacks(history: HandHistory) -> list[int | float]:
    from studio.histories.phh import in_file_units, play_phh

    return [in_file_units(stack, history.scale) for stack in play_phh(history).stacks]


def _words(told: dict[str, Any]) -> str:
    which = f"{told['file']}, hand {told['hand']}" if "hand" in told else told["file"]
    if "error" in told:
        return f"{which}: {told['error']}"
    return f"{which}: {told['variant']}, finishing stacks {', '.join(map(str, told['finishing_stacks']))}"
