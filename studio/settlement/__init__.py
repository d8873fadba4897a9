"""Settlement: from an outcome and the bets to payouts, and from payouts to transfers. Pure; it moves nothing itself."""

from studio.settlement.lost_prize import Claim, compensations, lost_prizes
from studio.settlement.payout import (
    NO_SHARES,
    UNMERGED,
    Payout,
    PlacedBet,
    merged_stakes,
    payout_minor,
    pot_shares,
    settle_bets,
)
from studio.settlement.rakeback import fee_minor, rakeback_fees
from studio.settlement.transfers import (
    CHUNK_BETS,
    Prize,
    Progress,
    Purse,
    chunks,
    payouts_digest,
    resettling_transfers,
    settle_chunk,
    settling_transfers,
    unsettling_transfers,
    voiding_transfers,
)
from studio.settlement.void import void_transfers

__all__ = [
    "CHUNK_BETS",
    "NO_SHARES",
    "UNMERGED",
    "Claim",
    "Payout",
    "PlacedBet",
    "Prize",
    "Progress",
    "Purse",
    "chunks",
    "compensations",
    "fee_minor",
    "lost_prizes",
    "merged_stakes",
    "payout_minor",
    "payouts_digest",
    "pot_shares",
    "rakeback_fees",
    "resettling_transfers",
    "settle_bets",
    "settle_chunk",
    "settling_transfers",
    "unsettling_transfers",
    "void_transfers",
    "voiding_transfers",
]
