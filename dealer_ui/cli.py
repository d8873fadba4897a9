"""The only place where the verbs of all three packages become the one command `studio`."""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any, NoReturn

import click

from studio.cli import commands


class StoppableGroup(click.Group):
    """A group whose commands end cleanly when the process is told to stop: whatever is open is closed, exit 130."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _stop)
        return super().__call__(*args, **kwargs)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(130)


@click.group(cls=StoppableGroup, commands=[*commands])
@click.version_option(package_name="live-dealer-studio")
def main() -> None:
    """Run a live-dealer studio: real cards, real dealers, every bet settled exactly once."""
