"""Every row of the procedures can come about at a table: a person reports it at a console, or a device tells it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping

import pytest
from click.testing import CliRunner

from dealer_ui.frame.incident_menu import menu_of
from dealer_ui.pages.pit.route import pit_menu_of
from studio.cli.ruling import command
from studio.games import HOUSE_GAMES, find_game
from studio.procedures import KIND_BY_KEY, PHASES, ProcedureRow, Reporter, procedures_of, rule
from studio.procedures.circumstance import circumstances
from studio.procedures.condition import ANY_BOX, merged

KEYS = [game.key for game in HOUSE_GAMES]
Found = Mapping[str, object]


def reported(game: str) -> Iterator[tuple[str, Found]]:
    """What a dealer or a pit boss can say: a kind, and what the answer to its question tells."""
    for choice in (*menu_of(game), *pit_menu_of(game)):
        told = [dict(answer.told) for answer in choice.answers] or [{}]
        yield from ((choice.kind, {name.removeprefix("with."): value for name, value in one.items()}) for one in told)


def implied(game: str) -> Iterator[Found]:
    """What the table knows by itself when somebody reports: cards in the boxes, bets, whether the last card is out."""
    boxes = procedures_of(game).boxes
    for cards, bets_in, moment in itertools.product((0, 1, 2, 5), (False, True), ("street", "last")):
        counts = {f"{box}_cards": cards for box in find_game(game).felt.boxes if box in boxes}
        yield {**counts, "bets_in": bets_in, "moment": moment}
        yield {"bets_in": bets_in, "moment": moment}


def reachable_by_people(game: str) -> set[str]:
    known = list(implied(game))
    return {
        f"{found.row}: {found.ruling}"
        for (kind, told), phase, implies in itertools.product(reported(game), PHASES, known)
        if (found := rule(game, kind, phase, {**implies, **told})).row
    }


def can_rule(row: ProcedureRow, game: str) -> list[tuple[str, str, Found]]:
    """Circumstances in which this row is the first that fits; none for a row that others always come before."""
    procedures, found = procedures_of(game), []
    samples = merged(
        tuple(one for other in procedures.rows if set(row.kinds) & set(other.kinds) for one in other.conditions)
    )
    samples.pop("phase", None)
    any_box = samples.pop(ANY_BOX, (None,))
    for kind, phase, cards, values in itertools.product(
        row.kinds, PHASES, any_box, itertools.product(*samples.values())
    ):
        given = {name: value for name, value in zip(samples, values, strict=True) if value is not None}
        if cards is not None:
            given |= {f"{procedures.boxes[-1 if game == 'blackjack' else 0]}_cards": cards}
        circumstances(kind, phase, given, boxes=procedures.boxes, dealt_after_bets=procedures.dealt_after_bets)
        ruled = rule(game, kind, phase, given)
        if (ruled.row, ruled.ruling) == (row.id, row.ruling):
            found.append((kind, phase, given))
            break
    return found


@pytest.mark.parametrize("game", KEYS)
def test_every_row_is_reported_by_a_person_or_told_by_a_device(game: str) -> None:
    by_people = reachable_by_people(game)
    for row in procedures_of(game).rows:
        by_device = any(Reporter.DEVICE in KIND_BY_KEY[kind].reporters for kind in row.kinds)
        if f"{row.id}: {row.ruling}" in by_people or by_device or not row.kinds:
            continue
        assert not can_rule(row, game), f"{row.id} ({row.when}) can be reported by nobody"


ONLY_BY_DEVICES = frozenset(
    {"camera_unsure", "device_changed", "device_lost", "shoe_error", "shoe_restart", "conflicting_reread", "restart"}
)
"""Kinds of which a person sees nothing before a device says so."""

ONLY_READ_BY_DEVICES = frozenset({"HG1: card_to_discard", "HG13: continue", "HG14: reread_all"})
"""Branches that turn on what an eye has read: the shoe's unread card in the window, the camera's word on another."""


@pytest.mark.parametrize("game", KEYS)
def test_people_can_report_every_row_but_those_that_only_a_device_can_see(game: str) -> None:
    by_people = reachable_by_people(game)
    for row in procedures_of(game).rows:
        key = f"{row.id}: {row.ruling}"
        if not row.kinds or key in by_people or set(row.kinds) <= ONLY_BY_DEVICES or key in ONLY_READ_BY_DEVICES:
            continue
        assert not can_rule(row, game), f"{row.id} ({row.when}) is on no console of {game}"


@pytest.mark.parametrize("game", KEYS)
def test_studio_ruling_names_every_row(game: str) -> None:
    for row in procedures_of(game).rows:
        for kind, phase, given in can_rule(row, game)[:1]:
            words = [f"--with={name}={value}" for name, value in given.items()]
            told = CliRunner().invoke(command, ["--game", game, "--incident", kind, "--phase", phase, *words, "--json"])
            said = json.loads(told.output)
            assert (said["row"], said["ruling"]) == (row.id, row.ruling), told.output
