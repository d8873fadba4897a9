"""The shelf of snapshots: written when there is enough new, read at a start, left aside in any doubt."""

from __future__ import annotations

from pathlib import Path

import pytest
from running_studio import TABLE, House

from dealer_ui.care.snapshot_shelf import SnapshotShelf, no_results, snapshot_duty
from studio.care.signing import Signer
from studio.journal import Reader
from studio.tables import command as c
from studio.views.past.result import RESULT_KINDS

SIGNER = Signer.of(bytes(32))


def test_a_studio_starts_from_its_snapshot_as_it_would_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer_ui.care.snapshot_shelf.EVERY_ROWS", 1)
    with House(tmp_path) as house:
        house.betting()
        house.bet("one", "two")
        house.do(c.CloseBetting)
        house.deal_all()
        house.finish()
        worker = house.studio.workers[0]
        config = worker.runtime.state.config
    shelf = SnapshotShelf(house.database, SIGNER)
    with Reader.open(house.database) as reader:
        assert shelf.read(reader, TABLE) is None
        snapshot_duty(shelf, lambda: reader, [config])()  # one round only: it is folded anew anyway
        assert not list((tmp_path / "studio.db.snapshots").glob("*"))
        monkeypatch.setattr("studio.tables.books.snapshot.fold_on.__defaults__", (1,))
        snapshot_duty(shelf, lambda: reader, [config])()
        found = SnapshotShelf(house.database, SIGNER).read(reader, TABLE)
        assert found is not None
        (_, seq), results = found
        rows = list(reader.events(table=TABLE))
        assert 0 < seq < rows[-1].seq
        told = list(reader.events(table=TABLE, kinds=RESULT_KINDS))
        whole = no_results(config).after(told)
        assert results.last(9) != whole.last(9)
        later = results.after(row for row in told if row.seq > seq)
        assert later.past(9) == whole.past(9)
        assert later.last(9)
        assert SnapshotShelf(house.database, Signer.of(b"x" * 32)).read(reader, TABLE) is None
        (tmp_path / "studio.db.snapshots" / f"{TABLE}.snapshot").write_bytes(b"torn")
        assert shelf.read(reader, TABLE) is None


def test_a_snapshot_of_another_journal_counts_for_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dealer_ui.care.snapshot_shelf.EVERY_ROWS", 1)
    monkeypatch.setattr("studio.tables.books.snapshot.fold_on.__defaults__", (1,))
    for name, seed in (("a", 1), ("b", 2)):
        (tmp_path / name).mkdir()
        with House(tmp_path / name, seed=seed) as house:
            house.open()
            house.do(c.StartRound)
            config = house.studio.workers[0].runtime.state.config
    shelf = SnapshotShelf(tmp_path / "a" / "studio.db", SIGNER)
    with Reader.open(tmp_path / "a" / "studio.db") as reader:
        assert shelf.advance(reader, config)
        assert shelf.read(reader, TABLE) is not None
    with Reader.open(tmp_path / "b" / "studio.db") as reader:
        assert shelf.read(reader, TABLE) is None
