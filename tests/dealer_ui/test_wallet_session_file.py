"""Where the sessions lie by which operators' wallets know their bettors: none is lost, whatever disk or clock does."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from dealer_ui.teller import session
from dealer_ui.teller.session import KEPT_MS, WalletSessions
from studio.journal import Store
from studio.journal.postgres.wallet_session_rows import WalletSessionRows


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "studio.db.sessions"


def test_a_session_is_on_the_disk_before_it_counts(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[str]()

    def sync(handle: int) -> None:
        synced.append(os.readlink(f"/proc/self/fd/{handle}"))

    monkeypatch.setattr(os, "fdatasync", sync)
    WalletSessions(file).open("north", "ann", "ann-s", 1)
    assert synced == [str(file)]


def test_a_line_that_a_full_disk_has_cut_off_takes_no_other_with_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions, write = WalletSessions(file), os.write

    def full(handle: int, data: bytes) -> int:
        if len(data) > 10:
            return write(handle, data[:10])
        raise OSError(28, "No space left on device")

    sessions.open("north", "ann", "ann-s", 1)
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", lambda handle, data: full(handle, data) if len(data) > 20 else full(handle, b""))
        with pytest.raises(OSError, match="No space"):
            sessions.open("north", "bob", "bob-s", 2)
    assert sessions.of("north", "bob") == ""
    sessions.open("north", "cy", "cy-s", 3)
    again = WalletSessions(file, 4)
    assert [again.of("north", one) for one in ("ann", "bob", "cy")] == ["ann-s", "", "cy-s"]


def test_the_file_of_a_studio_that_runs_for_months_holds_what_is_known_and_little_more(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LINES_SPARE", 10)
    sessions = WalletSessions(file)
    sessions.open("north", "old", "old-s", 0)
    for day in range(200):
        sessions.open("north", "ann", f"ann-{day}", day * 86_400_000)
    assert len(file.read_bytes().splitlines()) <= 15
    again = WalletSessions(file, 200 * 86_400_000)
    assert (again.of("north", "ann"), again.of("north", "old")) == ("ann-199", "")
    assert KEPT_MS == 120 * 86_400_000
    assert file.stat().st_mode & 0o777 == 0o600


def test_the_name_of_a_new_file_is_on_the_disk_with_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[str]()
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.readlink(f"/proc/self/fd/{handle}")))
    sessions = WalletSessions(file)
    sessions.open("north", "ann", "ann-s", 1)
    assert synced == [str(file.parent)]
    sessions.open("north", "bob", "bob-s", 2)
    assert synced == [str(file.parent)]
    WalletSessions(file, 3)
    assert synced[1:] == [f"{file}.part", str(file.parent)], "written anew it has its name for certain, too"


def test_a_disk_without_room_to_write_the_file_anew_keeps_nobody_from_being_launched(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LINES_SPARE", 10)
    sessions, tries = WalletSessions(file), list[int]()

    def full(handle: int) -> None:
        tries.append(handle)
        raise OSError(28, "No space left on device")

    sessions.open("north", "old", "old-s", 0)
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", full)
        for day in range(50):
            sessions.open("north", "ann", f"ann-{day}", day)
            assert not file.with_name(f"{file.name}.part").exists(), "it would take the last room there is"
        again = WalletSessions(file, 51)
    assert 1 < len(tries) < 10
    assert (again.of("north", "ann"), again.of("north", "old")) == ("ann-49", "old-s")
    assert WalletSessions(file, 51).of("north", "ann") == "ann-49"


def test_of_hosts_whose_clocks_differ_the_last_session_counts(postgres_address: str) -> None:
    Store.open(postgres_address, host="a").close()
    with closing(WalletSessionRows(postgres_address)) as a, closing(WalletSessionRows(postgres_address)) as b:
        a.keep("north", "ann", "first", 5_000)
        b.keep("north", "ann", "second", 2_000)  # three seconds behind
        assert a.find("north", "ann") == "second"
        b.lapse(4_000)
        assert a.find("north", "ann") == "second"
