"""The guide to the operators' interface is played: every request it prints is sent, and every answer is what came."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from api_fake_floor import FakeFloor, Seats
from flask import Flask
from guide_page import (
    ANSWERS,
    GUIDE,
    KINDS,
    Stage,
    differences,
    differing_cells,
    differing_lines,
    like,
    message,
    stages,
)
from guide_stage import SCENES

from dealer_ui.api.door import blueprint
from dealer_ui.desk.ticket import Tickets

TEXT = GUIDE.read_text(encoding="utf-8")
UNPLAYED, *PLAYED = stages(TEXT)


@pytest.mark.parametrize("stage", PLAYED, ids=lambda stage: stage.name)
def test_every_request_of_the_guide_gets_the_answer_that_is_printed(stage: Stage, tmp_path: Path) -> None:
    wrong = []
    with ExitStack() as held:
        scene = SCENES[stage.name](tmp_path, held)
        for step in stage.steps:
            wrong += [f"line {step.line}: {one}" for one in scene.take(step)]
        wrong += [f"the answer {one.text} is not printed" for one in scene.answers]
    assert wrong == []


def test_nothing_is_printed_that_no_test_plays() -> None:
    """A block before any stage, or of a kind that nobody plays, would rot."""
    blocks = TEXT.count("\n```") // 2
    found = [step for stage in PLAYED for step in stage.steps if step.kind != "then"]
    assert len(found) == blocks > 100
    assert {step.kind for step in found} == KINDS
    assert UNPLAYED.steps == ()
    assert [stage.name for stage in PLAYED] == list(dict.fromkeys(stage.name for stage in PLAYED))


def test_every_request_is_answered_in_the_guide_and_every_answer_has_a_request() -> None:
    for stage in PLAYED:
        open_requests = 0
        for step in stage.steps:
            asks = step.kind in ("http", "sh") and not step.text.startswith("POST https://north.example")
            open_requests += asks - (step.kind in ANSWERS)
            assert open_requests in (0, 1, 2), f"line {step.line}"
        assert open_requests == 0, stage.name


def test_every_address_of_the_interface_is_asked_in_the_guide() -> None:
    floor, app = FakeFloor(), Flask("test")
    app.register_blueprint(blueprint(floor, Seats(1), tickets=Tickets(lambda: "t", floor.now_ms, lambda: 0.0)))
    floor.close()
    asked = [message(step.text) for stage in PLAYED for step in stage.steps if step.kind == "http"]
    adapter = app.url_map.bind("studio.example")
    found = {
        (one.method, str(adapter.match(one.target.partition("?")[0], one.method)[0]))
        for one in asked
        if one.target.startswith("/")
    }
    wanted = {
        (method, rule.endpoint)
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("api.") and rule.endpoint != "api.lost"
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert wanted - found == set()


# --- the comparison itself -----------------------------------------------------------------------------

WRONG = {
    "another value": ({"a": 1}, {"a": 2}),
    "a field that never came": ({"a": 1, "b": 2}, {"a": 1}),
    "a field that is not printed": ({"a": 1}, {"a": 1, "b": 2}),
    "a field in a list": ([{"a": 1}], [{"a": 2}]),
    "one item more": ([1], [1, 2]),
    "fewer than are printed": ([1, 2, "…"], [1]),
    "a truth for a number": ({"a": 1}, {"a": True}),
    "nothing for a time": ({"at_ms": 1}, {"at_ms": None}),
    "a text for a time": ({"at_ms": 1}, {"at_ms": "1"}),
    "another page": ({"page": "/play/…"}, {"page": "/pay/x"}),
    "nothing where there was more": ({"page": "/play/…"}, {"page": "/play/"}),
}
RIGHT = {
    "the same": ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
    "another time": ({"at_ms": 1, "closes_at_ms": 2, "ms": 3}, {"at_ms": 7, "closes_at_ms": 8, "ms": 9}),
    "another place": ({"cursor": 1, "next": 2, "seq": 3}, {"cursor": 7, "next": 8, "seq": 9}),
    "more fields": ({"a": 1, "…": "…"}, {"a": 1, "b": 2}),
    "more items": ([1, "…"], [1, 2, 3]),
    "no more items": ([1, "…"], [1]),
}


@pytest.mark.parametrize(("printed", "got"), WRONG.values(), ids=WRONG)
def test_what_is_not_as_printed_is_found(printed: object, got: object) -> None:
    assert list(differences(printed, got)) != []


@pytest.mark.parametrize(("printed", "got"), RIGHT.values(), ids=RIGHT)
def test_what_varies_by_its_nature_is_as_printed(printed: object, got: object) -> None:
    assert list(differences(printed, got)) == []


def test_texts_and_files_are_compared_line_by_line() -> None:
    assert list(differing_lines("a … c\nd", "a b c\nd\n")) == []
    assert len(list(differing_lines("a\nb", "a\nc"))) == 1
    assert len(list(differing_lines("a", "a\nb"))) == 1
    assert like("a.c", "abc") is False
    file = "id,at\n{},{}\n".format
    assert list(differing_cells(file("1", "2026-01-31T20:15:09.120Z"), file("1", "2026-11-25T00:00:00.001Z"))) == []
    assert len(list(differing_cells(file("1", "2026-01-31T20:15:09.120Z"), file("2", "2026-01-31T20:15:09.120Z")))) == 1
    assert len(list(differing_cells(file("1", "2026-01-31T20:15:09.120Z"), file("1", "yesterday")))) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        '```http\nGET /api/v1/tables\n```\n```json\n{"tables": []}\n```\n',
        "```http\nGET /api/v1/tables\n```\n",
        "```json\n{}\n```\n",
        "<!-- then: the moon rises -->\n",
    ],
    ids=["another answer", "no answer", "no request", "an act nobody knows"],
)
def test_a_guide_that_is_wrong_does_not_pass(wrong: str, tmp_path: Path) -> None:
    _, stage = stages(f"<!-- stage: purses -->\n{wrong}")
    with pytest.raises((AssertionError, KeyError)):
        test_every_request_of_the_guide_gets_the_answer_that_is_printed(stage, tmp_path)
