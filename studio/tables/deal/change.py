"""The pit's change of a table between rounds: its game, pay table, limits and window."""

from __future__ import annotations

import hashlib
from typing import Final

import msgspec

from studio.errors import BadInputError, RefusedError
from studio.games import find_game
from studio.people import need_fresh_pin, need_right
from studio.rulebook.game import Game
from studio.rulebook.script import WINDOW_S
from studio.tables import command as c
from studio.tables.books.exposure import unplaceable
from studio.tables.config import TableConfig
from studio.tables.deal.pay_table import pay_table_trouble
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import Situation, TableRules
from studio.tables.state.rotation import DeckStage
from studio.tables.state.table import Status, TableState


def change_table(draft: Draft, command: c.ChangeTable) -> None:
    """The rounds dealt before keep the rules they were dealt under; a new game begins with a fresh deck."""
    need_right(command.actor, "change_table")
    need_fresh_pin(command.actor, draft.at_ms)
    state = draft.state
    words = command.words.strip()
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    _need_between_rounds(state)
    if command.shown and command.shown != terms_mark(state.config):
        raise RefusedError("terms_changed", _TERMS_CHANGED)
    after = _changed(state, command)
    if after == state.config:
        raise RefusedError("nothing_changes", "Nothing would change: choose another game, pay table, limit or window.")
    _need_seats_free(state, after)
    _need_pay_table(state, after)
    actor, told = command.actor, (_said(state.config), _said(after))
    draft.emit(
        e.TableChanged(
            by=actor.id, by_name=actor.name, preset=command.preset, game=after.game, reason_code=command.reason_code,
            words=words, before=told[0], after=told[1],
        ),
        e.ExceptionRecorded(
            incident="", act="change_table", asked_by=actor.id, approved_by="", before=told[0], after=told[1],
            reason_code=command.reason_code, words=words, row="",
        ),
    )  # fmt: skip
    full = find_game(after.game).shoe.under(after.rules)
    if after.game != state.config.game or full.cards != state.shoe.cards:
        _end_old_shoe(draft, full.cards)
    draft.emit(e.TableConfigured(config=after))


def as_changed(config: TableConfig, state: TableState) -> TableConfig:
    """The configuration of the file, under the game, pay table, limits and window the table has to go on with: those
    the pit changed it to, or those of a round of another game that is not over. Seats that are taken keep game and
    currency.
    """
    own = state.config
    open_round = state.round is not None and not state.round.over and own.game != config.game
    if state.room.players and (own.game, own.currency) != (config.game, config.currency):
        config = msgspec.structs.replace(config, currency=own.currency)  # the chips of the seats lie in it
    elif not state.pit.terms.changed_by and not open_round:
        return config
    return msgspec.structs.replace(
        config,
        game=own.game,
        rules=own.rules,
        limits=own.limits,
        window_s=own.window_s,
        pot=own.pot,
        rates=own.rates,
        exposure_most_minor=own.exposure_most_minor,
    )


def terms_mark(config: TableConfig) -> str:
    """A digest of game, rules, limits and window: what is changed over these terms is no change of later ones."""
    return hashlib.sha256(repr(_said(config)).encode()).hexdigest()[:16]


_TERMS_CHANGED: Final = "Game, limits or window were changed meanwhile: look at what holds now, then change it."


def _need_between_rounds(state: TableState) -> None:
    if state.round is not None and not state.round.over:
        raise RefusedError(
            "round_open", "A round is open: finish it or void it, then change the table.", which="change"
        )
    if state.held or state.incidents.open:
        raise RefusedError("held", "The table is held: what stopped it must be ruled on first.")
    if not state.felt.clear:
        raise RefusedError("felt_not_clear", "Clear every card from the felt, then change the table.", which="change")
    if state.aftermath.corrections.current is not None:
        raise RefusedError("correction_open", "A round is being corrected: let that end, then change the table.")
    if state.aftermath.cases:
        raise RefusedError("case_open", "A lost prize is not settled yet: decide and pay it, then change the table.")


def _need_seats_free(state: TableState, after: TableConfig) -> None:
    """Whoever sits at a game of the poker room has chips there, and sat down to that game."""
    if state.room.players and after.game != state.config.game:
        seats = ", ".join(sorted(state.room.players))
        raise RefusedError(
            "seats_taken",
            f"Chips lie at {seats}: have every bettor leave, or send him away, then change the game.",
            seats=" ".join(sorted(state.room.players)),
        )


def _changed(state: TableState, command: c.ChangeTable) -> TableConfig:
    """The table's configuration as it would be; refused where game, rules, limits or window make no sense."""
    try:
        game = find_game(command.game)
        game.options.check(command.rules)
    except BadInputError as error:
        raise RefusedError("game_wrong", error.sentence) from error
    if not 0 < command.window_s <= WINDOW_S:
        raise RefusedError("window_wrong", f"The window for bets lasts more than 0 and at most {WINDOW_S} seconds.")
    _need_limits(game, command)
    if command.pot is not None and not game.pot.bet:
        raise RefusedError("game_wrong", f"{game.title} has no bet that feeds a pot.")
    most_minor = command.exposure_most_minor
    after = msgspec.structs.replace(
        state.config, game=game.key, rules=dict(command.rules), limits=dict(command.limits), window_s=command.window_s,
        pot=command.pot, proof=command.proof, rates=command.rates,
        exposure_most_minor=state.config.exposure_most_minor if most_minor is None else most_minor,
    )  # fmt: skip
    _need_room(after)
    return after


def _need_limits(game: Game, command: c.ChangeTable) -> None:
    if "*" not in command.limits:
        raise RefusedError("limits_wrong", "Write the least and the highest stake that hold for every bet.")
    for bet, limit in command.limits.items():
        if bet != "*" and bet not in game.betting.bets:
            raise RefusedError("limits_wrong", f"{game.title} has no bet '{bet}': leave its limits out.")
        if not 0 < limit.least_minor <= limit.most_minor:
            raise RefusedError("limits_wrong", "The least stake is above 0 and not above the highest: write them anew.")


def _need_room(after: TableConfig) -> None:
    if bet := unplaceable(after, after.exposure_most_minor):
        raise RefusedError(
            "exposure_wrong",
            f"The house could lose more on one least stake on {bet} than it may in a whole round: raise that limit.",
            bet=bet,
        )


def _need_pay_table(state: TableState, after: TableConfig) -> None:
    """An open table goes on only with a pay table that may be dealt on; a closed one waits for it, or for an
    administrator, before it opens.
    """
    allowed = state.pit.terms.allowed_by and after.same_pay_table(state.config)
    trouble = pay_table_trouble(after)
    if trouble is not None and not allowed and state.status is not Status.CLOSED:
        raise trouble


def _end_old_shoe(draft: Draft, wanted: int) -> None:
    """The deck in the shoe deals no further, and decks of another size than wanted are no decks of the new game."""
    if draft.state.deck is not None:
        draft.emit(e.ShoeWithdrawn(why="the game was changed"))
    for deck in draft.state.decks.records:
        if deck.stage is DeckStage.VERIFIED and deck.count != wanted:
            verdict = "short" if deck.count < wanted else "over"
            draft.emit(e.DeckRefused(deck_id=deck.id, count=deck.count, verdict=verdict))


def _said(config: TableConfig) -> Situation:
    """A configuration for the record: game, rules, limits, window."""
    rules = {name: str(value) for name, value in sorted(config.rules.items())}
    limits = dict(sorted(config.limits.items()))
    title, most_minor = find_game(config.game).title, config.exposure_most_minor
    return Situation((TableRules(config.game, title, rules, limits, most_minor, config.currency, config.window_s),))
