"""What goes on beside the tables: a record that is away is told in one sentence, our own error in full."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence

from structlog.testing import capture_logs

from dealer_ui.process.beside import LASTS_S, keep_at
from studio.errors import StorageError

AWAY = StorageError("The database cannot be reached: wait until it is there again.")
OURS = ValueError("not yet")


def told_of(fails: Sequence[Exception], at_s: Iterator[float]) -> list[tuple[str, str, bool]]:
    """What is logged of work that fails so and then is done: level, why, and whether a traceback goes with it."""
    left = list(fails)

    def work(stopping: threading.Event) -> None:
        if left:
            raise left.pop(0)

    with capture_logs() as logs:
        keep_at("books", work, threading.Event(), retry_s=0.0, monotonic=lambda: next(at_s))
    return [(one["log_level"], one.get("why", ""), "exc_info" in one) for one in logs]


def test_a_record_that_is_away_is_told_in_a_sentence_and_once_while_it_lasts() -> None:
    assert told_of([AWAY, AWAY, AWAY], iter((1.0, 2.0, 3.0))) == [("warning", str(AWAY), False)]


def test_an_error_of_our_own_is_told_in_full() -> None:
    assert told_of([OURS, OURS, AWAY, OURS], iter((1.0, 2.0, 3.0, 4.0))) == [
        ("error", "", True), ("warning", str(AWAY), False), ("error", "", True),
    ]  # fmt: skip


def test_what_comes_again_after_it_was_well_for_long_is_told_again() -> None:
    assert len(told_of([AWAY, AWAY], iter((1.0, 2.0 + LASTS_S)))) == 2
