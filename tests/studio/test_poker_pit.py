"""What the house does with a poker table whose seats are taken: no chip is left behind by the pit, a file or a year."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from poker_bench import CHIPS, NLH, PokerBench
from table_bench import DEALER, PIT, PROOF, Bench

from studio.care.signing import signer_beside
from studio.cli.archive import command as archive
from studio.tables import command as c
from studio.tables.config import Limit
from studio.tables.deal.change import as_changed
from studio.tables.event import table as e

WHY = {"reason_code": "other", "words": "His operator was suspended."}
GAME = {
    "preset": "other", "rules": {}, "limits": {"*": Limit(least_minor=100, most_minor=5_000)}, "window_s": 15.0,
    "proof": PROOF, "reason_code": "other", "words": "A quiet evening.",
}  # fmt: skip


@pytest.fixture
def bench() -> Iterator[PokerBench]:
    bench = PokerBench().open()
    yield bench
    bench.check()
    bench.close()


def fold_one(bench: PokerBench) -> None:
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()


# --- the pit sends a bettor away ------------------------------------------------------------------------------


def test_a_bettor_is_sent_away_and_has_his_chips_in_his_own_purse(bench: PokerBench) -> None:
    bench.do(c.DismissSeat, bench.pin(PIT), seat="seat2", **WHY)
    bench.pay()
    assert bench.balance("bob") == 100_000
    assert "seat2" not in bench.state.room.players
    [kept] = bench.rows("ExceptionRecorded")
    assert isinstance(kept, e.ExceptionRecorded)
    said = (kept.act, kept.asked_by, str(kept.before))
    assert said == ("dismiss_seat", PIT.id, "seat2: bob of north, 100.00 EUR")


def test_who_is_sent_away_in_a_hand_has_no_time_and_is_paid_out_when_it_is_over(bench: PokerBench) -> None:
    bench.hand()
    bench.do(c.DismissSeat, bench.pin(PIT), seat="seat2", **WHY)
    bench.pay()
    assert bench.balance("bob") == 100_000 - CHIPS
    bench.acts("raise 300")
    bench.wait(0)
    assert "seat2" in bench.round.deal.mucked
    bench.acts("fold")
    bench.end_hand()
    assert bench.balance("bob") == 100_000 - 50
    assert bench.stack("bob") == 0


def test_a_seat_of_a_closed_or_frozen_table_is_paid_out_too(bench: PokerBench) -> None:
    bench.do(c.FreezeTable, PIT)
    bench.do(c.DismissSeat, bench.pin(PIT), seat="seat1", **WHY)
    bench.pay()
    bench.do(c.CloseTable, PIT)
    bench.do(c.DismissSeat, bench.pin(PIT), seat="seat2", **WHY)
    bench.pay()
    assert (bench.balance("ann"), bench.balance("bob")) == (100_000, 100_000)
    assert list(bench.state.room.players) == ["seat3"]


def test_sending_away_is_the_pits_with_pin_and_reason(bench: PokerBench) -> None:
    asked = {"seat": "seat2", **WHY}
    assert bench.refused(c.DismissSeat, DEALER, **asked) == "not_allowed"
    assert bench.refused(c.DismissSeat, PIT, **asked) == "pin_needed"
    assert bench.refused(c.DismissSeat, bench.pin(PIT), **{**asked, "words": " "}) == "reason_needed"
    assert bench.refused(c.DismissSeat, bench.pin(PIT), **{**asked, "seat": "seat9"}) == "seat_free"
    assert bench.refused(c.DismissSeat, bench.pin(PIT), **asked, bettor="zed") == "seat_changed"
    bench.hand()
    bench.do(c.DismissSeat, bench.pin(PIT), **asked)
    assert bench.refused(c.DismissSeat, bench.pin(PIT), **asked) == "leaving"
    bench.acts("fold")
    bench.wait(0)
    bench.end_hand()


# --- chips stay where somebody can reach them -----------------------------------------------------------------


@pytest.mark.parametrize("game", ["three_knights", "plo", "ofc"])
def test_the_game_is_not_changed_under_chips(bench: PokerBench, game: str) -> None:
    fold_one(bench)
    assert bench.refused(c.ChangeTable, bench.pin(PIT), game=game, **GAME) == "seats_taken"
    bench.do(c.ChangeTable, bench.pin(PIT), game="nlh", **{**GAME, "rules": {"small_blind": 100, "big_blind": 200}})
    for bettor in bench.seats:
        assert bench.ask("leave", bettor).status == "accepted"
    bench.do(c.ChangeTable, bench.pin(PIT), game=game, **GAME)
    assert bench.state.config.game == game


@pytest.mark.parametrize("changed", [{"game": "three_knights"}, {"currency": "USD"}, {"game": "ofc"}])
def test_a_file_changes_game_and_currency_only_once_the_seats_are_free(
    bench: PokerBench, changed: dict[str, str]
) -> None:
    written = msgspec.structs.replace(NLH, **changed)
    kept = as_changed(written, bench.state)
    assert (kept.game, kept.currency) == ("nlh", "EUR")
    for bettor in bench.seats:
        bench.ask("leave", bettor)
    assert as_changed(written, bench.state) == written


def test_a_year_is_not_closed_over_chips(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    bench = PokerBench(path=str(path)).open()
    fold_one(bench)
    bench.do(c.CloseTable, PIT)
    bench.close()
    signer_beside(path, lambda count: bytes(range(count)))
    said = CliRunner().invoke(archive, [str(path), "2026", "--to", str(tmp_path / "old"), "--by", "Mika"])
    assert said.exit_code == 1
    assert "Chips lie at seat1, seat2, seat3 of table nlh-1" in said.output


def test_chips_of_another_currency_are_refused_with_what_to_do() -> None:
    bench = PokerBench(config=msgspec.structs.replace(NLH, currency="USD"))
    Bench.open(bench)
    told = bench.ask("sit", "ann", seat="seat1", amount_minor=CHIPS)
    assert told.key == "currency_mismatch"
    assert told.sentence == "Chips are bought here in USD, and this bettor's money is EUR: choose a table in it."
    bench.close()
