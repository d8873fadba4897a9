"""What each worker of the tests does once."""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

import cv2
import pytest
import warm_process
from held_to_document import hold_answers
from private_postgres import postgres, postgres_address  # noqa: F401 - fixtures for whoever asks
from threadpoolctl import threadpool_limits

from dealer_ui.assembly import care, on_wire
from dealer_ui.care.program_desk import ProgramDesk
from dealer_ui.wire import presence
from studio.care.program import look
from studio.wallets import obligation

_MEMORY = Path("/dev/shm")
_ROOM = 2 << 30
if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
    # What tests write lies in memory: they wait for thousands of syncs, and nothing of it has to outlive the machine.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_MEMORY))

cv2.setNumThreads(1)  # as a studio does: its cores have other workers to run
threadpool_limits(1, "blas")
NAMED_S, BEAT_S, FIRST_WAIT_MS = on_wire.NAMED_S, presence.BEAT_S, obligation.FIRST_WAIT_MS
hold_answers()
gc.disable()  # nine thousand tests are collected, and none of them is garbage


def pytest_collection_finish(session: pytest.Session) -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)  # a process of the tests has room, and little of what it makes is a circle
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The night ends when its time is over, and says what was left; whatever else is asked for is run to its end."""
    ends_at = os.environ.get("NIGHT_ENDS_AT")
    now_s = time.time()  # noqa: TID251 - the end is told by the clock of the machine
    if ends_at and item.get_closest_marker("night") and now_s > float(ends_at):
        pytest.skip("the night was over before this test was reached: `make night` runs all of it")
    slow = item.get_closest_marker("long") or item.get_closest_marker("night")
    warm_process.use(warm=not slow)
    wait_less(quick=not slow, asks_wallets=item.path.parent.name == "dealer_ui")


def wait_less(*, quick: bool, asks_wallets: bool) -> None:
    """What the quick tests need not wait out, and the others do as in a studio.

    A process of a cluster that comes up hears for a beat whether another has its name; one quick test has it do so.
    Whoever starts beside others hears of each at its next beat. What a wallet has not answered is asked again later.
    """
    on_wire.NAMED_S = 0.0 if quick else NAMED_S
    presence.BEAT_S = 0.2 if quick else BEAT_S  # type: ignore[misc]
    obligation.FIRST_WAIT_MS = 200 if quick and asks_wallets else FIRST_WAIT_MS  # type: ignore[misc]


@pytest.fixture(scope="session", autouse=True)
def program_looked_at_once() -> Iterator[None]:
    """Hundreds of studios come up in one worker, and the program on the disk is that of the first."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(care, "ProgramDesk", partial(ProgramDesk, look=cache(look)))
        yield
