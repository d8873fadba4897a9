"""The recipes for incidents: every row and kind has one, and they are told. `test_every_row.py` plays each."""

from __future__ import annotations

from pathlib import Path

import pytest
from drill import Drill

from dealer_ui.rehearsal.own_hands.breakage import BREAKS
from dealer_ui.rehearsal.practice.page import page
from dealer_ui.rehearsal.practice.recipe import EVERY, PRACTICES, SHUFFLED, Practice, made_by, practices_of
from dealer_ui.rehearsal.practice.step import Break
from dealer_ui.words.language import Languages
from studio.procedures import procedures_of

PAGE = Path(__file__).parents[2] / "docs" / "practising.md"
FAMILIES = ("mistake", "device", "fault", "incident")
BORNE = frozenset(one.key for one in BREAKS if not one.wrong.kinds)
"""Faults of the line that cost nothing but time: the repertoire knows no incident that they lead to."""
OF_A_DECK = frozenset(f"shuffler.deck_{how}" for how in ("short", "over", "duplicate", "foreign"))
"""Seen when a deck is verified: with a shoe that lasts through many rounds, long after the fault."""
KNIGHTS = "three_knights"
QUICK_HANDS = frozenset({"shoe.swapped_frame"})
"""Borne as long as nobody deals faster than a report takes: the same card again, out of turn, is a fouled deck."""
NEVER_DEALT = frozenset({"misdeal_claimed", "timed_out"})
"""Kinds of the poker room alone."""
NO_INCIDENT = frozenset({"TK1"})
"""What is normal."""


def test_no_two_recipes_of_a_game_have_one_name() -> None:
    for game in EVERY:
        keys = [one.key for one in practices_of(game)]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("game", EVERY)
def test_every_row_of_a_dealt_game_can_be_practised_somewhere(game: str) -> None:
    wanted = {row.id for row in procedures_of(game).rows if not set(row.kinds) <= NEVER_DEALT} - NO_INCIDENT
    assert wanted <= {one.row for one in PRACTICES}


@pytest.mark.parametrize("game", EVERY)
def test_every_kind_of_incident_of_a_dealt_game_can_be_practised_at_it(game: str) -> None:
    kinds = {kind for row in procedures_of(game).rows for kind in row.kinds} - NEVER_DEALT
    assert kinds <= {one.kind for one in practices_of(game)}


def test_the_page_is_written_from_the_recipes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python -m dealer_ui.rehearsal.practice.page docs/practising.md"


@pytest.mark.parametrize("tag", ["en", "ja", "id"])
def test_every_word_of_a_recipe_is_in_every_catalogue(tag: str) -> None:
    known = Languages().speak(tag).keys()
    for one in PRACTICES:
        words = [step.words for step in one.steps]
        wanted = {f"practice.at.{one.at}", f"incident.{one.kind}", *(said.key for said in words)}
        wanted |= {f"{name}.{value}" for said in words for name, value in said.values.items() if name in FAMILIES}
        wanted |= {str(said.values["answer"]) for said in words if "answer" in said.values}
        assert wanted <= known


@pytest.mark.parametrize("game", EVERY)
def test_every_fault_makes_an_incident_or_is_borne(game: str) -> None:
    made = {one.key for one in BREAKS if made_by(one.key, game) is not None}
    assert {one.key for one in BREAKS} - made == BORNE | (OF_A_DECK if game not in SHUFFLED else frozenset())


@pytest.mark.parametrize("key", sorted(BORNE - QUICK_HANDS))
def test_a_fault_that_is_borne_makes_no_incident(key: str) -> None:
    drill = Drill(Practice("", "", EVERY, "card", (Break(key),)), KNIGHTS)
    try:
        drill.begin()
        drill.go_on()
        assert not drill.seen.opened
        assert not drill.checker.violations
    finally:
        drill.close()
