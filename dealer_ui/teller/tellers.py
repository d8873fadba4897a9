"""The tellers of a studio: one for each operator who keeps his bettors' money himself, and those who tell of rounds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from dealer_ui.teller.outbox import Outbox
from dealer_ui.teller.round_teller import RoundTellers
from dealer_ui.teller.session import WalletSessions
from dealer_ui.teller.teller import Teller
from studio.errors import BadInputError
from studio.journal import Entry, Reader, Unit
from studio.journal.extract.wallet_rows import (
    in_play,
    last_sum,
    people_closed,
    unfollowed,
    wallet_book,
    wallets_known,
)
from studio.money import format_minor
from studio.wallets.record import WALLET_KINDS, WalletEnded, write_wallet


class Tellers:
    """Made with the studio, `begin` once its writer runs."""

    def __init__(self, sessions: WalletSessions | None = None, rounds: RoundTellers | None = None) -> None:
        self.sessions = sessions or WalletSessions()
        self.rounds = rounds
        self._of: dict[str, Teller] = {}
        self._left: list[tuple[WalletEnded, Callable[[Unit], object]]] = []

    def add(self, teller: Teller) -> None:
        self._of[teller.operator] = teller

    def leave(self, operator: str, at_ms: int, commit: Callable[[Unit], object]) -> None:
        """This operator has a wallet no more; kept once the writer runs."""
        self._left.append((WalletEnded(operator=operator, at_ms=at_ms), commit))

    def of(self, operator: str) -> Teller | None:
        """None for an operator whose bettors' purses lie in the studio."""
        return self._of.get(operator)

    def __iter__(self) -> Iterator[Teller]:
        return iter(self._of.values())

    def begin(self, reader: Reader) -> None:
        """Go on where the journal ends."""
        for ended, commit in self._left:
            commit(Unit(entries=(Entry(type(ended).__name__, ended.at_ms, write_wallet(ended)),)))
        for teller in self:
            since = last_sum(reader, teller.operator)
            rows = reader.events(after_seq=max(since - 1, 0), kinds=WALLET_KINDS)
            teller.desk.restore(rows, reader.ledger_head().seq)
            teller.begin()
        for closed in people_closed(reader):
            if (of := self.of(closed.operator)) is not None:
                of.desk.remember(closed)
        if self.rounds is not None:
            self.rounds.begin(reader)

    def start(self) -> None:
        for outbox in self._outboxes:
            outbox.start()

    def stop(self) -> None:
        for outbox in self._outboxes:
            outbox.stop()

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
