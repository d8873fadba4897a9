"""A hand of the poker room as a script: our steps around PokerKit's betting engine.

Burns, cards and turns are yielded as in every rulebook; who may bet what, when a betting round is over, side pots,
the order of showing and the odd unit are PokerKit's. Hole cards are opaque here until their seat shows them. Where
the room is stricter than the engine is said in `docs/decisions/0067-where-the-room-is-stricter-than-its-engine.md`.

A `Turn` is sent the option, or `(option, to_minor)` for a bet or a raise: what the seat then has in front of it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

from pokerkit import Automation, Mode, State

from studio.cards import Card
from studio.errors import InvariantError
from studio.ports import CardFace
from studio.rulebook.betting_game import Variant
from studio.rulebook.full_blind import full_blind_state
from studio.rulebook.hand_look import look_at
from studio.rulebook.hand_terms import BOARD, NO_RAKE, HandOutcome, HandTerms, PotWon, Rake
from studio.rulebook.script import Burn, Deal, Reveal, Script, Turn, Watched

UNKNOWN: Final = "??"

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


def betting_hand(variant: Variant, terms: HandTerms) -> Script:
    """One hand from the first hole card to the last pot."""
    return (yield from _hand(begin(variant, terms), variant, terms))


def watched(variant: Variant, terms: HandTerms) -> Watched:
    """The same hand, for whoever wants to see where its chips are on the way."""
    state = begin(variant, terms)
    return Watched(_hand(state, variant, terms), lambda: look_at(state, terms))


def _hand(state: State, variant: Variant, terms: HandTerms) -> Script:
    paid = dict(zip(terms.seats, posted(state, terms), strict=True))
    for _ in range(variant.hole_cards):
        for seat in terms.seats:
            yield Deal(seat, CardFace.DOWN)
    while state.can_deal_hole():
        state.deal_hole(UNKNOWN * variant.hole_cards)
    shown: dict[str, tuple[Card, ...]] = {}
    acted: set[str] = set()
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
            acted.clear()
        elif state.actor_index is not None:
            turn = turn_of(state, terms, acted)
            choice = yield turn
            acted.add(turn.box)
            paid[turn.box] += turn.cost_minor(choice)
            _act(state, choice)
            actions += 1
        else:
            yield from _show(state, terms, shown)
    return _outcome(state, terms, shown, paid, actions)


def begin(variant: Variant, terms: HandTerms) -> State:
    """The hand with its antes and blinds posted, before the first card."""
    mode = Mode.TOURNAMENT if terms.tabled else Mode.CASH_GAME
    game = variant.engine()(AUTOMATIONS, terms.ante_trimmed, terms.antes, terms.blinds, terms.least_bet, mode=mode)
    return full_blind_state(game, terms.stacks) if terms.full_blind else game(terms.stacks, len(terms.seats))


def posted(state: State, terms: HandTerms) -> tuple[int, ...]:
    """What each seat has put in before the first card: antes and blinds, as far as its stack went."""
    return tuple(start - int(left) for start, left in zip(terms.stacks, state.stacks, strict=True))


def turn_of(state: State, terms: HandTerms, acted: Container[str] = ()) -> Turn:
    """What the seat whose turn it is may do; who does nothing in time checks, or folds.

    `acted`: the seats that have acted on this street, the blinds left out.
    """
    at = state.actor_index
    assert at is not None
    owed = state.checking_or_calling_amount or 0
    options = ["fold", "call"] if owed else ["check"] if terms.tabled or not state.can_fold() else ["check", "fold"]
    least, most = (
        state.min_completion_betting_or_raising_to_amount,
        state.max_completion_betting_or_raising_to_amount,
    )
    to_minor = None
    closed = terms.tabled and terms.seats[at] in acted and owed < _full_raise(state)
    if least is not None and most is not None and not closed:
        options.append("raise" if max(state.bets) or owed else "bet")
        to_minor = (int(least), int(most))
    default = "check" if "check" in options else "fold"
    return Turn(
        terms.seats[at], tuple(options), terms.turn_s, default=default, to_minor=to_minor, owed_minor=int(owed),
        front_minor=int(state.bets[at]),
    )  # fmt: skip


def _full_raise(state: State) -> int:
    """By how much a bet goes up at least. Who has acted and owes less was met by an all-in short of that [PR-4]."""
    assert state.street is not None
    return max(state.completion_betting_or_raising_amount, state.street.min_completion_betting_or_raising_amount)


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


def _outcome(
    state: State, terms: HandTerms, shown: dict[str, tuple[Card, ...]], paid: Mapping[str, int], actions: int
) -> HandOutcome:
    board = tuple(Card.parse(repr(card)) for cards in state.board_cards for card in cards)
    whole = _pots(state, terms, paid)
    uncalled = _uncalled(state, terms, paid, whole)
    pots = tuple(_raked(whole, terms.rake if board else NO_RAKE))
    takes = {seat: _won(pots, seat) + uncalled[seat] for seat in terms.seats}
    payoffs = tuple(takes[seat] - paid[seat] for seat in terms.seats)
    return HandOutcome(
        seats=terms.seats,
        stacks=tuple(stack + payoff for stack, payoff in zip(terms.stacks, payoffs, strict=True)),
        payoffs=payoffs,
        board=board,
        shown=tuple(shown.items()),
        pots=pots,
        actions=actions,
        paid=dict(paid),
        takes=takes,
    )


def _pots(state: State, terms: HandTerms, paid: Mapping[str, int]) -> Sequence[PotWon]:
    """The pots as they were pushed. When all others have folded PokerKit gives the last bet back whole, called or not:
    what was called of it lies in the pot.
    """
    pushed: list[Any] = [op for op in state.operations if type(op).__name__ == "ChipsPushing"]
    pots = [
        PotWon(
            int(sum(push.amounts)),
            tuple((terms.seats[at], int(amount)) for at, amount in enumerate(push.amounts) if amount),
        )
        for push in pushed
    ]
    if not state.folded_status:
        return pots
    winner = terms.seats[state.statuses.index(True)]
    most_minor = max(minor for seat, minor in paid.items() if seat != winner)
    amount_minor = sum(paid.values()) - max(0, paid[winner] - most_minor)
    return [PotWon(amount_minor, ((winner, amount_minor),))] if amount_minor else []


def _won(pots: Sequence[PotWon], seat: str) -> int:
    return sum(amount for pot in pots for winner, amount in pot.winners if winner == seat)


def _uncalled(state: State, terms: HandTerms, paid: Mapping[str, int], pots: Sequence[PotWon]) -> Mapping[str, int]:
    """What each seat has back of its own bets, for nobody called it: what PokerKit paid it less the pots it won."""
    back = zip(terms.seats, state.payoffs, strict=True)
    return {seat: paid[seat] + int(payoff) - _won(pots, seat) for seat, payoff in back}


def _raked(pots: Sequence[PotWon], rake: Rake) -> Iterator[PotWon]:
    """Each pot less its rake, split alike among its winners; the odd unit stays with the first of them.

    The cap is that of the whole hand. A bet that nobody called lies in no pot [PR-13].
    """
    left_minor = rake.cap_minor
    for pot in pots:
        taken_minor = min(rake.of(pot.amount_minor), left_minor)
        left_minor -= taken_minor
        if not taken_minor:
            yield pot
            continue
        each_minor, odd_minor = divmod(pot.amount_minor - taken_minor, len(pot.winners))
        winners = tuple((seat, each_minor + (odd_minor if not n else 0)) for n, (seat, _) in enumerate(pot.winners))
        yield PotWon(pot.amount_minor - taken_minor, winners, taken_minor)
