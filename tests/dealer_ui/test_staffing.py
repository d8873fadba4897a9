"""`studio staff`: the first people of a real studio are entered on the machine itself."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from dealer_ui.verbs.staff import staff
from studio.journal import Store


def add(database: Path, badge: str = "100", id: str = "a1", pin: str = "482615") -> str:
    args = ["add", "--db", str(database), "--id", id, "--badge", badge, "--name", "Aiko", "--role", "admin"]
    return CliRunner().invoke(staff, [*args, "--pin", pin]).output


def test_somebody_added_is_listed_without_a_pin(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    assert add(database).endswith("\nAiko may sign in with badge 100.\n")
    listed = CliRunner().invoke(staff, ["list", "--db", str(database)]).output
    assert "Aiko" in listed
    assert "482615" not in listed
    assert b"482615" not in database.read_bytes()


def test_a_badge_is_worn_by_one_person(tmp_path: Path) -> None:
    add(tmp_path / "studio.db")
    assert "Error: " in add(tmp_path / "studio.db", id="a2")


def test_a_running_studio_keeps_its_database_to_itself(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    with Store.open(database):
        assert "Another studio is using it" in add(database)


def test_a_pin_of_letters_is_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "A PIN has 4 to 8 digits." in add(tmp_path / "studio.db", pin="abcd")


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
    assert "new PIN" in ask(database, "pin", "--id", "a1", "--pin", "884213")
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
