"""`studio staff`: the first people of a real studio are entered on the machine itself."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from dealer_ui.staffing import staff
from studio.journal import Store


def add(database: Path, badge: str = "100", id: str = "a1", pin: str = "4711") -> str:
    args = ["add", "--db", str(database), "--id", id, "--badge", badge, "--name", "Aiko", "--role", "admin"]
    return CliRunner().invoke(staff, [*args, "--pin", pin]).output


def test_somebody_added_is_listed_without_a_pin(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    assert add(database) == "Aiko may sign in with badge 100.\n"
    listed = CliRunner().invoke(staff, ["list", "--db", str(database)]).output
    assert "Aiko" in listed
    assert "4711" not in listed
    assert b"4711" not in database.read_bytes()


def test_a_badge_is_worn_by_one_person(tmp_path: Path) -> None:
    add(tmp_path / "studio.db")
    assert "Error: " in add(tmp_path / "studio.db", id="a2")


def test_a_running_studio_keeps_its_database_to_itself(tmp_path: Path) -> None:
    database = tmp_path / "studio.db"
    with Store.open(database):
        assert "Another studio is using it" in add(database)


def test_a_pin_of_letters_is_refused_in_a_sentence(tmp_path: Path) -> None:
    assert "A PIN has 4 to 8 digits." in add(tmp_path / "studio.db", pin="abcd")
