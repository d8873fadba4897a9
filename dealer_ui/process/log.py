"""Where log lines go: to whatever stderr is at the time, one line each.

A log nobody can write any more (a closed terminal, a broken pipe) must not stop a table: the line is lost, the
journal is not.
"""

from __future__ import annotations

import contextlib
import logging
import sys

import structlog


class StderrLogger:
    """What structlog writes to."""

    def msg(self, message: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"{message}\n")
            sys.stderr.flush()

    log = debug = info = warning = warn = error = critical = fatal = exception = failure = err = msg


def quiet_logs() -> None:
    """Warnings and errors to stderr; a running table is watched on its screens.

    A traceback is told without the values of its variables: among them could be the face of a sealed card.
    """
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=lambda *_: StderrLogger(),
    )
    logging.getLogger("waitress").setLevel(logging.ERROR)
