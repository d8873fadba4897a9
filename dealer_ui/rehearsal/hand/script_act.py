"""The acts of the console that the deal of a game comes to, and how often each comes in one round."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from dealer_ui.rehearsal.hand.street import any_rows
from dealer_ui.rehearsal.machine.rig import whole_deck
from studio.cards import Card
from studio.games import find_game
from studio.ports import CardFace
from studio.rounds.play import STAKING
from studio.rulebook.game import Game
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Rules, Settle, Step, Turn
from studio.rulebook.seating import Sitting

OPEN: Final = ("act.deal",)
"""An open card is due."""
DOWN: Final = ("act.deal_down",)
"""A card is due face down in a box."""
DEAL: Final = (*OPEN, *DOWN)
BURN: Final = ("act.burn",)
CARD: Final = (*DEAL, *BURN)
BETS: Final = ("act.bets_open",)
DECIDE: Final = ("act.open_decisions", "act.decide", "act.turn")
REVEAL: Final = ("act.reveal",)
LAY: Final = ("act.lay",)
END: Final = (*REVEAL, "act.wait_camera", "act.declare_result")
EVERY_TABLE: Final = (
    "act.shuffle", "act.wait_shuffler", "act.load_shoe", "act.start_round", "act.wait_camera", "act.declare_result",
    "act.clear_felt",
)  # fmt: skip
"""The acts a dealer comes to whatever is dealt."""
ANY_ACT: Final = (*EVERY_TABLE, *CARD, "act.open_bets", *BETS, *DECIDE, *REVEAL)

DEFAULTS: Final[Rules] = MappingProxyType({})
"""The house rules of a game that nobody has chosen otherwise."""

_SITTING: Final = 4
_WALKS: Final = 60
"""A deal may depend on its cards and on what the bettors choose: it is walked so often, each time otherwise."""


def acts_of(game: str, rules: Rules = DEFAULTS) -> Mapping[str, int]:
    """Act of the console to how often a dealer comes to it in one round of this game under these house rules, at most.

    >>> set(DOWN) & set(acts_of("baccarat")), set(DOWN) & set(acts_of("baccarat", {"squeeze": "on"}))
    (set(), {'act.deal_down'})
    """
    return _acts_of(game, tuple(sorted(rules.items())))


@cache
def _acts_of(game: str, rules: tuple[tuple[str, Any], ...]) -> Mapping[str, int]:
    most: Counter[str] = Counter()
    for steps in walks(game, dict(rules)):
        most |= Counter(act for step in steps for act in _acts(step))
    return most


def walks(game: str, rules: Rules) -> Iterator[Iterator[Step]]:
    """The script walked so often that everything it may come to has come."""
    return (walk(find_game(game), random.Random(f"walk {at}"), rules) for at in range(_WALKS))


def walk(game: Game, rng: random.Random, rules: Rules = DEFAULTS) -> Iterator[Step]:
    """The steps of the script, played once over a shuffled deck, every answer drawn."""
    deck, answer = whole_deck(game.key, rules), None
    rng.shuffle(deck)
    down: dict[str, list[Card]] = {}
    script = game.deal.script(_rules(game, rules))
    while True:
        try:
            step = script.send(answer)
        except StopIteration:
            return
        if isinstance(step, Settle):
            answer = None  # nobody does anything for it
            continue
        yield step
        answer = _answer(game, step, deck, down, rng)


def _rules(game: Game, told: Rules) -> Rules:
    """The house rules; where seats play among themselves, those of a hand of a few of them."""
    rules, peers = {**game.options.defaults, **told}, game.peers
    if peers is None:
        return rules
    sitting = [Sitting(seat, rules["buy_in_least"]) for seat in peers.seats[:_SITTING]]
    return {**rules, HAND: peers.terms(rules, peers.next_hand(rules, sitting, ""))}


def _acts(step: Step) -> tuple[str, ...]:
    match step:
        case Burn(count=count):
            return ("act.burn",) * count
        case OpenBets():
            return ("act.open_bets", "act.bets_open")
        case Deal(face=face):
            return ("act.deal" if face is CardFace.UP else "act.deal_down",)
        case Decide():
            return ("act.open_decisions", "act.decide")
        case Turn():
            return ("act.turn",)
        case Reveal():
            return ("act.reveal",)
        case Lay():
            return ("act.lay",)
    return ("act.shuffle",)


def _answer(game: Game, step: Step, deck: list[Card], down: dict[str, list[Card]], rng: random.Random) -> Any:
    match step:
        case Deal(box=box, face=CardFace.DOWN):
            down.setdefault(box, []).append(deck.pop())
            return object()
        case Deal():
            return deck.pop()
        case Reveal(box=box):
            return tuple(down[box])
        case Lay(box=box, to=to):
            street = down.pop(box)
            return tuple(street[place - 1] for place, _, _ in to)
        case Turn(options=options, placing=placing) if placing is not None:
            return options[0], any_rows(placing, rng)
        case Turn(options=options, to_minor=to_minor):
            option = rng.choice(options)
            return (option, rng.choice(to_minor)) if to_minor and option in STAKING else option
        case OpenBets(bets=bets):
            return game.owned.boxes_of(bets) if game.owned else ()
        case Decide():
            return ()
    return None
