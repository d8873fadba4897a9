"""Simulated bettors: one operator's crowd, betting over HTTP as a real operator's would.

They behave, on the whole: now and then a bet is sent twice, or is above the limit, or finds an empty purse, so that
the studio's refusals are seen at work.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.person.interface import (
    Bet,
    BetAnswer,
    BetNow,
    Choice,
    DecisionNow,
    Interface,
    InterfaceError,
    TableNow,
)
from dealer_ui.rehearsal.person.visit import Visit

_DEPOSITS_AN_ACT: Final = 25
_SILENT_CHANCE: Final = 0.15
_FOLD_CHANCE: Final = 0.25
_REFUSED: Final = 409
_BOX_BET: Final = "main"
_ROWS: Final = "ab"
_OUT: Final = frozenset({"nothing_to_decide", "folded"})
"""Answers after which a bettor is not asked again in this round."""

_MULTIPLES: Final = (1, 1, 2, 5, 10, 25)
"""Of the least stake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdPlan:
    """How a crowd behaves. `run` is part of every id it makes: started anew on the same database, it needs another."""

    table: str
    run: str
    bettors: int = 20
    deposit_minor: int = 100_000
    bets_a_round_max: int = 3
    batch_max: int = 100
    absent_chance: float = 0.2
    again_chance: float = 0.05
    over_limit_chance: float = 0.03
    poll_s: float = 0.25


@dataclass(slots=True)
class CrowdTally:
    """What the crowd was answered. `failures`: requests without a usable answer."""

    rounds: int = 0
    batches: int = 0
    deposits: int = 0
    failures: int = 0
    accepted: int = 0
    duplicate: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    def count(self, answer: BetAnswer) -> None:
        match answer.status:
            case "accepted":
                self.accepted += 1
            case "duplicate":
                self.duplicate += 1
            case _:
                self.refused[answer.reason or "?"] += 1


class BettorCrowd:
    """Stepped by one thread; `tally` may be read by others. Time is the studio's own, as its answers tell it."""

    def __init__(self, interface: Interface, plan: CrowdPlan, chance: random.Random) -> None:
        self.tally = CrowdTally()
        self._interface = interface
        self._plan = plan
        self._chance = chance
        self._poor = [f"bettor{number}" for number in range(1, plan.bettors + 1)]
        self._rich: list[str] = []
        self._round = ""
        self._due: list[tuple[int, Bet]] = []
        self._unanswered: list[Bet] = []
        self._last: list[Bet] = []
        self._made = 0
        visit = Visit(interface, self.act, self.tally, plan.poll_s)
        self.step, self.run = visit.step, visit.run
        self._decided_until_ms = 0
        self._said: set[str] = set()  # who bets no more in this round
        self._deciding: dict[str, None] = {}
        """Who may have something to decide in this round, in the order in which they bet."""
        self._boxes: dict[str, str] = {}
        """Where the game is played by boxes: whose each is in this round."""

    def act(self) -> None:
        """Look at the table and do what is due; `InterfaceError` when the studio did not answer."""
        self._fill_purses()
        now = self._interface.table(self._plan.table)
        if now.window.open and now.round is not None and now.round.id != self._round:
            self._round = now.round.id
            self.tally.rounds += 1
            self._due = self._intentions(now)
            self._deciding.clear()
            self._said.clear()
            self._boxes.clear()
        self._place(now)
        if now.ready is not None and not self._due:
            self._say_ready()
        if now.decision is not None and now.round is not None:
            self._decide(now.decision)

    def _say_ready(self) -> None:
        for bettor in [one for one in self._deciding if one not in self._said]:
            self._said.add(bettor)
            try:
                self._interface.say_ready(self._plan.table, bettor)
            except InterfaceError as error:
                if error.status != _REFUSED:  # the window is over meanwhile, or the table is held
                    raise

    def _decide(self, open_now: DecisionNow) -> None:
        """Once a window, most of those who may have something to decide choose; the others let it pass."""
        if open_now.closes_at_ms == self._decided_until_ms:
            return
        self._decided_until_ms = open_now.closes_at_ms
        asked = self._asked(open_now)
        choices = [self._choice(who, open_now, box) for who, box in asked if self._chance.random() >= _SILENT_CHANCE]
        for start in range(0, len(choices), self._plan.batch_max):
            batch = choices[start : start + self._plan.batch_max]
            for choice, answer in zip(batch, self._interface.decide(self._plan.table, batch), strict=False):
                self.tally.count(answer)
                if answer.reason in _OUT:
                    self._deciding.pop(choice.bettor, None)

    def _asked(self, open_now: DecisionNow) -> list[tuple[str, str]]:
        """Who may choose now, and for which of his boxes; a row of a split box is its box's."""
        if open_now.box is not None:
            owner = self._boxes.get(open_now.box.rstrip(_ROWS))
            return [(owner, open_now.box)] if owner else []
        return [(who, box) for box, who in self._boxes.items()] or [(who, "") for who in self._deciding]

    def _choice(self, bettor: str, open_now: DecisionNow, box: str) -> Choice:
        """Any option, but a fold not as often as the others."""
        self._made += 1
        staying = [option for option in open_now.options if option != "fold"]
        folds = len(staying) < len(open_now.options) and self._chance.random() < _FOLD_CHANCE
        option = "fold" if folds else self._chance.choice(staying)
        return Choice(f"{self._plan.run}.{self._made}", bettor, option, box)

    def _fill_purses(self) -> None:
        for bettor in self._poor[:_DEPOSITS_AN_ACT]:
            self._interface.deposit(bettor, f"{self._plan.run}.d{self.tally.deposits}", self._plan.deposit_minor)
            self.tally.deposits += 1
            self._poor.remove(bettor)
            self._rich.append(bettor)

    def _intentions(self, now: TableNow) -> list[tuple[int, Bet]]:
        """What each bettor will stake in this window, and when, soonest first."""
        left_ms = max(0, (now.window.closes_at_ms or now.now_ms) - now.now_ms)
        due: list[tuple[int, Bet]] = []
        offered = [bet for bet in now.bets if bet.placed_by == "bettor"]
        for bettor in self._rich:
            if self._chance.random() < self._plan.absent_chance:
                continue
            at_ms = now.now_ms + int(left_ms * self._chance.uniform(0.02, 0.8))
            wanted = [self._chance.choice(offered) for _ in range(self._chance.randint(1, self._plan.bets_a_round_max))]
            needed = [bet for bet in offered if any(bet.bet == one.needs for one in wanted)]
            due.extend((at_ms, self._bet(bettor, bet)) for bet in (*needed, *wanted))
        return sorted(due, key=lambda intention: intention[0])

    def _bet(self, bettor: str, on: BetNow) -> Bet:
        stake = min(on.most, on.least * self._chance.choice(_MULTIPLES))
        if self._chance.random() < self._plan.over_limit_chance:
            stake = on.most + on.least
        self._made += 1
        return Bet(f"{self._plan.run}.{self._made}", bettor, on.bet, stake)

    def _place(self, now: TableNow) -> None:
        """Send what is due, and first of all what was never answered."""
        if now.window.open:
            while self._due and self._due[0][0] <= now.now_ms:
                self._unanswered.append(self._due.pop(0)[1])
                if self._last and self._chance.random() < self._plan.again_chance:
                    self._unanswered.append(self._chance.choice(self._last))
        while self._unanswered:
            batch = self._unanswered[: self._plan.batch_max]
            answers = self._interface.place(self._plan.table, batch)
            self._unanswered = self._unanswered[self._plan.batch_max :]
            self._hear(batch, answers)

    def _hear(self, batch: list[Bet], answers: tuple[BetAnswer, ...]) -> None:
        self.tally.batches += 1
        self._last = batch
        for bet, answer in zip(batch, answers, strict=False):
            self.tally.count(answer)
            if answer.status == "accepted":
                self._deciding[bet.bettor] = None
                box, _, on = bet.bet.partition(":")
                if on == _BOX_BET:
                    self._boxes[box] = bet.bettor
            if answer.reason == "insufficient_balance" and bet.bettor in self._rich:
                self._rich.remove(bet.bettor)
                self._poor.append(bet.bettor)
