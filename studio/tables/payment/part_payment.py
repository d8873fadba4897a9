"""When bets that are decided before the end of a round are paid, and how: a part at a time, chunk by chunk, once.

The script says what is decided (`Settle`). It is paid when nothing holds the table and both eyes agree on every card;
at the latest with the result. When the facts say something else later, the next part puts it right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from studio.journal import Balances
from studio.rounds import Misfit, Standing
from studio.rulebook.game import Game
from studio.settlement import (
    CHUNK_BETS,
    PartMoves,
    PlacedBet,
    Progress,
    Purse,
    Short,
    Turned,
    may_owe,
    merged_stakes,
    part_moves,
    part_transfers,
)
from studio.tables.books.pot_feed import Clawing, Paid
from studio.tables.event import table as e
from studio.tables.felt.camera_look import unconfirmed
from studio.tables.state.box import box_of
from studio.tables.state.part import Parts
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState


def owes_part(state: TableState) -> bool:
    """Whether a part is being settled, or another one is due."""
    round = state.round
    return round is not None and (round.parts.turned is not None or part_due(state, round) is not None)


def part_due(state: TableState, round: Round) -> e.PartOpened | None:
    """The next part to settle; None when nothing more is decided, or while a card that decides a bet is in doubt."""
    parts = round.parts
    if parts.turned is not None or round.over or round.version < state.game.edition.parts_since:
        return None
    if round.stage is Stage.VOIDING:
        kept = {bet: ret for bet, ret in round.void.pays.items() if bet in parts.returns}
        return opened(parts, kept, parts.returns.keys() - kept.keys(), state.config.claw_back)
    if gone := _of_void_hands(parts, round.stakes.giving_back):
        kept = {bet: ret for bet, ret in parts.returns.items() if bet not in gone}
        return opened(parts, kept, gone, state.config.claw_back)
    if isinstance(round.deal.standing, Misfit):
        return None
    told = opened(parts, decided_in(state.game, round.version, round.deal.standing), (), state.config.claw_back)
    return told if told is None or not round.live or _is_sure(state, round) else None


def decided_in(game: Game, version: int, standing: Standing) -> Mapping[str, Fraction]:
    """The bets a deal has decided so far, by its own rulebook; a misfit has decided nothing."""
    return {} if isinstance(standing, Misfit) or version < game.edition.parts_since else standing.decided


def opened(
    parts: Parts, returns: Mapping[str, Fraction], back: Iterable[str], claw_back: Mapping[str, str]
) -> e.PartOpened | None:
    """The part that brings in force these returns and no others; None where they are."""
    turned = Turned(parts.returns, returns)
    if not turned.keys:
        return None
    return e.PartOpened(
        revision=parts.revision + turned.reverses, returns={bet: str(ret) for bet, ret in returns.items()},
        back=tuple(sorted(back)), claw_back=dict(claw_back) if turned.reverses else {},
    )  # fmt: skip


def _of_void_hands(parts: Parts, giving_back: Sequence[str]) -> frozenset[str]:
    return frozenset(bet for bet in parts.returns if box_of(bet) in giving_back)


def _is_sure(state: TableState, round: Round) -> bool:
    return not (state.held or round.eyes.missed or state.undisposed or unconfirmed(round))


def next_part_step(state: TableState, round: Round, bets: Sequence[PlacedBet], purse: Purse) -> Paid | Clawing | None:
    """The next step of paying a part: opening it, then going through its bets; None when no part is due.

    `bets` are all bets of the round.
    """
    parts = round.parts
    if parts.turned is None:
        told = part_due(state, round)
        return ((told,), ()) if told is not None else None
    until = min(parts.cursor + CHUNK_BETS, len(bets))
    moves = part_moves(bets[parts.cursor : until], parts.turned, merged_stakes(state.game, bets))
    policies = state.config.claw_back
    if not moves.changed:
        transfers, shorts = part_transfers(moves, purse, parts.revision, policies, lambda account, currency: None)
        return (part_settled(parts, moves, (until, len(bets)), purse, shorts),), transfers

    def decided(balance: Balances) -> Paid:
        transfers, shorts = part_transfers(moves, purse, parts.revision, policies, balance)
        return (part_settled(parts, moves, (until, len(bets)), purse, shorts),), transfers

    return Clawing(decided, may_owe(moves.changed, policies))


def part_settled(
    parts: Parts, moves: PartMoves, upto: tuple[int, int], purse: Purse, shorts: tuple[Short, ...]
) -> e.PartSettled:
    """How far the part has come with these moves. `upto`: the bets gone through, of how many."""
    since = Progress(parts.done.bets, parts.done.stake_minor, parts.done.returns_minor) if parts.done else Progress()
    settled = tuple(moves.after)
    return e.PartSettled(
        cursor=upto[0],
        bets=since.bets + len(moves.paid) + len(moves.changed),
        stake_minor=since.stake_minor + sum(purse.worth(each.stake_minor, each.currency) for each in settled),
        returns_minor=since.returns_minor + sum(purse.worth(each.returns_minor, each.currency) for each in settled),
        digest=moves.digest(parts.done.digest if parts.done else ""),
        over=upto[0] == upto[1],
        shorts=shorts,
    )
