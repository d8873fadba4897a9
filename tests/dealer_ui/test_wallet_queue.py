"""The host that tells an operator's wallet what it is owed stands still, and is killed: real processes, under load.

At the end the operator's own book and the ledger have moved the same cents, each of them once.
"""

from __future__ import annotations

import signal
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from nats_server import needs_nats
from patience import wait_until
from running_cluster import RunningCluster, need_postgres

from dealer_ui.rehearsal.demo.options import OPERATOR
from dealer_ui.rehearsal.operator.till import Till
from dealer_ui.verbs.cluster_files import TABLES
from studio.journal import Reader
from studio.money import bettor_account, operator_account

pytestmark = [needs_nats, pytest.mark.night]
QUEUE: Final = f"wallet:{OPERATOR}"
ACCOUNT: Final = operator_account(OPERATOR)
ENOUGH: Final = 30
_LEFT: Final = """
SELECT account, amount FROM studio.balance
WHERE amount <> 0 AND (account LIKE 'bettor:%' OR account LIKE 'suspense:%' OR account LIKE 'escrow:%')
"""
_MOVED: Final = "SELECT bet, kind, debit, credit, amount FROM ledger WHERE debit = ? OR credit = ? ORDER BY seq"


class Moved(NamedTuple):
    """A row of the ledger between the operator and his bettors."""

    id: str
    kind: str
    debit: str
    credit: str
    amount_minor: int


@pytest.fixture
def running() -> Iterator[RunningCluster]:
    need_postgres()
    with (
        tempfile.TemporaryDirectory(prefix="studio-cluster-") as folder,
        RunningCluster(Path(folder), wallet="hmac") as made,
    ):
        yield made


def until_another_tells(running: RunningCluster, was: str) -> str:
    wait_until(lambda: running.lease_of(QUEUE)[0] != was, 0.5)
    return running.lease_of(QUEUE)[0]


def by_bettor(ours: Sequence[Moved]) -> dict[str, int]:
    """What each bettor has from the studio, less what he has staked; what was in suspense is nobody's any more."""
    found: Counter[str] = Counter()
    for one in ours:
        if one.debit == ACCOUNT:
            found[one.credit] -= one.amount_minor
        else:
            found[one.debit] += one.amount_minor
    return {account: minor for account, minor in found.items() if minor}


def test_neither_book_moves_twice_when_the_host_of_a_wallets_queue_stands_still_and_is_killed(
    running: RunningCluster,
) -> None:
    running.until_more_is_acknowledged(ENOUGH)
    first, epoch = running.lease_of(QUEUE)
    running.send(first, signal.SIGSTOP)
    second = until_another_tells(running, first)
    running.until_more_is_acknowledged(ENOUGH)
    running.send(first, signal.SIGCONT)
    running.until_more_is_acknowledged(ENOUGH)
    assert running.lease_of(QUEUE) == (second, epoch + 1), "whoever was late has it no more"
    running.down.add(second)
    running.send(second, signal.SIGKILL)
    third = until_another_tells(running, second)
    running.down.clear()
    running.until_more_is_acknowledged(ENOUGH)
    running.ask_for_the_rest()
    assert running.lease_of(QUEUE)[0] == third
    wait_until(lambda: not running.say(_LEFT), 0.5)  # every round is over, and the wallet was told of all of it
    assert running.checked() > len(TABLES)
    with closing(Reader.open(running.postgres.address)) as reader:
        ours = [Moved(*row) for row in reader.read(_MOVED, (ACCOUNT, ACCOUNT))]
    with closing(Till(running.folder / "operator" / "operator.db")) as till:
        theirs, undone = till.lines(), {id for id, cancelled in till.bets() if cancelled}
    told = {kind: Counter(id for said, id, *_ in theirs if said == kind) for kind in ("debit", "credit")}
    for kind, ids in told.items():  # of stakes those that were not undone: a round may have been void
        stand = Counter(one.id for one in ours if one.kind == f"wallet_{kind}" and one.id not in undone)
        assert stand == Counter(ids.keys() - undone), kind
        assert set(ids.values()) == {1}
    moved = Counter[str]()
    for _, _, bettor, minor, _ in theirs:
        moved[bettor_account(OPERATOR, bettor)] += minor
    assert by_bettor(ours) == {account: minor for account, minor in moved.items() if minor}
