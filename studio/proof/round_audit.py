"""The only place that settles a recorded round once more from its facts, and holds it against what was paid."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence

from studio.errors import BadInputError, InvariantError
from studio.games.script import Game, OpenBets
from studio.journal import Posting
from studio.money import Transfer, bettor_account, escrow_account
from studio.proof.wrong import WrongError, wrong
from studio.rounds import AnyFact, Awaiting, CardBurned, CardDealt, Finished, WindowClosed, corrected, play
from studio.settlement import PlacedBet, Progress, Purse, settle_bets, settle_chunk, voiding_transfers
from studio.tables import event as e


class RoundAudit:
    """One round, followed event by event. `moved` are its transfers that no event has accounted for yet."""

    def __init__(self, started: e.RoundStarted, table: str, currency: str, game: Game) -> None:
        self.id = started.round
        self.number = started.number
        self.moved: deque[Posting] = deque()
        self.over = False
        self._game = game
        self._rules = started.rules
        self._purse = Purse(started.round, table, currency)
        self.facts: list[AnyFact] = []
        self._confirmed: set[str] = set()
        self._closes_at_ms: int | None = None
        self._bets: list[e.PlacedBet] = []
        self._stage = "dealing"
        self._done = Progress()
        self._outcome: object = None

    def take(self, event: e.AnyEvent, seq: int, at_ms: int) -> None:
        """Follow one event of this round; `WrongError` where it cannot be so."""
        if self.over:
            wrong(seq, f"{type(event).__name__} comes after round {self.id} was over.")
        match event:
            case e.FactStood(fact=fact):
                self._stand(fact)
            case e.CardConfirmed(id=id):
                self._confirmed.add(id)
            case e.CardDoubted(id=id):
                self._confirmed.discard(id)
            case e.RedealOrdered():
                self._need("dealing", event, seq)
                self.facts, self._closes_at_ms = [], None
                self._confirmed.clear()
            case e.BetsOpened(closes_at_ms=closes):
                self._open(closes, seq)
            case e.BetsPlaced(bets=bets):
                self._place(bets, seq, at_ms)
            case _:
                self._finish(event, seq)

    def need_nothing_left(self) -> None:
        """Every transfer of the round is accounted for by an event."""
        if self.moved:
            stray = self.moved[0]
            raise WrongError("ledger", stray.seq, f"No event of round {self.id} accounts for this {_said(stray)}.")

    def _finish(self, event: e.AnyEvent, seq: int) -> None:
        match event:
            case e.ResultDeclared(outcome=outcome):
                self._declare(outcome, seq)
            case e.BetsSettled():
                self._settle(event, seq)
            case e.RoundSettled(bets=bets, stake_minor=stake, returns_minor=returns, digest=digest):
                self._need("settling", event, seq)
                self._close(Progress(bets, stake, returns, digest), seq)
            case e.RoundVoided():
                self._need("dealing", event, seq)
                self._stage, self._closes_at_ms = "voiding", None
            case e.BetsVoided():
                self._void(event, seq)
            case e.RoundRefunded(bets=bets, stake_minor=stake):
                self._need("voiding", event, seq)
                self._close(Progress(bets, stake), seq)

    def _stand(self, fact: AnyFact) -> None:
        self.facts.append(fact)
        if isinstance(fact, WindowClosed):
            self._closes_at_ms = None

    def _open(self, closes_at_ms: int, seq: int) -> None:
        standing = play(self._game.script(self._rules), self.facts)
        if not (isinstance(standing, Awaiting) and isinstance(standing.step, OpenBets)):
            wrong(seq, f"Bets were opened in round {self.id} where the script does not open them.")
        self._closes_at_ms = closes_at_ms

    def _place(self, bets: Sequence[e.PlacedBet], seq: int, at_ms: int) -> None:
        if self._closes_at_ms is None or at_ms >= self._closes_at_ms:
            wrong(seq, f"Bets were taken in round {self.id} while its window was closed.")
        self._bets.extend(bets)
        self._match((self._reserve(bet) for bet in bets), seq)

    def _reserve(self, bet: e.PlacedBet) -> Transfer:
        account = bettor_account(bet.operator, bet.bettor)
        return Transfer(self.id, bet.bet_id, "reserve", account, escrow_account(self.id), bet.stake_minor, bet.currency)

    def _declare(self, outcome: object, seq: int) -> None:
        self._need_stage("dealing", "ResultDeclared", seq)
        standing = play(self._game.script(self._rules), self.facts)
        if not isinstance(standing, Finished):
            wrong(seq, f"The facts of round {self.id} do not make a finished deal.")
        if self._game.describe(standing.outcome) != outcome:
            wrong(seq, f"The facts of round {self.id} make another result than the one declared.")
        self._check_cards(seq)
        self._stage, self._outcome = "settling", standing.outcome

    def _check_cards(self, seq: int) -> None:
        """Every card of a result has both eyes on it, and none is there more often than the decks hold it."""
        cards = [fact for fact in corrected(self.facts) if isinstance(fact, CardDealt | CardBurned)]
        if not {fact.card.id for fact in cards} <= self._confirmed:
            wrong(seq, f"The result of round {self.id} was declared with a card that nobody had confirmed.")
        faces = Counter(fact.face for fact in cards if isinstance(fact, CardDealt) and fact.face)
        if faces and max(faces.values()) > self._game.decks:
            wrong(seq, f"Round {self.id} counts one card more often than its decks hold it.")

    def _settle(self, event: e.BetsSettled, seq: int) -> None:
        self._need("settling", event, seq)
        chunk = self._chunk(event.cursor, seq)
        try:
            payouts = tuple(settle_bets(self._game, self._rules, self._outcome, _plain(chunk)))
        except (InvariantError, BadInputError) as error:
            wrong(seq, f"A bet of round {self.id} cannot be settled: {error}")
        self._done, transfers = settle_chunk(payouts, self._purse, self._done)
        if self._done != Progress(event.cursor, event.stake_minor, event.returns_minor, event.digest):
            wrong(seq, f"The payouts of round {self.id} are not what its facts make them.")
        self._match(transfers, seq)

    def _void(self, event: e.BetsVoided, seq: int) -> None:
        self._need("voiding", event, seq)
        bets = tuple(_plain(self._chunk(event.cursor, seq)))
        stake_minor = sum(bet.stake_minor for bet in bets)
        if stake_minor != event.stake_minor:
            wrong(seq, f"The stakes given back in round {self.id} are not those that were placed.")
        self._done = Progress(event.cursor, self._done.stake_minor + stake_minor)
        self._match(voiding_transfers(bets, self._purse), seq)

    def _chunk(self, cursor: int, seq: int) -> Sequence[e.PlacedBet]:
        if not self._done.bets <= cursor <= len(self._bets):
            wrong(seq, f"Round {self.id} has {len(self._bets)} bets; they cannot be done up to number {cursor}.")
        return self._bets[self._done.bets : cursor]

    def _close(self, told: Progress, seq: int) -> None:
        if told != self._done or told.bets != len(self._bets):
            wrong(seq, f"Round {self.id} was closed with other sums than its bets make.")
        self.need_nothing_left()
        self.over = True

    def _match(self, due: Iterator[Transfer] | Sequence[Transfer], seq: int) -> None:
        """The ledger's next transfers of this round are exactly those due, in order."""
        for transfer in due:
            if not self.moved:
                wrong(seq, f"The ledger lacks the {transfer.kind} of bet {transfer.bet} in round {self.id}.")
            found = self.moved.popleft()
            if found.transfer != transfer:
                sentence = (
                    f"Round {self.id} is due a {transfer.kind} of {transfer.amount_minor} for bet {transfer.bet} "
                    f"from {transfer.debit} to {transfer.credit}; the ledger has a {_said(found)}."
                )
                raise WrongError("ledger", found.seq, sentence)

    def _need(self, stage: str, event: e.AnyEvent, seq: int) -> None:
        self._need_stage(stage, type(event).__name__, seq)

    def _need_stage(self, stage: str, name: str, seq: int) -> None:
        if self._stage != stage:
            wrong(seq, f"{name} cannot happen in round {self.id} while it is {self._stage}.")


def _said(posting: Posting) -> str:
    moved = posting.transfer
    return f"{moved.kind} of {moved.amount_minor} for bet {moved.bet} from {moved.debit} to {moved.credit}"


def _plain(bets: Sequence[e.PlacedBet]) -> Iterator[PlacedBet]:
    return (PlacedBet(bet.bet_id, bet.bet, bettor_account(bet.operator, bet.bettor), bet.stake_minor) for bet in bets)
