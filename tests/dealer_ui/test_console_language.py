"""The catalogues: complete, alike in what they fill in, and never a screen without a word."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_ui.frame.command_form import COMMANDS
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.frame.template import TEMPLATES
from dealer_ui.words.language import LANGUAGES, Language, Languages, read_catalogue
from studio import tables
from studio.errors import RefusedError
from studio.hands.three_knights import CLASSES
from studio.ports import AnyObservation
from studio.procedures import RULING_BY_KEY
from studio.procedures.circumstance import FLAGS
from studio.procedures.incident import KINDS
from studio.rounds.fact import AnyFact
from studio.spoken import Places
from studio.tables.declaration import name_of
from studio.tables.event.table import AnyEvent
from studio.views.act import _PRESSED
from studio.views.shape import ButtonView, Words

ENGLISH = read_catalogue("en")
FIELD = re.compile(r"\{(\w+)\}")
SAID = re.compile(r"""say\(\s*'([a-z0-9_.]+)'""")


@pytest.mark.parametrize("tag", [tag for tag in LANGUAGES if tag != "en"])
def test_a_catalogue_has_every_message_and_fills_in_nothing_else(tag: str) -> None:
    other = read_catalogue(tag)
    assert set(ENGLISH) - set(other) == set()
    assert {key for key in set(other) - set(ENGLISH) if not key.startswith("refused.")} == set()
    assert [key for key in ENGLISH if set(FIELD.findall(ENGLISH[key])) < set(FIELD.findall(other[key]))] == []


def test_every_key_a_template_says_is_in_the_catalogue() -> None:
    missing = {
        key
        for path in TEMPLATES.rglob("*.html")
        if path.parent.name != "hands"
        for key in SAID.findall(path.read_text(encoding="utf-8"))
        if not key.endswith(".") and key not in ENGLISH
    }
    assert missing == set()


def test_every_kind_ruling_step_class_and_reason_has_its_words() -> None:
    wanted = [f"incident.{kind.key}" for kind in KINDS] + [f"incident_help.{kind.key}" for kind in KINDS]
    wanted += [f"ruling.{key}" for key in RULING_BY_KEY] + [f"act.carry_out.{key}" for key in RULING_BY_KEY]
    wanted += [f"step.{step.key}" for meaning in RULING_BY_KEY.values() for step in meaning.steps]
    wanted += [f"hand.{one.key}" for one in CLASSES] + [f"reason.{reason}" for reason in REASONS]
    wanted += [f"circumstance.{name}" for name in FLAGS]
    assert [key for key in wanted if key not in ENGLISH] == []


def test_every_kind_of_the_journal_has_its_sentence() -> None:
    wrapped = {"FactStood", "ObservationRecorded"}
    kinds = {kind.__name__ for union in (AnyObservation, AnyFact, AnyEvent) for kind in get_args(union)} - wrapped
    assert [kind for kind in sorted(kinds) if f"event.{kind}" not in ENGLISH] == []


def test_every_act_and_button_of_the_views_has_its_words() -> None:
    from studio.views import table as views

    source = Path(views.__file__).read_text(encoding="utf-8")
    acts = {key for key in re.findall(r'"(act\.[a-z_.]+)"', source) if not key.endswith(".")}
    assert acts - set(ENGLISH) == set()
    assert {f"button.{name_of(made)}" for made in _PRESSED.values()} - set(ENGLISH) == set()
    assert set(_PRESSED.values()) <= set(COMMANDS.values())


def test_english_labels_are_those_of_the_procedures() -> None:
    assert {kind.key: ENGLISH[f"incident.{kind.key}"] for kind in KINDS} == {kind.key: kind.label for kind in KINDS}
    assert {key: ENGLISH[f"ruling.{key}"] for key in RULING_BY_KEY} == {
        key: one.label for key, one in RULING_BY_KEY.items()
    }
    for meaning in RULING_BY_KEY.values():
        assert [ENGLISH[f"step.{step.key}"] for step in meaning.steps] == [step.text for step in meaning.steps]


def test_keys_places_and_families_become_words() -> None:
    english = Languages().speak("en")
    assert english.words(Words("act.deal", {"box": "box.player2", "place": 3})) == "Player 2, card 3"
    assert (
        english.words(Words("act.square_cards", {"places": Places((("player1", 2), ("burn", 3)))}))
        == "Square Player 1, card 2, Burn, card 3"
    )
    assert english.words(Words("act.held", {"incident": "incident.burn_error"})) == "Hands off: Burn error"


def test_a_refusal_is_the_cores_own_sentence_in_english_and_translated_where_we_can() -> None:
    error = RefusedError("moved_on", "The table has moved on; look again.")
    assert Languages().speak("en").refusal(error) == "The table has moved on; look again."
    assert "テーブル" in Languages().speak("ja").refusal(error)
    assert Languages().speak("ja").refusal(RefusedError("rare", "So it is.")) == "So it is."


def test_every_refusal_of_a_console_has_its_words_in_every_language() -> None:
    """Those of bettors, and of the command line that keeps the staff, are not said by a console."""
    root = Path(tables.__file__).parents[1]
    of_bettors = {"tables/bets", "tables/state/box.py", "tables/limit.py", "tables/seats/request.py"}
    of_bettors |= {"tables/books/book.py", "tables/books/exposure.py"}
    assert all((root / name).exists() for name in of_bettors)
    core = [
        path
        for path in (root / "tables").rglob("*.py")
        if not {str(one.relative_to(root)) for one in (path, path.parent)} & of_bettors
    ]
    people = [path for path in (root / "people").glob("*.py") if path.stem != "staffing"]
    doors = [TEMPLATES.parent / name for name in ("frame/command_form.py", "frame/command_door.py", "floor/floor.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in (*core, *people, *doors))
    keys = set(re.findall(r'RefusedError\(\s*"([a-z_]+)"', source))
    assert len(keys) > 50
    for tag in ("ja", "id"):
        assert {f"refused.{key}" for key in keys} - set(read_catalogue(tag)) == set()


def test_each_of_several_sentences_under_one_key_has_its_own_words_in_every_language() -> None:
    """`which`, where a key has several; those a function names (why a shoe is short, why no deck deals) beside them."""
    named = {"shoe_short": {"no_deck", "cut", "dealt", "few"}}
    named["deck_unverified"] = {"by_hand", "no_link", "blocked", "alarm", "busy", "shuffle"}
    found = {f"refused.{key}.{which}" for key, ones in named.items() for which in ones}
    root = Path(tables.__file__).parents[1]
    for path in (root / "errors.py", *(root / "tables").rglob("*.py"), *(root / "people").glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            given = [one for one in getattr(call, "keywords", ()) if one.arg == "which"]
            if isinstance(call, ast.Call) and given and isinstance(given[0].value, ast.Constant):
                key = call.args[0]
                assert isinstance(key, ast.Constant)
                found.add(f"refused.{key.value}.{given[0].value.value}")
    assert len(found) > 35
    for tag in ("ja", "id"):
        assert found - set(read_catalogue(tag)) == set()
        assert {one for one in read_catalogue(tag) if one.count(".") == 2 and one.startswith("refused.")} == found


def test_a_refusal_without_words_of_its_own_has_those_of_its_key() -> None:
    japanese = Languages().speak("ja")
    own = RefusedError("round_open", "A round is open: finish it, then pause the table.", which="pause")
    assert "休止" in japanese.refusal(own)
    other = RefusedError("round_open", "So it is.", which="never_heard_of")
    assert japanese.refusal(other) == japanese.say("refused.round_open")
    button = ButtonView("start_round", Words("button.start_round"), "The cut card is out.", "", "shoe_short.cut")
    assert "カットカード" in japanese.why_off(button)


def test_a_translated_refusal_names_the_places() -> None:
    where = Places((("player1", 2), ("burn", 3)))
    error = RefusedError("felt_differs", "Felt and record do not agree. Put the cards right.", places=where)
    button = ButtonView(
        "confirm_felt_clear", Words("button.confirm_felt_clear"), error.sentence, "", error.key, error.values
    )
    for tag in ("ja", "id"):
        language = Languages().speak(tag)
        place = language.say("felt.spoken", box="player1", place=2)
        assert place in language.refusal(error)
        assert language.why_off(button) == language.refusal(error)


def test_money_follows_the_language() -> None:
    assert Languages().speak("en").money(5_312_000, "EUR") == "€53,120.00"
    assert Languages().speak("ja").money(1_200, "JPY") in ("￥1,200", "¥1,200")
    assert "53.120,00" in Languages().speak("id").money(5_312_000, "EUR")


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_key_and_no_value_makes_a_screen_fail(key: str, value: str) -> None:
    language = Language("en", {"x.y": "{a} and {b}"})
    assert isinstance(language.say(key), str)
    assert value in language.say("x.y", a=value) or value == ""
