"""Poker hands with one irregularity after another: whatever happens, chips are conserved and all is replayed."""

from __future__ import annotations

import random

import pytest
from poker_bench import CHIPS, PokerBench
from table_bench import DEALER, PIT

from studio.cards import Card
from studio.ports import CardFace
from studio.procedures import Approval
from studio.rounds import CardDealt, Finished
from studio.rulebook.script import Burn, Deal, Reveal, Shuffle, Turn
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.felt.camera_look import card_at
from studio.tables.state.table import awaited

REPORTED = (
    "misdeal_claimed", "exposed_card", "boxed_card", "wrong_order", "wrong_count", "misplaced_card", "burn_error",
    "fouled_deck", "early_card", "extra_card",
)  # fmt: skip


GAMES = ("nlh", "short_deck", "plo")


class Careless:
    """Deals hands and errs; what was ruled is then done on the felt, as the steps say."""

    def __init__(self, game: str, seed: int, *, errs: float = 0.08) -> None:
        self.random = random.Random(f"{game} {seed}")
        self.errs = errs
        self.bench = PokerBench("ann bob cy dee", TableConfig(key="p1", title="Table", game=game)).open()
        self.drawn: dict[str, Card] = {}
        self.kinds: set[str] = set()

    def draw(self) -> Card:
        card = self.bench.deck.pop(0)
        self.drawn[self.bench.draw(card)] = card
        return card

    def err(self) -> bool:
        return self.random.random() < self.errs

    # --- a hand ----------------------------------------------------------------------------------------

    def hand(self) -> None:
        if len(self.bench.state.room.sitting) < self.bench.state.game.peers.least_seats:  # type: ignore[union-attr]
            return  # one of them has all the chips
        self.fresh()
        self.bench.do(c.StartRound)
        for _ in range(400):
            if self.bench.state.held:
                self.rule()
            elif self.bench.round.over or not self.bench.round.live:
                break
            elif self.bench.state.deck is None:
                self.redeal()
            elif isinstance(self.bench.round.deal.standing, Finished):
                self.tidy()
                if not self.bench.state.held:
                    self.bench.do(c.DeclareResult)
            else:
                self.step()
        self.bench.pay()
        assert self.bench.round.over, (self.bench.state.incidents.open, awaited(self.bench.state))
        self.bench.clear()
        self.bench.load()
        assert sum(self.bench.stacks().values()) == self.chips()
        self.bench.check_chips()

    def chips(self) -> int:
        return len(self.bench.seats) * CHIPS

    def fresh(self) -> None:
        self.bench.shuffle("")
        self.random.shuffle(self.bench.deck)
        self.drawn.clear()

    def step(self) -> None:
        now = awaited(self.bench.state)
        assert now is not None
        match now.step:
            case Deal(box=box, face=face):
                self.deal(box, now.place, up=face is CardFace.UP)
            case Burn():
                self.burn()
            case Shuffle():
                self.bench.do(c.ShuffleStub)
                [*_, told] = self.bench.rows("Shuffled", "FactStood")
                self.bench.deck += [self.drawn[id] for id in told.fact.ids]  # type: ignore[union-attr]
                self.random.shuffle(self.bench.deck)
            case Turn() as turn:
                self.turn(turn)
            case Reveal(box=box):
                self.bench.turn_up(box)

    def deal(self, box: str, place: int, *, up: bool) -> None:
        if self.err() and not up and self.random.random() < 0.3:
            self.bench.deck.pop(0)
            self.bench.draw_unread()
            self.bench.report("boxed_card")
            return
        card = self.draw()
        if self.err():
            at = (self.random.choice(["seat1", "seat2", "seat3", "seat4"]), place) if not up else ("board", 5)
            if at not in self.bench.state.felt.looks:
                wrong = not up and self.random.random() < 0.5
                self.bench.lay(*at, card if up else None) if wrong or up else self.bench.lay(box, place, card)
                self.bench.wait(1.6)
                return
        self.bench.lay(box, place, card if up else None)

    def burn(self) -> None:
        board = sum(zone == "board" for zone, _ in self.bench.round.deal.cards)
        card, number = self.draw(), 1 + sum(zone == "burn" for zone, _ in self.bench.round.deal.cards)
        if self.err():
            self.bench.lay("board", board + 1, card if self.random.random() < 0.5 else None)
            self.bench.wait(1.6)
            self.bench.wait(1.6)
            return
        lies = sum(zone == "burn" for zone, _ in self.bench.state.felt.looks)
        self.bench.lay("burn", max(number, 1))
        if self.err() and lies < 2:
            self.draw()
            self.bench.lay("burn", number + 1)
            self.bench.wait(1.6)

    def turn(self, turn: Turn) -> None:
        if self.err() and "show" not in turn.options:
            self.random.choice([self.early, self.claim])()
            return
        option = self.random.choice(
            [one for one in turn.options if one != "fold" or self.random.random() < 0.3] or ["fold"]
        )
        amount = self.random.choice(turn.to_minor) if turn.to_minor and option in ("bet", "raise") else 0
        self.bench.act_alone(option, min(amount, 4 * (turn.to_minor or (0,))[0]) if amount else 0)

    def early(self) -> None:
        """Cards leave the shoe while a seat has its turn: to the burn, to the board, to nowhere."""
        board = sum(zone == "board" for zone, _ in self.bench.round.deal.cards)
        if self.random.random() < 0.7:
            self.draw()
            self.bench.lay("burn", 1 + sum(zone == "burn" for zone, _ in self.bench.round.deal.cards))
        for at in range(self.random.randint(0, 3 if not board else 1)):
            card = self.draw()
            self.bench.lay("board", min(5, board + 1 + at), card)

    def claim(self) -> None:
        self.bench.report(self.random.choice(REPORTED))

    # --- rulings ---------------------------------------------------------------------------------------

    def rule(self) -> None:
        bench = self.bench
        incident = next((one for one in bench.state.incidents.open if one.holds), None)
        assert incident is not None
        self.kinds.add(incident.ruling.row)
        if not incident.ruled.ruling:
            ways = [way for way in incident.ruling.choices if way != "reread_all"]
            way = self.random.choice(ways)
            actor = DEALER if incident.ruling.approval == Approval.DEALER else PIT
            bench.rule(way, actor, kind=incident.kind)
            if bench.state.incident(incident.id) is not None and bench.state.incidents.open[0].asked:
                bench.approve(kind=incident.kind)
        self.redeal() if bench.state.deck is None else self.tidy()

    def redeal(self) -> None:
        self.bench.pay()
        self.bench.clear()
        if not self.bench.round.over:
            self.bench.load()
            self.fresh()

    def tidy(self) -> None:
        """Every card lies where the record has it, and no other on the felt."""
        bench = self.bench
        round = bench.round
        if not round.live:
            return
        waiting = [one for one in bench.state.loose if one.to == "next_burn"]
        for zone, place in sorted(bench.state.felt.looks):
            if card_at(round, (zone, place)) is None and not (zone == "burn" and waiting):
                bench.lift(zone, place)
        for (zone, place), fact in sorted(bench.round.deal.cards.items()):
            if zone not in bench.round.deal.mucked:
                bench.lay(zone, place, fact.face if isinstance(fact, CardDealt) else None)
        bench.tick()


@pytest.mark.parametrize("game", GAMES)
def test_whatever_happens_chips_are_conserved_and_every_hand_ends(game: str) -> None:
    play_hands(game, seed=1, hands=3)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 21))
@pytest.mark.parametrize("game", GAMES)
def test_whatever_happens_in_many_hands(game: str, seed: int) -> None:
    play_hands(game, seed, hands=6)


def play_hands(game: str, seed: int, hands: int) -> None:
    table = Careless(game, seed)
    for _ in range(hands):
        table.hand()
    table.bench.check()
    table.bench.close()
