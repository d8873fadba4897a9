"""The root errors of the core: three kinds of wrong, and only two of them are exceptions.

The world's wrong (a bad frame, a lost link) is a value, an observation. A person's wrong is `RefusedError`.
Our own wrong is `IllegalEventError` or `InvariantError`: it holds the table at once and calls the pit.
"""

from __future__ import annotations

from typing import Final

from studio.spoken import Value

_LONGEST: Final = 800
"""Characters of a sentence about what was read."""


class StudioError(Exception):
    """Root of every exception the core raises."""


class RefusedError(StudioError):
    """A person, bettor or timer asked for something that may not be done now.

    `sentence` is one full plain sentence that says what to do; `key` is stable and names the reason. `values` are what
    it names (a person, a day, places), for whoever says it in another language; `which` of the sentences under its key
    it is.
    """

    def __init__(self, key: str, sentence: str, *, which: str = "", **values: Value) -> None:
        super().__init__(sentence)
        self.key = key
        self.words_key = f"{key}.{which}" if which else key
        self.values = values
        self.sentence = sentence


class BadInputError(StudioError):
    """What was read from outside (a file, a line, a flag) cannot be used; the sentence says where and why."""

    def __init__(self, sentence: str, *, where: str = "") -> None:
        sentence = _readable(sentence)
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.sentence = sentence
        self.where = where


def _readable(sentence: str) -> str:
    """A sentence that repeats what it was given, which may have thousands of digits, without the middle of it."""
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST // 2]} … {sentence[-_LONGEST // 2 :]}"


class IllegalEventError(StudioError):
    """An event reached a state that cannot have produced it: our bug."""


class InvariantError(StudioError):
    """Something that always holds did not: our bug."""


class SealedError(StudioError):
    """Somebody tried to look at a sealed card without its key."""


class StorageError(StudioError):
    """The database or the disk refused to take a commit; nothing of it was acknowledged."""


class RecordAwayError(StorageError):
    """The database could not be reached, nothing of the commit was kept, and nothing else is wrong."""


def not_written(error: Exception) -> RefusedError:
    """What whoever asked for something is told when it could not be written: nothing was done, for a disk is full or a
    database away; or, where the writer did not answer in time (a `TimeoutError`), that it may yet be done.
    """
    if isinstance(error, TimeoutError):
        sentence = "The record has not answered in time, and it may yet be done: look before you ask again."
        return RefusedError("no_answer_yet", sentence, which="record")
    return RefusedError("disk", "The studio cannot write its record now; try again in a moment.")
