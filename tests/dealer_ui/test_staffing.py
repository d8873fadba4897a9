"""`studio staff`: the first people of a real studio are entered on the machine itself."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from first_sign_in import chosen_at_machine, code_in

from dealer_ui.verbs.staff import staff
from dealer_ui.verbs.staff_register import RegisterPlace, open_register
from studio.journal import Store


def add(database: Path, badge: str = "100", id: str = "a1") -> str:
    args = ["add", "--db", str(database), "--id", id, "--badge", badge, "--name", "Aiko", "--role", "admin"]
    return CliRunner().invoke(staff, args).output


def test_somebody_added_gets_a_code_which_is_kept_nowhere(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    said = add(database)
    assert "\nAiko may sign in with badge 100. The code is " in said
    listed = CliRunner().invoke(staff, ["list", "--db", str(database)]).output
    assert "Aiko" in listed
    assert code_in(said) not in listed
    assert code_in(said).encode() not in database.read_bytes()
    chosen_at_machine(database, "100", code_in(said), "482615")
    assert b"482615" not in database.read_bytes()
    with open_register(RegisterPlace(database)) as desk:
        assert desk.sign_in("100", "482615", desk.now_ms(), "b" * 12).id == "a1"


def test_no_option_takes_a_pin_for_somebody_else(tmp_path: Path) -> None:
    args = ["add", "--db", str(tmp_path / "studio.db"), "--id", "a1", "--badge", "1", "--name", "A", "--role", "admin"]
    assert "No such option" in CliRunner().invoke(staff, [*args, "--pin", "482615"]).output
    assert not (tmp_path / "studio.db").exists()


def test_a_badge_is_worn_by_one_person(tmp_path: Path) -> None:
    add(tmp_path / "studio.db")
    assert "Error: " in add(tmp_path / "studio.db", id="a2")


def test_a_running_studio_keeps_its_database_to_itself(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    with Store.open(database):
        assert "Another studio is using it" in add(database)


def ask(database: Path, verb: str, *args: str) -> str:
    return CliRunner().invoke(staff, [verb, "--db", str(database), *args]).output


def test_papers_roles_pin_and_bar_are_kept_from_the_machine_too(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    add(database)
    days = ("--from", "2026-01-01", "--until", "2036-12-31")
    assert "good to 2036-12-31" in ask(database, "license", "--id", "a1", "--number", "L-1", *days)
    assert "three_knights C-1" in ask(
        database, "certify", "--id", "a1", "--game", "three_knights", "--number", "C-1", *days
    )
    assert "a1 is now admin, dealer." in ask(database, "roles", "--id", "a1", "--role", "admin", "--role", "dealer")
    assert "only administrator" in ask(database, "bar", "--id", "a1", "--reason", "keys lost")
    assert "only administrator" in ask(database, "retire", "--id", "a1")
    said = ask(database, "code", "--id", "a1")
    assert "The PIN of a1 opens nothing any more. The code is " in said
    chosen_at_machine(database, "100", code_in(said), "884213")
    add(database, badge="200", id="a2")
    assert "a1 is barred." in ask(database, "bar", "--id", "a1", "--reason", "keys lost")
    assert "may sign in again" in ask(database, "bar", "--id", "a1", "--reason", "found", "--lift")
    assert "has left" in ask(database, "retire", "--id", "a1")
    assert "left" in ask(database, "list")


def test_what_the_register_refuses_is_a_sentence_of_the_command_line(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    add(database)
    days = ("--from", "2036-01-01", "--until", "2026-12-31")
    assert "run out before it begins" in ask(database, "license", "--id", "a1", "--number", "L-1", *days)
    assert "Nobody of the staff" in ask(database, "retire", "--id", "x9")
