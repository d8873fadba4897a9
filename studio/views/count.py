"""A count of cards and a change of the shoe, as a screen shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from studio.cards import Card
from studio.tables.deal.course import shoe_is_short
from studio.tables.state.table import Status, TableState
from studio.views.shape import ChangeStep, CountView, Words


def view_count(state: TableState) -> CountView | None:
    """The count under way, else how the last one ended."""
    count, ended = state.decks.count, state.decks.counted
    if count is not None:
        return CountView(True, count.deck_id, count.whole, count.drawn, count.wanted, count.unread)
    if ended is None:
        return None
    return CountView(
        False, ended.deck_id, ended.whole, ended.counted, ended.wanted, 0, ended.verdict, _signs(ended.missing),
        _signs(ended.doubled),
    )  # fmt: skip


def view_change(state: TableState) -> tuple[ChangeStep, ...]:
    """The steps from the cut card to the next deck, while a shoe change is due at an open table.

    Where each round has a shuffle of its own, taking the next deck is a part of the round: its act is enough.
    """
    if state.status is not Status.OPEN or state.decks.count is not None:
        return ()
    due = state.deck is not None and state.deck.change_due
    over = state.round is None or state.round.over
    of_the_round = state.game.shoe.rounds_per_shuffle == 1 and state.deck is not None
    if not due and (of_the_round or not (over and shoe_is_short(state))):
        return ()
    steps = (
        (Words("change.finish"), over),
        (Words("change.clear"), over and state.felt.clear),
        (Words("change.out", {"deck": state.deck.id}) if state.deck else Words("change.empty"), state.deck is None),
        (Words("change.verified", {"deck": state.approved[-1]}) if state.approved else Words("change.wait"),
         bool(state.approved)),
        (Words("change.load"), False),
    )  # fmt: skip
    return tuple(_ordered(steps))


def _ordered(steps: tuple[tuple[Words, bool], ...]) -> Iterator[ChangeStep]:
    """What is not done yet is due, the first of it, or comes later."""
    found_due = False
    for says, done in steps:
        yield ChangeStep(says, "done" if done else "later" if found_due else "due")
        found_due = found_due or not done


def _signs(cards: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{Card.parse(card).sign}{f' × {times}' if times > 1 else ''}" for card, times in cards.items())
