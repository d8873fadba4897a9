"""What a template reads of a view is there: mypy sees no template, and a screen is drawn only when it is needed.

Each template is read from the values it is handed, through its loops, macros and imports. Whatever it reads of a value
made of parts has to be one of them; and no part is written, joined or compared as if it were a word.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Final

import pytest
from jinja2 import DictLoader, Environment
from shape_of import Given, given_of
from template_reading import Reading, templates_of

from dealer_ui.felt.act import mended
from dealer_ui.frame.alarm_row import AlarmRow
from dealer_ui.frame.incident_way import IncidentWay
from dealer_ui.frame.template import templates
from dealer_ui.words.language import Language, Languages
from dealer_ui.words.local_time import LocalTime
from studio.views.shape import CorrectionView, IncidentView, PastRound, TableView, UnsealingView

OF_LANGUAGE: Final[Mapping[str, Any]] = {
    "language": Language,
    "say": given_of(Language.say, bound=True),
    "words": given_of(Language.words, bound=True),
}
"""What a language's environment gives every template, with context or without."""
EVERYWHERE: Final[Mapping[str, Any]] = {
    "view": TableView,
    "views": tuple[TableView, ...],
    "others": tuple[TableView, ...],
    **OF_LANGUAGE,
}
"""What bears one name in every template."""
ALARMS: Final = tuple[AlarmRow, ...]
HANDED: Final[Mapping[str, Mapping[str, Any]]] = {
    "audit/round.html": {"past": PastRound | None},
    "correction/live.html": {"waits": CorrectionView | None},
    "dealer/": {"first": IncidentView | None, "mended": given_of(mended)},
    "devices/": {"tables": tuple[TableView, ...]},
    "pit/": {"tables": tuple[tuple[TableView, Any], ...], "rows": ALARMS},
    "pit_table/": {"incidents": tuple[tuple[IncidentView, tuple[IncidentWay, ...], Any], ...], "rows": ALARMS},
    "procedure/": {"tables": tuple[TableView, ...]},
    "sealed/live.html": {"waits": UnsealingView | None},
    "technician/": {"tables": tuple[tuple[TableView, Any], ...]},
}
"""What a page hands its own templates beside that."""


def handed(template: str) -> Mapping[str, Any]:
    own = [values for beginning, values in HANDED.items() if template.startswith(beginning)]
    return {**EVERYWHERE, **{name: shape for values in own for name, shape in values.items()}}


def _known(environment: Environment) -> Mapping[str, Any]:
    ours = {name: one for name, one in environment.globals.items() if inspect.isfunction(one)}
    return OF_LANGUAGE | {name: given_of(one) for name, one in ours.items() if one.__module__.startswith("dealer_ui")}


@pytest.fixture(scope="module")
def reading() -> Reading:
    environment = templates(Languages().speak("en"), LocalTime("UTC"))
    found = Reading(environment, handed, _known(environment))
    for template in templates_of(environment):
        found.whole(template)
    return found


def test_what_a_template_reads_of_a_view_is_there(reading: Reading) -> None:
    assert reading.wrong == []


def test_templates_are_followed_to_where_views_are_read(reading: Reading) -> None:
    """Names that reach a template through a loop, a macro, an import and a function: were one lost, nothing is read."""
    for shape, name in (
        ("TableView", "moves"), ("IncidentView", "evidence"), ("StepView", "state"), ("AlarmRow", "asked"),
        ("PlayerView", "marks"), ("CorrectionView", "sums"), ("Plate", "player"), ("Trouble", "rulings"),
    ):  # fmt: skip
        assert (shape, name) in reading.read


TELL: Final = Given(str, {"incident": IncidentView})


def wrong_in(text: str, **others: str) -> list[str]:
    texts = {"a.html": text, **{f"{name}.html": other for name, other in others.items()}}
    found = Reading(Environment(loader=DictLoader(texts)), lambda template: {"view": TableView, "tell": TELL}, {})
    found.whole("a.html")
    return found.wrong


@pytest.mark.parametrize(
    "text",
    [
        "{{ view.titel }}",
        "{% if view.titel %}{% endif %}",
        "{% for one in view.incidents.open if one.holds %}{{ one.titel }}{% endfor %}",
        "{% for one in (view.incidents.open | list)[-3:] | reverse %}{{ one.titel }}{% endfor %}",
        "{{ view.incidents.open | selectattr('titel') | list }}",
        "{{ view.incidents.open | map(attribute='titel') | list }}",
        "{{ (view.incidents.open | first).titel }}",
        "{% for key, one in view.incidents.open[0].row.hindered.items() %}{{ one.titel }}{% endfor %}",
        "{% set one = view.seat %}{{ one.titel }}",
        "{% macro of(one) %}{{ one.titel }}{% endmacro %}{{ of(view.seat) }}",
        "{% import 'b.html' as other %}{{ other.of(view) }}",
        "{% from 'c.html' import of with context %}{{ of() }}",
        "{{ say('a', n=view.titel) }}",
    ],
)
def test_a_field_that_is_not_there_is_told_wherever_it_is_read(text: str) -> None:
    told = wrong_in(
        text,
        b="{% macro of(one) %}{{ one.titel }}{% endmacro %}",
        c="{% macro of() %}{{ view.titel }}{% endmacro %}",
    )
    assert [line.partition(":1 ")[2].split(" ", 1)[1] for line in told] == ["has no titel"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{{ view.seat }}", "writes out a SeatView"),
        ("{{ 'r' ~ view.seat }}", "joins a SeatView"),
        ("{% if view.seat == 'dora' %}{% endif %}", "compares a SeatView"),
        ("{% for one in view.incidents %}{% endfor %}", "loops over a IncidentsView"),
        ("{% if view.round %}{% endif %}", "asks whether a RoundView is there"),
        ("{{ 1 if not view.round else 2 }}", "asks whether a RoundView is there"),
        ("{% for view in tables %}{% endfor %}", "calls view what nobody knows"),
        ("{{ tell(view.seat) }}", "gives a SeatView as incident"),
    ],
)
def test_a_part_stands_nowhere_for_a_word(text: str, what: str) -> None:
    assert wrong_in(text) == [f"a.html:1 {what}"]


def test_what_is_there_and_what_nobody_knows_is_not_told() -> None:
    assert wrong_in(
        "{{ view.title ~ view.seat.why ~ view.round.id }}{{ tell(view.incidents.open[0]) }}{{ unknown.titel }}"
        "{% if view.room and view.room.pots %}{% endif %}"
        "{% for name, (least, most) in view.game.limits.items() %}{{ name ~ most }}{% endfor %}"
    ) == []  # fmt: skip
