"""The only place where a hand of the poker room is written as a script: our steps around PokerKit's betting engine.

Burns, cards and turns are yielded as in every rulebook; who may bet what, when a betting round is over, side pots,
the order of showing and the odd unit are PokerKit's. Hole cards are opaque here until their seat shows them.

A `Turn` is sent the option, or `(option, to_minor)` for a bet or a raise: what the seat then has in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pokerkit import Automation, Mode, State

from studio.cards import Card
from studio.errors import InvariantError
from studio.games.script import Burn, Deal, Reveal, Script, Turn
from studio.ports import CardFace

BOARD: Final = "board"
UNKNOWN: Final = "??"
TURN_S: Final = 20
"""So long a seat may think before its time bank runs."""

AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
"""What PokerKit does by itself: moving chips. Cards and choices are ours to give."""


@dataclass(frozen=True, slots=True)
class HandTerms:
    """What one hand is played under; all amounts in minor units.

    `seats` from the left of the button on, the button last; `stacks`, `antes` and `blinds` in the same order, but
    heads-up the blinds still read small, big: the button posts the small one. `tabled`: when nobody can bet any more,
    every hand still in is turned at once, and a hand is mucked only where another one claims its pots. Without it, as
    in hands that were played elsewhere, hands are turned at the end, anybody may muck before the last one, and fold
    where he could check.
    """

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    least_bet: int
    tabled: bool = True
    ante_trimmed: bool = True
    turn_s: int = TURN_S


@dataclass(frozen=True, slots=True)
class PotWon:
    """One pot, or the part of it that one board decides: what each winner took of it."""

    amount_minor: int
    winners: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """A hand that is over. `shown`: the hole cards of the seats that showed them, and of nobody else."""

    seats: tuple[str, ...]
    stacks: tuple[int, ...]
    payoffs: tuple[int, ...]
    board: tuple[Card, ...]
    shown: tuple[tuple[str, tuple[Card, ...]], ...]
    pots: tuple[PotWon, ...]
    actions: int


@dataclass(frozen=True, slots=True)
class Variant:
    """What PokerKit must know of a game. `state` makes a hand of it that nothing has happened in yet."""

    key: str
    hole_cards: int
    state: Callable[[HandTerms, Mode], State]


def betting_hand(variant: Variant, terms: HandTerms) -> Script:
    """One hand from the first hole card to the last pot."""
    state = variant.state(terms, Mode.TOURNAMENT if terms.tabled else Mode.CASH_GAME)
    for _ in range(variant.hole_cards):
        for seat in terms.seats:
            yield Deal(seat, CardFace.DOWN)
    while state.can_deal_hole():
        state.deal_hole(UNKNOWN * variant.hole_cards)
    shown: dict[str, tuple[Card, ...]] = {}
    actions = 0
    while state.status:
        if state.can_burn_card():
            yield Burn(1)
            state.burn_card(UNKNOWN)
        elif count := state.board_dealing_count:
            cards = []
            for _ in range(count):
                cards.append((yield Deal(BOARD)))
            state.deal_board(_written(cards))
        elif state.actor_index is not None:
            _act(state, (yield turn_of(state, terms)))
            actions += 1
        else:
            yield from _show(state, terms, shown)
    return _outcome(state, terms, shown, actions)


def turn_of(state: State, terms: HandTerms) -> Turn:
    """What the seat whose turn it is may do; who does nothing in time checks, or folds."""
    at = state.actor_index
    assert at is not None
    owed = state.checking_or_calling_amount or 0
    options = ["fold", "call"] if owed else ["check"] if terms.tabled or not state.can_fold() else ["check", "fold"]
    least, most = (
        state.min_completion_betting_or_raising_to_amount,
        state.max_completion_betting_or_raising_to_amount,
    )
    to_minor = None
    if least is not None and most is not None and state.can_complete_bet_or_raise_to():
        options.append("raise" if max(state.bets) else "bet")
        to_minor = (int(least), int(most))
    return Turn(
        terms.seats[at], tuple(options), terms.turn_s, default=options[0], to_minor=to_minor, owed_minor=int(owed)
    )


def _act(state: State, choice: str | tuple[str, int]) -> None:
    match choice:
        case "fold":
            state.fold()
        case "check" | "call":
            state.check_or_call()
        case (("bet" | "raise"), to_minor):
            state.complete_bet_or_raise_to(to_minor)
        case _:
            raise InvariantError(f"no seat can choose '{choice}' at its turn")


def _show(state: State, terms: HandTerms, shown: dict[str, tuple[Card, ...]]) -> Script:
    """The next seat shows or mucks; before the last street hands are tabled, or kept face down until the end."""
    at = state.showdown_index
    if at is None:
        raise InvariantError("a hand of the poker room awaits neither a card, nor an act, nor a showdown")
    seat = terms.seats[at]
    if state.street is not state.streets[-1] and not terms.tabled:
        state.show_or_muck_hole_cards(())
        return
    if sum(state.statuses) == 1:
        state.show_or_muck_hole_cards(())  # everybody else has mucked: the pots are his, and his cards stay down
        return
    if _may_muck(state, at, shown, terms) and (
        (yield Turn(seat, ("show", "muck"), terms.turn_s, default="show")) == "muck"
    ):
        state.show_or_muck_hole_cards(False)
        return
    faces: tuple[Card, ...] = yield Reveal(seat)
    shown[seat] = faces
    state.show_or_muck_hole_cards(_written(faces))


def _may_muck(state: State, at: int, shown: Mapping[str, object], terms: HandTerms) -> bool:
    """Nobody may when all bets are over before the river, and no pot may be left without a hand that claims it."""
    if not terms.tabled:
        return True
    if state.all_in_status:
        return False
    claimed = {terms.seats.index(seat) for seat in shown}
    return all(claimed & set(pot.player_indices) for pot in state.pots if at in pot.player_indices)


def _written(cards: Sequence[Card]) -> str:
    return "".join(map(str, cards))


def _outcome(state: State, terms: HandTerms, shown: dict[str, tuple[Card, ...]], actions: int) -> HandOutcome:
    board = tuple(Card.parse(repr(card)) for cards in state.board_cards for card in cards)
    return HandOutcome(
        seats=terms.seats,
        stacks=tuple(int(stack) for stack in state.stacks),
        payoffs=tuple(int(payoff) for payoff in state.payoffs),
        board=board,
        shown=tuple(shown.items()),
        pots=tuple(_pots(state, terms)),
        actions=actions,
    )


def _pots(state: State, terms: HandTerms) -> list[PotWon]:
    pushed: list[Any] = [op for op in state.operations if type(op).__name__ == "ChipsPushing"]
    return [
        PotWon(
            int(sum(push.amounts)),
            tuple((terms.seats[at], int(amount)) for at, amount in enumerate(push.amounts) if amount),
        )
        for push in pushed
    ]
