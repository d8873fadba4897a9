"""Whoever takes over a queue waits for the rows of other hosts no longer than his other holds last."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dealer_ui.assembly.lease_keeper import LOOK_S as STEP_S
from dealer_ui.assembly.lease_keeper import RENEW_S
from studio.errors import StorageError
from studio.journal.extract.wallet_rows import settled
from studio.journal.lease import LEASE_S


class NeverThere:
    """A record in which another host's rows stay under way."""

    def read(self, sql: str, given: tuple[Any, ...]) -> list[tuple[int]]:
        return [(7,)]

    def head(self) -> SimpleNamespace:
        return SimpleNamespace(seq=6)


def test_it_gives_up_before_the_holds_of_its_thread_are_over() -> None:
    waited: list[float] = []
    with pytest.raises(StorageError, match="this is tried again"):
        settled(NeverThere(), waited.append)  # type: ignore[arg-type]
    assert sum(waited) > 1
    assert RENEW_S + sum(waited) + STEP_S < LEASE_S
