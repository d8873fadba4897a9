"""A simulated table whose people do only what they are told, beside a model that is held against it after each step."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from altered import altered
from own_model import Model

from dealer_ui.rehearsal.night import DEALER, PIT, Night, NightOptions
from dealer_ui.rehearsal.own_hands.act import do
from dealer_ui.rehearsal.own_hands.breakage import Breakage
from dealer_ui.rehearsal.own_hands.hands import Hands
from devices.sim.felt import LyingCard
from studio.cards import Card
from studio.errors import RefusedError, StorageError
from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.money import Offer, Transfer, bettor_account, escrow_account, operator_account
from studio.people import Actor
from studio.ports import CardFace
from studio.proof.audit.database import audit
from studio.rounds import CardReplaced
from studio.tables import command as c
from studio.tables.correction.finished_round import read_dossier
from studio.tables.declaration import Command
from studio.tables.event.record import read_body
from studio.tables.event.table import Decision
from studio.tables.past.dossier import Dossier
from studio.tables.run.runtime import TableRuntime
from studio.views import TableView

REASON = {"reason_code": "seen", "words": "As we saw it."}
RESTING = 1 << 60
WAY_OUT_STEPS_MAX = 9_000
"""Seven minutes and a half of the table's time: rulings, a shuffle, and a whole deal again."""
DEPOSIT_MINOR = 100_000_000
BETS = {
    "three_knights": ("player1_win", "player2_lose", "player3_tie"),
    "kkclash": ("shark", "king", "draw"),
    "blackjack": ("1:main", "3:main", "4:main"),
}
ANEW = ("RoundStarted", "RedealOrdered", "ShoeLoaded")
"""From here on cards are hidden that may have lain open before."""
OF_THE_PAST = ("CorrectionAsked", "CorrectionApproved", "RoundResettled", "ExceptionRecorded")
"""These name cards of rounds long over, and what people have typed."""
BETTORS = ("ann", "bob", "cem")
STAKES_MINOR = (100, 333, 2_501)
PEOPLE = {"dealer": DEALER, "pit": PIT[0], "second": PIT[1]}


class WatchedNight(Night):
    """A `Night` that tells the model of every accepted command, its own people's too."""

    model: Model | None = None

    def command(self, command: Command) -> None:
        before = self.view()
        try:
            super().command(command)
        except RefusedError as refused:
            self.told = refused.sentence
            if refused.key == "our_error" or not refused.sentence.endswith("."):
                raise AssertionError(f"the studio broke at {command}: {refused.sentence}") from refused
            raise
        if self.model is not None:
            self.model.heard(command, before, self.view())

    told = ""

    def _new_runtime(self) -> TableRuntime:
        return TableRuntime(self.config, self.commit, self._published, dossier_of=self.dossier)

    def dossier(self, round: str) -> Dossier:
        with self.store.reader() as reader:
            return read_dossier(reader, self.config, round)


class Table:
    """The table, its hands, its faults and its model; every method leaves it checked."""

    def __init__(self, game: str, seed: int) -> None:
        self.game = game
        self.night = WatchedNight(NightOptions(game, seed, bettors=0))
        self.model = self.night.model = Model(game, dict.fromkeys(BETTORS, DEPOSIT_MINOR))
        for name in BETTORS:
            account, operator = bettor_account("north", name), operator_account("north")
            paid = Transfer("", f"in-{name}", "deposit", operator, account, DEPOSIT_MINOR, "EUR")
            self.night.writer.commit(_unit(paid))
        self.hands = Hands(self.night.rig, self.night.view, card_ms=400)
        self.breakage = Breakage(self.night.rig, self)
        self._rng = random.Random(f"{seed}/bettors")
        self._reader = self.night.store.reader()
        self._seq = self._sent = 0
        self._asked_at: object = None
        self.hidden: set[str] = set()
        """Cards of this deal that nobody may know yet."""
        self.work(dealer=False, pit=False)

    # --- the camera, as faults spoil it ---------------------------------------------------------------

    def plug(self, *, on: bool) -> None:
        self.night.eye.link(up=on)

    def spoil(self, how: str) -> None:
        self.night.eye.blind(how) if how else self.night.eye.see()

    # --- people ---------------------------------------------------------------------------------------

    def work(self, *, dealer: bool, pit: bool) -> None:
        """Who acts by himself from now on."""
        now = self.night.now_ms
        self.night.dealer._free_at_ms = now if dealer else RESTING
        self.night.pit._free_at_ms = now if pit else RESTING

    def run(self, steps: int, *, until: Callable[[], bool] = lambda: False) -> bool:
        for _ in range(steps):
            if until():
                return True
            with self._watching_the_shoe():
                self.night.step()
                self.hands.step(self.night.now_ms)
            self._bettors_act()
            self.hidden -= {str(one.card) for one in self._lying(CardFace.UP)}
        return until()

    def ask(self, command: Command) -> bool:
        with suppress(RefusedError):
            self.night.command(command)
            return True
        return False

    def correct(self, who: str, second: str, round: str, change: tuple[str, int, str] | None) -> None:
        """Ask for a correction of a settled round, one card or the whole, and have somebody approve it."""
        facts: tuple[CardReplaced, ...] = ()
        dossier, hands = self.night.dossier(round), None
        if change is not None:
            box, place, card = change
            facts = (
                CardReplaced(id=dossier.round.deal.cards[box, place].card.id, face=Card.parse(card), source="manual"),
            )
            hands = {key: list(cards) for key, cards in self.model.paid[round].hands.items()}
            hands[box][place - 1] = card
        now = self.night.now_ms
        asked = c.AskCorrection(actor=actor(who, now), dossier=dossier, facts=facts, void=change is None, **REASON)
        if not self.ask(asked):
            return
        found = self.night.state.aftermath.corrections.current
        assert found is not None
        approval = c.ApproveCorrection(actor=actor(second, now), correction=found.id, dossier=dossier)
        if self.ask(approval):
            assert second != "dealer", "a dealer approved"
            assert second != who, "somebody approved his own request"
            self.model.corrected(round, hands)
            self.model.graves.add(found.id)
        else:
            self.ask(c.DeclineCorrection(actor=actor("pit", now), correction=found.id))

    def do(self, **form: str) -> None:
        with suppress(RefusedError), self._watching_the_shoe():
            do(self.hands, self.breakage, form)

    @contextmanager
    def _watching_the_shoe(self) -> Iterator[None]:
        """A card drawn while a down card or a burn is due is hidden until it lies open."""
        view, before = self.night.view(), {str(one.card) for one in self._on_felt()}
        yield
        if view.now.act.key in ("act.burn", "act.deal_down"):
            self.hidden |= {str(one.card) for one in self._on_felt()} - before

    # --- bettors --------------------------------------------------------------------------------------

    def _bettors_act(self) -> None:
        """Once a window: most bet, most choose."""
        bets = self.night.view().bets
        if not bets.open or (bets.closes_at_ms, bets.turn) == self._asked_at:
            return
        self._asked_at = (bets.closes_at_ms, bets.turn)
        if bets.deciding:
            self._decide(bets.deciding, bets.turn)
        else:
            for name, bet in zip(BETTORS, BETS[self.game], strict=True):
                if self._rng.random() < 0.8:
                    self._bet(name, bet)

    def _bet(self, name: str, bet: str) -> None:
        stake_minor = self._rng.choice(STAKES_MINOR)
        offer = Offer("", "north", self._id(), name, "", "", bet, stake_minor, "EUR")
        with suppress(StorageError, RefusedError):
            first, again = (self.night.runtime.place_bets((offer,), self.night.now_ms)[0] for _ in range(2))
            assert again.status in ("duplicate", "refused") or first.status != "accepted", "a retry was a second bet"
            if first.status == "accepted":
                self.model.staked(name, bet, stake_minor)

    def _decide(self, options: tuple[str, ...], turn: str) -> None:
        asked = [turn] if turn else sorted({bet.key.partition(":")[0] for bet in self.model.bets})
        for row in asked:
            owner = next((bet.bettor for bet in self.model.bets if bet.key.startswith(f"{row[0]}:")), "")
            if not owner or self._rng.random() < 0.2:
                continue
            option = self._rng.choice(options)
            choice = Decision(operator="north", bettor=owner, option=option, client_id=self._id(), box=row)
            with suppress(StorageError, RefusedError):
                [answer] = self.night.runtime.take_decisions((choice,), self.night.now_ms)
                if answer.status == "accepted":
                    self.model.decided(owner, row, option)

    def _id(self) -> str:
        self._sent += 1
        return f"c{self._sent}"

    # --- what must hold -------------------------------------------------------------------------------

    def check(self) -> None:
        night, model = self.night, self.model
        while not night.disk_full and night.runtime.pay(night.now_ms):
            pass
        view = night.view()
        assert "error of its own" not in view.now.frozen_by_name, "the studio broke and froze the table"
        stage = {"settling": "settled", "voiding": "voided", "dealing": "open", "": ""}.get(
            view.round.stage, view.round.stage
        )
        assert (stage, view.round.number) == (model.stage, model.rounds)
        if not night.disk_full:
            self._check_money(view.round.id)
        self._check_sealed()

    def _check_money(self, round: str) -> None:
        held = {name: self._reader.balance(bettor_account("north", name)) for name in BETTORS}
        assert held == self.model.wallet
        total = self.night.store.connection.execute("SELECT sum(amount) FROM balance").fetchone()[0]
        assert total == 0, f"the ledger sums to {total}"
        if round:
            assert self._reader.balance(escrow_account(round)) == self.model.at_stake_minor

    def _on_felt(self) -> tuple[LyingCard, ...]:
        return self.night.rig.felt.view().cards

    def _lying(self, face: CardFace) -> list[LyingCard]:
        return [one for one in self._on_felt() if one.face is face]

    def _check_sealed(self) -> None:
        """No card that lies face down, and was never turned up, is named on a screen, in a new row, in a refusal."""
        view = altered(self.night.view(), past={"results": ()}, round={"outcome": None})
        rows = list(self._reader.events(after_seq=self._seq))
        down = {str(one.card) for one in self._lying(CardFace.DOWN)} & self.hidden
        anew = max((n for n, row in enumerate(rows) if row.kind in ANEW), default=0)
        shown, body = repr(view), b"\n".join(row.body for row in rows[anew:] if row.kind not in OF_THE_PAST).decode()
        for card in down:
            assert f"'{card}'" not in shown, "a face-down card is on the screen"
            assert f'"{card}"' not in body, "a face-down card is in the journal"
            assert card == "As" or not re.search(rf"\b{card}\b", self.night.told), "a face-down card is in a refusal"
        self.night.told = ""
        if view.round.stage != "dealing":
            self.hidden.clear()
        if rows:
            self._seq = rows[-1].seq

    def verify(self) -> None:
        """What `studio verify` reads, and a table folded from the journal alone."""
        audit(steps(self.night.store.connection))
        kept = {one.incident for one in self._events("ExceptionRecorded")}
        assert self.model.graves <= kept, f"not in the exception report: {self.model.graves - kept}"

    def _events(self, kind: str) -> list[Any]:
        return [read_body(row.body).event for row in self._reader.events(kinds=(kind,))]

    def find_a_way_out(self) -> None:
        """Everything is mended, everybody works: with the buttons shown, the table comes to the end of a round."""
        self.night.disk_full = False
        self.breakage.mend_everything()
        for slot in self.night.rig.felt.view().hands:
            self.night.rig.felt.hand_over(*slot, on=False)
        self._tidy_up()
        self.work(dealer=True, pit=True)
        ended = self.model.settled + self.model.voided
        came = self.run(WAY_OUT_STEPS_MAX, until=lambda: self.model.settled + self.model.voided > ended)
        view = self.night.view()
        assert came, (
            f"nobody gets out: {view.now.act} {[(one.kind, one.row.id, one.ruled) for one in view.incidents.open]}"
        )
        self.work(dealer=False, pit=False)
        self.check()

    def _tidy_up(self) -> None:
        """A dealer sees what lies on the felt, whatever a pit boss has said of it: cards of no round go away."""
        view = self.night.view()
        if view.round.stage != "dealing":
            self.night.dealer.hand.clear()
        elif not any(one.state not in ("empty", "awaited") for box in view.boxes for one in box.places):
            self.night.dealer.hand.take_away(view)

    def restart(self) -> None:
        before = self.night.view()
        self.night.restart()
        after = self.night.view()
        assert (before.round.id, before.round.stage, _faces(before)) == (
            after.round.id,
            after.round.stage,
            _faces(after),
        )

    def close(self) -> None:
        self._reader.close()
        self.night.close()


def _faces(view: TableView) -> dict[tuple[str, int], str]:
    return {(box.key, one.place): one.face for box in view.boxes for one in box.places if one.face}


def _unit(transfer: Transfer) -> Unit:
    return Unit(transfers=(transfer,))


def actor(who: str, at_ms: int, *, pin: bool = True) -> Actor:
    return PEOPLE[who].with_pin(at_ms) if pin else PEOPLE[who]
