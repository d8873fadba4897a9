"""Snapshots: a start with one is a start without one, and one in doubt counts for nothing."""

from __future__ import annotations

import enum
import random
from itertools import pairwise
from types import MappingProxyType

import pytest
from table_bench import BURNS, DEAL, PIT, Bench

from studio.cards import DECK
from studio.care.signing import Signer
from studio.errors import BadInputError
from studio.journal import Row
from studio.tables.books.commit import DurableTable, Folded
from studio.tables.books.snapshot import fold_on, read_snapshot, write_snapshot
from studio.tables.state.table import TableState
from studio.value import replace
from studio.views import ShoeResults
from studio.views.past.result import RESULT_KINDS

BETS = ("player1_win", "player1_tie", "player2_win")
SIGNER = Signer.of(bytes(range(32)))


@pytest.fixture(scope="module")
def night() -> tuple[Bench, list[Row]]:
    """Settled rounds, a void one with its incident, one still open with bets."""
    table = Bench()
    table.open().deposit(500_000)
    cards = [card for card in DECK if card not in DEAL and card not in BURNS]
    for number, (burns, deal) in enumerate(((BURNS, DEAL), (cards[:4], cards[4:16]), (BURNS, DEAL))):
        table.start(burns).betting(("player1_tie", 1000), ("player2_win", 500)).deal(*deal)
        table.finish()
        table.clear()
        if number == 1:
            table.load("deck-2")
    table.start(cards[:4]).betting(("player3_lose", 700))
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    table.load("deck-3")
    table.start(cards[4:8]).betting(("player1_tie", 900))
    with table.store.reader() as reader:
        return table, list(reader.events(table="t1"))


def restored(table: Bench, rows: list[Row], since: Folded | None = None) -> DurableTable:
    found = DurableTable(table.config, lambda unit: 1 / 0, lambda *told: None, lambda *told: None)  # type: ignore[arg-type, return-value]
    found.restore((row for row in rows if since is None or row.seq > since[1]), table.store.keyring.lookup, since)
    return found


def through(folded: Folded) -> Folded:
    """Written and read again."""
    found, hash, _ = read_snapshot(write_snapshot(folded, "h", SIGNER), "t1", SIGNER.public_key)
    assert hash == "h"
    return found


def test_a_start_from_any_snapshot_is_the_start_from_the_first_row(night: tuple[Bench, list[Row]]) -> None:
    table, rows = night
    whole = restored(table, rows)
    begun = (TableState(table.config), 0)
    seen = set()
    for end in range(0, len(rows), 7):
        since = fold_on(begun, rows[:end])
        seen.add(since[1])
        quick = restored(table, rows, through(since))
        assert (quick.state, quick.seq, quick.at_ms) == (whole.state, whole.seq, whole.at_ms)
        assert (quick.book.round, quick.book.bets, quick.book.by_bet) == (
            whole.book.round, whole.book.bets, whole.book.by_bet
        )  # fmt: skip
    assert len(seen) > 2


def test_results_kept_beside_a_snapshot_go_on_as_if_counted_from_the_first_row(night: tuple[Bench, list[Row]]) -> None:
    table, rows = night
    told = [row for row in rows if row.kind in RESULT_KINDS]
    whole, halves = ShoeResults(keep=2, bets=BETS).after(told), set()
    for place, (before, after) in enumerate(pairwise(told)):
        kept = ShoeResults(keep=2, bets=BETS).after(told[: place + 1])
        data = write_snapshot((TableState(table.config), before.seq), "h", SIGNER, kept)
        _, _, read = read_snapshot(data, "t1", SIGNER.public_key)
        assert isinstance(read, ShoeResults)
        halves.add(len(read.last(9)))
        assert after.seq > before.seq
        assert read.after(told[place + 1 :]).past(9) == whole.past(9)
        assert read.past(9) == kept.past(9)
    assert halves == {0, 1, 2}


def test_folding_on_in_steps_is_folding_at_once(night: tuple[Bench, list[Row]]) -> None:
    table, rows = night
    once = fold_on((TableState(table.config), 0), rows)
    steps: Folded = (TableState(table.config), 0)
    for end in range(1, len(rows) + 1, 40):
        steps = fold_on(through(steps), [row for row in rows[:end] if row.seq > steps[1]])
    assert steps[1] <= once[1]
    assert fold_on(steps, [row for row in rows if row.seq > steps[1]]) in (once, steps)


def test_a_mapping_nobody_may_change_is_kept_as_one(night: tuple[Bench, list[Row]]) -> None:
    """Outcomes of Open-Face Chinese hold such mappings; every simulated night reads its snapshots back, too."""
    table, _ = night
    state = replace(table.state, devices=replace(table.state.devices, links=MappingProxyType({"shoe": True})))
    ((read, _), _, _) = read_snapshot(write_snapshot((state, 1), "h", SIGNER), "t1", SIGNER.public_key)
    assert read == state
    with pytest.raises(TypeError):
        read.devices.links["shoe"] = False  # type: ignore[index]


def test_a_snapshot_is_read_where_python_pickles_enumerations_by_getattr(
    night: tuple[Bench, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11.2, which Debian 12 has, does; whatever else gives `getattr` to a reader may be anything."""
    table, _ = night
    by_name = lambda self, protocol: (getattr, (type(self), self.name))  # noqa: E731
    monkeypatch.setattr(enum.Enum, "__reduce_ex__", by_name)
    ((read, _), _, _) = read_snapshot(write_snapshot((table.state, 1), "h", SIGNER), "t1", SIGNER.public_key)
    assert (read.status, read.round) == (table.state.status, table.state.round)


def test_no_key_of_a_sealed_card_is_in_a_snapshot(night: tuple[Bench, list[Row]]) -> None:
    table, rows = night
    live = (table.state, rows[-1].seq)
    data = write_snapshot(live, "h", SIGNER)
    held = [seal for seal in (table.state.deck.sealed if table.state.deck else ()) if seal.has_key]
    assert held
    assert not any(seal.publish_key() in data for seal in held)


def test_every_changed_byte_and_every_doubt_throws_it_away(night: tuple[Bench, list[Row]]) -> None:
    table, rows = night
    data = write_snapshot(fold_on((TableState(table.config), 0), rows), "h", SIGNER)
    chance = random.Random(5)
    for at in [chance.randrange(len(data)) for _ in range(200)]:
        with pytest.raises(BadInputError):
            read_snapshot(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :], "t1", SIGNER.public_key)
    for wrong, table_key, key in (
        (data[: len(data) // 2], "t1", SIGNER.public_key),
        (b"", "t1", SIGNER.public_key),
        (data, "t2", SIGNER.public_key),
        (data, "t1", Signer.of(bytes(32)).public_key),
    ):
        with pytest.raises(BadInputError):
            read_snapshot(wrong, table_key, key)


def test_a_snapshot_of_another_version_of_the_program_counts_for_nothing(
    night: tuple[Bench, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, rows = night
    data = write_snapshot(fold_on((TableState(table.config), 0), rows), "h", SIGNER)
    monkeypatch.setattr("studio.tables.books.snapshot.program", lambda: "another")
    with pytest.raises(BadInputError, match="another version"):
        read_snapshot(data, "t1", SIGNER.public_key)
