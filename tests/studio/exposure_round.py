"""A round of a house game dealt from any cards, and what it costs the house by the rulebook's own returns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from studio.cards import DECK, Card
from studio.jackpot import PotTerms
from studio.ports import CardFace
from studio.rulebook.game import Game
from studio.rulebook.script import Burn, Deal, Decide, OpenBets, Reveal, Rules, Settle, Turn
from studio.settlement import PlacedBet, merged_stakes, pot_shares, settle_bets

POT = PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=0)

Stakes = Sequence[tuple[str, str, int]]
"""Bettor, bet and stake, in the order placed."""


def opening(game: Game) -> tuple[str, ...]:
    """The bets that bettors place while bets are open."""
    return tuple(
        bet for bet in game.betting.bets if bet not in game.decisions.raised and bet not in game.betting.automatic
    )


def deck_of(game: Game, chance: Random) -> Iterator[Card]:
    """Cards in which what pays highly comes often: at times few ranks or few suits come first."""
    ranks, suits = chance.sample("23456789TJQKA", chance.randint(3, 13)), chance.sample("cdhs", chance.randint(1, 4))
    cards = [*DECK] * game.shoe.decks
    chance.shuffle(cards)
    return iter(sorted(cards, key=lambda card: card.rank not in ranks or card.suit not in suits))


def dealt(game: Game, rules: Rules, boxes: Iterable[str], chance: Random) -> tuple[Any, list[tuple[str, str]]]:
    """The outcome of a deal, and the choices made in it, by box; a choice that stakes more is taken often."""
    deck, down, chosen, sent = deck_of(game, chance), dict[str, list[Card]](), list[tuple[str, str]](), None
    script = game.deal.script(rules)
    try:
        while True:
            step, sent = script.send(sent), None
            match step:
                case Burn(count=count):
                    for _ in range(count):
                        next(deck)
                case OpenBets():
                    sent = tuple(boxes)
                case Deal(box=box, face=face):
                    sent = next(deck)
                    if face is CardFace.DOWN:
                        down.setdefault(box, []).append(sent)
                case Reveal(box=box):
                    sent = tuple(down[box])
                case Turn(box=box, options=options):
                    sent = chance.choice([*options, *(one for one in options if one in ("split", "double"))] * 2)
                    chosen.append((box, sent))
                case Decide():
                    sent = tuple(box for box in boxes if chance.random() < 0.5)
                    chosen += [(box, "insurance") for box in sent]
                case Settle():
                    pass
    except StopIteration as over:
        return over.value, chosen


def raised(game: Game, stakes: Stakes, chance: Random) -> tuple[list[tuple[str, str, int]], dict[str, str]]:
    """What bettors add by their decisions, of a game whose deal does not depend on it, and who folds."""
    added, conduct, out = [], dict[str, str](), _by_bettor(stakes)
    for bettor, mine in out.items():
        if game.decisions.raised and chance.random() < 0.3:
            conduct[bettor] = "fold"
            continue
        for options in {frozenset(options) for options in game.decisions.raised.values()}:
            option = chance.choice(sorted(options))
            if (more := game.decisions.raise_of(option, mine)) is not None:
                added.append((bettor, *more))
    return added, conduct


def added_by_boxes(game: Game, stakes: Stakes, chosen: Sequence[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """What doubles, splits and insurances add to the boxes, from what each had when bets closed."""
    owner = {bet.partition(":")[0]: bettor for bettor, bet, _ in stakes}
    first = {bet: sum(stake for _, one, stake in stakes if one == bet) for _, bet, _ in stakes}
    added: list[tuple[str, str, int]] = []
    for row, option in chosen:
        box = row[0]
        own = {bet: stake for bet, stake in first.items() if bet.startswith(f"{box}:")}
        if own and (more := game.decisions.raise_of(option, own)) is not None:
            added.append((owner[box], *more))
    return added


def cost_minor(
    game: Game, rules: Rules, outcome: Any, stakes: Stakes, conduct: Mapping[str, str], *, pot: bool = False
) -> int:
    """What the house loses: what comes back less what was staked.

    A `pot` pays what is won out of it, and has what it was fed.
    """
    bets = [
        PlacedBet(str(at), bet, f"bettor:north:{bettor}", stake, conduct.get(bettor, ""))
        for at, (bettor, bet, stake) in enumerate(stakes)
    ]
    shares = {} if pot else pot_shares(game, rules, outcome, bets)
    payouts = settle_bets(game, rules, outcome, bets, shares, merged=merged_stakes(game, bets))
    fed = sum(bet.stake_minor * POT.share_percent // 100 for bet in bets if pot and bet.bet == game.pot.bet)
    return fed + sum(payout.returns_minor - payout.stake_minor for payout in payouts)


def _by_bettor(stakes: Stakes) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for bettor, bet, stake in stakes:
        mine = found.setdefault(bettor, {})
        mine[bet] = mine.get(bet, 0) + stake
    return found
