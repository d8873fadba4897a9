"""The five roads of a shoe: what stands where, and what would come next."""

from __future__ import annotations

import doctest
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.rulebook.shoe_terms import NEW_SHOE
from studio.tables.event import table as e
from studio.views import ShoeResults
from studio.views.past import roads as module
from studio.views.past.roads import READ_OUT, Roads, roads_of
from studio.views.shape import RoadMark

SIDES = ("banker", "player")
WINNERS = {"B": "banker", "P": "player", "T": "tie"}


def roads(letters: str) -> Roads:
    return roads_of(SIDES, tuple(RoadMark(WINNERS[letter]) for letter in letters))


def read(letters: str) -> dict[str, str]:
    """Each road read out, from its first mark to its last: `R` red, `B` blue."""
    return {
        name: "".join(circle.winner[0].upper() for circle in road.circles)
        for name, road in roads(letters).read_out.items()
    }


@pytest.mark.parametrize(
    ("letters", "eye", "small", "pig"),
    [
        pytest.param("", "", "", "", id="nothing-yet"),
        pytest.param("BBBB", "", "", "", id="one-run-is-held-against-nothing"),
        pytest.param("BP", "", "", "", id="two-of-one"),
        pytest.param("BPB", "R", "", "", id="from-the-third-column"),
        pytest.param("BPP", "B", "", "", id="or-the-second-of-the-second-column"),
        pytest.param("BBPP", "R", "", "", id="beside-a-circle-is-red"),
        pytest.param("BPPP", "BR", "", "", id="just-below-the-end-is-blue-and-further-down-red"),
        pytest.param("BPBPBP", "RRRR", "RRR", "RR", id="chop-is-red-all-along"),
        pytest.param("BBPPBBPP", "RRRRR", "RRR", "R", id="twos-too"),
        pytest.param("BBPBPPPB", "BRBRB", "BBRB", "RBB", id="a-mixed-one"),
        pytest.param("BTPTTB", "R", "", "", id="ties-count-for-nothing"),
    ],
)
def test_what_the_roads_say_of_the_big_road(letters: str, eye: str, small: str, pig: str) -> None:
    assert read(letters) == {"big_eye_boy": eye, "small_road": small, "cockroach_pig": pig}


def test_every_round_has_a_bead_six_to_a_column() -> None:
    found = [(bead.column, bead.row, bead.mark.winner) for bead in roads("BBTPPPB").beads]
    assert found[0] == (0, 0, "banker")
    assert found[2] == (0, 2, "tie")
    assert found[6] == (1, 0, "banker")


def test_the_big_road_keeps_the_round_of_each_circle_with_its_pairs() -> None:
    marks = (RoadMark("tie", ("player",)), RoadMark("banker", ("banker",)), RoadMark("tie"), RoadMark("player"))
    found = roads_of(SIDES, marks)
    assert found.won == (marks[1], marks[3])
    assert [(circle.winner, circle.draws) for circle in found.big.circles] == [("banker", 1), ("player", 0)]
    assert found.counts == {"banker": 1, "player": 1, "tie": 2, "banker_pair": 1, "player_pair": 1}


@given(st.text(alphabet="BPT", max_size=70), st.sampled_from("BP"))
def test_asking_the_road_says_what_is_drawn_when_it_comes(letters: str, next: str) -> None:
    before, after = read(letters), read(letters + next)
    asked = roads(letters).ask[WINNERS[next]]
    assert {name: after[name].removeprefix(before[name]) for name in READ_OUT} == {
        name: asked[name][:1].upper() for name in READ_OUT
    }


def test_the_examples_in_the_code_run() -> None:
    assert doctest.testmod(module).failed == 0


# --- the fold of results --------------------------------------------------------------------------------


def told(number: int, winner: str, *, opens: bool = False, pairs: str = "") -> Iterator[e.AnyEvent]:
    outcome = {"winner": winner, "banker": {"pair": pairs}, "player": {"pair": ""}}
    rules = {NEW_SHOE: True} if opens else {}
    yield e.RoundStarted(round=f"r{number}", number=number, game="baccarat", version=1, rules=rules, dealer="d")
    yield e.ResultDeclared(outcome=outcome, by="d")
    yield e.RoundSettled(bets=0, stake_minor=0, returns_minor=0, digest="")


def fold(*rounds: Iterator[e.AnyEvent]) -> ShoeResults:
    results = ShoeResults()
    for one in rounds:
        for event in one:
            results.take(event, 0)
    return results


def test_a_road_is_that_of_the_newest_shoe() -> None:
    past = fold(told(1, "banker", opens=True), told(2, "tie"), told(3, "player", opens=True)).past(9)
    assert past.marks == (RoadMark("player"),)


def test_a_corrected_round_stands_corrected_on_the_road() -> None:
    results = fold(told(1, "banker", opens=True, pairs="pair"), told(2, "player"))
    assert results.past(9).marks == (RoadMark("banker", ("banker",)), RoadMark("player"))
    results.take(
        e.RoundResettled(
            round="r1", number=1, revision=1, void=False, outcome={"winner": "tie"}, before={"winner": "banker"},
            bets=0, stake_minor=0, returns_minor=0, digest="",
        ),
        0,
    )  # fmt: skip
    assert results.past(9).marks == (RoadMark("tie"), RoadMark("player"))


def test_the_counts_of_a_game_without_pairs_name_none() -> None:
    found = roads_of(("dragon", "tiger"), (RoadMark("tiger"), RoadMark("tie")), pairs=False)
    assert found.counts == {"dragon": 0, "tiger": 1, "tie": 1}
