"""The parts of a settlement in sentences: what is paid before the end of a round, and what of it is taken back."""

from __future__ import annotations

from collections.abc import Mapping

from studio.money import format_minor
from studio.proof.telling.past import counted
from studio.tables.event import table as e


def tell_part(event: e.AnyEvent, currency: str) -> str:
    match event:
        case e.BettorReady(operator=operator, bettor=bettor, closes=closes):
            last = "he was the last, and the bettors end their window." if closes else "the cards may come."
            return f"{bettor} of {operator} bets no more: {last}"
        case e.PartOpened(returns=returns, revision=revision, back=back):
            again = f" What was paid before is put right under revision {revision}." if revision else ""
            gone = f" The stakes on {', '.join(back)} go back to their bettors." if back else ""
            return f"{_decided(returns)}{again}{gone}"
        case e.PartSettled(bets=bets, stake_minor=stake, returns_minor=returns, shorts=shorts):
            short = f" Purses did not cover {counted(len(shorts), 'claim')}." if shorts else ""
            staked, returned = format_minor(stake, currency), format_minor(returns, currency)
            return f"Paid before the end: {counted(bets, 'bet')}, {returned} returned on {staked}.{short}"
    return ""


def _decided(returns: Mapping[str, str]) -> str:
    if not returns:
        return "No bet is decided any more."
    told = ", ".join(f"{bet} loses" if ret == "0" else f"{bet} returns {ret} for 1" for bet, ret in returns.items())
    return f"Decided while the round goes on: {told}."
