"""Progressive pots: what a round owes its pot, what a winner takes out of it, and which transfers that is. Pure."""

from studio.jackpot.pot import PotTerms, Taken, contribution_minor, divide, taken_late
from studio.jackpot.transfers import (
    claiming_transfers,
    feeding_transfers,
    late_claiming_transfers,
    returning_transfers,
    seeding_transfers,
    seeding_unit_of,
    unclaiming_transfers,
)

__all__ = [
    "PotTerms",
    "Taken",
    "claiming_transfers",
    "contribution_minor",
    "divide",
    "feeding_transfers",
    "late_claiming_transfers",
    "returning_transfers",
    "seeding_transfers",
    "seeding_unit_of",
    "taken_late",
    "unclaiming_transfers",
]
