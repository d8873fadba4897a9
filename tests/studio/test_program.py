"""Which program runs: its parts, what became of them, who answers for it, and the commands that say so."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from studio.care import program as subject
from studio.care.event import PartFound, ProgramAccepted, ProgramFound, entry_of
from studio.cli.program import command
from studio.journal import Reader, Store, Unit, Writer
from studio.proof.audit.database import verify

TREE = {
    "studio/__init__.py": "",
    "studio/money.py": "ONE = 1",
    "devices/link.py": "LINK = 2",
    "dealer_ui/templates/pit.html": "<p>",
}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with a small program in it, and what Python left there."""
    folder = tmp_path / "installed"
    for name, text in TREE.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    left = folder / "studio/__pycache__/money.pyc"
    left.parent.mkdir()
    left.write_text("made here")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "studio.db") as opened:
        yield opened


def keep(store: Store, *events: ProgramFound | ProgramAccepted) -> None:
    writer = Writer(store)
    for event in events:
        writer.commit(Unit(entries=(entry_of(event),)))
    writer.close()


def found(parts: dict[str, str], *changed: tuple[str, str], digest: str = "") -> ProgramFound:
    told = tuple(PartFound(part=part, digest=one) for part, one in changed)
    return ProgramFound(at_ms=1, why="start", version="1", digest=digest or subject.digest_of(parts), changed=told)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments, catch_exceptions=False)


# --- parts --------------------------------------------------------------------------------------------


def test_a_part_is_a_folder_and_another_file_in_it_is_another_part(installed: Path) -> None:
    before = subject.look(installed)
    assert {"studio", "devices", "dealer_ui/templates"} <= before.parts.keys()
    (installed / "studio/money.py").write_text("ONE = 2")
    (installed / "devices/link.py").unlink()
    (installed / "devices/shoe.py").write_text("")
    (installed / "dealer_ui/new").mkdir()
    (installed / "dealer_ui/new/page.html").write_text("")
    after = subject.look(installed)
    assert [one.part for one in subject.changed(before.parts, after.parts)] == ["dealer_ui/new", "devices", "studio"]
    assert after.digest != before.digest


def test_what_python_makes_of_a_file_is_no_part_of_the_program(installed: Path) -> None:
    before = subject.look(installed)
    (installed / "studio/__pycache__/money.pyc").write_text("made anew")
    assert subject.look(installed) == before
    assert sorted(name for name, _ in subject.files(installed)) == sorted(TREE)


def test_the_libraries_and_python_are_parts_of_it() -> None:
    names = subject.look().parts.keys()
    assert any(name.startswith("library msgspec ") for name in names)
    assert any(name.startswith("python 3.") for name in names)


def test_a_stranger_checks_the_list_with_sha256sum(installed: Path, tmp_path: Path) -> None:
    lines = "".join(f"{digest}  {name}\n" for name, digest in subject.files(installed))
    (tmp_path / "list.txt").write_text(lines)
    asked = ["sha256sum", "--quiet", "-c", str(tmp_path / "list.txt")]
    subprocess.run(asked, cwd=installed, check=True, capture_output=True)
    (installed / "studio/money.py").write_text("ONE = 2")
    done = subprocess.run(asked, cwd=installed, check=False, capture_output=True, text=True)
    assert "studio/money.py: FAILED" in done.stdout


def test_a_library_of_which_a_file_was_edited_or_lost_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "site"
    (place / "lib-1.0.dist-info").mkdir(parents=True)
    for name in ("lib.py", "gone.py", "edited.py", "odd, name.py"):
        (place / name).write_text("x = 1\n")
    told = f"sha256={_digest(place / 'lib.py')},6"
    (place / "lib-1.0.dist-info/RECORD").write_text(
        f'lib.py,{told}\ngone.py,{told}\nedited.py,{told}\n"odd, name.py",{told}\nlib-1.0.dist-info/RECORD,,\n'
    )
    (place / "gone.py").unlink()
    (place / "edited.py").write_text("x = 2\n")
    monkeypatch.setattr("sys.path", [str(place)])
    assert [(name.partition(": ")[2], good) for name, good in subject.library_files()] == [
        ("lib.py", True), ("gone.py", False), ("edited.py", False), ("odd, name.py", True),
    ]  # fmt: skip


def _digest(path: Path) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(path.read_bytes()).digest()).rstrip(b"=").decode()


# --- the record ---------------------------------------------------------------------------------------


def test_the_rows_are_the_log_of_installations(store: Store) -> None:
    accepted = ProgramAccepted(at_ms=2, version="1", digest="d", by="Mika (root)", reason="approval 17")
    keep(
        store, found({"a": "1", "b": "2"}, ("a", "1"), ("b", "2")), accepted,
        found({"a": "3", "c": "4"}, ("a", "3"), ("b", ""), ("c", "4")),
    )  # fmt: skip
    with store.reader() as reader:
        record = subject.known(reader.events(kinds=subject.KINDS))
    assert record.parts == {"a": "3", "c": "4"}
    assert record.accepted == accepted
    assert record.found is not None
    assert [one.part for one in record.found.changed] == ["a", "b", "c"]


def test_verify_finds_a_program_whose_digest_is_not_that_of_its_parts(store: Store, tmp_path: Path) -> None:
    keep(store, found({"a": "1"}, ("a", "1")), found({"a": "1"}))
    assert verify(tmp_path / "studio.db").ok
    keep(store, found({"a": "1"}, digest="0" * 64))
    verdict = verify(tmp_path / "studio.db")
    assert verdict.first_wrong is not None
    assert "digest" in verdict.first_wrong.sentence


# --- the commands -------------------------------------------------------------------------------------


@pytest.fixture
def small(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The commands look at the small program, and at no library."""
    monkeypatch.setattr("studio.cli.program.look", lambda: subject.look(installed))
    monkeypatch.setattr("studio.cli.program.files", lambda: subject.files(installed))
    monkeypatch.setattr("studio.cli.program.library_files", lambda: iter([("lib: lib.py", True)]))
    return installed


def test_a_program_is_shown_with_its_parts(small: Path) -> None:
    assert f"digest {subject.look(small).digest}" in run("show").stdout
    told = json.loads(run("show", "--parts", "--json").stdout)
    assert told["digest"] == subject.digest_of(told["parts"])
    assert "studio\n" in run("show", "--parts").stdout


def test_a_list_that_was_given_earlier_names_every_difference(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(run("list").stdout)
    assert run("check", "--against", str(path)).exit_code == 0
    (small / "studio/money.py").write_text("ONE = 2")
    (small / "devices/link.py").unlink()
    (small / "devices/shoe.py").write_text("")
    done = run("check", "--against", str(path))
    assert done.exit_code == 1
    assert done.stdout.splitlines()[:3] == [
        "devices/link.py is in the list and not here.",
        "devices/shoe.py is here and not in the list.",
        "studio/money.py is another than in the list.",
    ]
    told = json.loads(run("check", "--against", str(path), "--json").stdout)
    assert (told["ok"], len(told["wrong"])) == (False, 3)


def test_a_file_that_is_no_list_is_refused_with_its_line(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("nonsense\n")
    done = run("check", "--against", str(path))
    assert done.exit_code == 1
    assert "Line 1 is no digest and name" in done.output


def test_a_record_says_who_answers_for_what_runs(small: Path, tmp_path: Path) -> None:
    db = tmp_path / "studio.db"
    with Store.open(db):
        pass
    assert "does not know of any program yet" in run("check", "--db", str(db)).stdout
    now = subject.look(small)
    with Store.open(db) as store:
        keep(store, found(dict(now.parts), *now.parts.items()))
    assert "Nobody answers for any program" in run("check", "--db", str(db)).stdout
    done = run("accept", "--db", str(db), "--by", "Mika", "--reason", "approval 17")
    assert done.stdout.startswith("Mika (")
    assert run("check", "--db", str(db)).exit_code == 0
    with Reader.open(db) as reader:
        accepted = subject.known(reader.events(kinds=subject.KINDS)).accepted
    assert accepted is not None
    assert (accepted.digest, accepted.reason) == (now.digest, "approval 17")
    (small / "studio/money.py").write_text("ONE = 2")
    done = run("check", "--db", str(db))
    assert "studio is another than in the record." in done.stdout
    assert "answers for another program" in done.stdout


def test_nobody_answers_without_a_name_and_a_reason(small: Path, tmp_path: Path) -> None:
    done = run("accept", "--db", str(tmp_path / "studio.db"), "--by", " ", "--reason", "x")
    assert done.exit_code == 1
    assert "neither may be empty" in done.output
    done = run("accept", "--db", str(tmp_path / "none.db"), "--by", "Mika", "--reason", "x")
    assert done.exit_code == 1
