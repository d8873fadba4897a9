"""`kill -9` while wallets are asked: no money taken and not in play, none in play and not taken."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest
from killed_nights import options

from dealer_ui.rehearsal.check.wallet import WalletCheck
from dealer_ui.rehearsal.person.punter import OPERATOR
from dealer_ui.rehearsal.wallet.night_wallet import NightWallet, WalletTerms
from studio.journal import Reader, Store, Writer
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.wallets.record import WALLET_KINDS, WalletAnswered, WalletAsked, read_wallet

SCRIPT = Path(__file__).with_name("killed_nights.py")
_TAKEN = "SELECT bet FROM ledger WHERE kind = 'wallet_debit'"


class Begun:
    """A studio that starts on what a killed one left; its tables stand still."""

    def __init__(self, store: Store) -> None:
        self.commit = Writer(store).commit
        self.now_ms = max(row.at_ms for row in store.reader().events()) + 1
        self.wait = self.restart = self.runtime = None


def begun(store: Store, folder: Path, number: int) -> NightWallet:
    """The wallet of the studio that starts again: it goes on where the journal ends."""
    own = options(folder, number).wallet
    assert own is not None
    with closing(sqlite3.connect(own.till)) as till:
        bettors = [name for (name,) in till.execute("SELECT name FROM bettor ORDER BY rowid")]
    terms = WalletTerms(OPERATOR, "EUR", own.dialect, 0.0, random.Random(number), own.till)
    return NightWallet(cast(Any, Begun(store)), store.reader(), bettors, terms)


def wrong_after(folder: Path, number: int, found: list[int]) -> Iterator[str]:
    """What is wrong once the studio has started again; `found` is told how many stakes were without an end by then."""
    with closing(Store.open(folder / "studio.db")) as store:
        reader = store.reader()
        found.append(len(unanswered(reader)))
        wallet = begun(store, folder, number)
        check = WalletCheck(wallet, reader)
        wallet.begin()
        owed = wallet.drain()
        check.look()
        yield from check.ended(owed)
        taken = {bet for (bet,) in reader.read(_TAKEN, ())}
        at_till = dict(wallet.till.bets())
        yield from (
            f"{id} was taken and is not in play." for id, gone in at_till.items() if not gone and id not in taken
        )
        yield from (f"{id} is in play and was never taken." for id in taken if id not in at_till)
        audit(steps(store.connection))


def unanswered(reader: Reader) -> set[str]:
    """The stakes that were asked for, and nobody knows what became of them."""
    open_now: set[str] = set()
    for row in reader.events(kinds=WALLET_KINDS):
        match read_wallet(row.body):
            case WalletAsked(stakes=stakes):
                open_now |= {stake.id for stake in stakes}
            case WalletAnswered(ends=ends):
                open_now -= {end.id for end in ends}
    return open_now


def killed(tmp_path: Path, nights: int, seed: int) -> tuple[list[str], list[int]]:
    told = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, str(nights), str(seed)], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    found: list[int] = []
    wrong = [
        f"night {number}: {sentence}"
        for number in range(nights)
        for sentence in wrong_after(tmp_path / f"night-{number}", number, found)
    ]
    return wrong, found


def test_a_kill_at_any_moment_loses_and_doubles_nothing(tmp_path: Path) -> None:
    wrong, found = killed(tmp_path, 4, seed=1)
    assert not wrong
    assert len(found) == 4


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_two_hundred_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    wrong, found = killed(tmp_path, 200, seed=2)
    assert not wrong
    assert sum(count > 0 for count in found) >= 4, "so many fell between a question and its answer"
