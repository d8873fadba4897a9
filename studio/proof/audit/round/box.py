"""Holds the boxes of a round against its rules: whose box chose, what it staked, what went back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from studio.cards import Card
from studio.proof.audit.room import check_acted
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, Awaiting, CardDealt, Chose, HandVoided, WindowClosed, corrected, play
from studio.rulebook.game import Game
from studio.rulebook.script import Decide, Rules, Step, Turn
from studio.tables.event import table as e
from studio.tables.seats.player import default_of
from studio.tables.state.box import Owners, Who, box_of


class BoxAudit:
    """The boxes of one round. In a game without boxes only stakes of void deals are followed here."""

    def __init__(self, round: str, game: Game, rules: Rules, table: str = "") -> None:
        self._round = round
        self._table = table
        self._game = game
        self._rules = rules
        self._owners = Owners()
        self._bets: dict[str, e.PlacedBet] = {}
        self._added: set[str] = set()
        self._of_void_deals: set[str] = set()
        self._void: set[str] = set()
        self._took: set[str] = set()
        self._chosen: Chose | None = None
        self.seen: Collection[str] = ()
        """The seats whose bettors looked at their cards."""

    def place(self, bets: Sequence[e.PlacedBet]) -> None:
        self._owners.bet(bets)
        self._bets.update((bet.bet_id, bet) for bet in bets)

    def decide(self, told: e.DecisionsTaken, facts: Sequence[AnyFact], seq: int) -> None:
        """Check that each box decides by its own bettor, chooses one of its options and stakes what the rules ask for
        that.
        """
        if self._game.peers is not None:
            self._chosen = check_acted(self._step(facts, seq), self._rules, self._table, told, seq)
        elif self._game.owned is not None:
            for decision in told.decisions:
                self._check(decision, self._step(facts, seq), seq)
            due = [raised for one in told.decisions if (raised := self._raise(one)) is not None]
            if due != [(bet.bet, bet.stake_minor) for bet in told.bets]:
                wrong(seq, f"The stakes of a decision in round {self._round} are not what it costs.")
        self._bets.update((bet.bet_id, bet) for bet in told.bets)
        self._added.update(bet.bet_id for bet in told.bets)

    def stand(self, fact: AnyFact, facts: Sequence[AnyFact], *, over: bool, seq: int) -> None:
        """A fact that boxes make; `facts` came before it, and the window it ends is `over`."""
        match fact:
            case WindowClosed(boxes=boxes) if self._game.owned is not None:
                first = not any(isinstance(one, WindowClosed) for one in facts)
                if set(boxes) != (self._bet_on() if first else self._took):
                    wrong(seq, f"The boxes of a window in round {self._round} are not those that were taken.")
                self._took.clear()
            case Chose(by_default=True):
                step = self._step(facts, seq)
                if not over or not isinstance(step, Turn) or fact != default_of(step, seen=fact.box in self.seen):
                    wrong(seq, f"Box {fact.box} had another default in round {self._round}, or time left.")
            case Chose():
                if self._chosen != fact:
                    wrong(seq, f"Nobody decided in round {self._round} that box {fact.box} is to {fact.option}.")
                self._chosen = None
            case HandVoided(box=box):
                self._void.add(box)
                self._took.discard(box)

    def deal_again(self) -> None:
        self._of_void_deals |= self._added
        self._added.clear()
        self._took.clear()

    def give_back(self, told: e.BetsReturned, seq: int) -> Sequence[e.PlacedBet]:
        """The bets that went back, which had to."""
        returned = [self._bets.pop(id) for id in told.bets if id in self._bets]
        owed = all(bet.bet_id in self._of_void_deals or box_of(bet.bet) in self._void for bet in returned)
        if len(returned) != len(told.bets) or not owed:
            wrong(seq, f"Bets went back in round {self._round} that stand.")
        return returned

    def void(self, paid: Mapping[str, str], facts: Sequence[AnyFact], seq: int) -> Mapping[str, Fraction]:
        """What is paid though the round is void: what its cards have won, or nothing."""
        if not paid:
            return {}
        hands: dict[str, tuple[Card, ...]] = {}
        for fact in corrected(facts):
            if isinstance(fact, CardDealt) and fact.face is not None:
                hands[fact.box] = (*hands.get(fact.box, ()), fact.face)
        won = {
            bet: ret
            for pay in self._game.payment.paid_though_void.values()
            for bet, ret in pay(self._rules, hands).items()
        }
        if any(str(won.get(bet)) != ret for bet, ret in paid.items()):
            wrong(seq, f"The void round {self._round} pays what its cards have not won.")
        return {bet: won[bet] for bet in paid}

    def is_turn_of(self, box: str, facts: Sequence[AnyFact], seq: int) -> bool:
        step = self._step(facts, seq)
        return isinstance(step, Turn) and step.box == box

    def _bet_on(self) -> set[str]:
        owned = self._game.owned
        return set(owned.boxes_of([bet.bet for bet in self._bets.values()])) - self._void if owned else set()

    def _step(self, facts: Sequence[AnyFact], seq: int) -> Step:
        standing = play(self._game.deal.script(self._rules), facts)
        if not isinstance(standing, Awaiting):
            wrong(seq, f"Round {self._round} awaits no decision.")
        return standing.step

    def _check(self, decision: e.Decision, step: Step, seq: int) -> None:
        who = (decision.operator, decision.bettor)
        turn = isinstance(step, Turn) and step.box == decision.box
        if not self._owners.has(who, decision.box) or not (turn or isinstance(step, Decide)):
            wrong(seq, f"Box {decision.box} was decided for in round {self._round} by another, or out of turn.")
        assert isinstance(step, Turn | Decide)
        if decision.option not in step.options:
            wrong(seq, f"Box {decision.box} has no option {decision.option} in round {self._round}.")
        if turn:
            self._chosen = Chose(box=decision.box, option=decision.option)
        elif isinstance(step, Decide) and decision.option != step.default:
            self._took.add(decision.box)

    def _raise(self, decision: e.Decision) -> tuple[str, int] | None:
        stakes = self._opening((decision.operator, decision.bettor), box_of(decision.box))
        return self._game.decisions.raise_of(decision.option, stakes)

    def _opening(self, who: Who, box: str) -> dict[str, int]:
        """What the box had when bets closed."""
        stakes: dict[str, int] = {}
        for id, bet in self._bets.items():
            mine = (bet.operator, bet.bettor) == who and box_of(bet.bet) == box
            if mine and id not in self._added and id not in self._of_void_deals:
                stakes[bet.bet] = stakes.get(bet.bet, 0) + bet.stake_minor
        return stakes
