"""Plays a recorded round once more from its facts, against the result that was declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from studio.proof.audit.account_ledger import AccountLedger
from studio.proof.audit.card import cards_that_count, laid_in
from studio.proof.audit.case import CaseAudit, LostPrize
from studio.proof.audit.pot import PotAudit, PotLedger
from studio.proof.audit.room import check_posted
from studio.proof.audit.round.box import BoxAudit
from studio.proof.audit.round.decision import DecisionAudit
from studio.proof.audit.round.part import PartAudit
from studio.proof.audit.round.payment import MoneyAudit
from studio.proof.audit.wrong import wrong
from studio.rounds import AnyFact, Awaiting, CardDealt, Chose, Finished, Revealed, Standing, WindowClosed, play
from studio.rulebook.game import Game
from studio.rulebook.hand_terms import is_unseen
from studio.rulebook.script import Decide, OpenBets, Turn
from studio.settlement import Progress, Purse
from studio.tables.books.exposure import Exposed
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.past.dossier import Dossier, to_accounts
from studio.tables.state.box import Who
from studio.tables.state.round import Round, RoundDeal, Stage


class RoundAudit:
    """One round, followed event by event; `facts` are those of the deal that counts."""

    def __init__(
        self, started: e.RoundStarted, config: TableConfig, game: Game, ledgers: tuple[PotLedger, AccountLedger],
        cases: CaseAudit,
    ) -> None:  # fmt: skip
        self.id, self._started, self._cases = started.round, started, cases
        table, currency = self._table, self._currency = config.key, config.currency
        self.over, self._stage, self._game, self._rules = False, "dealing", game, started.rules
        self.facts: list[AnyFact] = []
        pot, purse = PotAudit(started, table, ledgers[0]), Purse(started.round, table, currency, started.rates)
        self.parts = PartAudit(started, game, ledgers[1])
        self.money = MoneyAudit(purse, game, started.rules, pot, self.parts)
        self.boxes = BoxAudit(started.round, game, started.rules, table)
        self._decisions = DecisionAudit(started.round, game, started.rules, self.money.conduct)
        self._ready = ReadyAudit(started.round, game)
        self.exposure = ExposureAudit(started, game)
        self._confirmed: set[str] = set()
        self.closes_at_ms: int | None = None
        self._outcome: Any = None
        self._lost: LostPrize | None = None

    @property
    def dealing(self) -> bool:
        return self._stage == "dealing"

    @property
    def is_shown(self) -> bool:
        """Whether the deal that counts was revealed, or is done, and no result is declared."""
        shown = any(isinstance(fact, Revealed) for fact in self.facts)
        return self.dealing and (shown or isinstance(self._standing(), Finished))

    @property
    def hand(self) -> Any:
        """What came out of a hand of the poker room; nothing where the round was void, or another game."""
        return self._outcome if self._game.peers is not None and self._stage == "settling" else None

    @property
    def dossier(self) -> Dossier:
        """The round as a correction needs it, once it is over."""
        started = self._started
        round = Round(
            self.id, started.number, started.rules, started.version, started.dealer,
            RoundDeal(Finished(self._outcome), facts=tuple(self.facts)),
            stage=Stage.SETTLED if self._stage == "settling" else Stage.VOIDED,
            pot=self.money.pot, rates=started.rates,
        )  # fmt: skip
        bets = to_accounts(self._game, self.money.bets())
        return Dossier(self._table, self._currency, self._game, round, bets, self.parts.parts.revision)

    def take(self, event: e.AnyEvent, seq: int, at_ms: int) -> None:
        """Follow one event of this round; `WrongError` where it cannot be so."""
        if self.over:
            wrong(seq, f"{type(event).__name__} comes after round {self.id} was over.")
        self._ready.need_close(event, seq)
        match event:
            case e.FactStood(fact=fact):
                over = self.closes_at_ms is not None and at_ms >= self.closes_at_ms
                self.boxes.stand(fact, self.facts, over=over, seq=seq)
                self.facts.append(fact)
                self._confirmed -= laid_in(fact, self.facts)
                if isinstance(fact, WindowClosed):
                    self.money.close_window(seq)
                if isinstance(fact, WindowClosed | Chose):
                    self.closes_at_ms = None
            case e.CardConfirmed(id=id):
                self._confirmed.add(id)
            case e.CardDoubted(id=id):
                self._confirmed.discard(id)
            case e.RedealOrdered():
                self._need("dealing", event, seq)
                self.facts, self.closes_at_ms = [], None
                self._confirmed.clear()
                self.boxes.deal_again()
                self.money.conduct.forget_decisions()
            case e.BetsOpened(closes_at_ms=closes) | e.TimeBankOpened(closes_at_ms=closes):
                _check_opens(self.id, self._standing(), seq)
                self.closes_at_ms = closes
            case e.BetsPlaced(bets=bets):
                self._need_window(bets, at_ms, seq)
                self.boxes.place(bets)
                self._ready.place(bets)
                self.money.place(bets, seq)
                self._decisions.check_placed(bets, seq)
            case e.BettorReady():
                open = self.closes_at_ms is not None and at_ms < self.closes_at_ms
                self._ready.say(event, open=open, seq=seq)
            case e.DecisionsTaken(decisions=decisions, bets=bets):
                if self.closes_at_ms is None or at_ms >= self.closes_at_ms:
                    wrong(seq, f"Decisions were taken in round {self.id} while the window was closed.")
                self.boxes.decide(event, self.facts, seq)
                self._decisions.check_decided(event, self.facts, seq)
                self.money.place(bets, seq)
                self.money.conduct.decide(decisions)
            case e.DecisionsClosed(options=options):
                self._decisions.check_closed(event, self.facts, seq)
                self.money.conduct.close(self._game, Decide(0, options))
            case _:
                self._finish(event, seq)

    def _need_window(self, bets: Sequence[e.PlacedBet], at_ms: int, seq: int) -> None:
        """Bets are placed while their window is open; those of a seat with the start of its hand."""
        if self._game.peers is not None and not self.facts:
            check_posted(self._game, self._rules, self._table, bets, seq)
        elif self.closes_at_ms is None or at_ms >= self.closes_at_ms:
            wrong(seq, f"Bets were taken in round {self.id} while its window was closed.")
        elif not (isinstance(standing := self._standing(), Awaiting) and isinstance(standing.step, OpenBets)):
            wrong(seq, f"Bets were taken in round {self.id} in a window of decisions.")

    def _finish(self, event: e.AnyEvent, seq: int) -> None:
        match event:
            case e.PotFed() | e.PotWon() | e.PotReturned():
                stage = {e.PotFed: "dealing", e.PotWon: "settling", e.PotReturned: "voiding"}[type(event)]
                self._need(stage, event, seq)
                self.money.follow_pot(event, self._outcome, seq)
            case e.PartSettled():
                self.money.settle_part(event, seq)
            case e.BetsReturned():
                self.money.give_back(self.boxes.give_back(event, seq), event.stake_minor, seq)
            case e.ResultDeclared(outcome=outcome):
                self._need("dealing", event, seq)
                made = _check_declared(self.id, self._game, self._standing(), outcome, seq)
                _check_cards(
                    self.id,
                    self._game.shoe.under(self._rules).decks,
                    self.facts,
                    None if is_unseen(made) else self._confirmed,
                    seq,
                )
                self._stage, self._outcome = "settling", made
            case e.BetsSettled():
                self._need("settling", event, seq)
                self.parts.need_paid(self.facts, seq)
                self.money.settle(event, self._outcome, seq)
            case e.RoundSettled(bets=bets, stake_minor=stake, returns_minor=returns, digest=digest):
                self._need("settling", event, seq)
                self.money.close(Progress(bets, stake, returns, digest), seq)
                self.over = True
            case e.RoundVoided(paid=paid):
                self._need("dealing", event, seq)
                self.money.void_pays = self.boxes.void(paid, self.facts, seq)
                self._stage, self.closes_at_ms = "voiding", None
                self._lost = LostPrize(self._game, self._rules, self.facts, self.money.bets(), self.money.money)
            case _ if self._lost is not None:
                self._void(event, self._lost, seq)
            case _:
                self._need("voiding", event, seq)

    def _void(self, event: e.AnyEvent, lost: LostPrize, seq: int) -> None:
        match event:
            case e.CompensationOpened():
                self._cases.open(event, self.id, lost.case(event), seq)
            case e.BetsVoided():
                self._cases.need_case(self.id, shown=lost.held, seq=seq)
                self.money.void(event, seq)
            case e.CompensationAssessed():
                self._cases.assess(event, lost.claims(self.money.pot, self.money.given_back), seq)
            case e.RoundRefunded(bets=bets, stake_minor=stake):
                self._cases.need_assessed(self.id, seq)
                self.money.close(Progress(bets, stake), seq)
                self.over = True

    def open_part(self, told: e.PartOpened, claw_back: Mapping[str, str], seq: int) -> None:
        """Bets are decided while the round goes on: every card that counts has both eyes on it then."""
        pays = self.money.void_pays if self._stage == "voiding" else None
        self.parts.open(told, self.facts, pays, claw_back, seq)
        if pays is None and not told.back:
            _check_cards(self.id, self._game.shoe.under(self._rules).decks, self.facts, self._confirmed, seq)

    def _standing(self) -> Standing:
        return play(self._game.deal.script(self._rules), self.facts)

    def _need(self, stage: str, event: e.AnyEvent, seq: int) -> None:
        if self._stage != stage:
            wrong(seq, f"{type(event).__name__} cannot happen in round {self.id} while it is {self._stage}.")


def _check_opens(id: str, standing: Standing, seq: int) -> None:
    if not (isinstance(standing, Awaiting) and isinstance(standing.step, OpenBets | Decide | Turn)):
        wrong(seq, f"Bets were opened in round {id} where the script does not open them.")


def _check_declared(id: str, game: Game, standing: Standing, outcome: object, seq: int) -> Any:
    """What came out of the deal: the very thing that was declared."""
    if not isinstance(standing, Finished):
        wrong(seq, f"The facts of round {id} do not make a finished deal.")
    if game.deal.describe(standing.outcome) != outcome:
        wrong(seq, f"The facts of round {id} make another result than the one declared.")
    return standing.outcome


def _check_cards(id: str, decks: int, facts: Sequence[AnyFact], confirmed: AbstractSet[str] | None, seq: int) -> None:
    """Check that both eyes confirmed every card of a result, and that no card is there more often than the decks hold
    it.

    Cards of a hand that was given up need no confirmation; where no card decides (`confirmed` is None), no card does.
    """
    cards = cards_that_count(facts)
    if confirmed is not None and not {fact.card.id for fact in cards} <= confirmed:
        wrong(seq, f"The result of round {id} was declared with a card that nobody had confirmed.")
    faces = Counter(fact.face for fact in cards if isinstance(fact, CardDealt) and fact.face)
    if faces and max(faces.values()) > decks:
        wrong(seq, f"Round {id} counts one card more often than its decks hold it.")


class ReadyAudit:
    """Checks that bettors end a window exactly when all who have a bet in the round are ready [BJ-2]."""

    def __init__(self, round: str, game: Game) -> None:
        self._round, self._game = round, game
        self._bettors: set[Who] = set()
        self._ready: set[Who] = set()
        self._closes = False

    def place(self, bets: Iterable[e.PlacedBet]) -> None:
        who = {(bet.operator, bet.bettor) for bet in bets}
        self._bettors |= who
        self._ready -= who

    def say(self, event: e.BettorReady, *, open: bool, seq: int) -> None:
        """`open`: the window still runs."""
        who, id = (event.operator, event.bettor), self._round
        if not open or self._game.owned is None:
            wrong(seq, f"A bettor ended his betting in round {id} where nobody waits for him.")
        if who not in self._bettors:
            wrong(seq, f"A bettor without a bet ended his betting in round {id}.")
        self._ready.add(who)
        if event.closes != (self._ready == self._bettors):
            left = len(self._bettors - self._ready)
            wrong(seq, f"The window of round {id} {_ended(event)} by its bettors while {left} of them still could bet.")
        self._closes = event.closes

    def need_close(self, event: e.AnyEvent, seq: int) -> None:
        """What the last of them said ends the window at once; the pot may be fed before."""
        if self._closes and not isinstance(event, e.PotFed):
            self._closes = False
            if not (isinstance(event, e.FactStood) and isinstance(event.fact, WindowClosed)):
                wrong(seq, f"The bettors of round {self._round} ended the window, and it did not close.")


def _ended(event: e.BettorReady) -> str:
    return "was ended" if event.closes else "was not ended"


class ExposureAudit:
    """The bets of one round, held against the limits on what they could cost the house."""

    def __init__(self, started: e.RoundStarted, game: Game) -> None:
        self._round = started.round
        self._exposed = Exposed.of(game, started.rules, started.pot)

    def place(self, bets: Sequence[e.PlacedBet], config: TableConfig, seq: int) -> None:
        """Bets are taken within every limit; where one was lowered below what stood, they make nothing worse."""
        exposed, operators = self._exposed, sorted({bet.operator for bet in bets})
        if exposed.whole is None:
            return
        before_minor, own_minor = exposed.most_minor, {one: exposed.most_minor_of(one) for one in operators}
        exposed.add(bets)
        self._need(config.exposure_most_minor, before_minor, exposed.most_minor, "its table", seq)
        for one in operators:
            limit = config.operator_limit(one)
            self._need(limit.exposure_most_minor, own_minor[one], exposed.most_minor_of(one), one, seq)
            if 0 < limit.bets_most < exposed.bets_of[one]:
                wrong(seq, f"{one} placed {exposed.bets_of[one]} bets in round {self._round}, more than he may.")

    def _need(self, most_minor: int, before_minor: int, after_minor: int, whose: str, seq: int) -> None:
        if 0 < most_minor < after_minor and after_minor > before_minor:
            wrong(seq, f"The bets of round {self._round} could cost {after_minor}, more than {whose} may have out.")
