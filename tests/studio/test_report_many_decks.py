"""The card tests of the reports on a shoe of eight decks: a card lies there eight times, many rounds are one pass."""

from __future__ import annotations

import random
from pathlib import Path

import report_night

from studio.journal import Reader
from studio.reports import ReportAsked, cut
from studio.reports.cards import Frequency
from studio.reports.record.seen import FULL, passes
from studio.reports.record.standing import standings

DECKS = 8
SHOE = len(FULL) * DECKS


def shuffled(rng: random.Random) -> list[str]:
    return rng.sample(list(FULL) * DECKS, SHOE)


def test_honest_shoes_of_eight_decks_stray_as_chi_square_does_up_to_the_cut_card() -> None:
    rng, found = random.Random(5), []
    for _ in range(80):
        whole = Frequency()
        for _ in range(3):
            whole.add(shuffled(rng)[: SHOE - 60], SHOE)
        found.append(whole.statistic)
    assert abs(sum(found) / len(found) - 51) < 4


def test_a_card_that_lies_nine_times_in_each_shoe_is_found() -> None:
    rng, whole = random.Random(6), Frequency()
    for _ in range(60):
        whole.add(
            [face if face != "2c" or at % 8 else "As" for at, face in enumerate(shuffled(rng))][: SHOE - 60], SHOE
        )
    assert whole.chance is not None
    assert whole.chance < 0.001


def test_many_rounds_from_one_shoe_are_one_pass_of_as_many_cards_as_its_decks_hold(tmp_path: Path) -> None:
    path = report_night.play(tmp_path, "baccarat", rounds=5, seed=4)
    with Reader.open(path) as reader:
        asked = ReportAsked(reader, cut(reader, None, None))
        found = list(passes(asked, standings(asked)))
    assert {(one.decks, one.size) for one in found} == {(DECKS, SHOE)}
    assert max(len(one.cards) for one in found) > 3 * 6, "more than three rounds deal"
