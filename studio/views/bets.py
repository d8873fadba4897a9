"""The money of a table as screens show it: its game's terms, the bets of a round, what the house could lose."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from studio.rounds import WindowClosed
from studio.rulebook.script import Decide, OpenBets, Turn
from studio.tables.bets.readiness import NOBODY, readiness
from studio.tables.books.book import Book
from studio.tables.books.exposure import ExposureTold
from studio.tables.deal.change import terms_mark
from studio.tables.deal.pay_table import pay_table_trouble
from studio.tables.limit import limit_in, limits_of
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited
from studio.views.shape import BetsView, ExposureView, GameView, PayTableView

NEAR_PERCENT: Final = 80
"""From here on the pit is told that a table fills up."""


def view_bets(state: TableState, book: Book) -> BetsView:
    round = state.round
    mine = round is not None and book.round == round.id
    running = round is not None and round.window.closes_at_ms is not None and round.live
    now = awaited(state)
    step = now.step if now else None
    said = readiness(round, book) if round and state.game.owned is not None else NOBODY
    return BetsView(
        open=running and isinstance(step, OpenBets),
        deciding=step.options if running and isinstance(step, Decide | Turn) else (),
        turn=step.box if running and isinstance(step, Turn) else "",
        asked=_asked(state, book, step) if running and mine else 0,
        decided=book.conduct.decided if running and mine else 0,
        closes_at_ms=round.window.closes_at_ms if round else None,
        count=round.stakes.bets if round else 0,
        stake_minor=round.stakes.stake_minor if round else 0,
        currency=state.config.currency,
        by_bet=dict(book.by_bet) if mine else {},
        ready=said.ready,
        bettors=said.bettors,
        exposure=view_exposure(state, book),
        opened=round is not None and _were_open(round),
    )


def _asked(state: TableState, book: Book, step: object) -> int:
    """How many have something to decide now: boxes, where hands are dealt to them, else bettors."""
    if isinstance(step, Turn):
        return 1
    if not isinstance(step, Decide):
        return 0
    round = state.round
    return len(round.stakes.boxes) if round and round.stakes.boxes else book.conduct.asked(state.game, step)


def _were_open(round: Round) -> bool:
    """Whether bettors could bet: no other window comes before theirs, and a round dealt again has had it."""
    closed = any(isinstance(fact, WindowClosed) for fact in round.deal.facts)
    return closed or round.window.closes_at_ms is not None or round.deal.attempt > 1


def view_exposure(state: TableState, book: Book) -> ExposureView | None:
    """None where the seats play among themselves: the house has nothing to lose."""
    if state.game.peers is not None:
        return None
    round, config = state.round, state.config
    told = book.exposed.told if round is not None and not round.over and book.round == round.id else ExposureTold()
    return ExposureView(
        told.most_minor, config.exposure_most_minor, told.refused, dict(told.own), dict(config.operator_limits)
    )


def view_game(state: TableState) -> GameView:
    game, config, terms = state.game, state.config, state.pit.terms
    return GameView(
        key=game.key,
        title=game.title,
        limits=_limits(state, config.currency),
        needs=dict(game.betting.needs),
        currencies={currency: _limits(state, currency) for currency in config.currencies},
        rates=config.rates,
        rules=config.rules,
        window_s=config.window_s,
        own_rows=config.own_rows,
        pay_table=_pay_table(state),
        changed_by=terms.changed_by,
        preset=terms.preset,
        mark=terms_mark(config),
    )


def _limits(state: TableState, currency: str) -> dict[str, tuple[int, int]]:
    config = state.config
    found = {bet: limit_in(limit, currency, config) for bet, limit in limits_of(config, state.game).items()}
    return {bet: (limit.least_minor, limit.most_minor) for bet, limit in found.items()}


def _pay_table(state: TableState) -> PayTableView:
    proof, trouble = state.config.proof, pay_table_trouble(state.config)
    shown = PayTableView(trouble=trouble.key if trouble else "", allowed_by=state.pit.terms.allowed_by)
    if proof is None:
        return shown
    return replace(
        shown,
        certificate=proof.certificate,
        highest_bet=proof.highest_bet,
        highest_percent=proof.highest_percent,
        over=proof.over,
    )
