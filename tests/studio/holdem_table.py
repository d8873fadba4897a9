"""A hold'em game on the workbench: dealt from window to window by the shoe and the camera, with bettors who decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from table_bench import CONFIG, DOWN, PIT, UP, Bench, bench

from studio.cards import Card, parse_cards
from studio.money import Answer
from studio.ports import CardFace
from studio.rulebook.script import Deal, Reveal
from studio.tables import command as c
from studio.tables.event.table import Decision
from studio.tables.state.table import awaited

WINDOW_S = 15


class Holdem:
    """One round. `deal` is the whole of it in the order dealt: player, dealer, player, dealer, then the board."""

    def __init__(self, table: Bench, deal: str) -> None:
        self.table = table
        self._cards = iter(parse_cards(deal))
        self._down: list[Card] = []
        self._made = 0

    def staked(self, stakes: Mapping[str, Mapping[str, int]], deposit_minor: int = 10_000) -> Holdem:
        """Everybody with money, his bets placed, the window over, the holes dealt."""
        for bettor in stakes:
            self.table.deposit(deposit_minor, bettor)
        self.table.open()
        self.table.do(c.StartRound)
        self.table.do(c.OpenBetting)
        for bettor, bets in stakes.items():
            for bet, stake_minor in bets.items():
                assert self.table.bet(bet, stake_minor, bettor).status == "accepted"
        self.table.wait(WINDOW_S)
        return self.deal()

    def deal(self) -> Holdem:
        """The cards up to the next window, or to the reveal."""
        while (now := awaited(self.table.state)) is not None and isinstance(now.step, Deal):
            card, face = next(self._cards), now.step.face
            slot = self.table.next_slot()
            self.table.draw(card)
            self.table.lay(*slot, card if face is UP else None, face)
            if face is DOWN:
                self._down.append(card)
        return self

    def open(self) -> Holdem:
        self.table.do(c.OpenBetting)
        return self

    def decide(self, bettor: str, option: str, *, id: str = "", operator: str = "north") -> Answer:
        self._made += 1
        choice = Decision(
            operator=operator, bettor=bettor, option=option, client_id=id or f"d{self._made}-{bettor}-{option}"
        )
        [answer] = self.table.table.take_decisions((choice,), self.table.now)
        return answer

    def decided(self, **options: str) -> Holdem:
        """A whole window: these bettors decide, the others let it pass, and the deal goes on."""
        self.open()
        for bettor, option in options.items():
            answer = self.decide(bettor, option)
            assert answer.status == "accepted", answer
        self.table.wait(WINDOW_S)
        return self.deal()

    def finish(self) -> None:
        """Turn the dealer's cards, declare, pay, clear."""
        now = awaited(self.table.state)
        assert now is not None
        assert now.step == Reveal("dealer")
        for place, card in enumerate(self._down, 1):
            self.table.lay("dealer", place, card, CardFace.UP)
        self.table.finish()

    def restart(self) -> None:
        """The program dies and comes back; the camera shows the felt again, and the pit lets the table go on."""
        felt = dict(self.table.state.felt.looks)
        faces = {
            (fact.box, fact.place): fact.face for fact in self.table.round.deal.cards.values() if hasattr(fact, "box")
        }
        self.table.restart()
        self.table.links()
        for slot in felt:
            card = faces[slot]
            self.table.lay(*slot, card, UP if card is not None else DOWN)
        self.table.rule("continue", PIT, kind="restart")
        assert self.table.state.incidents.open == ()

    def out(self, bettor: str) -> dict[str, int]:
        return dict(self.table.table.book.conduct.stakes(("north", bettor)))


@contextmanager
def holdem(game: str, deal: str, **changes: object) -> Iterator[Holdem]:
    with bench(CONFIG, game=game, window_s=float(WINDOW_S), **changes) as table:
        yield Holdem(table, deal)
