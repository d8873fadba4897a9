"""What `verify` finds in a poker hand whose rows were changed, though the chain was made anew over them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Final

import msgspec
import pytest
from poker_bench import PokerBench

from studio.journal.extract.walk import steps
from studio.journal.link import GENESIS, Head, journal_text, link
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError

Way = tuple[str | int, ...]

CHANGED: Final[Mapping[str, tuple[str, Way]]] = {
    "a buy-in": ("SeatTaken", ("stack_minor",)),
    "chips bought later": ("ChipsBought", ("amount_minor",)),
    "whose seat it is": ("SeatTaken", ("bettor",)),
    "a stack the hand began with": ("RoundStarted", ("rules", "hand", "stacks", 0)),
    "a blind of the hand": ("RoundStarted", ("rules", "hand", "blinds", 1)),
    "what the house takes of the hand": ("RoundStarted", ("rules", "rake_cap")),
    "the time of its turns": ("RoundStarted", ("rules", "turn_s")),
    "what the table was set to": ("TableConfigured", ("config", "game")),
    "a blind posted": ("BetsPlaced", ("bets", 0, "stake_minor")),
    "what an act raised to": ("DecisionsTaken", ("decisions", 0, "to_minor")),
    "what an act cost": ("DecisionsTaken", ("bets", 0, "stake_minor")),
    "the fact of an act": ("Chose", ("fact", "to_minor")),
    "what came back of the pots": ("RoundSettled", ("returns_minor",)),
    "what a seat took home": ("SeatLeft", ("stack_minor",)),
}


@pytest.fixture(scope="module")
def copy() -> Iterator[sqlite3.Connection]:
    """A database of one hand that nobody guards any more."""
    bench = PokerBench().open()
    assert bench.ask("buy", "ann", amount_minor=500).status == "accepted"
    bench.hand()
    bench.acts("raise 300", "fold", "fold")
    bench.end_hand()
    assert bench.ask("leave", "bob").status == "accepted"
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        bench.store.connection.backup(copy)
        bench.close()
        for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            copy.execute(f'DROP TRIGGER "{name}"')
        yield copy


def chain(copy: sqlite3.Connection) -> None:
    """Every row's hash again, over what stands there now."""
    heads = {0: GENESIS, **{seq: Head(seq, hash) for seq, hash in copy.execute("SELECT seq, hash FROM ledger")}}
    hash = GENESIS.hash
    rows = copy.execute("SELECT seq, at, kind, CAST(body AS TEXT), ledger_seq FROM journal ORDER BY seq").fetchall()
    for seq, at_ms, kind, body, ledger_seq in rows:
        hash = link(hash, journal_text(seq, at_ms, heads[ledger_seq], kind, body))
        copy.execute("UPDATE journal SET hash = ? WHERE seq = ?", (hash, seq))


def changed(body: str, way: Way) -> str:
    row: Any = msgspec.json.decode(body)
    at = row["event"]
    for name in way[:-1]:
        at = at[name]
    before = at[way[-1]]
    at[way[-1]] = f"{before}x" if isinstance(before, str) else before + 1
    return msgspec.json.encode(row).decode()


def test_the_hand_as_it_was_is_sound(copy: sqlite3.Connection) -> None:
    chain(copy)
    audit(steps(copy))


@pytest.mark.parametrize(("kind", "way"), CHANGED.values(), ids=CHANGED)
def test_a_change_is_found_though_the_chain_holds(copy: sqlite3.Connection, kind: str, way: Way) -> None:
    [(seq, body)] = copy.execute(
        "SELECT seq, CAST(body AS TEXT) FROM journal WHERE kind = ? ORDER BY seq LIMIT 1", (kind,)
    ).fetchall()
    copy.execute("BEGIN")
    try:
        copy.execute("UPDATE journal SET body = ? WHERE seq = ?", (changed(body, way), seq))
        chain(copy)
        with pytest.raises(WrongError):
            audit(steps(copy))
    finally:
        copy.execute("ROLLBACK")
