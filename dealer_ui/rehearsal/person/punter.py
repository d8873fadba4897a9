"""Bettors inside a simulated night: they bet straight at the table, without HTTP."""

from __future__ import annotations

import random
from collections.abc import Mapping

from dealer_ui.rehearsal.person.at_table import AtTable
from studio.errors import RefusedError, StorageError
from studio.games import find_game
from studio.money import Answer, Offer, Transfer, bettor_account, operator_account
from studio.rulebook.script import Decide, Turn
from studio.tables.config import TableConfig
from studio.tables.event.table import Decision
from studio.tables.state.box import box_of
from studio.tables.state.round import Round
from studio.tables.state.table import awaited
from studio.value import replace

OPERATOR = "sim"
DEPOSIT_MINOR = 10**12
FREE_MINOR = 100
_FREE_CHANCE = 0.25
_READY_CHANCE = 0.3
_STAKES_MINOR = (100, 150, 333, 1_000, 2_500, 101, 10_000, 1, 10**9)


class Punters:
    """A few bettors; each window they place some bets, now and then a retry, a bad bet or one too large."""

    def __init__(self, config: TableConfig, count: int, rng: random.Random) -> None:
        self._config = config
        self._rng = rng
        self._names = [f"b{number}" for number in range(count)]
        game = find_game(config.game)
        self._bets = game.betting.bets
        self._good = tuple(
            bet for bet in game.betting.bets if bet not in game.betting.automatic and bet not in game.decisions.raised
        )
        self._needs = game.betting.needs
        self._boxes = tuple(dict.fromkeys(box_of(bet) for bet in game.betting.bets)) if game.owned else ()
        self._round = ""
        self._serial = 0
        self._left = 0
        self._last: list[Offer] = []
        self.answers: dict[str, int] = {}
        self.free: Mapping[str, str] = {}
        """By bettor, the grant of free bets of `FREE_MINOR` that he has."""
        self._decided: tuple[str, int] = ("", 0)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names)

    def deposits(self) -> tuple[Transfer, ...]:
        return tuple(deposit_of(name, DEPOSIT_MINOR, self._config.currency) for name in self._names)

    def step(self, runtime: AtTable, now_ms: int) -> None:
        round = runtime.state.round
        self._decide(runtime, now_ms)
        if round is None or round.window.closes_at_ms is None or not self._names:
            return
        if round.id != self._round:
            self._round, self._left = round.id, self._rng.randint(1, 3)
        if not self._left:
            if self._boxes and self._rng.random() < _READY_CHANCE:
                self._say_ready(runtime, now_ms)
            return
        self._left -= 1
        again = self._rng.random() < 0.2 and bool(self._last)
        self._send(runtime, self._last if again else self._batch(self._rng.randint(1, 8)), now_ms)

    def _say_ready(self, runtime: AtTable, now_ms: int) -> None:
        """Have one of the bettors say that he is ready: the first time, once more, or without having bet."""
        try:
            runtime.say_ready(OPERATOR, self._rng.choice(self._names), now_ms)
        except RefusedError as refused:
            self.answers[refused.key] = self.answers.get(refused.key, 0) + 1
        except StorageError:
            return

    def shout(self, runtime: AtTable, now_ms: int) -> None:
        """Bet whether bets are open or not: a new batch, the last one again, and that with other stakes."""
        self._send(runtime, [self._offer() for _ in range(5)], now_ms)
        self._send(runtime, list(self._last), now_ms)
        self._send(runtime, [replace(offer, stake_minor=offer.stake_minor + 1) for offer in self._last], now_ms)

    def crowd(self, runtime: AtTable, now_ms: int, count: int) -> None:
        """Send `count` good bets in one batch; a side bet follows the bet it needs."""
        offers = [self._offer(good=True) for _ in range(count)]
        self._send(runtime, [one for offer in offers for one in self._with_needed(offer)], now_ms)

    def _batch(self, count: int) -> list[Offer]:
        """Some bets; mostly, not always, a side bet comes behind the one it needs."""
        offers = [self._offer() for _ in range(count)]
        return [one for offer in offers for one in (self._with_needed(offer) if self._rng.random() < 0.8 else [offer])]

    def _with_needed(self, offer: Offer) -> list[Offer]:
        needed = self._needs.get(offer.bet)
        if needed is None:
            return [offer]
        self._serial += 1
        return [replace(offer, bet=needed, client_id=f"c{self._serial}", stake_minor=100, free=""), offer]

    def _send(self, runtime: AtTable, offers: list[Offer], now_ms: int) -> None:
        try:
            answers: tuple[Answer, ...] = runtime.place_bets(offers, now_ms)
        except RefusedError as refused:
            self.answers[refused.key] = self.answers.get(refused.key, 0) + 1
            return
        except StorageError:
            self._last = offers
            return
        self._last = offers
        for answer in answers:
            key = answer.key or answer.status
            self.answers[key] = self.answers.get(key, 0) + 1

    def _decide(self, runtime: AtTable, now_ms: int) -> None:
        """Once a window of decisions, most bettors choose; the others let it pass."""
        now, round = awaited(runtime.state), runtime.state.round
        if round is None or now is None or not isinstance(now.step, Decide | Turn) or round.window.closes_at_ms is None:
            return
        if (round.id, round.window.closes_at_ms) == self._decided:
            return
        self._decided = (round.id, round.window.closes_at_ms)
        if self._boxes:
            choices = [one for box in _asked(now.step, round) for one in self._choices_of(runtime, box, now.step)]
        else:
            choices = [self._choice(name, now.step) for name in self._names if self._rng.random() < 0.85]
            if choices and self._rng.random() < 0.3:
                choices.append(self._rng.choice(choices))
                choices.append(self._choice(self._rng.choice(self._names), now.step))
        for answer in _decided(runtime, choices, now_ms):
            key = answer.key or answer.status
            self.answers[key] = self.answers.get(key, 0) + 1

    def _choices_of(self, runtime: AtTable, box: str, step: Decide | Turn) -> list[Decision]:
        """The decisions sent for a box: mostly its owner's, sometimes another bettor's, sometimes each twice, sometimes
        none.
        """
        choices = []
        for name in self._names:
            owns = runtime.book.owners.has((OPERATOR, name), box)
            if self._rng.random() < (0.85 if owns else 0.05):
                choices.append(self._choice(name, step, box))
        return choices * (2 if self._rng.random() < 0.1 else 1)

    def _choice(self, name: str, step: Decide | Turn, box: str = "") -> Decision:
        """Any option, a fold not as often as the others; now and then one there is not."""
        self._serial += 1
        staying = tuple(option for option in step.options if option != "fold")
        option = self._rng.choice((*staying, *staying, *step.options, "no_such_option"))
        return Decision(operator=OPERATOR, bettor=name, option=option, client_id=f"c{self._serial}", box=box)

    def _offer(self, *, good: bool = False) -> Offer:
        self._serial += 1
        stake_minor = self._rng.choice((100, 101) if good else _STAKES_MINOR)
        bet = self._rng.choice(self._good if good else (*self._good, *self._bets, "no_such_bet"))
        name = self._name_for(bet)
        if name in self.free and self._rng.random() < _FREE_CHANCE:
            free, stake_minor = self.free[name], self._rng.choice((FREE_MINOR, FREE_MINOR, FREE_MINOR, stake_minor))
            currency = self._config.currency
            return Offer("", OPERATOR, f"c{self._serial}", name, "", "", bet, stake_minor, currency, free)
        return Offer("", OPERATOR, f"c{self._serial}", name, "", "", bet, stake_minor, self._config.currency)

    def _name_for(self, bet: str) -> str:
        """Anyone; in a game played by boxes mostly the one who likes that box."""
        box = box_of(bet)
        if box in self._boxes and self._rng.random() < 0.8:
            return self._names[self._boxes.index(box) % len(self._names)]
        return self._rng.choice(self._names)


def deposit_of(name: str, amount_minor: int, currency: str) -> Transfer:
    """What a simulated bettor brings."""
    accounts = operator_account(OPERATOR), bettor_account(OPERATOR, name)
    return Transfer("", f"d-{name}", "deposit", *accounts, amount_minor, currency)


def _asked(step: Decide | Turn, round: Round) -> tuple[str, ...]:
    """The boxes, or the row of one, that may choose now."""
    return (step.box,) if isinstance(step, Turn) else round.stakes.boxes


def _decided(runtime: AtTable, choices: list[Decision], now_ms: int) -> tuple[Answer, ...]:
    """What is not kept, or asked too often, counts as not said."""
    try:
        return runtime.take_decisions(choices, now_ms)
    except (RefusedError, StorageError):
        return ()
