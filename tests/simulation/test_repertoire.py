"""One list of what can go wrong: the night, practising and the demo's hands pick from it, and it holds nothing else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from dealer_ui.rehearsal.own_hands.breakage import BREAKS
from dealer_ui.rehearsal.own_hands.mistake import MISTAKES
from dealer_ui.rehearsal.practice.recipe import PRACTICES, Practice
from dealer_ui.rehearsal.practice.step import Break, Err
from dealer_ui.rehearsal.repertoire.register import REPERTOIRE, find_wrong
from dealer_ui.rehearsal.repertoire.wrong import Doer, Wrong
from dealer_ui.rehearsal.trick import unplug
from dealer_ui.rehearsal.trick.machine import TEXT_SHOE_TRICKS
from dealer_ui.rehearsal.trick.mischief import Trick
from dealer_ui.rehearsal.trick.plan import TRICKS, room_tricks
from dealer_ui.words.language import Languages
from studio.errors import InvariantError
from studio.games import PEER_GAMES
from studio.procedures import KIND_BY_KEY, procedures_of

ROOM = {trick.name: trick for game in PEER_GAMES for trick in room_tricks(game.key)}
NIGHT = (*TRICKS, *unplug.TRICKS, *unplug.RARE, *TEXT_SHOE_TRICKS, *ROOM.values())


def simulated() -> set[Wrong]:
    return {wrong for trick in NIGHT for wrong in trick.wrongs}


def practised(practice: Practice) -> list[Wrong]:
    return [step.wrong for step in practice.steps if isinstance(step, Err | Break)]


def made_at_the_demo() -> set[Wrong]:
    return {one.wrong for one in (*MISTAKES, *BREAKS)}


def test_each_thing_stands_there_once_and_leads_to_kinds_that_there_are() -> None:
    keys = [wrong.key for wrong in REPERTOIRE]
    assert len(keys) == len(set(keys))
    assert {kind for wrong in REPERTOIRE for kind in wrong.kinds} <= KIND_BY_KEY.keys()
    with pytest.raises(InvariantError):
        find_wrong("jump")


def test_whatever_is_in_it_goes_wrong_somewhere() -> None:
    picked = simulated() | made_at_the_demo() | {wrong for one in PRACTICES for wrong in practised(one)}
    assert picked == set(REPERTOIRE)


@pytest.mark.parametrize("tag", ["en", "ja", "id"])
def test_what_happens_is_told_once_by_itself_or_where_a_screen_shows_it_by_every_catalogue(tag: str) -> None:
    known = Languages().speak(tag).keys()
    for wrong in REPERTOIRE:
        told = wrong.words.key in known if wrong.words else False
        assert told != bool(wrong.what), wrong.key
    assert {wrong.key for wrong in REPERTOIRE if wrong.words} == {mistake.key for mistake in MISTAKES}


@pytest.mark.parametrize("practice", PRACTICES, ids=lambda one: one.key)
def test_a_recipe_that_makes_something_go_wrong_ends_in_a_kind_it_must_lead_to(practice: Practice) -> None:
    wrongs = practised(practice)
    assert not wrongs or any(practice.kind in wrong.kinds for wrong in wrongs)


@pytest.mark.parametrize("trick", ROOM.values(), ids=lambda one: one.name)
def test_a_row_that_a_trick_makes_happen_is_of_a_kind_it_must_lead_to(trick: Trick) -> None:
    kinds = {kind for wrong in trick.wrongs for kind in wrong.kinds}
    assert all(kinds & of for of in map(kinds_of, trick.rows))


def kinds_of(row: str) -> set[str]:
    return {kind for game in PEER_GAMES for one in procedures_of(game.key).rows if one.id == row for kind in one.kinds}


@pytest.mark.parametrize("doer", [Doer.SHOE, Doer.SHUFFLER, Doer.CAMERA])
def test_everything_a_machine_can_do_wrong_goes_wrong_in_a_night(doer: Doer) -> None:
    assert keys(REPERTOIRE, doer) == keys(simulated(), doer)


def keys(wrongs: Iterable[Wrong], doer: Doer) -> set[str]:
    return {wrong.key for wrong in wrongs if wrong.doer is doer}
