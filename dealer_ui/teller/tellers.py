"""The tellers of a studio: one for each operator who keeps his bettors' money himself, and those who tell of rounds."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Final, Generic, TypeVar

import structlog

from dealer_ui.teller.desk import Commit
from dealer_ui.teller.outbox import Outbox
from dealer_ui.teller.round_teller import RoundTellers
from dealer_ui.teller.seen_wallet import SeenWallet
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.teller import WAIT, Teller
from studio.errors import BadInputError, StorageError, StudioError
from studio.journal import Entry, Reader, Row, Unit
from studio.journal.extract.wallet_rows import (
    in_play,
    last_sum,
    people_closed,
    settled,
    unfollowed,
    wallet_book,
    wallets_known,
)
from studio.money import format_minor
from studio.wallets.record import WALLET_KINDS, WalletEnded, read_wallet, whose_wallet, write_wallet

_LOG: Final = structlog.get_logger("dealer_ui.teller")
STOP_S: Final = 2.0
"""So long all of them together have for the last they do."""
W_co = TypeVar("W_co", bound=SeenWallet, covariant=True)


@contextlib.contextmanager
def stopping_none(wallet: SeenWallet, seq: int) -> Iterator[None]:
    """What is wrong with one wallet, by the rows up to this one, stops no other wallet and no table: nobody is asked
    for a stake of his."""
    try:
        yield
    except StorageError:
        raise
    except StudioError as error:
        wallet.desk.doubt()
        _LOG.error("a wallet is asked no more", operator=wallet.operator, seq=seq, error=str(error))


class SeenWallets(Generic[W_co]):
    """Operators' wallets as a process sees them; `follow` reads what any host has written of them."""

    def __init__(self, rounds: RoundTellers | None = None) -> None:
        self.rounds = rounds
        self._of: dict[str, Any] = {}
        self._following = threading.Lock()
        self._read = 0

    def see(self, wallet: SeenWallet) -> None:
        self._of[wallet.operator] = wallet

    def of(self, operator: str) -> W_co | None:
        """None for an operator whose bettors' purses lie in the studio."""
        return self._of.get(operator)

    def __iter__(self) -> Iterator[W_co]:
        return iter(self._of.values())

    def begin(self, reader: Reader) -> None:
        """Go on where the journal ends."""
        with self._following:
            self._read = reader.head().seq
            for one in self:
                with stopping_none(one, self._read):
                    one.desk.restore(reader, self._read)
                    for closed in people_closed(reader, one.operator):
                        one.desk.remember(closed)

    def follow(self, reader: Reader) -> None:
        """Take in what was written of wallets since, by whichever host."""
        with self._following:
            if self._of and (upto := reader.head().seq) > self._read:
                for row in reader.events(after_seq=self._read, kinds=WALLET_KINDS):
                    if row.seq > upto:
                        break
                    for one in self._told_of(row):
                        with stopping_none(one, row.seq):
                            one.desk.hear(row, read_wallet(row.body))
                self._read = upto
                for one in self:
                    one.desk.heard_upto(upto)
            for one in self:
                with stopping_none(one, self._read):
                    one.desk.fold_anew(reader, self._read)

    def _told_of(self, row: Row) -> Iterable[W_co]:
        """Whose wallet this row is about: one of these, none of them, or any of them where that cannot be read."""
        try:
            one = self.of(whose_wallet(row.body))
        except BadInputError:
            return tuple(self)
        return () if one is None else (one,)


class Tellers(SeenWallets[Teller]):
    """Made with the studio, `begin` once its writer runs.

    Whoever holds a wallet's queue, by `hold`, tells it what it is owed. `table_up` comes before a table takes anything
    here.
    """

    def __init__(self, sessions: WalletSessions | None = None, rounds: RoundTellers | None = None) -> None:
        super().__init__(rounds)
        self.sessions = sessions or WalletSessions()
        self._left: list[tuple[WalletEnded, Callable[[Unit], object]]] = []

    def add(self, teller: Teller) -> None:
        self.see(teller)
        teller.read_on = self.follow

    def leave(self, operator: str, at_ms: int, commit: Callable[[Unit], object]) -> None:
        """This operator has a wallet no more; kept once the writer runs."""
        self._left.append((WalletEnded(operator=operator, at_ms=at_ms), commit))

    def begin(self, reader: Reader) -> None:
        for ended, commit in self._left:
            commit(Unit(entries=(Entry(type(ended).__name__, ended.at_ms, write_wallet(ended)),)))
        super().begin(reader)
        if self.rounds is not None:
            self.rounds.begin(reader)

    # --- who tells them, and who asks -----------------------------------------------------------------

    def hold(
        self, operator: str, commit: Commit, reader: Reader, sure: Callable[[], bool] = lambda: True,
        wait: Callable[[float], object] = WAIT,
    ) -> None:  # fmt: skip
        """This operator's wallet is told from here what it is owed; see `WalletDesk.hold`.

        `StorageError` where rows of other hosts stay under way for too long; nobody else waits for them meanwhile.
        """
        upto = settled(reader, wait)
        with self._following:
            self._of[operator].desk.hold(commit, reader, sure, max(upto, self._read))

    def let_go(self, operator: str) -> None:
        """Another host tells this wallet from now on."""
        self._of[operator].desk.let_go()

    def hold_all(self, commit: Commit, reader: Reader) -> None:
        """In a studio where nobody else tells any wallet. Stakes that were asked for and have no end are undone."""
        for teller in self:
            with stopping_none(teller, self._read):
                self.hold(teller.operator, commit, reader)
                teller.undo(teller.desk.asked(), commit)

    def table_up(self, table: str, commit: Callable[[Unit], object], reader: Reader) -> None:
        """The table is run here from now on; what was asked for it before and has no end is undone."""
        for teller in self:
            with stopping_none(teller, self._read):
                teller.table_up(table, commit, reader)

    # --- their threads --------------------------------------------------------------------------------

    def start(self) -> None:
        for outbox in self._outboxes:
            outbox.start()

    def stop(self) -> None:
        """In time, whatever the record does."""
        until_s = time.monotonic() + STOP_S
        for outbox in self._outboxes:
            outbox.end()
        for outbox in self._outboxes:
            outbox.wait(max(until_s - time.monotonic(), 0.0))
        self.sessions.close()

    def nudge(self) -> None:
        """A table has moved."""
        for outbox in self._outboxes:
            outbox.nudge()

    @property
    def _outboxes(self) -> list[Outbox[Any]]:
        return [one.outbox for one in (*self, *(self.rounds or ()))]


def need_empty_purses(reader: Reader, operator: str) -> None:
    """An operator can be given a wallet only when nothing of his bettors lies in the studio; `BadInputError` says what
    does."""
    if last_sum(reader, operator):
        return
    held = [format_minor(amount, currency) for currency, amount in reader.purses_of(operator).items() if amount]
    if held:
        raise BadInputError(
            f"The operator {operator} is to keep his bettors' money in a wallet of his own, and they still hold "
            f"{' and '.join(held)} here: take the wallet out of the configuration and have that withdrawn first."
        )


def need_known_wallets(reader: Reader, wallets: Collection[str]) -> None:
    """Of several hosts over one record only one takes a wallet away; `BadInputError` where another would run tables
    without it before that: their bettors would play with what is still owed to the wallet."""
    if left := [operator for operator in wallets_known(reader) if operator not in wallets]:
        raise BadInputError(
            f"The configuration has no wallet of the operator {left[0]} any more, and the studio still has it: start "
            f"the host of the desk with this configuration first, or put the wallet back."
        )


def taken_away(reader: Reader, wallets: Collection[str]) -> list[str]:
    """The operators who had a wallet and have none of these; `BadInputError` while something is open with one."""
    gone = [operator for operator in wallets_known(reader) if operator not in wallets]
    for operator in gone:
        book = wallet_book(reader, operator)
        owed = [*book.owed.values(), *book.asked.values(), *unfollowed(reader, book)]
        sums: dict[str, int] = {}
        for one in owed:
            sums[one.call.currency] = sums.get(one.call.currency, 0) + one.amount_minor
        amounts = " and ".join(format_minor(amount, currency) for currency, amount in sums.items())
        found = [f"{len(owed)} movements over {amounts} are still owed to it"] if owed else []
        if count := in_play(reader, operator):
            found.append(f"{count} stakes of his bettors lie at tables")
        if found:
            raise BadInputError(
                f"The configuration has no wallet of the operator {operator} any more, and {' and '.join(found)}: put "
                f"the wallet back and start the studio; take it away when the page of the wallets shows nothing owed."
            )
    return gone
