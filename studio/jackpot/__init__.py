"""Progressive pots: what a round owes its pot, what a winner takes out of it, and which transfers that is. Pure."""

from studio.jackpot.pot import PotTerms, contribution_minor, divide
from studio.jackpot.transfers import (
    claiming_transfers,
    feeding_transfers,
    returning_transfers,
    seeding_transfers,
    seeding_unit_of,
)

__all__ = [
    "PotTerms",
    "claiming_transfers",
    "contribution_minor",
    "divide",
    "feeding_transfers",
    "returning_transfers",
    "seeding_transfers",
    "seeding_unit_of",
]
