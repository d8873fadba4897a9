"""Tickets outlive the program: those given out, not those that are over, and never a token."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable
from pathlib import Path
from stat import S_IMODE

import pytest
from patience import PATIENCE_S, wait_until

from dealer_ui.desk.ticket import A_BETTOR_MAX, Tickets
from dealer_ui.desk.ticket_file import LINES_SPARE, TicketFile
from studio.errors import StorageError

NOW_MS = 1_700_000_000_000
HOUR_S = 3_600


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "studio.db.tickets"


def tickets(path: Path, now_ms: int = NOW_MS) -> Tickets:
    """The tickets of a program that starts now."""
    numbers = itertools.count(1)
    return Tickets(lambda: f"token-{now_ms}-{next(numbers)}", lambda: now_ms, lambda: 0.0, TicketFile(path))


def issue(made: Tickets, bettor: str = "ann", table: str = "t1", valid_s: int = HOUR_S) -> str:
    token, _ = made.issue("north", bettor, table, language="ja", valid_s=valid_s)
    return token


def test_a_page_that_was_given_out_opens_after_a_restart_until_its_time_is_over(path: Path) -> None:
    ann, bob = (issue(tickets(path, NOW_MS + at), bettor) for at, bettor in enumerate(("ann", "bob")))
    again = tickets(path, NOW_MS + 10)
    found = again.find(ann)
    assert found is not None
    assert (found.operator, found.bettor, found.table, found.language) == ("north", "ann", "t1", "ja")
    assert found.expires_at_ms == NOW_MS + HOUR_S * 1_000
    assert again.find(bob) is not None
    assert tickets(path, NOW_MS + HOUR_S * 1_000 + 1).find(ann) is None


def test_a_page_that_was_taken_back_stays_shut_after_a_restart(path: Path) -> None:
    made = tickets(path)
    ann, bob = issue(made), issue(made, "bob")
    assert made.revoke("north", "ann") == 1
    again = tickets(path, NOW_MS + 10)
    assert (again.find(ann), again.find(bob) is not None) == (None, True)


def test_a_bettor_has_no_more_pages_after_a_restart_than_before(path: Path) -> None:
    made = tickets(path)
    first, *rest = (issue(made) for _ in range(A_BETTOR_MAX + 1))
    again = tickets(path, NOW_MS + 10)
    assert again.find(first) is None
    assert all(again.find(token) for token in rest)
    issue(again)
    assert again.find(rest[0]) is None


def test_the_file_is_its_owners_alone_and_opens_no_page(path: Path) -> None:
    token = issue(tickets(path))
    assert S_IMODE(path.stat().st_mode) == 0o600
    assert token not in path.read_text(encoding="utf-8")


def test_a_line_that_was_never_written_whole_is_no_ticket(path: Path) -> None:
    token = issue(tickets(path))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"ticket":{"dig')
    assert tickets(path, NOW_MS + 10).find(token) is not None


@pytest.mark.parametrize("damage", [b"{}\n", b"no json\n", b"[1]\n", b'{"ticket":{"digest":1}}\n', b"\xff\xfe\n"])
def test_of_a_damaged_file_no_page_opens(path: Path, damage: bytes) -> None:
    token = issue(tickets(path))
    path.write_bytes(damage + path.read_bytes())
    assert tickets(path, NOW_MS + 10).find(token) is None
    assert tickets(path, NOW_MS + 20).find(token) is None


def test_what_is_over_is_written_out_of_the_file_in_time(path: Path) -> None:
    path.write_text('{"over":["0"]}\n' * (LINES_SPARE + 3), encoding="utf-8")
    made = tickets(path)
    token = issue(made)
    assert path.read_text(encoding="utf-8").count("\n") == 1
    assert tickets(path, NOW_MS + 10).find(token) is not None


def test_where_nothing_can_be_written_a_page_opens_and_ends_and_a_restart_knows_of_neither(tmp_path: Path) -> None:
    made = tickets(tmp_path / "gone" / "studio.db.tickets")
    token = issue(made)
    assert made.find(token) is not None
    assert made.revoke("north", "ann") == 1
    assert made.find(token) is None


def test_a_page_is_not_said_to_be_over_where_a_restart_would_open_it_again(path: Path) -> None:
    made = tickets(path)
    token = issue(made)
    kept = path.read_bytes()
    path.unlink()
    path.mkdir()  # nothing can be written there, and nothing taken away
    with pytest.raises(StorageError, match=r"cannot be kept.*Ask again\."):
        made.revoke("north", "ann")
    assert made.find(token) is not None
    path.rmdir()
    path.write_bytes(kept)


def test_whoever_asks_for_a_page_waits_for_no_disk(path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(TicketFile):
        def end(self, digests: Iterable[str]) -> None:
            begun.set()
            assert go_on.wait(PATIENCE_S)
            super().end(digests)

    numbers = itertools.count(1)
    made = Tickets(lambda: f"token-{next(numbers)}", lambda: NOW_MS, lambda: 0.0, Slow(path))
    token, _ = issue(made), issue(made, "bob")
    revoking = threading.Thread(target=made.revoke, args=("north", "bob"))
    revoking.start()
    found: list[object] = []
    looking = threading.Thread(target=lambda: found.extend((made.find(token), made.find("nobody's"))), daemon=True)
    assert begun.wait(PATIENCE_S)
    looking.start()
    try:
        wait_until(lambda: len(found) == 2)
    finally:
        go_on.set()
        revoking.join(PATIENCE_S)
    assert found[0] is not None
    assert found[1] is None
