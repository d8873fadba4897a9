"""A table on the workbench: hand-made observations in, journal and ledger in memory, everything checked at the end.

The clock stands still until a test moves it. The camera sees what a test lays down, the shoe says what it draws.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from studio import ports
from studio.cards import DECK, Card, Sealer, parse_cards
from studio.errors import RefusedError, StorageError
from studio.journal import IN_MEMORY, Receipt, Store, Unit, Writer
from studio.journal.extract.walk import steps
from studio.money import Answer, Offer, Transfer, bettor_account, house_account, operator_account
from studio.people import Actor
from studio.ports import CardFace
from studio.proof.audit.database import audit
from studio.rulebook.script import Burn, Deal
from studio.tables import command as c
from studio.tables.config import PayProof, TableConfig
from studio.tables.correction.finished_round import read_dossier
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.event.situation import Situation
from studio.tables.past.dossier import Dossier
from studio.tables.run.runtime import TableRuntime
from studio.tables.state.incident import Incident
from studio.tables.state.round import Round
from studio.tables.state.table import TableState, awaited

UP, DOWN, UNSURE = CardFace.UP, CardFace.DOWN, CardFace.UNSURE

DEALER = Actor("d1", "Dana", frozenset({"dealer"}))
PIT = Actor("p1", "Petra", frozenset({"pit_boss"}))
PIT_TOO = Actor("p2", "Pavel", frozenset({"pit_boss"}))

PROOF = PayProof(certificate="proved", highest_bet="player1_win", highest_percent=96.944)
CONFIG = TableConfig(key="t1", title="Table 1", game="three_knights", proof=PROOF)

DEAL = parse_cards("Js 2c Kc Qs 3h 3c 8d Th 6d 7d 8h 9d")
"""In the order dealt. Player 1 ties with the Banker's nine, Player 2 loses with a two, Player 3 with a six."""

BURNS = parse_cards("4s 4h 4d 4c")


class Bench:
    """One table under test. While `disk_full` no commit succeeds; `tamper` may change what is committed."""

    def __init__(
        self, config: TableConfig = CONFIG, *, seed: int = 1, path: str = IN_MEMORY, beside: Bench | None = None
    ) -> None:
        """`beside`: another table of the same studio, whose journal and ledger are this one's too."""
        self.config = config
        self.now = 1_700_000_000_000
        self.sealer = Sealer(random.Random(seed).randbytes)
        self.store = beside.store if beside else Store.open(path)
        self.writer = beside.writer if beside else Writer(self.store)
        self.disk_full = False
        self.tamper: Callable[[Unit], Unit] = lambda unit: unit
        self.table = TableRuntime(config, self._commit, lambda state, book, seq: None, dossier_of=self.dossier)
        self._sent = beside._sent + 10_000 if beside else 0
        self.table.start(config, self.now)

    def _commit(self, unit: Unit) -> Receipt:
        if self.disk_full:
            raise StorageError("The disk is full and nothing of this commit was kept: make room, then go on.")
        return self.writer.commit(self.tamper(unit))

    # --- looking ---------------------------------------------------------------------------------------

    @property
    def state(self) -> TableState:
        return self.table.state

    @property
    def round(self) -> Round:
        assert self.state.round is not None
        return self.state.round

    @property
    def incident(self) -> Incident:
        """The one open incident."""
        [found] = self.state.incidents.open
        return found

    def open_kinds(self) -> list[str]:
        return [one.kind for one in self.state.incidents.open]

    def rows(self, *kinds: str) -> list[e.AnyEvent]:
        with self.store.reader() as reader:
            return [read_body(row.body).event for row in reader.events(kinds=kinds or None)]

    def dossier(self, round: str = "") -> Dossier:
        """A finished round as a correction needs it; the last one where none is named."""
        with self.store.reader() as reader:
            return read_dossier(reader, self.config, round or self.round.id)

    def kinds(self) -> list[str]:
        with self.store.reader() as reader:
            return [row.kind for row in reader.events()]

    def balance(self, bettor: str = "ann") -> int:
        with self.store.reader() as reader:
            return reader.balance(bettor_account("north", bettor))

    def house(self) -> int:
        with self.store.reader() as reader:
            return reader.balance(house_account(self.config.key))

    # --- time, devices ---------------------------------------------------------------------------------

    def wait(self, seconds: float) -> None:
        """Let time pass, with one tick at its end."""
        self.now += round(seconds * 1000)
        self.tick()

    def tick(self) -> None:
        self.table.handle(c.Tick(), self.now)

    def say(self, *seen: ports.Observation) -> None:
        self.now += 20
        self.table.observe(seen, self.now)

    def links(self, *, up: bool = True, only: Sequence[str] = ()) -> None:
        for device in only or self.config.devices:
            if up:
                self.say(ports.LinkUp(device=device, at_ms=self.now, url="sim://"))
            else:
                self.say(ports.LinkDown(device=device, at_ms=self.now, url="sim://", reason="The cable is out."))

    def verify_deck(self, deck: str = "deck-1", verdict: str = "ok", count: int = 0) -> None:
        """With as many cards as the shoe of its game holds, unless other is said."""
        count = count or self.state.shoe.cards
        self.say(
            ports.DeckVerified(device=self.config.shuffler, at_ms=self.now, count=count, deck_id=deck, verdict=verdict)
        )

    def draw(self, card: str | Card, *, resent: bool = False) -> str:
        """The shoe reads a card; gives the id of its seal."""
        sealed = self.sealer.card(_card(card))
        self.say(ports.ShoeDrewCard(device=self.config.shoe, at_ms=self.now, card=sealed, resent=resent))
        return sealed.id

    def draw_unread(self) -> None:
        self.say(ports.ShoeCardUnread(device=self.config.shoe, at_ms=self.now))

    def lay(self, zone: str, place: int, card: str | Card | None = None, face: CardFace | None = None) -> None:
        """The camera sees a card in a place: face up when one is named, else face down."""
        face = face or (UP if card is not None else DOWN)
        sealed = self.sealer.card(_card(card)) if card is not None and face is UP else None
        self.say(
            ports.CameraSawCard(
                device=self.config.camera, at_ms=self.now, zone=zone, place=place, face=face, card=sealed,
                confidence=0.999, evidence=f"{zone}{place}".encode().hex(),
            )
        )  # fmt: skip

    def lift(self, zone: str, place: int) -> None:
        self.say(ports.CameraSawEmpty(device=self.config.camera, at_ms=self.now, zone=zone, place=place))

    def clear(self) -> None:
        for zone, place in sorted(self.state.felt.looks):
            self.lift(zone, place)

    def lose(self, zone: str, place: int, *, identified: bool) -> None:
        self.say(
            ports.CameraLostCard(
                device=self.config.camera, at_ms=self.now, zone=zone, place=place, direction="left",
                identified=identified,
            )
        )  # fmt: skip

    # --- people ----------------------------------------------------------------------------------------

    def do(self, command: type[c.Command], actor: Actor = DEALER, **given: object) -> None:
        self.table.handle(command(actor=actor, **given), self.now)  # type: ignore[arg-type]

    def pin(self, actor: Actor) -> Actor:
        return actor.with_pin(self.now)

    def rule(self, ruling: str, actor: Actor = DEALER, *arguments: str, kind: str = "") -> None:
        """Rule on the open incident; a pit boss enters the PIN and a reason."""
        incident = next(one for one in self.state.incidents.open if kind in ("", one.kind))
        given: dict[str, object] = {"incident": incident.id, "ruling": ruling, "arguments": arguments}
        if "pit_boss" in actor.roles:
            actor = self.pin(actor)
        self.do(c.RuleIncident, actor, **given, reason_code="seen", words="As we saw it.")

    def approve(self, actor: Actor = PIT_TOO, *, kind: str = "") -> None:
        incident = next(one for one in self.state.incidents.open if kind in ("", one.kind))
        self.do(c.ApproveRuling, self.pin(actor), incident=incident.id, asked=mark_of(incident))

    def report(self, kind: str, actor: Actor = DEALER, *, slot: tuple[str, int] = ("", 0), **found: object) -> None:
        told = tuple((name, str(value)) for name, value in found.items())
        self.do(c.ReportIncident, actor, kind=kind, circumstances=told, box=slot[0], place=slot[1])

    def refused(self, command: type[c.Command], actor: Actor = DEALER, **given: object) -> str:
        """The key of the refusal; nothing may change by it."""
        return self._refusal(lambda: self.do(command, actor, **given))

    def refused_ruling(self, ruling: str, actor: Actor = DEALER, *arguments: str, kind: str = "") -> str:
        return self._refusal(lambda: self.rule(ruling, actor, *arguments, kind=kind))

    def _refusal(self, act: Callable[[], object]) -> str:
        before = self.table.seq
        with pytest.raises(RefusedError) as found:
            act()
        assert self.table.seq == before
        assert found.value.sentence.endswith(".")
        return found.value.key

    # --- a round ---------------------------------------------------------------------------------------

    def open(self) -> Bench:
        """Links up, a verified deck in the shoe, the table open."""
        self.links()
        self.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        self.load()
        return self

    def load(self, deck: str = "deck-1") -> None:
        self.verify_deck(deck)
        self.do(c.LoadShoe)

    def deposit(self, amount_minor: int = 100_000, bettor: str = "ann") -> None:
        self._sent += 1
        transfer = Transfer(
            "", f"money{self._sent}", "deposit", operator_account("north"), bettor_account("north", bettor),
            amount_minor, "EUR",
        )  # fmt: skip
        self.writer.commit(Unit(transfers=(transfer,)))

    def start(self, burns: Sequence[Card] = BURNS) -> Bench:
        """Start a round and burn its four cards."""
        self.do(c.StartRound)
        self.burn(burns)
        return self

    def burn(self, burns: Sequence[Card] = BURNS) -> None:
        for number, card in enumerate(burns, 1):
            self.draw(card)
            self.lay("burn", number)

    def bet(self, bet: str = "player1_win", stake_minor: int = 1000, bettor: str = "ann") -> Answer:
        self._sent += 1
        offer = Offer("", "north", f"c{self._sent}", bettor, "", "", bet, stake_minor, "EUR")
        [answer] = self.table.place_bets((offer,), self.now)
        return answer

    def betting(self, *bets: tuple[str, int]) -> Bench:
        """Open the window, place these bets of Ann's, let the window end."""
        self.do(c.OpenBetting)
        for bet, stake_minor in bets:
            assert self.bet(bet, stake_minor).status == "accepted"
        self.wait(15)
        return self

    def next_slot(self) -> tuple[str, int]:
        now = awaited(self.state)
        assert now is not None
        if isinstance(now.step, Burn):
            return "burn", now.done + 1
        assert isinstance(now.step, Deal)
        return now.step.box, now.place

    def deal(self, *cards: str | Card) -> Bench:
        """Deal these cards, each to the place the script awaits."""
        for card in cards:
            slot = self.next_slot()
            self.draw(card)
            self.lay(*slot, card)
        return self

    def pay(self) -> None:
        while self.table.pay(self.now):
            self.now += 1

    def finish(self) -> None:
        """Declare, pay, clear the felt."""
        self.do(c.DeclareResult)
        self.pay()
        self.clear()

    # --- the end ---------------------------------------------------------------------------------------

    def restarted(self) -> TableRuntime:
        """A second runtime, folded from the journal alone."""
        again = TableRuntime(self.config, self._commit, lambda state, book, seq: None, dossier_of=self.dossier)
        with self.store.reader() as reader:
            again.restore(reader.events(table=self.config.key), self.store.keyring.lookup)
        return again

    def restart(self) -> None:
        """The program dies and comes back up."""
        self.table = self.restarted()
        self.table.start(self.config, self.now)

    def close(self) -> None:
        self.writer.close()
        self.store.close()

    def check(self) -> None:
        """The journal is sound, every settlement comes out the same, and the replay is the live state."""
        audit(steps(self.store.connection))
        again = self.restarted()
        assert again.state == self.state
        assert again.book.bets == self.table.book.bets
        self._check_money()
        self._check_values()

    def _check_values(self) -> None:
        """What was before an act and is after it is written as values: no text that somebody has to read again."""
        with self.store.reader() as reader:
            for row in reader.events(kinds=("ShoeWithdrawn",)):
                withdrawn = read_body(row.body).event
                assert isinstance(withdrawn, e.ShoeWithdrawn)
                assert ":" not in withdrawn.why
            for row in reader.events(kinds=("ExceptionRecorded", "CorrectionAsked", "TableChanged", "PayTableAllowed")):
                event: Any = read_body(row.body).event
                told = getattr(event, "said", None) or (event.before, event.after)
                for one in told if isinstance(told, tuple) else (told,):
                    assert isinstance(one, Situation), f"{row.kind} says {one!r}"

    def _check_money(self) -> None:
        rows = self.store.connection.execute("SELECT sum(amount) FROM balance").fetchone()
        assert rows[0] in (0, None)
        if self.state.round is None or self.state.round.over:
            pots = self.store.connection.execute("SELECT count(*) FROM balance WHERE account LIKE 'escrow:%'")
            assert pots.fetchone() == (0,)


@contextmanager
def bench(config: TableConfig = CONFIG, **changes: object) -> Iterator[Bench]:
    """A table, checked and closed at the end."""
    made = Bench(msgspec.structs.replace(config, **changes) if changes else config)
    try:
        yield made
        made.disk_full = False
        made.check()
    finally:
        made.close()


def mark_of(incident: Incident) -> str:
    """The mark of what is asked there; empty where nothing is."""
    return incident.asked.mark if incident.asked else ""


def _card(card: str | Card) -> Card:
    return card if isinstance(card, Card) else Card.parse(card)


def other_cards(*used: Card) -> list[Card]:
    return [card for card in DECK if card not in used]


__all__ = ["BURNS", "CONFIG", "DEAL", "DEALER", "DOWN", "PIT", "PIT_TOO", "UNSURE", "UP", "Bench", "bench", "replace"]
