"""Work that goes on beside a studio or its pages, on its own thread: where it fails it is told, and begun again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

import structlog

from studio.errors import StorageError

_LOG: Final = structlog.get_logger("dealer_ui.beside")
LASTS_S: Final = 60.0
"""What fails the same way within so long is told once."""


def keep_at(
    name: str, work: Callable[[threading.Event], None], stopping: threading.Event, *, retry_s: float,
    monotonic: Callable[[], float] = time.monotonic,
) -> None:  # fmt: skip
    """Do it until it is done or the program stops. A record that does not answer is told in a sentence; anything else
    is an error of our own.
    """
    told, failed_s = "", 0.0
    while not stopping.is_set():
        try:
            return work(stopping)
        except Exception as error:
            now_s = monotonic()
            if told != repr(error) or now_s - failed_s > LASTS_S:
                _tell(name, error)
            told, failed_s = repr(error), now_s
        stopping.wait(retry_s)


def _tell(name: str, error: Exception) -> None:
    if isinstance(error, StorageError):
        _LOG.warning("something beside the tables waits for the record", name=name, why=str(error))
    else:
        _LOG.error("something beside the tables failed", name=name, exc_info=error)
