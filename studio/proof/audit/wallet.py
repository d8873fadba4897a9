"""What was asked of operators' wallets and told to them, held against the ledger.

Every stake of such a bettor was given by his wallet; what may have been taken in vain is suspended; and all that came
into his purse is owed to his wallet, once, and leaves it when the wallet has said yes.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final, NoReturn

from studio.errors import BadInputError, IllegalEventError, RefusedError
from studio.journal import Posting
from studio.journal.extract.walk import WalkStep
from studio.money import Transfer, is_promotion, operator_of
from studio.proof.audit.wrong import WrongError, wrong
from studio.wallets.answer import WalletOutcome, outcome_of
from studio.wallets.book import WalletBook
from studio.wallets.call import Adjust, Cancel, Debit
from studio.wallets.due import OF_WALLETS, is_purse
from studio.wallets.id import transaction_id
from studio.wallets.obligation import Case, cases_of
from studio.wallets.record import (
    AnyWalletEvent,
    Movement,
    WalletAnswered,
    WalletAsked,
    WalletClosed,
    WalletEnded,
    WalletKept,
    WalletOwed,
    WalletTold,
    read_wallet,
)

MOVES: Final = frozenset(
    {"wallet_debit", "wallet_credit", "wallet_compensate", "wallet_cancel", "wallet_recover", "suspend", "clear"}
)
_STAKED: Final = frozenset({"wallet_debit", "reserve", "buy_in"})

_Part = tuple[str, str, str, int]
"""A purse or a receivable, a round, a bet and a revision."""


class WalletAudit:
    """All wallets of a database, row by row. An operator is followed from the first row about his wallet on."""

    def __init__(self) -> None:
        self._books: dict[str, WalletBook] = {}
        self._due: dict[str, dict[_Part, tuple[int, int]]] = {}
        self._loose: dict[str, Posting] = {}
        self._summed: set[str] = set()
        self._asked_at: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._ended_at: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)

    def move(self, postings: tuple[Posting, ...]) -> None:
        """The transfers of one row of the journal."""
        staked: dict[str, int] = {}
        for posting in postings:
            moved = posting.transfer
            if moved.kind in MOVES:
                if moved.bet in self._loose:
                    _wrong_money(posting, f"The movement {moved.bet} moved money twice.")
                self._loose[moved.bet] = posting
            if not self._books:
                continue  # nobody keeps a wallet of his own
            for account, change in ((moved.debit, -moved.amount_minor), (moved.credit, moved.amount_minor)):
                self._follow(posting, account, change, staked)
        if short := next((account for account, change in staked.items() if change), None):
            _wrong_money(postings[0], f"What {short} staked is not what its wallet gave for it.")

    def _follow(self, posting: Posting, account: str, change: int, staked: dict[str, int]) -> None:
        moved = posting.transfer
        if not account.startswith(("bettor:", "receivable:", "promotion:")) or operator_of(account) not in self._books:
            return
        operator = operator_of(account)
        if is_promotion(account):
            self._follow_free(posting, account, change, staked)
            return
        if account.startswith("receivable:"):
            if moved.kind == "advance":
                self._add(operator, (account, moved.round, moved.bet, moved.revision), -change, posting.seq)
        elif is_purse(account, operator):
            if moved.kind in _STAKED:
                staked[account] = staked.get(account, 0) + change
            elif moved.kind not in OF_WALLETS:
                self._add(operator, (account, moved.round, moved.bet, moved.revision), change, posting.seq)

    def _follow_free(self, posting: Posting, account: str, change: int, staked: dict[str, int]) -> None:
        """A free stake was given as any other; what comes back to its grant, or is taken from it, is owed."""
        moved, (promotion, _, grant) = posting.transfer, account.partition("/")
        if moved.kind == "wallet_debit" or (grant and moved.kind == "reserve"):
            staked[promotion] = staked.get(promotion, 0) + change
        elif grant and moved.kind not in OF_WALLETS:
            part = (promotion, moved.round, moved.bet, moved.revision)
            self._add(operator_of(account), part, change, posting.seq)

    def _add(self, operator: str, part: _Part, change: int, seq: int) -> None:
        due = self._due[operator]
        amount_minor = due.get(part, (0, seq))[0] + change
        if amount_minor:
            due[part] = (amount_minor, seq)
        else:
            due.pop(part, None)

    def take(self, step: WalkStep) -> None:
        """A row about a wallet."""
        try:
            event = read_wallet(step.body)
            book = self._books.setdefault(event.operator, WalletBook(event.operator))
            self._due.setdefault(event.operator, {})
            self._check(book, event, step.seq)
            if not (isinstance(event, WalletKept) and event.operator in self._summed):
                book.take(event)
            self._note(event, step.seq)
        except (BadInputError, IllegalEventError, RefusedError) as error:
            wrong(step.seq, f"{error}")

    def _note(self, event: AnyWalletEvent, seq: int) -> None:
        """When stakes were asked for and told of: a sum knows of them up to a row before its own."""
        match event:
            case WalletAsked(stakes=stakes):
                self._asked_at[event.operator].update((stake.id, seq) for stake in stakes)
            case WalletAnswered(ends=ends):
                asked_at = self._asked_at[event.operator]
                self._ended_at[event.operator].update((end.id, (asked_at.pop(end.id, 0), seq)) for end in ends)
            case WalletKept(operator=operator, upto=upto):
                self._summed.add(operator)
                self._books[operator].upto = max(self._books[operator].upto, upto)
            case WalletEnded(operator=operator):
                self._summed.discard(operator)
                del self._books[operator], self._due[operator]

    def _check(self, book: WalletBook, event: AnyWalletEvent, seq: int) -> None:
        match event:
            case WalletAsked(stakes=stakes):
                for stake in stakes:
                    _check_id(stake, seq)
            case WalletAnswered():
                self._check_ends(book, event, seq)
            case WalletOwed(owed=owed, upto=upto):
                for movement in owed:
                    _check_id(movement, seq)
                    self._check_owed(book.operator, movement, seq)
                self._need_all_owed(book.operator, upto, seq)
            case WalletTold(id=id, word=word):
                owed_call = book.owed.get(id)
                if owed_call is not None and outcome_of(owed_call.call, word) is WalletOutcome.ACCEPTED:
                    self._need_moved(id, owed_call.told(), seq)
            case WalletClosed():
                self._check_closed(book, event, seq)
            case WalletEnded():
                if book.asked or book.owed or self._due[book.operator]:
                    wrong(seq, f"The wallet of {event.operator} was taken away while something was open with it.")
            case WalletKept():
                if event.operator in self._summed:
                    self._check_sum(book, event, seq)

    def _check_sum(self, book: WalletBook, kept: WalletKept, seq: int) -> None:
        """What was asked for or told of by a row behind `through` was not known to whoever summed up."""
        through = kept.through or seq
        asked_at, ended_at = self._asked_at[kept.operator], self._ended_at[kept.operator]
        late = {id: at for id, at in ended_at.items() if at[1] > through}
        asked = {id for id in book.asked if asked_at.get(id, 0) <= through}
        asked |= {id for id, (asked_at, _) in late.items() if asked_at <= through}
        owed = {id for id, one in book.owed.items() if _stranded(one) not in late}
        found = {stake.id for stake in kept.asked}, {each.movement.id for each in kept.owed}
        if found != (asked, owed):
            wrong(seq, f"The sum of {kept.operator}'s wallet leaves out something that is open.")
        self._ended_at[kept.operator] = late

    def _check_closed(self, book: WalletBook, closed: WalletClosed, seq: int) -> None:
        owed = book.owed.get(closed.id)
        if owed is None:
            return  # the book itself refuses the end of what is not owed
        if isinstance(owed.call, Debit) or owed != closed.movement or closed.case not in cases_of(owed.call):
            wrong(seq, f"The movement {closed.id} was closed as what it is not.")
        if not (isinstance(owed.call, Adjust) and owed.call.amount_minor < 0 and closed.case is not Case.TAKEN):
            self._need_moved(closed.id, owed.told(), seq)

    def _check_ends(self, book: WalletBook, event: WalletAnswered, seq: int) -> None:
        for end in event.ends:
            stake = book.asked.get(end.id)
            if stake is None:
                wrong(seq, f"An answer was told to the stake {end.id}, which was not asked for.")
            outcome = outcome_of(stake.call, end.word)
            if end.in_play:
                if outcome is not WalletOutcome.ACCEPTED:
                    wrong(seq, f"The stake {end.id} is in play, and its wallet did not say yes.")
                self._need_moved(end.id, _given(stake), seq)
            elif outcome is not WalletOutcome.REFUSED:
                self._need_moved(end.id, stake.suspended(), seq)

    def _check_owed(self, operator: str, movement: Movement, seq: int) -> None:
        """Check that the ledger owes the wallet at least this movement, and subtract it. One bet and revision may be
        owed two movements, one of them a compensation.
        """
        facts = movement.facts
        part = (movement.account, facts.round, facts.bet, facts.generation)
        amount_minor, since = self._due[operator].get(part, (0, 0))
        taken = is_promotion(movement.account) and amount_minor < 0
        if taken and not (isinstance(movement.call, Adjust) and movement.call.amount_minor == amount_minor):
            wrong(seq, f"{movement.id} is said to be owed to a wallet, and the ledger takes another free stake.")
        if not 0 < movement.amount_minor <= abs(amount_minor):
            wrong(seq, f"{movement.id} is said to be owed to a wallet, and the ledger owes no such amount.")
        self._add(operator, part, movement.amount_minor if taken else -movement.amount_minor, since)

    def _need_all_owed(self, operator: str, upto: int, seq: int) -> None:
        left = next((part for part, (_, at) in self._due[operator].items() if at <= upto), None)
        if left is not None:
            wrong(seq, f"The bet {left[2]} brought {left[0]} money, and nobody owes it to its wallet.")

    def _need_moved(self, id: str, due: Transfer, seq: int) -> None:
        found = self._loose.pop(id, None)
        if found is None or found.transfer != due:
            wrong(seq, f"The movement {id} of a wallet did not move {due.amount_minor} as {due.kind}.")

    def need_nothing_left(self) -> None:
        for posting in self._loose.values():
            _wrong_money(posting, f"Money moved as {posting.transfer.kind}, and no row tells what its wallet said.")


def _stranded(movement: Movement) -> str:
    """The stake that this undoes because its bet does not stand; empty where it is another movement."""
    call = movement.call
    return call.undoes if isinstance(call, Cancel) and movement.account.startswith("suspense:") else ""


def _given(stake: Movement) -> Transfer:
    """The transfer of a stake that was given."""
    kind = stake.suspended()
    return Transfer(kind.round, kind.bet, "wallet_debit", kind.debit, stake.account, kind.amount_minor, kind.currency)


def _check_id(movement: Movement, seq: int) -> None:
    if movement.id != transaction_id(movement.facts) or movement.amount_minor <= 0:
        wrong(seq, f"The id {movement.id} of a wallet's movement is not that of its facts.")


def _wrong_money(posting: Posting, sentence: str) -> NoReturn:
    raise WrongError("ledger", posting.seq, sentence)
