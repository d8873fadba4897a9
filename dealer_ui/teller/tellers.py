"""The tellers of a studio: one for each operator who keeps his bettors' money himself."""

from __future__ import annotations

from collections.abc import Iterator

from dealer_ui.teller.session import Sessions
from dealer_ui.teller.teller import Teller
from studio.errors import BadInputError
from studio.journal import Reader
from studio.money import format_minor
from studio.wallets.record import WALLET_KINDS


class Tellers:
    """Made with the studio, `begin` once its writer runs."""

    def __init__(self, sessions: Sessions | None = None) -> None:
        self.sessions = sessions or Sessions()
        self._of: dict[str, Teller] = {}

    def add(self, teller: Teller) -> None:
        self._of[teller.operator] = teller

    def of(self, operator: str) -> Teller | None:
        """None for an operator whose bettors' purses lie in the studio."""
        return self._of.get(operator)

    def __iter__(self) -> Iterator[Teller]:
        return iter(self._of.values())

    def begin(self, reader: Reader) -> None:
        """Go on where the journal ends."""
        for teller in self:
            since = _last_sum(reader, teller.operator)
            rows = reader.events(after_seq=max(since - 1, 0), kinds=WALLET_KINDS)
            teller.desk.restore(rows, reader.ledger_head().seq)
            teller.begin()

    def start(self) -> None:
        for teller in self:
            teller.start()

    def stop(self) -> None:
        for teller in self:
            teller.stop()

    def nudge(self) -> None:
        """A table has moved."""
        for teller in self:
            teller.nudge()


def need_empty_purses(reader: Reader, operator: str) -> None:
    """An operator can be given a wallet only when nothing of his bettors lies in the studio; `BadInputError` says what
    does."""
    if _last_sum(reader, operator):
        return
    held = [format_minor(amount, currency) for currency, amount in reader.purses_of(operator).items() if amount]
    if held:
        raise BadInputError(
            f"The operator {operator} is to keep his bettors' money in a wallet of his own, and they still hold "
            f"{' and '.join(held)} here: take the wallet out of the configuration and have that withdrawn first."
        )


def _last_sum(reader: Reader, operator: str) -> int:
    """The row of the journal where all that was open with this wallet was summed up last; 0 where there is none."""
    sql = (
        "SELECT coalesce(max(seq), 0) FROM journal WHERE kind = 'WalletKept'"
        " AND json_extract(body, '$.wallet.operator') = ?"
    )
    return int(reader.read(sql, (operator,))[0][0])
