"""What can happen when a round is settled in parts: bets that are decided while it goes on are paid then."""

from __future__ import annotations

import msgspec

from studio.settlement import Short


class PartEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


class PartOpened(PartEvent, frozen=True, kw_only=True, tag=True):
    """From here on these bets are decided, and no others: by bet key, what a stake of 1 comes back as, as in `21`.

    What was in force before and is not any more is reversed, under this `revision`; the stakes of the bets in `back`
    go to their bettors. `claw_back` says by operator what becomes of money that a purse does not cover then.
    """

    revision: int
    returns: dict[str, str]
    back: tuple[str, ...] = ()
    claw_back: dict[str, str] = {}


class PartSettled(PartEvent, frozen=True, kw_only=True, tag=True):
    """One chunk of a part is settled. `cursor`: how many of the round's bets have been gone through; `over`: all of
    them.

    The chunk moved money for `bets` of them. `stake_minor` and `returns_minor` are sums over the bets decided so far in
    this part; `digest` covers what was moved. `shorts`: what purses did not cover in this chunk.
    """

    cursor: int
    bets: int
    stake_minor: int
    returns_minor: int
    digest: str
    over: bool
    shorts: tuple[Short, ...] = ()
