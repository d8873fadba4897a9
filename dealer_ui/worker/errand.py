"""What one request of an operator asks of a table: a batch, taken slice by slice, and answered once all of it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Final

from studio.errors import RefusedError, StorageError
from studio.money import Answer

SLICE_MAX: Final = 100
"""So many bets or decisions at once: an act of somebody at the table waits for no more than these."""

_NOT_KEPT: Final = "The studio could not keep this and it does not count: send it again with the same client_id."

Take = Callable[[Sequence[Any]], Sequence[Any]]


class Errand:
    """Work for the table's thread that is done a slice at a time: `take` gets some of the items and answers each.

    A slice is durable when `take` returns. When a slice fails, the items after it are refused one by one, so that the
    caller still learns what was taken before; when the first slice fails, the error itself is the answer.
    """

    def __init__(self, items: Sequence[Any], take: Take) -> None:
        self.answer: Future[tuple[Any, ...]] = Future()
        self._items = items
        self._take = take
        self._told: list[Any] = []
        self._begun = False

    @property
    def left(self) -> int:
        """How many items have not been taken."""
        return len(self._items) - len(self._told)

    def carry_on(self, closed: Callable[[], RefusedError | None]) -> None:
        """Take one more slice, and answer when it was the last. An errand that was called off before it began is
        skipped.
        """
        if not self._begun and not self.answer.set_running_or_notify_cancel():
            return
        self._begun = True
        some = self._items[len(self._told) : len(self._told) + SLICE_MAX]
        try:
            if (closing := closed()) is not None:
                raise closing
            self._told.extend(self._take(some))
        except (RefusedError, StorageError) as error:
            self._broken_off(error)
        except Exception as error:
            self.answer.set_exception(error)
        else:
            if len(self._told) == len(self._items):
                self.answer.set_result(tuple(self._told))

    def _broken_off(self, error: RefusedError | StorageError) -> None:
        if not self._told:
            self.answer.set_exception(error)
            return
        key, sentence = (error.key, error.sentence) if isinstance(error, RefusedError) else ("not_kept", _NOT_KEPT)
        rest = self._items[len(self._told) :]
        self.answer.set_result((*self._told, *(Answer(one.client_id, "", "refused", key, sentence) for one in rest)))
