"""`make bench` can be run: every measurement is there under a key of its own."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from patience import PATIENCE_S

from bench import crowd_round, kept, kept_record, laying
from bench.__main__ import MEASUREMENTS
from bench.serving_studio import serving
from bench.table import START_MS
from studio.journal import Reader
from studio.proof.audit.database import verify


def test_every_measurement_can_be_named() -> None:
    keys = [one.key for one in MEASUREMENTS]
    assert len(set(keys)) == len(keys)
    assert {"fans", "ofc", "streams", "tables"} <= set(keys)


@pytest.mark.long
def test_the_studio_that_is_measured_comes_up(tmp_path: Path) -> None:
    """It stands on the inside of a studio: what is built otherwise there shows here."""
    with serving(tmp_path) as port, socket.create_connection(("127.0.0.1", port), PATIENCE_S) as line:
        assert line.getpeername()[1] == port


@pytest.mark.long
def test_a_small_crowd_is_measured_and_no_record_of_it_is_wrong() -> None:
    """The rows of the record go into tables of the measurement's own: a column that is added shows here."""
    figures = crowd_round.measure(40)
    assert [figure.value for figure in figures if figure.name.startswith("records of bettors")] == [0]


@pytest.mark.long
def test_what_grows_with_the_rounds_kept_is_measured_on_two_records() -> None:
    found = {figure.name.partition(",")[0] for figure in kept.measure(2, 4, turns=2)}
    assert {"a studio comes up", "an act of the pit", "a round of long ago"} <= found


@pytest.mark.long
def test_every_card_of_a_film_is_timed_from_the_hand_that_lays_it() -> None:
    shown = laying.look(laying.KINDS[0], 1)
    assert (shown.laid, len(shown.waits_ms), shown.in_time, shown.wrong) == (12, 12, 12, 0)
    assert min(shown.waits_ms) > 320, "nothing is read below the hand"


@pytest.mark.long
def test_a_record_that_goes_on_with_rounds_dealt_before_holds_as_a_dealt_one_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_record, "DEALT", 180)
    kept_record.make(tmp_path / "studio.db", 500)
    verdict = verify(tmp_path / "studio.db")
    assert (verdict.ok, verdict.rounds) == (True, 500)
    with Reader.open(tmp_path / "studio.db") as reader:
        assert [bet.client_id for bet in reader.bets("t1-0000500")] == ["c1997", "c1998", "c1999", "c2000"]
        assert reader.newest_ms() == START_MS + 500 * kept_record.ROUND_MS
