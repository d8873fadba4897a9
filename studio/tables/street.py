"""What an irregularity of a betting hand is ruled by: how much was acted, which street is next, which card of the deal
it was, how many cards are concerned. The facts tell it; nobody is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from studio.rounds import (
    Awaiting,
    BurnRuled,
    CardBurned,
    CardDealt,
    CardPostponed,
    CardRemoved,
    Chose,
    Finished,
    Revealed,
)
from studio.rounds.fact import PlainFact
from studio.rulebook.game import Game
from studio.rulebook.hand_terms import BOARD
from studio.rulebook.script import Reveal, Turn
from studio.spoken import Slot
from studio.tables.state.round import Round
from studio.tables.state.shoe import Loose
from studio.tables.state.table import TableState, awaited

_CHIPS: Final = ("call", "bet", "raise")
_SHOWDOWN: Final = ("show", "muck")
_TWO_WITH_CHIPS, _THREE_OF_ANY_KIND = 2, 3

STREETS: Final[Mapping[int, tuple[str, int]]] = {0: ("flop", 1), 3: ("turn", 2), 4: ("river", 3)}
"""By the cards on the board: the street that is next, and the number of its burn."""

_FLOP: Final = 3
_BOARD: Final = 5


def is_betting_hand(game: Game) -> bool:
    """Whether seats bet among themselves around a board: `nlh`, `short_deck`, `plo`."""
    return game.peers is not None and BOARD in game.felt.boxes


def hand_of(state: TableState) -> Round | None:
    """The betting hand that is being dealt, if one is."""
    round = state.round
    return round if round is not None and round.live and is_betting_hand(state.game) else None


def acts_of(facts: Sequence[PlainFact]) -> tuple[Chose, ...]:
    """What seats did while they could bet, blinds and showdown left out."""
    return tuple(fact for fact in facts if isinstance(fact, Chose) and fact.option not in _SHOWDOWN)


def is_substantial(acts: Sequence[Chose]) -> bool:
    """Substantial action: two acts with chips, or three of any kind [PK4]. Blinds and antes are no acts."""
    with_chips = sum(act.option in _CHIPS for act in acts)
    return with_chips >= _TWO_WITH_CHIPS or len(acts) >= _THREE_OF_ANY_KIND


def acts_on_street(round: Round) -> tuple[Chose, ...]:
    """What was acted since the last card of the deal came out."""
    plain = round.deal.plain
    last = max((at for at, fact in enumerate(plain) if isinstance(fact, CardDealt | CardBurned)), default=-1)
    return acts_of(plain[last + 1 :])


def on_board(round: Round) -> int:
    """How many cards of the board are dealt."""
    return sum(zone == BOARD for zone, _ in round.deal.cards)


def is_betting_over(round: Round) -> bool:
    """Nobody can bet in this hand any more: hands are shown, or it is over."""
    match round.deal.standing:
        case Finished() | Awaiting(step=Reveal()):
            return True
        case Awaiting(step=Turn(options=options)) if set(options) & set(_SHOWDOWN):
            return True
    return any(isinstance(fact, Revealed) for fact in round.deal.facts)


def is_last_card_out(round: Round) -> bool:
    return on_board(round) >= _BOARD or isinstance(round.deal.standing, Finished)


def told_of_hand(state: TableState, kind: str, cards: Sequence[str], slot: Slot) -> Mapping[str, str | int | bool]:
    """The circumstances of an incident of this kind that the hand itself tells."""
    if (round := hand_of(state)) is None:
        return {}
    acts = acts_on_street(round) if kind == "burn_error" else acts_of(round.deal.plain)
    found: dict[str, str | int | bool] = {
        "action": bool(acts) if kind == "burn_error" else is_substantial(acts),
        "bets_in": is_betting_over(round),
        "moment": "last" if is_last_card_out(round) else "street",
    }
    match kind:
        case "exposed_card":
            found |= _exposed(round, cards, slot)
        case "boxed_card":
            found["count"] = 1 + _boxed_before(round)
        case "early_card" if street := STREETS.get(on_board(round), ("", 0))[0]:
            found["board"] = street
        case "misplaced_card" if _is_of_board(round, cards, slot):
            found["board"] = "flop" if on_board(round) <= _FLOP else "turn" if on_board(round) < _BOARD else "river"
    return found


def _exposed(round: Round, cards: Sequence[str], slot: Slot) -> dict[str, int]:
    """Which card of the deal was exposed, and how many were exposed with it; a count of 0 for a burn card and for the
    board.
    """
    if slot[0] in ("burn", BOARD) or _at(round, cards) in ("burn", BOARD):
        return {"count": 0}
    holes = [fact for fact in round.deal.plain if isinstance(fact, CardDealt) and fact.box != BOARD]
    late = sum(isinstance(fact, CardPostponed) for fact in round.deal.facts)
    at = next((n for n, fact in enumerate(holes, 1) if fact.card.id in cards), len(holes) + 1)
    return {"card_number": at + late, "count": max(1, len(cards)) + late}


def _boxed_before(round: Round) -> int:
    """How many cards of this deal counted as paper already: taken out of it, or never read."""
    late = sum(isinstance(fact, CardPostponed) for fact in round.deal.facts)
    return sum(isinstance(fact, CardRemoved) for fact in round.deal.facts) - late + round.eyes.waived


def _is_of_board(round: Round, cards: Sequence[str], slot: Slot) -> bool:
    return _at(round, cards) == BOARD or (slot[0] == BOARD and not cards)


def _at(round: Round, cards: Sequence[str]) -> str:
    """The zone of the first of these cards; empty where none is of the deal."""
    return next((zone for (zone, _), fact in round.deal.cards.items() if fact.card.id in cards), "")


# --- the burn of the street that is next --------------------------------------------------------------------


def ruled_burn(round: Round, number: int) -> BurnRuled:
    """What is due as that burn: one card, unless it was ruled otherwise."""
    ruled = (fact for fact in reversed(round.deal.facts) if isinstance(fact, BurnRuled) and fact.number == number)
    return next(ruled, BurnRuled(number=number, cards=1))


def waiting_burns(state: TableState) -> tuple[Loose, ...]:
    """Cards out of the shoe that are the next burn."""
    return tuple(one for one in state.loose if one.to == "next_burn")


def seat_has_turn(state: TableState) -> bool:
    """Whether a seat may bet or has to show: no card is due from the shoe."""
    now = awaited(state)
    return hand_of(state) is not None and now is not None and isinstance(now.step, Turn)
