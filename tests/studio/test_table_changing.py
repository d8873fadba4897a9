"""A table's game, pay table, limits and window change between rounds, by the pit, and outlast a restart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from table_bench import CONFIG, DEAL, DEALER, PIT, PROOF, Bench
from table_bench import bench as made

from studio.games import find_game
from studio.people import Actor
from studio.tables import command as c
from studio.tables.config import Limit, PayProof
from studio.tables.deal.change import as_changed
from studio.tables.event import table as e
from studio.tables.state.rotation import DeckStage
from studio.views import ShoeResults, view_table

OTHER = {"*": Limit(least_minor=500, most_minor=5_000)}
ASKED: dict[str, Any] = {
    "preset": "high", "game": "three_knights", "rules": {}, "limits": OTHER, "window_s": 12.0, "proof": PROOF,
    "reason_code": "other", "words": "A quiet evening.",
}  # fmt: skip
HOLDEM = {**ASKED, "preset": "holdem", "game": "ultimate_holdem", "proof": PROOF}


def change(bench: Bench, actor: Actor = PIT, **given: Any) -> None:
    bench.do(c.ChangeTable, bench.pin(actor), **{**ASKED, **given})


def refused(bench: Bench, actor: Actor = PIT, **given: Any) -> str:
    return bench.refused(c.ChangeTable, bench.pin(actor), **{**ASKED, **given})


@pytest.fixture
def bench() -> Iterator[Bench]:
    """An open table, checked whole at the end: chain, settlements, and the state folded again."""
    with made() as found:
        yield found.open()


def test_limits_and_window_change_at_an_open_table_and_the_record_keeps_both(bench: Bench) -> None:
    change(bench)
    assert bench.state.config.limit("player1_win") == OTHER["*"]
    terms = bench.state.pit.terms
    assert (bench.state.config.window_s, terms.changed_by, terms.preset) == (
        12.0,
        "Petra",
        "high",
    )
    [changed] = bench.rows("TableChanged")
    [exception] = bench.rows("ExceptionRecorded")
    assert isinstance(changed, e.TableChanged)
    assert isinstance(exception, e.ExceptionRecorded)
    assert (exception.act, exception.asked_by, exception.before) == ("change_table", "p1", changed.before)
    assert "100–100000" in str(changed.before)
    assert "500–5000" in str(changed.after)
    assert len(bench.rows("TableConfigured")) == 2
    assert bench.state.deck is not None


def test_another_game_begins_with_a_fresh_deck_and_its_own_places(bench: Bench) -> None:
    results = ShoeResults(bets=find_game("three_knights").betting.bets)
    change(bench, **HOLDEM)
    assert (bench.state.game.key, bench.state.deck, bench.state.round) == ("ultimate_holdem", None, None)
    view = view_table(bench.state, bench.table.book, bench.table.seq, results.past(9))
    assert [box.key for box in view.boxes] == list(find_game("ultimate_holdem").felt.zones)
    assert view.now.act.key != "act.start_round"


def test_decks_of_another_size_are_no_decks_of_the_new_game(bench: Bench) -> None:
    bench.do(c.VerifyDeck, bench.pin(PIT), deck_id="spare", words="counted")
    change(bench, **{**HOLDEM, "game": "blackjack", "preset": "bj"})
    assert [one.stage for one in bench.state.decks.records if one.id == "spare"] == [DeckStage.BLOCKED]
    assert bench.refused(c.LoadShoe, DEALER, deck_id="spare") == "deck_unverified"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        pytest.param({"words": " "}, "reason_needed", id="no-words"),
        pytest.param({"reason_code": ""}, "reason_needed", id="no-reason"),
        pytest.param({"game": "snap"}, "game_wrong", id="no-such-game"),
        pytest.param({"rules": {"six": "nine"}}, "game_wrong", id="no-such-rule"),
        pytest.param({"window_s": 0}, "window_wrong", id="no-window"),
        pytest.param({"window_s": 16.0}, "window_wrong", id="too-long-a-window"),
        pytest.param({"window_s": float("nan")}, "window_wrong", id="a-window-that-is-no-number"),
        pytest.param({"limits": {}}, "limits_wrong", id="no-limits"),
        pytest.param({"limits": {"*": Limit(least_minor=9, most_minor=8)}}, "limits_wrong", id="upside-down"),
        pytest.param({"limits": {"*": Limit(least_minor=0, most_minor=8)}}, "limits_wrong", id="nothing-is-a-stake"),
        pytest.param({"limits": {**OTHER, "ante": OTHER["*"]}}, "limits_wrong", id="a-bet-of-another-game"),
        pytest.param({"limits": CONFIG.limits, "window_s": CONFIG.window_s}, "nothing_changes", id="nothing-new"),
        pytest.param({"proof": None}, "pay_table_unproved", id="never-proved"),
        pytest.param({"proof": PayProof(certificate="c", highest_bet="player1_win", highest_percent=101.0, over=("player1_win",))}, "pay_table_over", id="more-than-all"),  # noqa: E501
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_and_nothing_changes(bench: Bench, given: dict[str, Any], key: str) -> None:
    assert refused(bench, **given) == key
    assert bench.state.config == CONFIG


def test_only_the_pit_with_its_pin_changes_a_table(bench: Bench) -> None:
    assert refused(bench, DEALER) == "not_allowed"
    assert bench.refused(c.ChangeTable, PIT, **ASKED) == "pin_needed"


def test_a_round_an_incident_and_cards_on_the_felt_come_first(bench: Bench) -> None:
    bench.lay("burn", 1)
    assert refused(bench) == "felt_not_clear"
    bench.lift("burn", 1)
    bench.do(c.FreezeTable)
    assert refused(bench) == "held"
    bench.do(c.ReleaseTable, bench.pin(PIT), reason_code="other", words="All is well.")
    bench.do(c.StartRound)
    assert refused(bench) == "round_open"


def test_a_closed_table_waits_for_its_proof_or_the_administrator() -> None:
    with made() as bench:
        bench.links()
        change(bench, proof=None)
        assert bench.refused(c.OpenTable, bench.pin(PIT), dealer="d1", dealer_name="Dana") == "pay_table_unproved"


def test_what_the_pit_changed_outlasts_a_restart_until_the_table_is_as_configured_again(bench: Bench) -> None:
    change(bench, **HOLDEM)
    file = msgspec.structs.replace(CONFIG, title="Renamed")
    after = as_changed(file, bench.state)
    assert (after.title, after.game, after.limits) == ("Renamed", "ultimate_holdem", OTHER)
    bench.table.start(after, bench.now)
    assert bench.state.game.key == "ultimate_holdem"
    bench.links()
    change(bench, preset="", limits=CONFIG.limits, window_s=CONFIG.window_s)
    assert (bench.state.pit.terms.changed_by, as_changed(file, bench.state)) == ("", file)


def test_the_past_of_another_game_is_no_statistic_of_this_one() -> None:
    results = ShoeResults(bets=find_game("three_knights").betting.bets)
    results.take(e.TableConfigured(config=CONFIG), 0)
    results.take(e.RoundStarted(round="r", number=1, game="three_knights", version=1, rules={}, dealer="d1"), 1)
    results.take(e.RoundRefunded(bets=0, stake_minor=0), 2)
    results.take(e.TableConfigured(config=msgspec.structs.replace(CONFIG, limits=OTHER)), 3)
    assert len(results.last(9)) == 1
    results.take(e.TableConfigured(config=msgspec.structs.replace(CONFIG, game="kkclash")), 4)
    assert results.last(9) == ()
    assert set(results.past(9).missed) == set(find_game("kkclash").betting.bets)


def test_a_correction_after_a_change_of_game_counts_the_bets_of_the_game_that_is_dealt() -> None:
    results = ShoeResults(bets=find_game("three_knights").betting.bets)
    results.take(e.TableConfigured(config=CONFIG), 0)
    results.take(e.TableConfigured(config=msgspec.structs.replace(CONFIG, game="kkclash")), 1)
    corrected = e.RoundResettled(
        round="of the game before", number=1, revision=1, void=False, outcome={}, before={}, bets=0, stake_minor=0,
        returns_minor=0, digest="",
    )  # fmt: skip
    results.take(corrected, 2)
    assert set(results.past(9).missed) == set(find_game("kkclash").betting.bets)


def test_a_round_after_the_change_is_held_to_the_new_limits_and_the_one_before_keeps_its_rules(bench: Bench) -> None:
    bench.deposit()
    bench.start().betting(("player1_win", 200))
    bench.deal(*DEAL)
    bench.finish()
    change(bench, rules={"six": "even"})
    bench.load("deck-2")
    bench.start()
    bench.do(c.OpenBetting)
    assert (bench.bet(stake_minor=200).status, bench.bet(stake_minor=500).status) == ("refused", "accepted")
    first, second = bench.rows("RoundStarted")
    assert isinstance(first, e.RoundStarted)
    assert isinstance(second, e.RoundStarted)
    assert (first.rules["six"], second.rules["six"]) == ("six_pays_half", "even")


def test_the_most_the_house_may_lose_changes_with_the_limits_and_outlasts_the_file(bench: Bench) -> None:
    change(bench, exposure_most_minor=50_000)
    assert bench.state.config.exposure_most_minor == 50_000
    assert "at most 50000 lost in a round," in str(bench.rows("TableChanged")[-1].after)
    change(bench, window_s=10.0)
    assert bench.state.config.exposure_most_minor == 50_000
    assert (
        as_changed(msgspec.structs.replace(CONFIG, exposure_most_minor=70_000), bench.state).exposure_most_minor
        == 50_000
    )


def test_a_limit_below_what_one_least_stake_may_cost_is_refused(bench: Bench) -> None:
    assert refused(bench, exposure_most_minor=19_999) == "exposure_wrong"
    change(bench, exposure_most_minor=20_000)
