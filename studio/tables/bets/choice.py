"""How the bettor of a box decides for it: in its turn, and at a window that offers something to every box.

One choice is one commit: the choice, the stake it adds, and the fact the deal goes on by. Either all of it stands or
nothing does.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from studio.errors import RefusedError
from studio.journal import Entry, Unit
from studio.money import Answer, Offer, answer_of, format_minor
from studio.rounds import Chose
from studio.rounds.play import STAKING
from studio.rulebook.script import Decide, Turn
from studio.tables.bets.placement import staked_by
from studio.tables.books.commit import DurableTable
from studio.tables.books.taken import TakenStakes, Weighed, entry_of
from studio.tables.deal.course import open_turn
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.felt.shoe_reading import adopt
from studio.tables.seats.player import open_bank
from studio.tables.state.box import box_of, cards_of
from studio.tables.state.room import stack_purse
from studio.tables.state.round import Round
from studio.tables.state.table import awaited
from studio.wallets.record import WalletAnswered


def take_choices(
    table: DurableTable, choices: Sequence[e.Decision], now: int, taken: TakenStakes
) -> tuple[Answer, ...]:
    """Take choices of boxes one after another, each answered; one sent again is a duplicate, however late."""
    return tuple(table.book.decided(choice) or _take(table, choice, now, taken) for choice in choices)


def weigh_choice(table: DurableTable, choice: e.Decision, now: int) -> Answer | Weighed:
    """What would become of this choice now, and what it stakes; chips of a stack are no new stake."""
    if (again := table.book.decided(choice)) is not None:
        return again
    try:
        round, step = _need_turn(table, choice, now, banked=bool(_bank_opened(table, now)))
        _need_option(step, round, table, choice)
        offer = _stake(table, round, step, choice)
    except RefusedError as refused:
        return answer_of(refused, choice.client_id)
    stakes = (offer,) if offer is not None and table.state.game.peers is None else ()
    return Weighed(stakes, round.window.closes_at_ms or 0)


def _take(table: DurableTable, choice: e.Decision, now: int, taken: TakenStakes) -> Answer:
    _open_bank(table, now)
    try:
        round, step = _need_turn(table, choice, now)
        _need_option(step, round, table, choice)
        offer = _stake(table, round, step, choice)
    except RefusedError as refused:
        return answer_of(refused, choice.client_id)
    events = _chosen(table, choice, offer, step, now)
    if offer is None:
        table.commit(events)
        return Answer(choice.client_id, "", "accepted")
    offers = (offer if table.state.game.peers is not None else taken.give(offer),)
    entries = tuple(table.entries(events))

    ended: WalletAnswered | None = None

    def told(accepted: Sequence[Offer]) -> tuple[Entry, ...]:
        nonlocal ended
        ended = taken.ends(offers, accepted, table.at_ms)
        return (*(entries if accepted else ()), *entry_of(ended))

    receipt = table.store(Unit(offers=offers, entries_for_bets=told))
    taken.book(ended)
    [answer] = receipt.answers
    if answer.status == "accepted":
        table.believe(events, receipt.last_seq)
    return answer


def _open_bank(table: DurableTable, now: int) -> None:
    """A choice that comes after its time, and before the clock has said so, finds the seat's time bank running."""
    if opened := _bank_opened(table, now):
        table.commit(opened)


def _bank_opened(table: DurableTable, now: int) -> tuple[e.AnyEvent, ...]:
    """What the clock would say of the turn whose time is over: that the seat's time bank runs, if it has one."""
    draft, round, waiting = Draft(table.state, now), table.state.round, awaited(table.state)
    if table.state.game.peers is None or round is None or waiting is None or table.state.held or table.storage_failed:
        return ()
    if round.window.closes_at_ms is not None and now >= round.window.closes_at_ms and isinstance(waiting.step, Turn):
        open_bank(draft, waiting.step.box)
    return tuple(draft.events)


def _need_turn(
    table: DurableTable, choice: e.Decision, now: int, *, banked: bool = False
) -> tuple[Round, Turn | Decide]:
    """The round and the step this box decides at now; refused with what stands in the way. `banked`: its time bank is
    to run when its time is over.
    """
    state, round, waiting = table.state, table.state.round, awaited(table.state)
    if not choice.box:
        raise RefusedError("box_needed", "This game is played by boxes: name the box that decides.")
    if round is None or not round.live:
        raise RefusedError("closed", "No round is being dealt; there is nothing to decide.")
    if not _is_own(table, choice):
        raise RefusedError("not_your_box", f"Box {choice.box} is not this bettor's; he decides for his own boxes only.")
    step = waiting.step if waiting else None
    if state.held or table.storage_failed:
        raise RefusedError("held", "The table is held; the box has all of its time again when it goes on.")
    if not isinstance(step, Turn | Decide) or (isinstance(step, Turn) and step.box != choice.box):
        _refuse_out_of_turn(round, choice, step)
    assert isinstance(step, Turn | Decide)
    if round.window.closes_at_ms is None:
        raise RefusedError("closed", "No decision is open now; wait for the next one.")
    if now >= round.window.closes_at_ms and not banked:
        raise RefusedError("late", f"The time of box {choice.box} is over; the game's own rule decides for it.")
    return round, step


def _is_own(table: DurableTable, choice: e.Decision) -> bool:
    if table.state.game.peers is not None:
        player = table.state.room.players.get(choice.box)
        return player is not None and (player.operator, player.bettor) == (choice.operator, choice.bettor)
    return table.book.owners.has((choice.operator, choice.bettor), choice.box)


def _refuse_out_of_turn(round: Round, choice: e.Decision, step: object) -> None:
    """Refuse a choice out of turn: its box has chosen already, its time is over, or another box decides first."""
    last = next((fact for fact in reversed(round.deal.plain) if isinstance(fact, Chose)), None)
    if last is not None and last.box == choice.box and not isinstance(step, Turn):
        if last.by_default:
            raise RefusedError("late", f"The time of box {choice.box} was over; by the rules it did {last.option}.")
        raise RefusedError("decided", f"Box {choice.box} has chosen to {last.option}; the first choice stands.")
    if isinstance(step, Turn):
        raise RefusedError("out_of_turn", f"It is the turn of box {step.box}; wait until it is that of {choice.box}.")
    raise RefusedError("closed", "No decision is open now; wait for the next one.")


def _need_option(step: Turn | Decide, round: Round, table: DurableTable, choice: e.Decision) -> None:
    options = step.options
    if isinstance(step, Decide):
        if choice.box not in round.stakes.boxes:
            raise RefusedError("out_of_turn", "This is offered to whole boxes; name the box without its row.")
        if table.book.conduct.has_decided((choice.operator, choice.bettor), choice.box):
            raise RefusedError("decided", f"Box {choice.box} has decided already; the first decision stands.")
        game = table.state.game
        options = game.owned.options_of(step, cards_of(round, choice.box)) if game.owned else options
    if choice.option not in options:
        sentence = f"The options of box {choice.box} now are {', '.join(options)}: choose one of them."
        raise RefusedError("no_such_option", sentence)


def _need_rows(step: Turn, choice: e.Decision) -> None:
    """Refuse a choice unless it lays its cards right: when a street is set, each card goes to a row with room or is
    given up; otherwise no rows are named.
    """
    if step.placing is None:
        if choice.rows:
            raise RefusedError("no_rows", f"To {choice.option} sets no cards: leave the rows out.")
    elif refused := step.placing.refusal(choice.rows):
        raise RefusedError(*refused)


def _chips(table: DurableTable, round: Round, step: Turn, choice: e.Decision) -> Offer | None:
    """What the seat puts in beside what lies in front of it, out of its own stack."""
    if choice.option in STAKING:
        least, most = step.to_minor or (0, 0)
        if not least <= choice.to_minor <= most:
            currency = table.state.config.currency
            said = f"from {format_minor(least, currency)} to {format_minor(most, currency)}"
            raise RefusedError("bad_amount", f"{choice.box} can {choice.option} to an amount {said}: name one of them.")
        cost_minor = step.cost_minor((choice.option, choice.to_minor))
    elif choice.to_minor:
        raise RefusedError("no_amount", f"To {choice.option} names no amount: leave it out.")
    else:
        cost_minor = step.cost_minor(choice.option)
    purse = replace(choice, bettor=stack_purse(choice.bettor, table.state.config.key))
    return staked_by(table, round, purse, choice.box, cost_minor) if cost_minor else None


def _stake(table: DurableTable, round: Round, step: Turn | Decide, choice: e.Decision) -> Offer | None:
    """The stake this choice adds, None where it adds none."""
    if isinstance(step, Turn) and table.state.game.peers is not None:
        _need_rows(step, choice)
        return _chips(table, round, step, choice)
    game, who = table.state.game, (choice.operator, choice.bettor)
    raised = game.decisions.raise_of(choice.option, table.book.opening_stakes(who, box_of(choice.box)))
    if raised is None and any(choice.option in options for options in game.decisions.raised.values()):
        raise RefusedError("no_stake", "Half of that bet is less than the smallest coin: it cannot be insured.")
    if raised is None:
        return None
    bet, stake_minor = raised
    return staked_by(table, round, choice, bet, stake_minor)


def _chosen(
    table: DurableTable, choice: e.Decision, offer: Offer | None, step: Turn | Decide, now: int
) -> tuple[e.AnyEvent, ...]:
    """What happens by this choice: it is taken, and at a turn the deal goes on by it."""
    draft = Draft(table.state, now)
    draft.emit(e.DecisionsTaken(decisions=(choice,), bets=(e.PlacedBet.of(offer),) if offer else ()))
    if isinstance(step, Turn):
        chose = Chose(box=step.box, option=choice.option, to_minor=choice.to_minor, rows=choice.rows)
        draft.emit(e.FactStood(fact=chose))
        adopt(draft)
        open_turn(draft)
    return tuple(draft.events)
