"""The command `studio`: the verbs of all three packages, each imported only when it is called."""

from __future__ import annotations

import getpass
import signal
import warnings
from collections.abc import Mapping
from types import FrameType
from typing import Any, Final, NoReturn

import click

from studio.cli import load, verbs
from studio.cli.outlet import any_name_can_be_said, require_no_empty_word, said_plainly

_VERBS: Final = {
    **verbs,
    "demo": "dealer_ui.verbs.running:demo",
    "serve": "dealer_ui.verbs.running:serve",
    "cluster": "dealer_ui.verbs.cluster:cluster",
    "floor": "dealer_ui.verbs.floor:floor",
    "staff": "dealer_ui.verbs.staff:staff",
    "replay": "dealer_ui.verbs.replay:command",
    "operators": "dealer_ui.verbs.operators:operators",
    "hosts": "dealer_ui.verbs.hosts:hosts",
    "decks": "dealer_ui.verbs.decks:decks",
    "simulate": "dealer_ui.rehearsal.simulate:simulate",
    "devices": "devices.cli:group",
    "care": "dealer_ui.verbs.care:care",
    "keys": "dealer_ui.verbs.keys:keys",
    "wallet": "dealer_ui.verbs.wallet:wallet",
    "upgrade-rehearsal": "dealer_ui.verbs.upgrade:command",
}


class StoppableGroup(click.Group):
    """A group whose commands end cleanly when the process is told to stop: whatever is open is closed, exit 130."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = _VERBS.get(cmd_name)
        return None if place is None else load(place)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        any_name_can_be_said()
        warnings.simplefilter(
            "ignore", getpass.GetPassWarning
        )  # of a PIN that comes by a pipe, with lines of Python's own
        with said_plainly():  # --help and --version speak here
            return super().make_context(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        require_no_empty_word(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        with said_plainly():
            return super().invoke(ctx)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        return super().__call__(*args, **kwargs)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(130)


@click.group(cls=StoppableGroup)
@click.version_option(package_name="live-dealer-studio")
@click.pass_context
def main(context: click.Context) -> None:
    """Run a live-dealer studio: real cards, real dealers, every bet settled exactly once."""
    context.obj = _zones_of


def _zones_of(game: str) -> Mapping[str, int]:
    """The zones of a game's felt, for a camera's calibration: the devices know no game."""
    from studio.games import find_game

    return find_game(game).felt.zones


if __name__ == "__main__":
    main()
