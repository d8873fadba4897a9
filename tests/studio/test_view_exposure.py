"""What the pit sees of a round's exposure: of how much, in which tone, and that the end of the round frees it."""

from __future__ import annotations

import pytest
from table_bench import CONFIG, DEAL, PIT, Bench, bench
from test_table_exposure import MOST, OWN, betting, offer, told

from studio.tables import command as c
from studio.views import view_table
from studio.views.shape import ExposureView


def seen(table: Bench) -> ExposureView:
    found = view_table(table.state, table.table.book, table.table.seq).bets.exposure
    assert found is not None
    return found


def test_what_is_used_is_shown_until_the_round_is_over() -> None:
    with bench(CONFIG, exposure_most_minor=MOST, operator_limits=OWN) as table:
        betting(table)
        assert (seen(table).now_minor, seen(table).most_minor, seen(table).tone) == (0, MOST, "")
        assert told(table, offer("a", stake_minor=4_000), offer("b", stake_minor=4_000)) == [
            "accepted", "operator_exposure",
        ]  # fmt: skip
        now = seen(table)
        assert (now.now_minor, now.percent, now.refused, now.tone) == (4_000, 40, 1, "full")
        assert (now.of("north").now_minor, now.of("north").bets, now.of("north").limit) == (4_000, 1, OWN["north"])
        assert (now.of("south").now_minor, now.of("south").bets, now.of("south").limit) == (0, 0, OWN["*"])
        table.wait(15)
        table.deal(*DEAL)
        assert seen(table).now_minor == 4_000
        table.finish()
        assert (seen(table).now_minor, seen(table).refused, seen(table).own) == (0, 0, {})


def test_a_void_round_frees_it_too() -> None:
    with bench(CONFIG, exposure_most_minor=MOST) as table:
        betting(table)
        told(table, offer("a", stake_minor=9_000))
        table.do(c.VoidRound, table.pin(PIT), reason_code="other", words="Enough.")
        table.pay()
        assert seen(table).now_minor == 0
        table.clear()


@pytest.mark.parametrize(
    ("now_minor", "refused", "tone"), [(7_999, 0, ""), (8_000, 0, "near"), (10_000, 0, "near"), (1, 1, "full")]
)
def test_the_tone_changes_at_four_fifths_and_when_bets_found_no_room(now_minor: int, refused: int, tone: str) -> None:
    assert ExposureView(now_minor, 10_000, refused).tone == tone


def test_a_table_without_a_limit_is_never_full_and_one_among_peers_has_none() -> None:
    assert (ExposureView(10**9, 0, 0).percent, ExposureView(10**9, 0, 0).tone) == (0, "")
    with bench(CONFIG, game="nlh") as table:
        assert view_table(table.state, table.table.book, 1).bets.exposure is None
