"""What a test opens is closed again where its setting up fails; otherwise it runs on, and others fail by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager


@contextmanager
def closed_again(close: Callable[[], object]) -> Iterator[None]:
    """Where something within fails, `close` is called, and the failure goes on."""
    with ExitStack() as opened:
        opened.callback(close)
        yield
        opened.pop_all()


def close_each(closes: Iterable[Callable[[], object]]) -> None:
    """Call all of them, one after another, whatever one of them raises."""
    with ExitStack() as opened:
        for close in reversed([*closes]):
            opened.callback(close)
