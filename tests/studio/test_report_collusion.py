"""The report of collusion sees a planted pair and is silent on honest rooms, and every lead names its rounds."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from pathlib import Path

import pytest
from collusion_room import DUMPS, SOFT, honest_hands, play, report_of, told

from studio.reports.collusion import flow, soft
from studio.reports.collusion.chance import at_least, bounded
from studio.reports.collusion.hand import RoomHand
from studio.reports.collusion.lead import CHANCE_MOST, RULES, TOGETHER, Bettor, Looked, leads
from studio.reports.collusion.opposite import CROWD, Opposites, Stake
from studio.reports.collusion.seating import Choices

COUPLE = ("player", "banker")
PLACE = ("baccarat-1", COUPLE)


def found(looked: list[Looked]) -> list[tuple[str, Bettor, Bettor]]:
    return [(one.rule.key, one.bettor, one.partner) for one in leads(looked)]


# --- how rarely chance alone gives a lead ---------------------------------------------------------------


def rooms_with_a_lead(seeds: range) -> list[int]:
    """Of players who differ in how often they are in and how well they win, at pots as unlike as at a real table."""
    return [seed for seed in seeds if found([*flow.look(hands := honest_hands(seed, 250)), *soft.look(hands)])]


def test_in_honest_rooms_there_is_no_lead() -> None:
    assert rooms_with_a_lead(range(3)) == []


@pytest.mark.night
def test_of_a_hundred_honest_rooms_at_most_one_has_a_lead() -> None:
    assert len(rooms_with_a_lead(range(100, 200))) <= 1


def test_a_bound_is_never_below_what_chance_does() -> None:
    chance = random.Random(5)
    parts = [(chance.choice((1.0, 3.0, 10.0)), chance.uniform(0.1, 0.5)) for _ in range(25)]
    sums = [sum(weight for weight, likely in parts if chance.random() < likely) for _ in range(4_000)]
    for wanted in (30.0, 45.0, 60.0, 80.0):
        came = sum(one >= wanted for one in sums) / len(sums)
        assert came <= bounded(parts, wanted) + 0.02


def test_unlike_chances_are_counted_exactly() -> None:
    assert at_least([0.5, 0.5, 0.25], 3) == pytest.approx(0.0625)
    assert at_least([0.1] * 20, 1) == pytest.approx(1 - 0.9**20)


# --- chips and attacks ----------------------------------------------------------------------------------


def given(hands: list[RoomHand], loser: str, partner: str, share: float) -> list[RoomHand]:
    """The same hands, but of the loser's losses so many go to the partner, with nobody else left in."""
    chance = random.Random(1)
    for hand in hands:
        lost_minor = -hand.net[loser]
        if lost_minor > 0 and chance.random() < share:
            hand.net = dict.fromkeys(hand.net, 0) | {loser: -lost_minor, partner: lost_minor}
    return hands


def test_chips_that_go_to_one_partner_are_seen_with_their_rounds_and_sum() -> None:
    looked = list(flow.look(given(honest_hands(7, 250), "north/p0", "north/p1", 0.9)))
    [lead] = leads(looked)
    assert (lead.rule.key, lead.bettor, lead.partner) == ("flow", "north/p0", "north/p1")
    assert lead.seen > 0.8 > lead.expected
    assert lead.sums["EUR"] > 0
    assert len(lead.rounds) == 5


def test_who_wins_of_everybody_is_no_partner() -> None:
    """A strong player takes four in five of what all the others lose."""
    hands = honest_hands(8, 250)
    for loser in ("north/p0", "north/p2", "north/p3", "north/p4", "north/p5"):
        given(hands, loser, "north/p1", 0.8)
    assert found(list(flow.look(hands))) == []


def test_two_alone_tell_nothing_of_where_chips_go() -> None:
    hands = [RoomHand(f"t-{n}", "t", "nlh", "EUR", {"north/a": -100, "north/b": 100}) for n in range(100)]
    assert list(flow.look(hands)) == []


def test_two_who_do_not_attack_each_other_are_seen_and_one_who_never_attacks_is_not() -> None:
    hands = [hand for seed in range(3) for hand in honest_hands(seed, 250, players=4) if hand.duel]
    calm = {"north/p0", "north/p1"}
    for hand in hands:
        if set(hand.duel) == calm:
            hand.duel = dict.fromkeys(hand.duel, False)
        if "north/p3" in hand.duel:
            hand.duel["north/p3"] = False
    looked = list(soft.look(hands))
    assert found(looked) == [("soft", "north/p0", "north/p1")]
    assert {("north/p0", "north/p3"), ("north/p1", "north/p3")} <= {(one.bettor, one.partner) for one in looked}


# --- where one sits -------------------------------------------------------------------------------------


def sat_down(chance: random.Random, together: float, times: int = 25) -> list[Looked]:
    """Two bettors sit down and leave in a room of four tables where others sit; so often the one goes where the other
    is."""
    choices = Choices({f"nlh-{one}": "nlh" for one in range(4)})
    for table in choices.games:
        for seat in ("seat1", "seat2"):
            choices.sit(table, seat, f"north/{table}-{seat}")
    for _ in range(times):
        first = chance.choice(sorted(choices.games))
        second = first if chance.random() < together else chance.choice(sorted(choices.games))
        choices.sit(first, "seat3", "north/ann")
        choices.sit(second, "seat4", "north/bob")
        choices.leave(first, "seat3")
        choices.leave(second, "seat4")
    return list(choices.look())


def test_two_who_sit_down_together_in_a_room_of_four_tables_are_seen() -> None:
    [lead] = leads(sat_down(random.Random(1), together=1.0))
    assert (lead.rule.key, lead.bettor, lead.partner, lead.seen) == (TOGETHER.key, "north/ann", "north/bob", 25)
    assert [seed for seed in range(20) if found(sat_down(random.Random(seed), together=0.0))] == []


def test_in_a_room_of_one_table_nobody_has_a_choice() -> None:
    choices = Choices({"nlh-1": "nlh", "plo-1": "plo"})
    for _ in range(30):
        choices.sit("nlh-1", "seat1", "north/ann")
        choices.sit("nlh-1", "seat2", "north/bob")
        choices.leave("nlh-1", "seat1")
        choices.leave("nlh-1", "seat2")
    assert list(choices.look()) == []


# --- against each other at a game against the house -----------------------------------------------------


def night(pairs: dict[str, str], rounds: int = 60, *, free: str = "", others: int = 8) -> list[Looked]:
    """Rounds of Baccarat. Each of `pairs` bets on the other side than his partner; `free` has free bets in every third
    round, and then alone is his partner there.
    """
    chance, against = random.Random(3), Opposites()
    for number in range(rounds):
        sides = {f"north/x{other}": chance.randrange(2) for other in range(others) if chance.random() < 0.7}
        grants = free and number % 3 == 0
        for one, other in pairs.items():
            sides[one] = chance.randrange(2) if not free else 0
            sides[other] = 1 - sides[one]
            if free and not grants:
                del sides[other]
        stakes = [
            Stake(name, side, 1_000 if name in pairs or name in pairs.values() else chance.choice((500, 1_000, 2_000)),
                  1_000 if grants and name == free else 0, "EUR")
            for name, side in sides.items()
        ]  # fmt: skip
        against.take(f"baccarat-1-{number:07}", PLACE, stakes)
    return list(against.look())


def test_bettors_who_choose_by_themselves_are_no_lead() -> None:
    assert found(night({})) == []


def test_two_who_are_always_against_each_other_are_seen() -> None:
    looked = night({"north/ann": "north/bob"})
    [lead] = leads(looked)
    assert (lead.rule.key, lead.bettor, lead.partner, lead.where) == (
        "opposite", "north/ann", "north/bob", "baccarat-1 player/banker",
    )  # fmt: skip
    assert (lead.times, lead.seen, lead.sums) == (60, 60, Counter({"EUR": 120_000}))


def test_who_comes_only_to_cover_a_free_bet_is_seen() -> None:
    [lead] = leads(night({"north/ann": "north/bob"}, free="north/ann"))
    assert (lead.rule.key, lead.bettor, lead.partner) == ("cover", "north/ann", "north/bob")
    assert (lead.times, lead.seen, lead.sums) == (20, 20, Counter({"EUR": 20_000}))


def test_a_crowd_is_not_looked_at_in_pairs_and_counted() -> None:
    against = Opposites()
    against.take("r1", PLACE, [Stake(f"north/{one}", one % 2, 100, 0, "EUR") for one in range(CROWD + 1)])
    assert (against.crowds, list(against.look())) == (1, [])


def test_whoever_has_both_sides_takes_none() -> None:
    against = Opposites()
    for number in range(20):
        both = [Stake("north/ann", side, 100, 0, "EUR") for side in (0, 1)]
        against.take(f"r{number}", PLACE, [*both, Stake("north/bob", 1, 100, 0, "EUR")])
    assert list(against.look()) == []


# --- leads ----------------------------------------------------------------------------------------------


def test_the_more_pairs_are_looked_at_the_less_likely_a_lead_has_to_be() -> None:
    one = Looked(RULES[1], "north/a", "north/b", "t", 20, 1.0, 0.2, CHANCE_MOST / 2)
    many = [dataclasses.replace(one, partner=f"north/{number}", chance=1.0) for number in range(5)]
    assert found([one]) == [("flow", "north/a", "north/b")]
    assert found([one, *many]) == []


# --- at the real table, simulated -----------------------------------------------------------------------


@pytest.mark.night
def test_a_pair_that_dumps_chips_is_seen_in_a_simulated_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_of(play(tmp_path / "studio.db", monkeypatch, 120, seed=6, dumps=DUMPS))
    [lead] = told(report)
    assert (lead["rule"], lead["bettor"], lead["partner"], lead["place"]) == ("flow", "sim/b0", "sim/b1", "sim")
    assert str(lead["evidence"]).count("sim-") == 5
    assert [note.key for note in report.sheet("leads").notes] == ["collusion_lead"]


@pytest.mark.night
def test_a_pair_that_plays_softly_is_seen_in_a_simulated_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leads = told(report_of(play(tmp_path / "studio.db", monkeypatch, 120, seed=5, soft=SOFT)))
    assert [(one["rule"], one["bettor"], one["partner"]) for one in leads] == [("soft", "sim/b0", "sim/b1")]


@pytest.mark.night
def test_an_honest_simulated_room_has_no_lead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_of(play(tmp_path / "studio.db", monkeypatch, 80, seed=3))
    assert told(report) == []
    assert [note.key for note in report.sheet("leads").notes] == ["collusion_none"]
    looked = {row["rule"]: row["pairs"] for row in told(report, "collusion_rules")}
    assert looked["flow"]
