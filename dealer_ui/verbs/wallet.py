"""The verbs of `studio wallet`: an operator's wallet tried, and one simulated."""

from __future__ import annotations

from typing import Final

import click

from dealer_ui.rehearsal.operator.cli import operator_command
from dealer_ui.verbs.wallet_check import check_command

wallet: Final = click.Group(
    "wallet", {"check": check_command, "operator": operator_command}, help="Try operators' own wallets."
)
