"""How much of a table's limits on a round's exposure is used: by all bets, and by each operator's.

A bet is refused when the house could lose more with it than it may; what a decision stakes later was counted with the
bet it follows from, and is never refused for it. It depends on the bets that stand and the batch alone, so that the
journal tells it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

import msgspec

from studio.errors import BadInputError
from studio.games import find_game
from studio.jackpot import PotTerms
from studio.money import Offer, convert_minor, format_minor
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement.exposure import Exposure, Terms, Trial, terms_of
from studio.tables.config import TableConfig
from studio.tables.event.placed import PlacedBet
from studio.tables.limit import limit_in, limit_of

REFUSALS = frozenset({"table_exposure", "operator_exposure", "operator_bets"})


@dataclass(frozen=True, slots=True)
class ExposureTold:
    """How much is used, for whoever looks on from another thread. `own`: by operator, the exposure and the bets.

    `refused`: how many bets found no room, since the program came up.
    """

    most_minor: int = 0
    refused: int = 0
    own: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))


class Exposed:
    """What the opening bets of one round can cost the house; always nothing for a round without house bets.

    Only the table's own thread may use it; others read `told`.
    """

    __slots__ = ("_terms", "bets_of", "by_operator", "refused", "told", "whole")

    def __init__(self, terms: Terms | None = None) -> None:
        self._terms = terms
        self.whole = Exposure(terms) if terms is not None else None
        self.by_operator: dict[str, Exposure] = {}
        self.bets_of: dict[str, int] = {}
        self.refused = 0
        self.told = ExposureTold()

    @classmethod
    def of(cls, game: Game, rules: Rules, pot: PotTerms | None) -> Exposed:
        """The exposure of a new round of this game. Nothing is measured in games among peers, or by rules of an older
        version that are no longer valid.
        """
        if game.peers is not None:
            return cls()
        try:
            return cls(_terms(game.key, _text(rules), pot and pot.share_percent))
        except BadInputError:
            return cls()

    @property
    def most_minor(self) -> int:
        return self.whole.most_minor if self.whole is not None else 0

    def most_minor_of(self, operator: str) -> int:
        found = self.by_operator.get(operator)
        return found.most_minor if found is not None else 0

    def tell(self) -> None:
        own = {name: (self.most_minor_of(name), bets) for name, bets in self.bets_of.items()}
        self.told = ExposureTold(self.most_minor, self.refused, MappingProxyType(own))

    def add(self, bets: Sequence[PlacedBet]) -> None:
        self._take(bets, 1)

    def give_back(self, bets: Sequence[PlacedBet]) -> None:
        self._take(bets, -1)

    def _take(self, bets: Sequence[PlacedBet], sign: int) -> None:
        taken: dict[tuple[str, str], tuple[int, int, int]] = {}
        for bet in bets:
            count, worth_minor, foreign = taken.get((bet.operator, bet.bet), (0, 0, 0))
            of_another = bet.worth_minor is not None
            taken[bet.operator, bet.bet] = count + 1, worth_minor + bet.worth, foreign + of_another
        for (operator, key), (count, worth_minor, foreign) in taken.items():
            self.bets_of[operator] = self.bets_of.get(operator, 0) + sign * count
            if self.whole is not None:
                self.whole.take(key, sign * worth_minor, sign * foreign)
                self._own(operator).take(key, sign * worth_minor, sign * foreign)

    def offered(self, config: TableConfig, game: Game) -> Offered:
        return Offered(self, config, game)

    def trial(self, limit_minor: int, operator: str = "") -> Trial | None:
        """Offers held against this limit; None where nothing is limited. `operator`: his bettors' bets alone."""
        if self.whole is None or self._terms is None or not limit_minor:
            return None
        return Trial(self._own(operator) if operator else self.whole, self._terms, limit_minor)

    def _own(self, operator: str) -> Exposure:
        assert self._terms is not None
        found = self.by_operator.get(operator)
        if found is None:
            found = self.by_operator[operator] = Exposure(self._terms)
        return found


class Offered:
    """A batch that is being answered: what stands, and what was offered before and may come to stand."""

    def __init__(self, exposed: Exposed, config: TableConfig, game: Game) -> None:
        self._exposed = exposed
        self._config = config
        self._game = game
        self._whole = exposed.trial(config.exposure_most_minor)
        self._own: dict[str, Trial | None] = {}
        self._bets: dict[str, int] = {}
        self._counts = {bet: 1 + len(game.betting.beside(bet)) for bet in game.betting.bets}

    def refusal(self, offer: Offer) -> tuple[str, str] | None:
        """Key and sentence, where this bet would go beyond a limit; None where it may be held."""
        config = self._config
        limit, counted = config.operator_limit(offer.operator), _counted(offer)
        before = self._exposed.bets_of.get(offer.operator, 0) + self._bets.get(offer.operator, 0)
        if limit.bets_most and before + self._counts[offer.bet] > limit.bets_most:
            return "operator_bets", _TOO_MANY.format(most=limit.bets_most)
        if self._whole is not None and not self._whole.fits(offer.bet, counted):
            return "table_exposure", self._said(_TABLE, self._whole, offer, config.exposure_most_minor)
        own = self._own_of(offer.operator)
        if own is not None and not own.fits(offer.bet, counted):
            return "operator_exposure", self._said(_OPERATOR, own, offer, limit.exposure_most_minor)
        return None

    def hold(self, offer: Offer) -> None:
        self._bets[offer.operator] = self._bets.get(offer.operator, 0) + self._counts[offer.bet]
        for trial in (self._whole, self._own_of(offer.operator)):
            if trial is not None:
                trial.hold(offer.bet, _counted(offer))

    def _own_of(self, operator: str) -> Trial | None:
        if operator not in self._own:
            most_minor = self._config.operator_limit(operator).exposure_most_minor
            self._own[operator] = self._exposed.trial(most_minor, operator)
        return self._own[operator]

    def _said(self, sentence: str, trial: Trial, offer: Offer, limit_minor: int) -> str:
        config, room_minor = self._config, trial.room_minor(offer.bet)
        if offer.worth_minor is not None:
            room_minor = convert_minor(max(room_minor - 1, 0), config.currency, offer.currency, config.rates)
        least = limit_in(limit_of(config, self._game, offer.bet), offer.currency, config).least_minor
        said = sentence.format(most=format_minor(limit_minor, config.currency))
        if room_minor >= least:
            return f"{said} {_ROOM.format(room=format_minor(room_minor, offer.currency), bet=offer.bet)}"
        return f"{said} {_NO_ROOM.format(bet=offer.bet)}"


_TABLE = "With this stake the house could lose more than {most} in this round, the most this table may."
_OPERATOR = "With this stake your bettors could win more than {most} in this round, the most they may at this table."
_ROOM = "A stake of {room} on {bet} still has room: lower the stake, or bet in the next round."
_NO_ROOM = "No further stake on {bet} has room: choose another bet, or bet in the next round."
_TOO_MANY = "You have placed {most} bets in this round, the most you may at this table: place it in the next one."


def _counted(offer: Offer) -> int:
    """In the table's own currency, rounded up."""
    return offer.stake_minor if offer.worth_minor is None else offer.worth_minor + 1


def unplaceable(config: TableConfig, most_minor: int) -> str:
    """The bet of which not even the least stake has room below that limit; empty where every bet has."""
    game = find_game(config.game)
    if game.peers is not None or not most_minor:
        return ""
    empty = Exposure(_terms(game.key, _text(config.rules), config.pot and config.pot.share_percent))
    staked = (
        bet for bet in game.betting.bets if bet not in game.decisions.raised and bet not in game.betting.automatic
    )
    return next((bet for bet in staked if empty.would_be(bet, _least(config, game, bet)) > most_minor), "")


def _least(config: TableConfig, game: Game, bet: str) -> int:
    return limit_of(config, game, bet).least_minor


def _text(rules: Rules) -> str:
    return msgspec.json.encode(dict(rules), order="sorted").decode()


@lru_cache(maxsize=64)
def _terms(game: str, rules: str, share_percent: int | None) -> Terms:
    return terms_of(find_game(game), msgspec.json.decode(rules), share_percent)
