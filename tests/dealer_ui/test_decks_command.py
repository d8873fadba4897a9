"""`studio decks`: the register on the machine itself."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from first_sign_in import chosen_at_machine, code_in

from dealer_ui.cli import main
from studio.journal import Store
from studio.proof.audit.database import verify

CONFIG = """
[studio]
title = "Test"
database = "{folder}/studio.db"
evidence = "{folder}/pictures"

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"

[decks]
register = true
backs = ["red", "blue"]
"""
PINS = "730162\n4826\n"
DECK = {
    "deck": "RED-1", "design": "casino", "back": "red", "seal": "S1", "place": "cage", "badge": "2001",
    "second-badge": "1001",
}  # fmt: skip


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with Petra and Dana in it: their PINs are hashed slowly, and once."""
    made = tmp_path_factory.mktemp("staffed")
    people = (("p1", "2001", "Petra", "pit_boss", "730162"), ("d1", "1001", "Dana", "dealer", "4826"))
    for id, badge, name, role, pin in people:
        given = ["--id", id, "--badge", badge, "--name", name, "--role", role]
        added = ask(made, "staff", "add", *given)
        assert added.exit_code == 0
        chosen_at_machine(made / "studio.db", badge, code_in(added.output), pin)
    return made


@pytest.fixture
def folder(tmp_path: Path, staffed: Path) -> Path:
    shutil.copytree(staffed, tmp_path, dirs_exist_ok=True)
    (tmp_path / "studio.toml").write_text(CONFIG.format(folder=tmp_path))
    return tmp_path


def ask(folder: Path, *args: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, [*args[:2], "--db", str(folder / "studio.db"), *args[2:]], input=typed)


def receive(folder: Path, typed: str = PINS, **changes: str) -> Result:
    given = [word for name, value in {**DECK, **changes}.items() for word in (f"--{name}", value)]
    return CliRunner().invoke(main, ["decks", "receive", "--config", str(folder / "studio.toml"), *given], input=typed)


def test_a_deck_is_taken_in_before_two_people_listed_and_told(folder: Path) -> None:
    assert "Deck RED-1 is taken in and locked away in cage." in receive(folder).output
    [line] = ask(folder, "decks", "list", "--json").output.splitlines()
    assert {"deck": "RED-1", "whereabouts": "stored", "seal": "S1"}.items() <= json.loads(line).items()
    assert "RED-1" in ask(folder, "decks", "list").output
    assert "Taken in by Petra and Dana: casino" in ask(folder, "decks", "show", "RED-1").output
    assert json.loads(ask(folder, "decks", "show", "RED-1", "--json").output)["kind"] == "DeckReceived"
    assert verify(folder / "studio.db").first_wrong is None


@pytest.mark.parametrize(
    ("typed", "changes", "word"),
    [
        pytest.param("730162\n915374\n", {}, "PIN", id="a-wrong-pin"),
        pytest.param(PINS, {"second-badge": "7777"}, "Nobody of the staff wears badge 7777", id="nobodys-badge"),
        pytest.param("730162\n730162\n", {"second-badge": "2001"}, "his own witness", id="with-himself"),
        pytest.param("4826\n730162\n", {"badge": "1001", "second-badge": "2001"}, "", id="a-dealer"),
        pytest.param(PINS, {"back": "green"}, "these backs only", id="a-foreign-back"),
    ],
)
def test_a_refused_receipt_says_why_in_a_sentence(folder: Path, typed: str, changes: dict[str, str], word: str) -> None:
    said = receive(folder, typed, **changes)
    assert (said.exit_code, word in said.output, "Traceback" in said.output) == (1, True, False)
    assert ask(folder, "decks", "list", "--json").output == ""


def test_a_seal_of_another_deck_is_refused_and_on_record(folder: Path) -> None:
    receive(folder)
    assert "Seal S1 is on deck RED-1" in receive(folder, deck="RED-2").output
    assert "Petra read seal S1, which does not fit (taking a deck in)" in ask(folder, "decks", "show", "RED-1").output


def test_a_studio_at_work_is_read_and_not_added_to(folder: Path) -> None:
    receive(folder)
    with Store.open(folder / "studio.db"):
        assert "RED-1" in ask(folder, "decks", "list").output
        assert "Another studio is using it" in receive(folder, deck="RED-2", seal="S2").output
    assert "No deck of the register has the number RED-9" in ask(folder, "decks", "show", "RED-9").output
