"""A floor of one table for the tests of the operators' interface: the real journal in memory, the table by hand."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from altered import altered
from routes_once import keep_routes
from werkzeug.wrappers import Response

from dealer_ui.config.operator import CreditLimits
from dealer_ui.config.shape import StudioSection
from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.free_bet import FreeBetDesk
from dealer_ui.desk.operator_key import OperatorKeys, digest_of_key
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.winners import Winners
from dealer_ui.floor.bet_offer import BetOffer, Choice
from dealer_ui.live.telling import Telling, in_turn
from dealer_ui.teller.tellers import Tellers
from studio.diagnosis import Unseen
from studio.errors import RefusedError
from studio.games import find_game
from studio.journal import IN_MEMORY, Entry, Reader, Store, Unit, Writer
from studio.money import Answer, Offer, Rates, Transfer, bettor_account, operator_account
from studio.operators import BettorTerms, Operator
from studio.settlement import Payout, settling_transfers, voiding_transfers
from studio.settlement import Purse as RoundPurse
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, write_body
from studio.tables.state.room import SeatRequest
from studio.views.own import OwnPlay, OwnSeat
from studio.views.playing import Playing
from studio.views.shape import (
    BetsView,
    BoxView,
    CardView,
    DevicesView,
    GameView,
    NowView,
    ResultView,
    RoundView,
    SeatView,
    ShoeView,
    TableView,
    Words,
)

keep_routes()

NORTH_KEY = "north-key-0123456789"
SOUTH_KEY = "south-key-0123456789"
LAPSED_KEY = "lapsed-key-0123456789"
NORTH = {"Authorization": f"Bearer {NORTH_KEY}"}
SOUTH = {"Authorization": f"Bearer {SOUTH_KEY}"}

KEYS = OperatorKeys(
    {
        "north": Operator({digest_of_key(NORTH_KEY): None}),
        "south": Operator({digest_of_key(SOUTH_KEY): None}),
        "lapsed": Operator({digest_of_key(LAPSED_KEY): None}, suspended=True),
    }
)


@dataclass(frozen=True, slots=True)
class Config:
    currency: str = "EUR"
    currencies: tuple[str, ...] = ("EUR", "JPY")
    studio: StudioSection = field(default_factory=StudioSection)

    def credit_of(self, operator: str) -> CreditLimits:
        return CreditLimits(100_000, 1_000_000, "EUR", Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"}))


class Seats:
    """So many streams, of whomever; each is told on the thread that reads it."""

    def __init__(self, most: int, floor: Any = None, closing: threading.Event | None = None) -> None:
        self.left = most
        self.floor = floor
        self.closing = closing or threading.Event()

    def open(self, telling: Telling, holder: str) -> Response | None:
        if self.left == 0:
            return None
        self.left -= 1
        response = Response(in_turn(telling, self.floor, self.closing), mimetype="text/event-stream")
        response.call_on_close(self.leave)
        return response

    def leave(self) -> None:
        self.left += 1


def table_view(**changes: Any) -> TableView:
    """A table between rounds, or as changed."""
    boxes = tuple(
        BoxView(box, f"box.{box}", tuple(CardView(place, "empty") for place in (1, 2, 3)))
        for box in ("player1", "player2", "player3", "banker")
    )
    view = TableView(
        table="t1",
        title="Table 1",
        game=GameView(
            key="three_knights", title="Three Knights", limits={"*": (100, 100_000), "player1_tie": (100, 5_000)}
        ),
        seq=1,
        moves=0,
        now=NowView(
            status="open",
            phase="shuffling",
            held=False,
            act=Words("act.none"),
        ),
        seat=SeatView(dealer="d1", dealer_name="Dana"),
        boxes=boxes,
        round=RoundView(attempt=1),
        bets=BetsView(False, None, 0, 0, "EUR"),
        shoe=ShoeView(deck="deck-7", number=1, cards_left=52, rounds_left=3),
        devices=DevicesView(links={"shoe": True}),
    )
    return altered(view, **changes)


NOW_MS = 1_700_000_000_000


class FakeFloor:
    tables = ("t1",)
    operators = KEYS
    config = Config()

    def __init__(self) -> None:
        self.now = NOW_MS
        self.operators = OperatorKeys(type(self).operators)  # its own: what a test puts there is no other test's
        self.fail: Exception | None = None
        self.full: Exception | None = None
        self.keys: dict[str, bytes] = {}
        self.looked_up: list[str] = []
        self._view = table_view()
        self._changed = threading.Condition()
        self._lock = threading.Lock()
        self._store = Store.open(IN_MEMORY)
        self._writer = Writer(self._store)
        self._reader = self._store.reader()
        self._ids = itertools.count(1)
        self.pit = PitDesk(self._keep, self.now_ms)
        self.bettors = BettorDesk(self._keep, self.now_ms)
        self.free_bets = FreeBetDesk(self._keep, self.now_ms, lambda name: self.config.credit_of(name))
        self.tellers = Tellers()
        self.winners = Winners(self.reader)

    def close(self) -> None:
        self._writer.close()
        self._reader.close()
        self._store.close()

    def _keep(self, unit: Unit) -> int:
        with self._lock:
            return self._writer.commit(unit).last_seq

    # --- what the interface asks ---

    def view(self, table: str) -> TableView:
        if self.fail is not None:
            raise self.fail
        return self._view

    def playing(self, table: str) -> Playing:
        return Playing.seen(self.view(table))

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int:
        with self._changed:
            self._changed.wait_for(lambda: self._view.seq > after_seq, timeout_s)
            return self._view.seq

    def now_ms(self) -> int:
        return self.now

    def reader(self) -> Reader:
        return self._reader

    def own_key(self, operator: str, bettor: str, round: str, id: str) -> bytes | None:
        self.looked_up.append(id)
        return self.keys.get(id)

    def need_room(self, table: str, operator: str) -> None:
        if self.full is not None:
            raise self.full

    def knows_bettor(self, operator: str, bettor: str) -> bool:
        return self.bettors.knows(operator, bettor)

    def launch(self, table: str, operator: str, bettor: str, session: str, terms: BettorTerms | None) -> None:
        """Its bettors' purses lie here, and nobody sits at its table."""
        self.bettors.need_open(operator, bettor)
        self.bettors.launch(operator, bettor, terms)

    def place_bets(
        self, table: str, operator: str, offers: Sequence[BetOffer], currency: str = "EUR"
    ) -> tuple[Answer, ...]:
        answers: dict[int, Answer] = {}
        taken: dict[int, Offer] = {}
        passed: set[str] = set()
        for i, offer in enumerate(offers):
            try:
                taken[i] = self._admit(operator, offer, known=offer.client_id in passed)
                passed.add(offer.client_id)
            except RefusedError as error:
                answers[i] = Answer(offer.client_id, "", "refused", error.key, error.sentence)
        told = self._commit(Unit(offers=tuple(taken.values())))
        answers.update(zip(taken, told, strict=True))
        return tuple(answers[i] for i in range(len(offers)))

    own = OwnPlay()
    decided: tuple[tuple[str, Choice], ...] = ()
    seat: OwnSeat | None = None
    seats_asked: tuple[SeatRequest, ...] = ()

    def own_play(self, table: str, operator: str, bettor: str) -> OwnPlay:
        return self.own

    picture: tuple[bytes, int] | Unseen = Unseen.NONE

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen:
        return self.picture

    def rtp(self, table: str) -> Mapping[str, float]:
        return {}

    def best_once_in(self, table: str) -> Mapping[str, int]:
        return {}

    def own_seat(self, table: str, operator: str, bettor: str) -> OwnSeat | None:
        return self.seat

    def take_seats(self, table: str, requests: Sequence[SeatRequest]) -> tuple[Answer, ...]:
        self.seats_asked = (*self.seats_asked, *requests)
        return tuple(Answer(one.client_id, "", "accepted") for one in requests)

    def take_decisions(self, table: str, operator: str, choices: Sequence[Choice]) -> tuple[Answer, ...]:
        self.decided = (*self.decided, *((operator, one) for one in choices))
        return tuple(Answer(one.client_id, "", "accepted") for one in choices)

    def deposit(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        house, purse = operator_account(operator), bettor_account(operator, bettor)
        return self._move("deposit", operator, client_id, house, purse, amount_minor, currency)

    def withdraw(self, operator: str, bettor: str, client_id: str, amount_minor: int, currency: str = "") -> Answer:
        house, purse = operator_account(operator), bettor_account(operator, bettor)
        return self._move("withdraw", operator, client_id, purse, house, amount_minor, currency)

    # --- what a test does at the table ---

    def show(self, **changes: Any) -> None:
        """The table is now so; everybody waiting hears of it."""
        with self._changed:
            self._view = altered(self._view, **{"seq": self._view.seq + 1, **changes})
            self._changed.notify_all()

    def open_bets(self, round: str = "t1-r1", number: int = 1, window_ms: int = 15_000) -> None:
        self.tell(
            round,
            e.RoundStarted(round=round, number=number, game=self._view.game.key, version=1, rules={}, dealer="d1"),
        )
        bets = BetsView(True, self.now + window_ms, 0, 0, "EUR")
        self.show(round={"id": round, "number": number, "stage": "dealing"}, now={"phase": "betting"}, bets=bets)

    def close_bets(self) -> None:
        self.show(now={"phase": "dealing"}, bets=replace(self._view.bets, open=False, closes_at_ms=None))

    def settle(self, returns: Mapping[str, int], outcome: Mapping[str, Any] | None = None) -> None:
        """Every bet of the round is posted; `returns` by bet key."""
        round = self._view.round.id
        self.tell(round, e.ResultDeclared(outcome=dict(outcome or {}), by="d1"))
        payouts = [replace_payout(payout, returns) for payout in self._stakes(round)]
        self._commit(Unit(transfers=settling_transfers(payouts, RoundPurse(round, "t1", "EUR"))))
        self.tell(round, e.RoundSettled(bets=len(payouts), stake_minor=0, returns_minor=0, digest=""))
        self._end(round, voided=False, outcome=outcome or {})

    def void(self, row: str = "TK6") -> None:
        round = self._view.round.id
        self.tell(round, e.RoundVoided(row=row, incident="i1", by="p1"))
        self._commit(Unit(transfers=voiding_transfers(self._stakes(round), RoundPurse(round, "t1", "EUR"))))
        self.tell(round, e.RoundRefunded(bets=0, stake_minor=0))
        self._end(round, voided=True, outcome={})

    def tell(self, round: str, event: e.AnyEvent) -> None:
        self._commit(Unit(entries=(Entry(kind_of(event), self.now, write_body("t1", round, event)),)))

    def _end(self, round: str, *, voided: bool, outcome: Mapping[str, Any]) -> None:
        ended = ResultView(round, self._view.round.number, self.now, voided, outcome)
        stage = "voided" if voided else "settled"
        bets = replace(self._view.bets, open=False, closes_at_ms=None)
        self.show(
            round={"stage": stage},
            now={"phase": "settled"},
            past={"results": (*self._view.past.results, ended)},
            bets=bets,
        )

    def _stakes(self, round: str) -> list[Payout]:
        return [Payout(bet.bet_id, bet.bet, bet.source, bet.stake_minor, 0) for bet in self._reader.bets(round)]

    def _admit(self, operator: str, offer: BetOffer, *, known: bool) -> Offer:
        """As a table does: a bet whose id came before in its batch goes to the writer, which knows it."""
        view = self._view
        if not view.bets.open or view.now.held:
            raise RefusedError("bets_closed", "Bets are closed; wait for the next round.")
        if offer.round not in ("", view.round.id):
            raise RefusedError("round_over", f"This bet was for round {offer.round}, which takes no more bets.")
        if offer.bet not in find_game(view.game.key).betting.bets:
            raise RefusedError("unknown_bet", f"There is no bet {offer.bet} at this table.")
        least, most = view.game.limits.get(offer.bet) or view.game.limits["*"]
        if not known and not least <= offer.stake_minor <= most:
            raise RefusedError("over_limit", f"Stake from {least} to {most} on {offer.bet}.")
        return Offer(
            f"b{next(self._ids)}", operator, offer.client_id, offer.bettor, view.table, view.round.id, offer.bet,
            offer.stake_minor, view.bets.currency, offer.free_bet,
        )  # fmt: skip

    def _move(
        self, kind: str, operator: str, client_id: str, debit: str, credit: str, amount_minor: int, currency: str
    ) -> Answer:
        try:
            moved = Transfer("", f"{operator}/{client_id}", kind, debit, credit, amount_minor, currency or "EUR")
            self._commit(Unit(transfers=(moved,)))
        except RefusedError as error:
            if error.key == "duplicate":
                return Answer(client_id, "", "duplicate")
            return Answer(client_id, "", "refused", error.key, error.sentence)
        return Answer(client_id, "", "accepted")

    def _commit(self, unit: Unit) -> Iterable[Answer]:
        with self._lock:
            return self._writer.commit(unit).answers


def replace_payout(payout: Payout, returns: Mapping[str, int]) -> Payout:
    return msgspec.structs.replace(payout, returns_minor=returns.get(payout.bet, 0))
