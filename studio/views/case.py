"""A case of compensation, as the pit's screen shows it."""

from __future__ import annotations

from heapq import nlargest
from typing import Final

from studio.tables.state.case import Case
from studio.views.shape import CaseView

CLAIMS_SHOWN: Final = 20


def view_case(case: Case, currency: str) -> CaseView:
    """The largest claims come with it: there may be a hundred thousand."""
    largest = nlargest(CLAIMS_SHOWN, case.claims, key=lambda claim: claim.prize_minor)
    return CaseView(
        round=case.id,
        incident=case.incident,
        bet=case.bet,
        line=case.line,
        opened_at_ms=case.opened_at_ms,
        assessed=case.assessed,
        bettors=case.bettors,
        prizes_minor=case.prizes_minor(currency),
        pays=case.pays,
        claims=tuple(
            (claim.account, claim.stake_minor, claim.prize_minor, claim.currency or currency) for claim in largest
        ),
    )
