"""The simulated night: whole rounds from a seed, everything going wrong in turn, checked after each of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dealer_ui.rehearsal.side_by_side import Breach, NightTally, together
from dealer_ui.rehearsal.simulate import SimulationPlan, play_night, simulate, split, tally_of
from dealer_ui.rehearsal.trick.mischief import may_come
from dealer_ui.rehearsal.trick.plan import PLANS, TRICKS, FaultPlan
from studio.errors import BadInputError
from studio.games import GAMES, HOUSE_GAMES
from studio.side_process import SideProcess

KEYS = [game.key for game in HOUSE_GAMES]
ROOT = Path(__file__).parents[2]
QUICK = ("three_knights", "blackjack", "baccarat", "andar_bahar")
"""Games as unlike as can be; the others have their night in the long tests, and all in `make simulation`."""
ROUNDS = 25
QUIET_ROUNDS = 10
"""Three decks of a game that shuffles after three rounds."""
SEEDS = {"blackjack": 4, "baccarat": 3}
"""Seeds of nights in which, in so few rounds, one is voided; 1 for the others."""
LONG_ROUNDS = 220
"""So many that everything has gone wrong once, where something does in every round."""
MANY_ROUNDS = {"dragon_tiger": 2_000, "baccarat": 2_000}
"""A game whose shoe lasts some two hundred rounds: what can go wrong with a deck does so when one is made ready."""


@pytest.mark.parametrize("game", QUICK)
def test_a_night_in_which_everything_goes_wrong_breaks_nothing(game: str) -> None:
    report = play_night(SimulationPlan(game, ROUNDS, seed=SEEDS.get(game, 1), faults="many"))
    wrong = [f"{found.round}: {found.sentence}" for found in report.checker.violations]
    assert not wrong, f"{wrong}\nrepeat it with: {report.plan.command}"
    assert report.checker.rounds == ROUNDS
    assert min(report.checker.settled, report.checker.voided, sum(report.checker.incidents.values())) > 0
    assert sum(report.mischief.played.values()) >= ROUNDS // 8


@pytest.mark.parametrize("game", KEYS)
def test_a_night_without_faults_has_no_incident_and_voids_nothing(game: str) -> None:
    checker = play_night(SimulationPlan(game, QUIET_ROUNDS, seed=5)).checker
    assert (checker.settled, checker.voided, sum(checker.incidents.values())) == (QUIET_ROUNDS, 0, 0)
    assert not checker.violations


@pytest.mark.long
def test_equal_seeds_give_equal_digests_in_two_processes() -> None:
    one, other = _run("--seed", "7", hash_seed="1"), _run("--seed", "7", hash_seed="2")
    assert one["digest"] == other["digest"]
    assert one | {"seconds": 0} == other | {"seconds": 0}


def test_nights_side_by_side_come_to_what_each_comes_to_alone() -> None:
    plan = SimulationPlan("three_knights", 7, seed=4, faults="many")
    nights = split(plan, 3)
    assert [(night.seed, night.rounds) for night in nights] == [(4, 3), (5, 2), (6, 2)]
    asked = ["--game", "three_knights", "--rounds", "7", "--seed", "4", "--faults", "many", "--jobs", "3", "--json"]
    said = json.loads(CliRunner().invoke(simulate, asked).stdout)
    assert {**said, "seconds": 0} == together([tally_of(night) for night in nights]).plain(0)
    assert (said["rounds"], said["violations"]) == (7, 0)


def test_a_night_whose_process_is_ended_from_outside_ends_the_run_with_a_sentence() -> None:
    with SideProcess(os._exit, 9) as night, pytest.raises(BadInputError, match="start it again"):
        night.answer()


def test_what_a_night_raises_is_raised_where_it_is_waited_for() -> None:
    with SideProcess(split, None, 1) as night, pytest.raises(AttributeError):
        night.answer()


def test_no_more_nights_than_rounds_and_one_night_is_itself() -> None:
    plan = SimulationPlan("three_knights", 2, seed=4)
    assert [night.rounds for night in split(plan, 5)] == [1, 1]
    assert split(plan, 1) == (plan,)
    tally = tally_of(plan)
    assert together([tally]) is tally


def test_what_is_wrong_in_one_night_of_several_is_told_with_the_command_of_that_night() -> None:
    plan = SimulationPlan("three_knights", 4, seed=9)
    wrong = Breach("A card is missing.", 10, "t1:1", split(plan, 2)[1].command)
    good = NightTally("three_knights", 2, 0, {}, (), "a" * 64)
    both = together([good, replace(good, voided=1, violations=(wrong,), incidents={("extra_card", "TK5"): 2})])
    assert (both.rounds, both.violations, both.incidents) == (5, (wrong,), {("extra_card", "TK5"): 2})
    assert wrong.repeat == "studio simulate --game three_knights --rounds 2 --seed 10 --faults none"


def test_make_simulates_every_game() -> None:
    """The games are those of the list: nobody forgets to write a new one down."""
    told = subprocess.run(["make", "-n", "simulation"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = {key for line in re.findall(r"printf '%s\\n' ([a-z_ ]+)", told) for key in line.split()}
    assert named >= {game.key for game in GAMES}


def test_another_seed_gives_another_digest() -> None:
    nights = [play_night(SimulationPlan("three_knights", 5, seed=seed)) for seed in (1, 2)]
    assert nights[0].checker.digest != nights[1].checker.digest


def test_no_two_things_that_go_wrong_have_one_name() -> None:
    assert len({trick.name for trick in TRICKS}) == len(TRICKS)


def test_the_last_line_of_json_has_the_promised_shape() -> None:
    said = _run("--seed", "3", faults="none")
    assert list(said) == ["game", "rounds", "settled", "voided", "incidents", "violations", "digest", "seconds"]
    assert (said["game"], said["rounds"], said["violations"]) == ("three_knights", 6, 0)


def test_the_real_camera_agrees_with_the_felt_of_a_night() -> None:
    report = play_night(SimulationPlan("three_knights", 4, seed=2, faults="many", frames=2))
    assert not report.checker.violations
    assert report.cards_read >= 30
    assert report.cards_unsure <= 2


SQUEEZED = (("squeeze", "on"),)


@pytest.mark.long
def test_a_squeezed_night_breaks_nothing() -> None:
    report = play_night(SimulationPlan("baccarat", 60, seed=11, faults="many", rules=SQUEEZED))
    assert not report.checker.violations, f"repeat it with: {report.plan.command}"
    assert report.checker.rounds == 60


def test_bc5_a_sealed_card_in_the_wrong_hand_is_put_right_in_a_squeezed_night(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong_box = tuple(trick for trick in TRICKS if trick.name == "wrong_box")
    monkeypatch.setitem(PLANS, "every", FaultPlan(1.0, wrong_box))
    told = CliRunner().invoke(
        simulate, ["--game", "baccarat", "--rounds", "12", "--seed", "3", "--faults", "every", "--rule", "squeeze=on"]
    )
    assert told.exit_code == 0, told.output
    assert re.search(r"misplaced_card\W+BC5\W+[1-9]", told.output), told.output


def test_cards_that_lie_face_down_go_wrong_where_a_table_squeezes_alone() -> None:
    own = {"down_card_dealt_face_up", "one_card_turned", "every_hand_turned"}
    assert own <= {trick.name for trick in TRICKS if may_come(trick, "baccarat", dict(SQUEEZED))}
    assert not own & {trick.name for trick in TRICKS if may_come(trick, "baccarat")}


@pytest.mark.night
@pytest.mark.timeout(900)
def test_everything_goes_wrong_in_a_long_squeezed_night_and_breaks_nothing() -> None:
    report = play_night(SimulationPlan("baccarat", MANY_ROUNDS["baccarat"], seed=11, faults="every", rules=SQUEEZED))
    assert not report.checker.violations, f"repeat it with: {report.plan.command}"
    unplayed = {t.name for t in TRICKS if may_come(t, "baccarat", dict(SQUEEZED))} - set(report.mischief.played)
    assert not unplayed, f"these never came about: {sorted(unplayed)}"
    assert ("exposed_card", "BC12") in report.checker.incidents


@pytest.mark.night
@pytest.mark.timeout(900)
@pytest.mark.parametrize("game", KEYS)
def test_a_long_night_in_which_everything_goes_wrong_breaks_nothing(game: str) -> None:
    report = play_night(SimulationPlan(game, MANY_ROUNDS.get(game, LONG_ROUNDS), seed=11, faults="every"))
    wrong = [f"{found.round}: {found.sentence}" for found in report.checker.violations]
    assert not wrong, f"{wrong}\nrepeat it with: {report.plan.command}"
    unplayed = {trick.name for trick in TRICKS if may_come(trick, game)} - set(report.mischief.played)
    assert not unplayed, f"these never came about: {sorted(unplayed)}"


def _run(*options: str, faults: str = "many", hash_seed: str = "0") -> Mapping[str, Any]:
    """The last line of `studio simulate --json`, in a process of its own."""
    studio = Path(sys.executable).with_name("studio")
    told = subprocess.run(
        [studio, "simulate", "--game", "three_knights", "--rounds", "6", "--faults", faults, *options, "--json"],
        env={"PYTHONHASHSEED": hash_seed, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    said: Mapping[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return said
