"""Which bets one bettor can have in a round: what no table would have taken beside each other is said in a sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from studio.cards import Card
from studio.games import find_game
from studio.rulebook.game import Game
from studio.rulebook.script import Deal, Decide, OpenBets


def clash_of(game: Game, bets: Collection[str], *, folded: bool) -> str:
    """Why no table can have taken these bets of one bettor; empty where one can. Amounts are not looked at."""
    return next(_clashes(game, bets, folded=folded), "")


def _clashes(game: Game, bets: Collection[str], *, folded: bool) -> Iterator[str]:
    if clashing := sorted(game.betting.clashing(bets), key=game.betting.bets.index):
        yield f"One bettor cannot bet on both {' and '.join(clashing)}: leave one of them out."
    for bet in bets:
        if (needed := _beside(game, bet)) and needed not in bets:
            yield f"The bet {bet} stands only beside {needed}: give {needed} too, or leave {bet} out."
        if folded and bet in game.decisions.raised:
            yield f"A bettor who folded has put nothing on {bet}: leave it out, or folded."
    if game.owned and len(boxes := game.owned.boxes_of(bets)) > game.owned.boxes_a_bettor:
        yield f"One bettor has {game.owned.boxes_a_bettor} boxes at most, and these bets lie on {len(boxes)}."


def _beside(game: Game, bet: str) -> str:
    """The bet that this one stands beside; empty where it stands alone."""
    if needed := game.betting.needs.get(bet) or game.betting.automatic.get(bet) or asked_after(game.key).get(bet):
        return needed
    options = game.decisions.raised.get(bet, ())
    if not options:
        return ""
    others = (other for other in game.betting.bets if other not in game.decisions.raised)
    return next((other for other in others if any(game.decisions.raise_of(one, {other: 2}) for one in options)), "")


@cache
def asked_after(key: str) -> Mapping[str, str]:
    """The raises that only those are asked for who did not fold before, each with the raise they had to make instead.

    The script of the game says it: whoever makes no raise where he may fold has folded.

    >>> dict(asked_after("holdem_bonus"))
    {'turn': 'flop', 'river': 'flop'}
    """
    game = find_game(key)
    if not game.decisions.raised or game.owned is not None:
        return {}
    found: dict[str, str] = {}
    stays = ""
    script = game.deal.script(game.options.defaults)
    step = next(script)
    while isinstance(step, Deal | Decide | OpenBets):
        if isinstance(step, Decide):
            raised = [bet for bet, options in game.decisions.raised.items() if set(options).intersection(step.options)]
            found.update((bet, stays) for bet in raised if stays)
            stays = raised[0] if "fold" in step.options and raised else stays
        step = script.send(Card("2", "c") if isinstance(step, Deal) else None)
    script.close()
    return found
