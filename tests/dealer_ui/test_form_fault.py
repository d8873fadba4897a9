"""A refusal says which field of its form is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from werkzeug.datastructures import MultiDict

from dealer_ui.frame.command_door import field_at_fault
from dealer_ui.frame.command_form import COMMANDS, read_command
from dealer_ui.words.language import LANGUAGES, Languages
from studio import people
from studio.errors import RefusedError
from studio.people import Actor
from studio.tables.command import WithdrawShoe

FORM = {"reason_code": "", "words": "", "pin": "", "at": "", "card": "", "ruling": "manual"}


@pytest.mark.parametrize(
    ("key", "given", "field"),
    [
        ("reason_needed", {}, "reason_code"), ("reason_needed", {"reason_code": "other"}, "words"),
        ("words_needed", {"reason_code": "other"}, "words"), ("arguments", {}, "argument.manual"),
        ("not_a_card", {}, "card"), ("no_card", {}, "at"), ("too_long", {"words": "w" * 2000}, "words"),
        ("moved_on", {}, ""), ("held", {}, ""),
    ],
)  # fmt: skip
def test_the_field_that_is_wrong_is_named(key: str, given: dict[str, str], field: str) -> None:
    fields = MultiDict({**FORM, **given})
    assert field_at_fault(RefusedError(key, "Put it right."), fields) == field


def test_a_form_that_was_begun_for_what_is_over_is_at_fault_as_a_whole() -> None:
    assert field_at_fault(RefusedError("moved_on", "Begin anew.", which="about"), MultiDict(FORM)) == "about"


def test_a_shoe_that_is_withdrawn_without_a_reason_is_asked_for_one_as_every_act_of_the_pit_is() -> None:
    fields = MultiDict({"command": "withdraw_shoe", "reason_code": "", "words": "", "pin": "730162"})
    command = read_command(fields, Actor("p1", "Petra", frozenset({"pit_boss"})), "t1")
    assert isinstance(command, WithdrawShoe)
    assert command.reason_code == ""  # it is the table that refuses it, and says of which field


def test_whatever_is_wrong_with_a_pin_is_said_of_the_pin() -> None:
    folder = Path(people.__file__).parent
    source = "".join((folder / name).read_text() for name in ("actor.py", "pin.py", "signing_in.py"))
    keys = {key for key in re.findall(r'RefusedError\(\s*"([a-z_]+)"', source) if "pin" in key} | {"sign_in_refused"}
    assert len(keys) >= 4
    assert {field_at_fault(RefusedError(key, "So."), MultiDict(FORM)) for key in keys} == {"pin"}


def refused(fields: MultiDict[str, str], actor: Actor) -> RefusedError | None:
    try:
        read_command(fields, actor, "t1")
    except RefusedError as error:
        return error
    return None


@pytest.mark.parametrize("tag", LANGUAGES)
def test_whatever_is_missing_is_called_by_its_name_in_the_language_of_the_console(tag: str) -> None:
    """Not by the key under which a form sends it."""
    language, actor = Languages().speak(tag), Actor("p1", "Petra", frozenset({"pit_boss"}))
    missing = {}
    for command in COMMANDS:
        fields = MultiDict({"command": command})
        while (error := refused(fields, actor)) is not None and error.key == "field_missing":
            field = field_at_fault(error, fields)
            assert field not in ("", *fields)
            missing[field], fields[field] = language.refusal(error), "7"
    assert len(missing) >= 10
    for field, said in missing.items():
        assert language.say(f"field.{field}") in said
        assert not re.search(rf"\b{field}\b", said.replace(language.say(f"field.{field}"), "")), said
        assert "_" not in said
