"""The answer of a writer that comes late: whoever asked waits no longer, and what he asked for may yet be kept."""

from __future__ import annotations

from concurrent.futures import Future

from studio.journal import Receipt


class LateError(TimeoutError):
    """The writer has not answered in time and has the unit in hand: it may yet be kept. `writing` will tell."""

    def __init__(self, writing: Future[Receipt]) -> None:
        super().__init__()
        self.writing = writing


def last_seq_of(writing: Future[Receipt], wait_s: float) -> int:
    """Its last place in the journal, once it is kept. `TimeoutError`: it was not in time and never will be kept;
    `LateError`: it may yet be.
    """
    try:
        return writing.result(wait_s).last_seq
    except TimeoutError as error:
        if writing.cancel():
            raise
        raise LateError(writing) from error
