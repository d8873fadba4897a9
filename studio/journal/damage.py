"""Has a database look through itself for damage while its rows are read: the only thread that `studio` starts.

SQLite does so without Python's lock: every page, every index against its table, the type of every value and that it is
there where it must be. What a row may hold besides (`CHECK`) it leaves out over a connection that cannot write. Nothing
is decided there but whether the file is sound.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from studio.journal.place import UNREADABLE, Place, snapshot

_AGAIN_S: Final = 0.1


@contextmanager
def damage_sought(place: Place) -> Iterator[Callable[[], str | None]]:
    """Inside, the database looks through itself; to be asked what it found, in a sentence: that waits for its end.

    Whoever leaves without asking ends the look.
    """
    look = _Look(place)
    look.start()
    try:
        yield look.found
    finally:
        look.end()


class _Look:
    def __init__(self, place: Place) -> None:
        self._place = place
        self._thread = threading.Thread(target=self._run, name="damage", daemon=True)
        self._halt: Callable[[], None] = lambda: None
        self._sentence: str | None = None
        self._error: Exception | None = None

    def start(self) -> None:
        self._thread.start()

    def found(self) -> str | None:
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._sentence

    def end(self) -> None:
        while self._thread.is_alive():
            with suppress(*UNREADABLE):  # it has come to its end by itself just now
                self._halt()
            self._thread.join(_AGAIN_S)

    def _run(self) -> None:
        try:
            with snapshot(self._place, lenient=True) as seen:
                self._halt = seen.stop
                self._sentence = seen.damage()
        except UNREADABLE as error:
            self._sentence = unreadable(error)
        except Exception as error:
            self._error = error


def unreadable(error: Exception) -> str:
    return f"The file is damaged: {error}."
