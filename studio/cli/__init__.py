"""The verbs of the core on the command line: one file a verb, and the one explicit list of them."""

from __future__ import annotations

from typing import Final

import click

from studio.cli import (
    archive,
    backup,
    care,
    doctor,
    export,
    hands,
    procedures,
    replay,
    report,
    rtp,
    ruling,
    settle,
    verify,
)

commands: Final[tuple[click.Command, ...]] = (
    settle.command,
    rtp.command,
    ruling.command,
    procedures.command,
    verify.command,
    replay.command,
    hands.command,
    doctor.command,
    care.command,
    report.command,
    archive.command,
    backup.command,
    backup.restore_command,
    backup.rehearsal_command,
    export.command,
    export.verify_command,
)
"""Collected by the `studio` group of the top floor; each verb's file calls its click command `command`."""
