"""What the house can lose at most on the bets of a round: its exposure, kept bet by bet.

Each group of bets keeps what each of its ends would cost; the worst of every group together is the exposure. A bet
touches the ends of its own group only, so it takes as long whether it is the first of a round or the last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from studio.pay_tables import pay_table_of
from studio.pay_tables.worst import End, Group
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.rulebook.shoe_terms import house_rules

Costs = tuple[int, ...]
"""What one minor unit staked costs at each end of its group, in parts of a minor unit; below 0 it wins."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a round's pay table makes of stakes. `parts`: so many make one minor unit.

    `of_bet`: each bet's group and what it costs there; `of_offer`: the same with the bets that the house places beside
    it, and `dearest` what the worst of its ends costs, with a prize. `prizes`: by group, what each end pays once, and
    on which bet.
    """

    parts: int
    ends: tuple[int, ...]
    of_bet: Mapping[str, tuple[int, Costs]]
    of_offer: Mapping[str, tuple[int, Costs]]
    dearest: Mapping[str, tuple[int, int]]
    prizes: Mapping[int, tuple[str, Costs]]


def groups_of(game: Game, rules: Rules, pot_share: Fraction | None) -> tuple[Group, ...]:
    """Every bet of a house game that is staked while bets are open, in one group each; none for a game among peers.

    `pot_share`: the part of its stake that the game's progressive bet leaves in a table's pot, where there is one.
    What is won out of a pot is no loss of the house.
    """
    if game.peers is not None:
        return ()
    fed = {game.pot.bet: pot_share} if pot_share is not None else {}
    return tuple(
        tuple(End(_with(end.takes, fed), end.prize_bet, 0 if fed else end.prize_minor) for end in group)
        for group in pay_table_of(game.key).worst(game.options.check(house_rules(rules)))
    )


def _with(takes: Mapping[str, Fraction], fed: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """What went into a pot the house has no more, however the bet ends."""
    return {bet: taken + fed.get(bet, 0) for bet, taken in takes.items()}


def terms_of(game: Game, rules: Rules, share_percent: int | None = None) -> Terms:
    """`share_percent`: what the progressive bet leaves in the table's pot, where it has one."""
    groups = groups_of(game, rules, None if share_percent is None else Fraction(share_percent, 100))
    parts = lcm(*(taken.denominator for group in groups for end in group for taken in end.takes.values()))
    of_bet = {bet: (at, costs) for at, group in enumerate(groups) for bet, costs in _costs(group, parts)}
    of_offer = dict(of_bet)
    for placed, leader in game.betting.automatic.items():
        (at, own), (beside_at, beside) = of_offer[leader], of_bet[placed]
        assert at == beside_at
        of_offer[leader] = at, tuple(map(sum, zip(own, beside, strict=True)))
    prizes = {at: _prizes(group, parts) for at, group in enumerate(groups) if any(end.prize_minor for end in group)}
    once = {bet: max(paid) for bet, paid in prizes.values()}
    dearest = {bet: (max(0, *costs), once.get(bet, 0)) for bet, (_, costs) in of_offer.items()}
    return Terms(parts, tuple(len(group) for group in groups), of_bet, of_offer, dearest, prizes)


def _costs(group: Group, parts: int) -> Iterator[tuple[str, Costs]]:
    for bet in group[0].takes:
        yield bet, tuple(int(end.takes[bet] * parts) for end in group)


def _prizes(group: Sequence[End], parts: int) -> tuple[str, Costs]:
    bet = next(end.prize_bet for end in group if end.prize_minor)
    return bet, tuple(end.prize_minor * parts for end in group)


class Exposure:
    """The exposure of some bets: `most_minor`, rounded up. Nothing is below 0: a round may be void.

    Bets that stand are only summed up by their key, and weighed when somebody asks.

    >>> from studio.games import find_game
    >>> exposure = Exposure(terms_of(find_game("kkclash"), {}))
    >>> exposure.take("shark", 1000)
    >>> exposure.take("king", 400)
    >>> exposure.most_minor, exposure.room_minor("king", 2_000), exposure.room_minor("shark", 2_000)
    (620, 2541, 1352)
    """

    __slots__ = ("_costs", "_due", "_staked", "_terms", "_total", "_worst")

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._costs = [[0] * ends for ends in terms.ends]
        self._worst = [0] * len(terms.ends)
        self._due: dict[str, tuple[int, int]] = {}
        self._staked: dict[str, int] = {}
        self._total = 0

    def copy(self) -> Exposure:
        self._weigh_due()
        other = Exposure(self._terms)
        other._costs = [costs[:] for costs in self._costs]
        other._worst = self._worst[:]
        other._staked = dict(self._staked)
        other._total = self._total
        return other

    @property
    def most_minor(self) -> int:
        self._weigh_due()
        return -(-self._total // self._terms.parts)

    def take(self, bet: str, stake_minor: int, rounded_minor: int = 0) -> None:
        """A bet stands; or, with a stake below 0, it went back.

        `rounded_minor`: what a stake of another currency may be worth more than was told, and then costs.
        """
        due_minor, more_minor = self._due.get(bet, (0, 0))
        self._due[bet] = due_minor + stake_minor, more_minor + rounded_minor

    def hold(self, bet: str, stake_minor: int) -> None:
        """Count an offered bet, with those the house places beside it, at its worst. As the bet may come to nothing, it
        adds what it may cost and makes no other bet cheaper.
        """
        self._weigh_due()
        at, costs = self._terms.of_offer[bet]
        self._add(at, [max(cost, 0) for cost in costs], stake_minor)
        self._staked[bet] = self._staked.get(bet, 0) + stake_minor
        self._weigh(at)

    def would_be(self, bet: str, stake_minor: int) -> int:
        """The exposure with this bet held."""
        self._weigh_due()
        at, costs = self._terms.of_offer[bet]
        ends = zip(self._costs[at], self._prizes(at, bet), costs, strict=True)
        worst = max(end + prize + max(cost, 0) * stake_minor for end, prize, cost in ends)
        return -(-(self._total - self._worst[at] + max(worst, 0)) // self._terms.parts)

    def room_minor(self, bet: str, limit_minor: int) -> int:
        """The highest stake on this bet that keeps the exposure at that limit; 0 where none does."""
        self._weigh_due()
        at, costs = self._terms.of_offer[bet]
        rest = limit_minor * self._terms.parts - (self._total - self._worst[at])
        ends = zip(self._costs[at], self._prizes(at, bet), costs, strict=True)
        return max(min(((rest - end - prize) // cost for end, prize, cost in ends if cost > 0), default=0), 0)

    def _weigh_due(self) -> None:
        """What a decision stakes is in no group: it was counted with the bet it follows from."""
        groups: set[int] = set()
        for bet, (stake_minor, more_minor) in self._due.items():
            at, costs = self._terms.of_bet.get(bet, (-1, ()))
            if costs:
                self._add(at, costs, stake_minor)
                if more_minor:
                    self._add(at, [max(cost, 0) for cost in costs], more_minor)
                self._staked[bet] = self._staked.get(bet, 0) + stake_minor
                groups.add(at)
        self._due.clear()
        for at in groups:
            self._weigh(at)

    def _add(self, at: int, costs: Sequence[int], stake_minor: int) -> None:
        ends = self._costs[at]
        for end, cost in enumerate(costs):
            ends[end] += cost * stake_minor

    def _prizes(self, at: int, bet: str = "") -> Costs:
        """What each end of a group pays once, if this bet stands too."""
        prized, prizes = self._terms.prizes.get(at, ("", ()))
        if prizes and (prized == bet or self._staked.get(prized, 0) > 0):
            return prizes
        return (0,) * self._terms.ends[at]

    def _weigh(self, at: int) -> None:
        worst = max(0, *map(sum, zip(self._costs[at], self._prizes(at), strict=True)))
        self._total += worst - self._worst[at]
        self._worst[at] = worst


class Trial:
    """Offers of one batch held against a limit, in their order: what stands, and what may come to stand before each.

    As long as all of them together at their dearest stay within the limit, nothing is weighed.
    """

    __slots__ = ("_before", "_exact", "_held", "_limit_minor", "_rough", "_terms")

    def __init__(self, before: Exposure, terms: Terms, limit_minor: int) -> None:
        self._before = before
        self._terms = terms
        self._limit_minor = limit_minor
        self._rough = before.most_minor * terms.parts
        self._held: list[tuple[str, int]] = []
        self._exact: Exposure | None = None

    def fits(self, bet: str, stake_minor: int) -> bool:
        """Whether the limit holds with this bet. One that makes the worst no worse fits, however low the limit is."""
        if self._rough + self._dearest(bet, stake_minor) <= self._limit_minor * self._terms.parts:
            return True
        exact = self._weighed()
        would_be = exact.would_be(bet, stake_minor)
        return would_be <= self._limit_minor or would_be <= exact.most_minor

    def hold(self, bet: str, stake_minor: int) -> None:
        self._rough += self._dearest(bet, stake_minor)
        if self._exact is not None:
            self._exact.hold(bet, stake_minor)
        else:
            self._held.append((bet, stake_minor))

    def room_minor(self, bet: str) -> int:
        return self._weighed().room_minor(bet, self._limit_minor)

    def _dearest(self, bet: str, stake_minor: int) -> int:
        cost, prize = self._terms.dearest[bet]
        return cost * stake_minor + prize

    def _weighed(self) -> Exposure:
        if self._exact is None:
            self._exact = self._before.copy()
            for bet, stake_minor in self._held:
                self._exact.hold(bet, stake_minor)
        return self._exact
