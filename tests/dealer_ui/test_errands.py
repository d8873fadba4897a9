"""What becomes of a table beside the looks at leases: until its last errand is over it is busy."""

from __future__ import annotations

import threading

from patience import PATIENCE_S, wait_until

from dealer_ui.assembly.lease_keeper import Errands


def test_of_two_errands_of_one_table_the_first_to_end_leaves_it_busy() -> None:
    errands, first, second = Errands(), threading.Event(), threading.Event()
    errands.run("let go t1", "t1", lambda: _until(first))
    errands.run("take over t1", "t1", lambda: _until(second))
    first.set()
    wait_until(lambda: all(thread.name != "let go t1" for thread in threading.enumerate()))
    assert errands.is_busy("t1")
    assert not errands.is_busy("t2")
    second.set()
    wait_until(lambda: not errands.is_busy("t1"))


def test_an_errand_that_fails_is_over() -> None:
    errands, told = Errands(), []
    hook, threading.excepthook = threading.excepthook, told.append
    try:
        errands.run("let go t1", "t1", lambda: 1 / 0)
        wait_until(lambda: not errands.is_busy("t1") and bool(told))
    finally:
        threading.excepthook = hook


def _until(event: threading.Event) -> None:
    assert event.wait(PATIENCE_S)
