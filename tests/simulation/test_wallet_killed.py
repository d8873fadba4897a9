"""`kill -9` while wallets are asked: no money taken and not in play, none in play and not taken."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest
from killed_nights import options

from dealer_ui.rehearsal.check.wallet import WalletCheck
from dealer_ui.rehearsal.person.punter import OPERATOR
from dealer_ui.rehearsal.wallet.night_wallet import NightWallet, WalletTerms
from studio.journal import Reader, Store, Writer
from studio.journal.extract.walk import steps
from studio.money import is_promotion
from studio.proof.audit.database import audit
from studio.wallets.record import WALLET_KINDS, WalletAnswered, WalletAsked, read_wallet

SCRIPT = Path(__file__).with_name("killed_nights.py")
_TAKEN = "SELECT bet FROM ledger WHERE kind = 'wallet_debit'"
_USED = "SELECT bettor, count(*), sum(stake) FROM bet WHERE free <> '' GROUP BY 1"
_TAKEN_FREE = """
SELECT credit, count(*), sum(amount) FROM ledger WHERE kind = 'wallet_debit' AND substr(credit, 1, 10) = 'promotion:'
GROUP BY 1
"""
_LEFT = "SELECT account, amount FROM balance WHERE account LIKE 'promotion:%/%'"
_GRANTED = "SELECT credit, amount FROM ledger WHERE kind = 'grant'"
_OUT = """
SELECT placed.bettor, sum(placed.stake) FROM bet placed WHERE placed.free <> '' AND NOT EXISTS (
    SELECT 1 FROM ledger back WHERE back.round = placed.round AND back.bet = placed.id
    AND back.kind IN ('void', 'free_return') AND instr(back.credit, '/') > 0
) GROUP BY 1
"""
"""The free stakes that have not come back to their grants."""
_VOID = """
SELECT placed.bettor FROM bet placed JOIN ledger back ON back.round = placed.round AND back.bet = placed.id
WHERE placed.free <> '' AND back.kind = 'void' AND back.revision = 0
"""
"""Those that were cancelled at the operator's. What a correction has come back is told him by a movement of its own."""


class Begun:
    """A studio that starts on what a killed one left; its tables stand still."""

    def __init__(self, store: Store) -> None:
        self.commit = Writer(store).commit
        with store.reader() as reader:
            self.now_ms = max(row.at_ms for row in reader.events()) + 1
        self.wait = self.restart = self.runtime = None


@contextmanager
def begun(store: Store, reader: Reader, folder: Path, number: int) -> Iterator[NightWallet]:
    """The wallet of the studio that starts again: it goes on where the journal ends."""
    own = options(folder, number).wallet
    assert own is not None
    with closing(sqlite3.connect(own.till)) as till:
        bettors = [name for (name,) in till.execute("SELECT name FROM bettor ORDER BY rowid")]
    terms = WalletTerms(OPERATOR, "EUR", own.dialect, 0.0, random.Random(number), own.till)
    wallet = NightWallet(cast(Any, Begun(store)), reader, bettors, terms)
    with closing(wallet.till):
        yield wallet


def wrong_after(folder: Path, number: int, found: list[Found]) -> Iterator[str]:
    """What is wrong once the studio has started again; `found` is told what was without an end by then."""
    with (
        closing(Store.open(folder / "studio.db")) as store,
        store.reader() as reader,
        begun(store, reader, folder, number) as wallet,
    ):
        open_now = unanswered(reader)
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
        yield from wrong_with_grants(reader, wallet, folder)
        found.append(Found(len(open_now), sum(open_now.values()), used=sum(row[1] for row in reader.read(_USED, ()))))
        audit(steps(store.connection))


def wrong_with_grants(reader: Reader, wallet: NightWallet, folder: Path) -> Iterator[str]:
    """What is wrong with free bets: every use of a grant is a free stake that the operator has given, and no other."""
    used = {name: (count, minor) for name, count, minor in reader.read(_USED, ())}
    given = {account.split(":")[2]: (count, minor) for account, count, minor in reader.read(_TAKEN_FREE, ())}
    if used != given:
        yield f"Used of grants was {used}, and for these the operator has given {given}."
    out = dict(reader.read(_OUT, ()))
    left = dict(reader.read(_LEFT, ()))
    for account, granted_minor in reader.read(_GRANTED, ()):
        name = account.split(":")[2].partition("/")[0]
        if left.get(account, 0) != granted_minor - out.get(name, 0):
            yield f"Of {account} {left.get(account, 0)} are left, and {out.get(name, 0)} of {granted_minor} are out."
    with closing(sqlite3.connect(folder / "operator.db")) as till:
        free = dict(till.execute("SELECT id, bettor FROM movement WHERE kind = 'bet' AND promoted < 0"))
    standing = Counter(free[id] for id, gone in wallet.till.bets() if id in free and not gone)
    voided = Counter(name for (name,) in reader.read(_VOID, ()))
    for name in {*standing, *used}:
        in_play = used.get(name, (0, 0))[0] - voided[name]
        if standing[name] != in_play:
            yield f"{standing[name]} free stakes of {name} stand at his operator's; {in_play} are in play or were."


class Found(NamedTuple):
    """Of a killed night: stakes without an end, how many of these were free, and how often a grant was used."""

    open: int
    open_free: int
    used: int


def unanswered(reader: Reader) -> dict[str, bool]:
    """The stakes that were asked for, and nobody knows what became of them; and whether each is free."""
    open_now: dict[str, bool] = {}
    for row in reader.events(kinds=WALLET_KINDS):
        match read_wallet(row.body):
            case WalletAsked(stakes=stakes):
                open_now |= {stake.id: is_promotion(stake.account) for stake in stakes}
            case WalletAnswered(ends=ends):
                for end in ends:
                    open_now.pop(end.id, None)
    return open_now


def killed(tmp_path: Path, nights: int, seed: int, *of: str) -> tuple[list[str], list[Found]]:
    told = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, str(nights), str(seed), *of], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    found: list[Found] = []
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


@pytest.mark.night
@pytest.mark.timeout(1200)
def test_two_hundred_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    wrong, found = killed(tmp_path, 200, seed=2)
    assert not wrong
    assert sum(one.open > 0 for one in found) >= 4, "so many fell between a question and its answer"


@pytest.mark.long
def test_a_kill_at_any_moment_takes_no_use_of_a_grant_and_gives_none(tmp_path: Path) -> None:
    wrong, found = killed(tmp_path, 2, 5, "free")
    assert not wrong
    assert sum(one.used for one in found) > 0


@pytest.mark.night
@pytest.mark.timeout(1200)
def test_fifty_kills_with_free_bets_leave_both_books_as_one(tmp_path: Path) -> None:
    wrong, found = killed(tmp_path, 50, 6, "free")
    assert not wrong
    assert sum(one.used > 0 for one in found) >= 25
    assert sum(one.open_free > 0 for one in found) >= 1, "so many fell between a free stake and its answer"
