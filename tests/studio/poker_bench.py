"""A table of the poker room on the workbench: seats with chips, cards dealt as the script awaits them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from table_bench import DOWN, Bench

from studio import ports
from studio.cards import DECK, Card, parse_cards
from studio.journal import IN_MEMORY
from studio.money import Answer, bettor_account
from studio.ports import CardFace
from studio.rounds import CardDealt
from studio.rulebook.script import Burn, Deal, Reveal, Shuffle, Turn
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.state.room import SeatRequest
from studio.tables.state.table import awaited

NLH: Final = TableConfig(key="nlh-1", title="Hold'em 1", game="nlh")
CHIPS: Final = 10_000


class PokerBench(Bench):
    """Seats by the names of their bettors: the first sits at seat1. `deck` is what comes out of the shoe."""

    def __init__(
        self, bettors: str = "ann bob cy", config: TableConfig = NLH, *, path: str = IN_MEMORY, **given: int
    ) -> None:
        super().__init__(config, path=path, **given)
        self.deck: list[Card] = []
        self.seats: dict[str, str] = {}
        for number, bettor in enumerate(bettors.split(), 1):
            self.deposit(100_000, bettor)
            self.seats[bettor] = f"seat{number}"

    def open(self) -> PokerBench:
        super().open()
        for bettor, seat in self.seats.items():
            assert self.ask("sit", bettor, seat=seat, amount_minor=CHIPS).status == "accepted"
        return self

    def load(self, deck: str = "") -> None:
        number = len(self.rows("ShoeLoaded")) + 1
        self.verify_deck(deck or f"deck-{number}", count=self.state.game.shoe.cards)
        self.do(c.LoadShoe)

    def ask(self, act: str, bettor: str, *, id: str = "", seat: str = "", amount_minor: int = 0) -> Answer:
        self._sent += 1
        request = SeatRequest(act, "north", bettor, id or f"s{self._sent}", seat, amount_minor)
        [answer] = self.table.take_seats((request,), self.now)
        return answer

    # --- a hand ----------------------------------------------------------------------------------------

    def hand(self, cards: str = "") -> PokerBench:
        """Start a hand and deal until a seat has to act. `cards` come first, in the order they leave the shoe."""
        self.shuffle(cards)
        self.do(c.StartRound)
        self.go_on()
        return self

    def shuffle(self, cards: str) -> None:
        """The deck as it lies in the shoe: `cards` come first."""
        given = parse_cards(cards)
        self.deck = [*given, *(card for card in DECK if card not in given)]
        if self.state.game.shoe.deck_cards < len(DECK):
            self.deck = [card for card in self.deck if card.rank not in "2345"]

    def go_on(self) -> None:
        """Deal, burn and turn cards as long as the dealer is asked to."""
        while (now := awaited(self.state)) is not None and not self.state.held:
            match now.step:
                case Deal(box=box, face=CardFace.DOWN):
                    self.draw(self.deck.pop(0))
                    self.lay(box, now.place)
                case Deal(box=box):
                    card = self.deck.pop(0)
                    self.draw(card)
                    self.lay(box, now.place, card)
                case Burn():
                    self.draw(self.deck.pop(0))
                    self.lay("burn", next(n for n in range(1, 9) if ("burn", n) not in self.state.felt.looks))
                case Reveal(box=box):
                    self.turn_up(box)
                case Shuffle():
                    self.do(c.ShuffleStub)
                case _:
                    return

    def stray(self) -> None:
        """A card lies face down in the open."""
        self.say(
            ports.CameraSawStray(device=self.config.camera, at_ms=self.now, x=0.5, y=0.5, face=DOWN, confidence=0.9)
        )

    def stray_gone(self) -> None:
        self.say(ports.CameraStrayGone(device=self.config.camera, at_ms=self.now, x=0.5, y=0.5))

    def lay_again(self) -> None:
        """The camera is back and sees what lies there of hands that are in play."""
        for (zone, place), fact in sorted(self.round.deal.cards.items()):
            if zone not in self.round.deal.mucked:
                self.lay(zone, place, fact.face if isinstance(fact, CardDealt) else None)

    def turn_up(self, seat: str) -> None:
        for (zone, place), fact in sorted(self.round.deal.cards.items()):
            if zone == seat:
                self.lay(zone, place, fact.card.card())

    @property
    def turn(self) -> Turn:
        now = awaited(self.state)
        assert now is not None
        assert isinstance(now.step, Turn), now
        return now.step

    def act_alone(self, option: str, to_minor: int = 0) -> Answer:
        """The seat whose turn it is chooses; nobody deals on."""
        return self._choose(option, to_minor, "", "")

    def act(self, option: str, to_minor: int = 0, *, bettor: str = "", id: str = "") -> Answer:
        """The seat whose turn it is chooses; the dealer goes on."""
        answer = self._choose(option, to_minor, bettor, id)
        if answer.status == "accepted":
            self.go_on()
        return answer

    def _choose(self, option: str, to_minor: int, bettor: str, id: str) -> Answer:
        self._sent += 1
        seat = self.turn.box
        owner = bettor or self.state.room.players[seat].bettor
        choice = e.Decision(
            operator="north", bettor=owner, option=option, client_id=id or f"a{self._sent}",
            box=self.seats.get(owner, seat), to_minor=to_minor,
        )  # fmt: skip
        self.now += 500
        [answer] = self.table.take_decisions((choice,), self.now)
        return answer

    def acts(self, *options: str) -> None:
        for option in options:
            name, _, amount = option.partition(" ")
            answer = self.act(name, int(amount or 0))
            assert answer.status == "accepted", answer

    def end_hand(self) -> None:
        """Push the pots, take the cards away and load the next deck."""
        self.do(c.DeclareResult)
        while self.table.pay(self.now):
            pass
        self.clear()
        self.load()

    @property
    def storage_is_failing(self) -> bool:
        return self.disk_full or bool(self.table.storage_failed)

    # --- looking ---------------------------------------------------------------------------------------

    def stack(self, bettor: str) -> int:
        """The chips of a bettor, as the ledger has them."""
        with self.store.reader() as reader:
            return reader.balance(bettor_account("north", f"{bettor}/{self.config.key}"))

    def stacks(self, bettors: Sequence[str] = ()) -> dict[str, int]:
        return {bettor: self.stack(bettor) for bettor in bettors or self.seats}

    def check_chips(self) -> None:
        """What the table believes of each stack is what the ledger holds."""
        for player in self.state.room.players.values():
            assert self.stack(player.bettor) == player.behind_minor
