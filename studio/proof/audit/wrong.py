"""What an audit finds: the row that is not as the facts and the rules make it."""

from __future__ import annotations

from typing import NoReturn

from studio.errors import StudioError


class WrongError(StudioError):
    """A row that is not as the facts and the rules make it. `table`: journal or ledger."""

    def __init__(self, table: str, seq: int, sentence: str) -> None:
        super().__init__(sentence)
        self.table = table
        self.seq = seq
        self.sentence = sentence


def wrong(seq: int, sentence: str) -> NoReturn:
    """Find a row of the journal wrong."""
    raise WrongError("journal", seq, sentence)
