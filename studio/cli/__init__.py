"""The verbs of the core on the command line: one file a verb, and the one explicit list of them."""

from __future__ import annotations

import importlib
from typing import Final

import click

verbs: Final = {
    "settle": "studio.cli.settle:command",
    "rtp": "studio.cli.rtp:command",
    "ruling": "studio.cli.ruling:command",
    "procedures": "studio.cli.procedures:command",
    "verify": "studio.cli.verify:command",
    "hands": "studio.cli.hands:command",
    "doctor": "studio.cli.doctor:command",
    "keys": "studio.cli.keys:command",
    "care": "studio.cli.care:command",
    "program": "studio.cli.program:command",
    "report": "studio.cli.report:command",
    "statement": "studio.cli.statement:command",
    "reconcile": "studio.cli.statement:reconcile_command",
    "archive": "studio.cli.archive:command",
    "backup": "studio.cli.backup:command",
    "restore": "studio.cli.backup:restore_command",
    "prepare": "studio.cli.prepare:command",
    "migrate-to-postgres": "studio.cli.migrate:command",
    "export": "studio.cli.export:command",
    "verify-export": "studio.cli.export:verify_command",
}
"""Where each verb's command is: `module:attribute`. Only the verb that is called is imported, so each starts fast."""


def load(place: str) -> click.Command:
    """The command at `module:attribute`.

    >>> load(verbs["settle"]).name
    'settle'
    """
    module, _, attribute = place.partition(":")
    command = getattr(importlib.import_module(module), attribute)
    assert isinstance(command, click.Command)
    return command
