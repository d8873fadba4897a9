"""Brings a bench's table from nothing to open bets and through a round, by observations."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from studio import ports
from studio.cards import DECK, Card, Sealer
from studio.journal import Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account, operator_account
from studio.people import Actor
from studio.ports import CardFace, Observation
from studio.rulebook.script import Burn, Deal, Decide, Reveal
from studio.tables import command as c
from studio.tables.config import PayProof, TableConfig
from studio.tables.declaration import Command
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.table import TableState, awaited

DEALER = Actor("d1", "Dana", frozenset({"dealer"}))
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}))
OPERATOR = "north"
START_MS = 1_767_225_600_000

Observe = Callable[[Sequence[Observation]], None]
Do = Callable[[Command], object]
Look = Callable[[], TableState]


def config(game: str = "three_knights", window_s: float = 15) -> TableConfig:
    return TableConfig(
        key="t1", title="Table 1", game=game, window_s=window_s, max_bets_per_round=1_000_000, shoe="shoe",
        shuffler="shuffler", camera="camera", proof=PayProof(certificate="bench", highest_bet="", highest_percent=0),
    )  # fmt: skip


def link_up() -> list[Observation]:
    return [ports.LinkUp(device=device, at_ms=START_MS, url="sim://") for device in ("shoe", "shuffler", "camera")]


class Hands:
    """Deals at a table: what its devices would say of it."""

    def __init__(self, observe: Observe, do: Do, look: Look, seed: int = 1) -> None:
        self._observe = observe
        self._do = do
        self._look = look
        self._rng = random.Random(seed)
        self._sealer = Sealer(self._rng.randbytes)
        self._cards: Iterator[Card] = iter(())
        self._laid: dict[tuple[str, int], Card] = {}
        self._decks = 0

    def open(self) -> None:
        self._observe(link_up())
        self._do(c.OpenTable(actor=PIT, dealer=DEALER.id, dealer_name=DEALER.name))

    def is_shoe_spent(self) -> bool:
        """Whether a new one is loaded before the next round."""
        state = self._look()
        deck, shoe = state.deck, state.game.shoe
        if deck is None or deck.change_due:
            return True
        return deck.drawn + shoe.cards_per_round > shoe.cards or deck.rounds == shoe.rounds_per_shuffle

    def start_round(self) -> None:
        """A round begun, what is burned first burned, bets open; a new deck before it, where one is due."""
        if self.is_shoe_spent():
            self._load()
        self._laid.clear()
        self._do(c.StartRound(actor=DEALER))
        self.deal()
        self._do(c.OpenBetting(actor=DEALER))

    def finish_round(self) -> None:
        """The window closed, every card dealt, the result declared; paying is left to the caller."""
        self.next_window()
        self._do(c.DeclareResult(actor=DEALER))

    def next_window(self) -> bool:
        """The open window closed, and dealt up to the next, which is opened; False where none is left."""
        self._do(c.CloseBetting(actor=DEALER))
        self.deal()
        now = awaited(self._look())
        if now is None or not isinstance(now.step, Decide):
            return False
        self._do(c.OpenBetting(actor=DEALER))
        return True

    def clear(self) -> None:
        felt = sorted(self._look().felt.looks)
        self._observe([ports.CameraSawEmpty(device="camera", at_ms=0, zone=zone, place=place) for zone, place in felt])

    def deal(self) -> None:
        """Cards to every place that is awaited, until something else is."""
        while (now := awaited(self._look())) is not None:
            match now.step:
                case Deal(box=box, face=face):
                    self._draw((box, now.place), face)
                case Burn():
                    self._draw(("burn", now.done + 1), CardFace.DOWN)
                case Reveal(box=box):
                    self._observe([self._seen(slot, CardFace.UP) for slot in sorted(self._laid) if slot[0] == box])
                case _:
                    return

    def _draw(self, slot: tuple[str, int], face: CardFace) -> None:
        card = self._laid[slot] = next(self._cards)
        drawn = ports.ShoeDrewCard(device="shoe", at_ms=0, card=self._sealer.card(card), resent=False)
        self._observe([drawn, self._seen(slot, face)])

    def _seen(self, slot: tuple[str, int], face: CardFace) -> ports.CameraSawCard:
        card = self._sealer.card(self._laid[slot]) if face is CardFace.UP else None
        return ports.CameraSawCard(
            device="camera", at_ms=0, zone=slot[0], place=slot[1], face=face, card=card, confidence=0.99, evidence=""
        )

    def _load(self) -> None:
        self._decks += 1
        deck = list(DECK) * self._look().game.shoe.decks
        self._rng.shuffle(deck)
        self._cards = iter(deck)
        name = f"deck-{self._decks}"
        self._observe([ports.DeckVerified(device="shuffler", at_ms=0, count=len(deck), deck_id=name, verdict="ok")])
        self._do(c.LoadShoe(actor=DEALER, deck_id=name))


def deposit_all(commit: Callable[[Unit], object], bettors: Sequence[str], amount_minor: int) -> None:
    """A purse for each bettor, a thousand of them a commit."""
    house = operator_account(OPERATOR)
    for start in range(0, len(bettors), 1_000):
        made = (
            Transfer("", f"purse-{name}", "deposit", house, bettor_account(OPERATOR, name), amount_minor, "EUR")
            for name in bettors[start : start + 1_000]
        )
        commit(Unit(transfers=tuple(made)))


class Bare:
    """A table over a store, without threads: what `Hands` and bets are given to."""

    def __init__(self, store: Store, game: str = "three_knights", *, seed: int = 1) -> None:
        self.writer = Writer(store)
        self.now_ms = START_MS
        self.runtime = TableRuntime(config(game), self.writer.commit, lambda state, book, seq: None)
        self.runtime.start(config(game), self.now_ms)
        self.hands = Hands(self._observe, self._do, lambda: self.runtime.state, seed)
        self._sent = 0

    def deposit(self, bettor: str, amount_minor: int) -> None:
        self._sent += 1
        house, purse = operator_account(OPERATOR), bettor_account(OPERATOR, bettor)
        self.writer.commit(
            Unit(transfers=(Transfer("", f"d{self._sent}", "deposit", house, purse, amount_minor, "EUR"),))
        )

    def deposit_all(self, bettors: Sequence[str], amount_minor: int) -> None:
        """The same for each, a thousand a commit."""
        deposit_all(self.writer.commit, bettors, amount_minor)

    def bets(self, count: int, bettors: Sequence[str]) -> None:
        """So many bets of 1.00, spread over bettors and bets."""
        keys = self.runtime.state.game.betting.bets
        offers = []
        for _ in range(count):
            self._sent += 1
            bettor, bet = bettors[self._sent % len(bettors)], keys[self._sent % len(keys)]
            offers.append(Offer("", OPERATOR, f"c{self._sent}", bettor, "", "", bet, 100, "EUR"))
        for start in range(0, count, 1_000):
            answers = self.runtime.place_bets(offers[start : start + 1_000], self.now_ms)
            assert all(answer.status == "accepted" for answer in answers), answers[0]

    def play(self, rounds: int, bets: int, bettors: Sequence[str]) -> None:
        """So many whole rounds with so many bets each, from the opening of the table on."""
        self.open(bettors)
        for _ in range(rounds):
            self.play_round(bets, bettors)

    def open(self, bettors: Sequence[str]) -> None:
        self.deposit_all(bettors, 100_000_000)
        self.hands.open()

    def play_round(self, bets: int, bettors: Sequence[str]) -> None:
        self.hands.start_round()
        self.bets(bets, bettors)
        self.hands.finish_round()
        self.pay()
        self.hands.clear()

    def pay(self) -> None:
        while self.runtime.pay(self.now_ms):
            pass

    def _observe(self, seen: Sequence[Observation]) -> None:
        self.runtime.observe(seen, self.now_ms)

    def _do(self, command: Command) -> None:
        self.runtime.handle(command, self.now_ms)
