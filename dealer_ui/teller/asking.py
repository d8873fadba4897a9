"""Takes the bets of bettors whose money is with their operator: each bet is weighed, its stake is asked for, and it is
placed with the stake that was taken.

    table: would it stand? ──► WalletAsked ──► the wallet, beside the table ──► table: placed, with its stake
                                                      └── no, no clear answer, or too late ──► refused; what may have
                                                          been taken is suspended, and undoing it is owed

Nobody plays with money that was not taken. Money that was taken for a bet that does not stand is never forgotten: the
journal holds a row for it from the moment it is to be asked for.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

import structlog

from dealer_ui.process.throttle import TooOftenError
from dealer_ui.teller.caller import Caller
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.stake_desk import Commit, StakeDesk
from studio.errors import RefusedError, StorageError
from studio.journal import LeaseLostError
from studio.journal.extract.wallet_rows import ATTEMPTS_MAX
from studio.money import Answer, Offer, taken_account
from studio.tables.books.taken import TakenStakes, Weighed
from studio.value import replace
from studio.wallets.answer import WalletOutcome, Word, outcome_of
from studio.wallets.call import Call, Debit
from studio.wallets.id import Facts, transaction_id
from studio.wallets.record import Movement

_LOG = structlog.get_logger("dealer_ui.teller.asking")

REFUSALS: Final[Mapping[Word, tuple[str, str]]] = {
    Word.INSUFFICIENT_FUNDS: ("insufficient_balance", "The bettor's wallet does not cover this stake."),
    Word.LIMIT: ("wallet_limit", "The bettor's wallet allows no such stake; ask for less."),
    Word.TOKEN: ("session_over", "The bettor's session with his operator is over: launch him again."),
    Word.BLOCKED: ("blocked", "The bettor's wallet is closed to play; his operator knows why."),
    Word.AFTER_CANCEL: ("cancelled", "This stake was undone before: send the bet again under another id."),
    Word.UNSENT: ("wallet_busy", "The bettor's wallet could not be asked in time and nothing was taken: bet again."),
    Word.TEMPORARY: (
        "wallet_unknown",
        "The bettor's wallet gave no clear answer in time: the bet is not in play, and what may have been taken goes "
        "back.",
    ),
}
_REFUSED: Final = ("wallet_refused", "The bettor's wallet refused this stake; his operator knows why.")
_SILENT: Final = ("wallet_silent", "The operator's wallet does not answer now and is not asked: bet again in a minute.")
_TOO_OFTEN: Final = (
    "cancelled",
    f"This stake was asked for and undone {ATTEMPTS_MAX} times: send the bet again under another id.",
)
_NO_SESSION: Final = ("no_session", "The studio knows no session of this bettor: his operator launches him first.")
_NOT_KEPT: Final = ("not_kept", "The studio could not keep this and it does not count: send it again.")


class AskedTable(Protocol):
    """What is asked of a table's thread; each call is served in the operator's turn.

    `commit` writes under the hold this host has of the table, and none any more once another host has taken it.
    """

    @property
    def commit(self) -> Commit: ...

    def weigh(self, items: Sequence[Any]) -> Sequence[Answer | Weighed]: ...

    def take(self, items: Sequence[Any], taken: TakenStakes) -> Sequence[Answer]: ...


@dataclass(frozen=True, slots=True)
class AskingTerms:
    """How long a wallet is asked for a stake: `wait_s` seconds, and never longer than `grace_s` after the time to
    decide.

    `requests_most`: so many requests of one operator wait for his wallet at once, so that one that hangs holds no more
    of the server's threads.
    """

    wait_s: float = 3.0
    grace_s: float = 1.0
    requests_most: int = 16


@dataclass(slots=True, eq=False)
class _Need:
    """One item of a request that may stand, with the stakes it needs; `stakes` are asked for, and `words` said."""

    at: int
    offers: tuple[Offer, ...]
    closes_at_ms: int
    stakes: tuple[Movement, ...] = ()
    words: dict[str, Word] = field(default_factory=dict)

    @property
    def is_taken(self) -> bool:
        return all(self._outcome(stake) is WalletOutcome.ACCEPTED for stake in self.stakes)

    @property
    def refusal(self) -> tuple[str, str]:
        """Why it does not stand; what nobody is sure of comes first."""
        outcomes = {self._outcome(stake): self.words[stake.id] for stake in self.stakes}
        if WalletOutcome.UNKNOWN in outcomes:
            return REFUSALS[Word.TEMPORARY]
        return REFUSALS.get(outcomes[WalletOutcome.REFUSED], _REFUSED)

    def _outcome(self, stake: Movement) -> WalletOutcome:
        return outcome_of(stake.call, self.words[stake.id])

    @property
    def ends(self) -> list[tuple[Movement, Word]]:
        return [(stake, self.words[stake.id]) for stake in self.stakes]


class _Left(NamedTuple):
    """A stake of which no bet stands, what was said of it, and under which hold that is written."""

    stake: Movement
    word: Word
    commit: Commit


class Asking:
    """The requests of one operator. Any thread; each waits for the wallet itself."""

    def __init__(
        self,
        caller: Caller[Call],
        desk: StakeDesk,
        sessions: WalletSessions,
        now_ms: Callable[[], int],
        terms: AskingTerms,
    ) -> None:
        self._caller = caller
        self._desk = desk
        self._sessions = sessions
        self._now_ms = now_ms
        self._terms = terms
        self._changed = threading.Condition()
        self._under_way: frozenset[str] = frozenset()
        self._requests = 0
        self._doubts: list[tuple[TakenStakes, Mapping[str, tuple[Movement, Word]], Commit]] = []
        self._left: list[_Left] = []

    def take(self, items: Sequence[Any], table: AskedTable) -> tuple[Answer, ...]:
        """Answer each item of one request, in their order; each has a `client_id`.

        `TooOftenError` while too many of his requests wait; `RefusedError` where nothing can be placed at all.
        """
        with self._alone(frozenset(item.client_id for item in items)):
            weighed = table.weigh(items)
            answers = {at: one for at, one in enumerate(weighed) if isinstance(one, Answer)}
            go = self._ask(tuple(_needs(weighed)), answers, table.commit)
            answers.update(self._place_all(items, go, table))
        return tuple(replace(answers[at], client_id=item.client_id) for at, item in enumerate(items))

    # --- asking ---------------------------------------------------------------------------------------

    def _ask(self, needs: Sequence[_Need], answers: dict[int, Answer], commit: Commit) -> list[_Need]:
        """Ask for the stakes; gives those that may be placed, and answers the others."""
        placed = self._desk.placed([need.offers[0] for need in needs if need.offers])
        open_now = [need for need in needs if self._may_ask(need, placed, answers)]
        stakes = [stake for need in open_now for stake in need.stakes]
        if not stakes:
            return open_now
        self._desk.ask(stakes, commit)
        said = self._caller.ask_all([stake.call for stake in stakes], self._wait_s(open_now))
        words = {stake.id: one.word for stake, one in zip(stakes, said, strict=True)}
        for need in open_now:
            need.words = {stake.id: words[stake.id] for stake in need.stakes}
        failed = [need for need in open_now if not need.is_taken]
        for need in failed:
            answers[need.at] = _refused(need, need.refusal)
        self._strand([_Left(*end, commit) for need in failed for end in need.ends])
        return [need for need in open_now if need.is_taken]

    def _wait_s(self, needs: Sequence[_Need]) -> float:
        """How long the wallet has: never longer than there is time to decide, and the grace; chips have time."""
        closes = [need.closes_at_ms for need in needs if need.stakes and need.closes_at_ms]
        if not closes:
            return self._terms.wait_s
        left_s = (min(closes) - self._now_ms()) / 1000 + self._terms.grace_s
        return min(self._terms.wait_s, max(left_s, 0.0))

    def _may_ask(self, need: _Need, placed: Collection[str], answers: dict[int, Answer]) -> bool:
        if not need.offers or need.offers[0].bet_id in placed:
            return True
        if (again := self._desk.bought(need.offers[0])) is not None:
            answers[need.at] = again
            return False
        first, stakes = need.offers[0], tuple(map(self._stake, need.offers))
        if not self._sessions.of(first.operator, first.bettor):
            answers[need.at] = _refused(need, _NO_SESSION)
        elif any(stake.facts.attempt >= ATTEMPTS_MAX for stake in stakes):
            answers[need.at] = _refused(need, _TOO_OFTEN)
        elif not self._desk.known() or not self._caller.may_ask():
            answers[need.at] = _refused(need, _SILENT)
        else:
            need.stakes = stakes
            return True
        return False

    def _stake(self, offer: Offer) -> Movement:
        facts = Facts(
            operator=offer.operator, table=offer.table, round=offer.round, bettor=offer.bettor, bet=offer.bet_id,
            kind="debit",
        )  # fmt: skip
        facts = self._desk.asked_as(facts)
        debit = Debit(
            bettor=offer.bettor, session="", currency=offer.currency, game=offer.table, id=transaction_id(facts),
            round=offer.round, amount_minor=offer.stake_minor, free=offer.free,
        )  # fmt: skip
        return Movement(facts=facts, call=debit, amount_minor=offer.stake_minor, account=taken_account(offer))

    # --- placing --------------------------------------------------------------------------------------

    def _place_all(self, items: Sequence[Any], needs: Sequence[_Need], table: AskedTable) -> dict[int, Answer]:
        """Place the bets whose stakes were taken and those that need none. Stakes that were taken in vain are kept to
        be given back.
        """
        if not needs:
            return {}
        taken, stakes = self._taken(needs)
        try:
            told = table.take([items[need.at] for need in needs], taken)
            return {need.at: answer for need, answer in zip(needs, told, strict=True)}
        except (RefusedError, StorageError, TimeoutError) as error:
            refusal = (error.key, error.sentence) if isinstance(error, RefusedError) else _NOT_KEPT
            return {need.at: _refused(need, refusal) for need in needs}
        finally:
            with self._changed:
                self._left += [_Left(*stakes[id], table.commit) for id in taken.take_back()]
                self._doubts.append((taken, stakes, table.commit))
            self.settle()

    def _taken(self, needs: Iterable[_Need]) -> tuple[TakenStakes, Mapping[str, tuple[Movement, Word]]]:
        offers, stakes = [], {}
        for need in needs:
            for offer, stake in zip(need.offers, need.stakes, strict=False):
                offers.append(replace(offer, taken=stake.id))
                stakes[stake.id] = (stake, need.words[stake.id])
        words = {id: word for id, (_, word) in stakes.items()}
        return TakenStakes(self._desk.operator, offers, words), stakes

    def settle(self) -> None:
        """Bring to an end what requests have left: a table that is done with a stake has booked it, or has not."""
        with self._changed:
            looked = [(doubt, doubt[0].in_use) for doubt in self._doubts]  # once: it may change between two looks
            over = [doubt for doubt, in_use in looked if not in_use]
            self._doubts = [doubt for doubt, in_use in looked if in_use]
            left, self._left = self._left, []
        left += [_Left(*stakes[id], commit) for taken, stakes, commit in over for id in taken.doubtful]
        self._strand(left)

    def _strand(self, left: Sequence[_Left]) -> None:
        """A disk that takes nothing is tried again; a start after a crash finds them asked for, without an end. So does
        whoever has taken the table: then it is his to do."""
        for commit in dict.fromkeys(one.commit for one in left):
            ends = [one for one in left if one.commit == commit]
            try:
                self._desk.strand([(one.stake, one.word) for one in ends], commit)
            except LeaseLostError as error:
                _LOG.warning("stakes without a bet are left to another host", table=error.table, count=len(ends))
            except (StorageError, TimeoutError) as error:
                with self._changed:
                    self._left += ends
                _LOG.error("stakes without a bet wait for the disk", operator=self._desk.operator, error=str(error))

    # --- who waits ------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _alone(self, ids: frozenset[str]) -> Iterator[None]:
        """One request at a time asks for a bet: what is sent twice at once waits for what becomes of the first."""
        with self._changed:
            if self._requests >= self._terms.requests_most:
                sentence = "Too many of your requests wait for your wallet: send this one again, with the same ids."
                raise TooOftenError("wallet_busy", sentence, 1)
            self._requests += 1
            free = self._changed.wait_for(lambda: not ids & self._under_way, self._terms.wait_s + self._terms.grace_s)
            if free:
                self._under_way |= ids
            else:
                self._requests -= 1
        if not free:
            sentence = "Your wallet is still being asked for the same bet: ask in a moment what became of it."
            raise RefusedError("no_answer_yet", sentence)
        try:
            yield
        finally:
            with self._changed:
                self._under_way -= ids
                self._requests -= 1
                self._changed.notify_all()


def _refused(need: _Need, why: tuple[str, str]) -> Answer:
    first = need.offers[0] if need.offers else None
    return Answer(first.client_id if first else "", first.bet_id if first else "", "refused", *why)


def _needs(weighed: Sequence[Answer | Weighed]) -> Iterator[_Need]:
    """The stakes to ask for, by item that may stand; one that repeats an earlier item of the request asks for none."""
    seen: set[str] = set()
    for at, one in enumerate(weighed):
        if isinstance(one, Weighed):
            again = any(offer.bet_id in seen for offer in one.offers)
            seen.update(offer.bet_id for offer in one.offers)
            yield _Need(at, () if again else one.offers, one.closes_at_ms)
