"""How a command ends when a file, a disk or a pipe fails it: with one sentence, and never with a traceback."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import click

from studio.errors import BadInputError, RefusedError, StorageError

_NOT_TAKEN: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a full or a broken disk answers to a write."""


@contextlib.contextmanager
def said_plainly() -> Iterator[None]:
    """Run a command: what the world refused ends it with a sentence and exit code 1; so does output nobody can keep.

    A verb that can say it better has said it before. A pipe that was closed is left to click, which ends silently.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except (BadInputError, RefusedError, StorageError) as error:
        raise click.ClickException(str(error)) from None
    except click.Abort:
        sentence = "What was asked for was not typed, and nothing was done: call the command at a terminal."
        raise click.ClickException(sentence) from None
    except sqlite3.Error as error:
        raise click.ClickException(f"The database cannot be used: {error}.") from None
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        raise click.ClickException(_sentence(error)) from None


def any_name_can_be_said() -> None:
    """Write what the terminal's encoding lacks (the name of a file may be any bytes) as an escape that JSON knows."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def require_no_empty_word(args: Sequence[str]) -> None:
    """Refuse a command in which nothing stands where something was to stand: a script's variable that was never set.

    Passed over, it would mean everything: each key of an operator ended, and not one; everybody's books, and not his.
    """
    for number, word in enumerate(args):
        if not word:
            before = args[number - 1] if number else ""
            what = f"What follows {before}" if before.startswith("--") else "A word of this command"
            raise click.UsageError(f"{what} is empty: write it out, or leave it out.")
        if word.startswith("--") and word.endswith("="):
            raise click.UsageError(f"What follows {word} is empty: write it out, or leave it out.")


def _sentence(error: OSError) -> str:
    why = error.strerror or str(error)
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)}: It cannot be read or written: {why}."
    if _lost_output() or error.errno in _NOT_TAKEN:
        return f"What this command says cannot be written: {why}."
    return f"The machine refused it: {why}."


def _lost_output() -> bool:
    """Whether the output cannot take what was written to it; then it is closed, so that nobody tries again."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        return True
    return False
