"""Every command of `studio` asked wrongly: it ends with one plain sentence, and nothing is made on the way."""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from dealer_ui.cli import main

KEY = "0" * 64
STAFF = ("--id", "d1", "--badge", "100", "--name", "Dewi", "--role", "dealer")
DAYS = ("--number", "1", "--from", "2026-01-01", "--until", "2036-12-31")
CONFIG = str(Path(__file__).parents[2] / "config/example-studio.toml")
DECK = ("--deck", "1", "--design", "d", "--back", "red", "--seal", "1", "--place", "p")

# X is a file that cannot be used, GOOD a studio's database, OUT a place where nothing lies yet, WORDS a plain file.
FILES_WANTED = """
archive X 2026 --to OUT --by Mika
backup X OUT
backup GOOD OUT --evidence WORDS/under
restore X OUT
upgrade-rehearsal X
upgrade-rehearsal GOOD --folder WORDS/under
care public-key X
care retention --config X
care retention --config X --dry-run
decks list --db X
decks list --db X --json
decks show --db X D1
devices calibrate X.png OUT --game kkclash
devices list --config WORDS/under
devices read-cards X
devices read-cards X --json
devices record socket://127.0.0.1:1 WORDS/under --driver angel_eye --for 0.1
devices replay X
devices replay X --json
export X --out OUT
export GOOD --out WORDS/under
floor --config X --node 127.0.0.1:8080
hands X
hands X --json
hosts list --config X
hosts drain b --config X --reason r
hosts return b --config X
hosts move t1 --to b --config X --reason r
hosts keep t1 --config X
operators list --config X
operators add --config X north --reason r
operators suspend --config X north --reason r
operators resume --config X north --reason r
operators rotate --config X north --reason r
operators revoke --config X north --reason r
operators reload --config X --reason r
keys show X
keys show GOOD --wrapped-by file:X
keys wrap X --wrapped-by env:NONE
keys wrap GOOD --wrapped-by file:X
keys rewrap X --wrapped-by env:NONE --to env:NONE
keys unwrap X --wrapped-by env:NONE
keys retire pepper --config X --reason r
keys rotate pepper --config X --reason r
migrate-to-postgres X postgresql://127.0.0.1:1/none
prepare postgresql://127.0.0.1:1/none --web web
program accept --db X --by Mika --reason r
program check --against X
program check --db X
procedures check WORDS/under
reconcile X --operator north --against CONFIG
reconcile GOOD --operator north --against X
statement X --operator north
wallet check --operator north --config X
procedures page WORDS/under --config CONFIG
procedures page OUT --config X
replay X 1
replay X 1 --json
report incident --db X
rtp kkclash --rules X
rtp --config X
ruling --incident extra_card --phase dealing --config X
serve --config X
demo --db WORDS/under --port 1
staff list --db X
staff retire --db X --id d1
staff bar --db X --id d1 --reason r
staff code --db X --id d1
staff reset-factor --db X --id d1 --reason r --beside 100 --pin 482615
staff roles --db X --id d1 --role dealer
verify X
verify X --json
verify X --json --progress
verify GOOD --witness X
verify GOOD --archive X
verify GOOD --public-key X
verify-export X --public-key KEY
verify-export X --public-key KEY --json
""".strip().splitlines()
CANNOT_BE_USED = ("missing", "folder", "empty", "words", "bytes", "other", "deep", "digits.toml", "n" * 300, "\udce9")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("studio") / "studio.db"
    assert CliRunner().invoke(main, ["staff", "add", "--db", str(database), *STAFF]).exit_code == 0
    assert CliRunner().invoke(main, ["upgrade-rehearsal", str(database)]).exit_code == 0
    database.with_name("studio.db.signing").write_bytes(bytes(32))
    return database


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").touch()
    (tmp_path / "words").write_text("hello there\n")
    (tmp_path / "bytes").write_bytes(b"caf\xe9 \xff\xfe" * 20)
    (tmp_path / "deep").write_text("[" * 100_000)
    (tmp_path / "digits.toml").write_text(f"a = {'9' * 5000}\n")
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE music (title)")
    other.close()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lying_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in sorted(folder.rglob("*"))}


def ends_plainly(result: Result) -> str:
    """What it said in the end: a full sentence, and no traceback."""
    assert isinstance(result.exception, SystemExit), repr(result.exception)
    assert result.exit_code != 0, result.output
    [*_, said] = result.output.strip().splitlines()
    said = str(json.loads(said)["error"]) if said.startswith("{") else said
    assert said.endswith((".", ")", ")?")), said
    assert len(said) < 1500
    return said


@pytest.mark.parametrize("shape", FILES_WANTED)
def test_a_file_that_cannot_be_used_is_named_and_nothing_is_made(shape: str, place: Path, good: Path) -> None:
    words = {"GOOD": str(good), "OUT": str(place / "out"), "KEY": KEY, "CONFIG": CONFIG, "WORDS/under": "words/under"}
    before = lying_in(place)
    for name in CANNOT_BE_USED if "X" in shape else ("",):
        file = str(place / name)
        args = [words.get(word, word.replace("X", file) if word.startswith("X") else word) for word in shape.split()]
        ends_plainly(CliRunner().invoke(main, args))
        assert lying_in(place) == before, (shape, name)


def commands_of(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from commands_of(found, (*path, name))


COMMANDS = dict(commands_of(main))
ASKED_ELSEWHERE = {
    "decks receive", "devices enrol", "devices sim", "doctor", "staff add", "staff certify", "staff license",
    "wallet operator",
}  # fmt: skip


def test_every_command_that_takes_a_file_is_asked_for_one_that_cannot_be_used() -> None:
    takes = {
        " ".join(path)
        for path, command in COMMANDS.items()
        if any(isinstance(parameter.type, click.Path) for parameter in command.params)
    }
    asked = {name for name in takes if any(shape.startswith(f"{name} ") for shape in FILES_WANTED)}
    assert takes - asked == ASKED_ELSEWHERE


def test_a_simulators_name_takes_nobodys_place(tmp_path: Path) -> None:
    there = tmp_path / "notes.txt"
    there.write_text("mine")
    for link in (there, tmp_path, tmp_path / "nowhere" / "shoe"):
        ends_plainly(CliRunner().invoke(main, ["devices", "sim", "angel_eye", "--pty", "--link", str(link)]))
    assert there.read_text() == "mine"


WRONG = [
    ("report incident --db GOOD --game chess", "cannot be made of one game: it takes --table and --dealer."),
    ("report table --db GOOD --game chess", "There is no game 'chess' here"),
    ("report table --db GOOD --table lounge", "There is no table 'lounge' in this record. It has: none."),
    ("report table --db GOOD --operator nobody", "There is no operator 'nobody' in this record."),
    ("report dealer --db GOOD --dealer x9", "There is no dealer 'x9' in this record. It has: d1 (Dewi)."),
    ("report shift --db GOOD --operator north", "The report shift cannot be made of one operator: it takes --table."),
    ("report chess --db GOOD", "There is no report 'chess'"),
    ("report table --db GOOD --day 9999-12-31", "is no moment of a studio"),
    ("report table --db GOOD --from 0001-01-01 --zone Asia/Tokyo", "is no moment of a studio"),
    ("report table --db GOOD --zone Asia", "There is no zone 'Asia'"),
    ("report table --db GOOD --day-begins 06:00Z", "and the zone with --zone"),
    ("report table --db GOOD --from 2026-02-01 --to 2026-01-01", "The span ends before it begins"),
    ("rtp kkclash --save OUT --date soon", "'soon' is no day: write it as 2026-01-31."),
    ("rtp kkclash --save OUT --date 20260131", "is no day"),
    ("rtp kkclash --date 2026-01-31", "name the folder too"),
    ("rtp chess", "There is no game 'chess' here"),
    ("rtp kkclash --rule shark=DIGITS", "shark cannot return"),
    ("rtp kkclash --rules {\"shark\":DIGITS}", "too many digits"),
    ("ruling --game kkclash --table x --incident extra_card --phase dealing", "name that with --config FILE"),
    ("ruling --game kkclash --incident extra_card --phase dealing --with count=DIGITS", "'count' cannot be"),
    ("ruling --game kkclash --incident extra_card --phase dealing --with count", "write it as NAME=VALUE"),
    ("staff list --db typo.db", "typo.db: There is no such database"),
    ("staff retire --db typo.db --id d1", "typo.db: There is no such database"),
    ("staff retire --db empty --id d1", "It is empty, and no studio's database"),
    ("staff license --db typo.db --id d1 DAYS", "typo.db: There is no such database"),
    ("staff certify --db typo.db --id d1 --game kkclash DAYS", "typo.db: There is no such database"),
    ("staff add --db typo.db --id camera --badge 1 --name Dewi --role dealer", "The record calls a machine"),
    ("staff add --db words STAFF", "words: The file cannot be read as a database"),
    ("decks receive --config missing DECK --badge 1 --second-badge 2", "The configuration cannot be read"),
    ("export typo.db --out OUT", "typo.db: There is no such database"),
    ("export GOOD --from DIGITS --out OUT", "is no row, day or time"),
    ("export GOOD --from ² --out OUT", "is no row, day or time"),
    ("care public-key typo.db", "typo.db: There is no such database"),
    ("upgrade-rehearsal empty", "It is empty, and no studio's database"),
    ("backup typo.db OUT", "typo.db: There is no such database"),
    ("backup GOOD OUT --keys-to words/under", "nothing of it was kept"),
    ("replay GOOD DIGITS", "There is no round"),
    ("verify GOOD --public-key 12", "The public key cannot be read"),
    ("doctor --db GOOD --witness folder", "is no file"),
    ("simulate --game chess", "There is no game 'chess' here"),
    ("demo --game chess", "There is no game 'chess'"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "said"), WRONG, ids=[line[:70] for line, _ in WRONG])
def test_a_wrong_value_is_answered_with_what_to_do(line: str, said: str, place: Path, good: Path) -> None:
    words = {"GOOD": [str(good)], "OUT": [str(place / "out")], "STAFF": STAFF, "DAYS": DAYS, "DECK": DECK}
    args = [part.replace("DIGITS", "9" * 5000) for word in line.split() for part in words.get(word, [word])]
    before = lying_in(place)
    result = CliRunner().invoke(main, args)
    if line.startswith("doctor"):
        assert said in result.output
        return
    ends_plainly(result)
    assert said in result.output
    assert {name for name in lying_in(place) if not name.endswith("/out")} == set(before)


def test_the_first_of_a_new_studio_makes_its_database_and_is_told_so(place: Path) -> None:
    args = ["staff", "add", "--db", "new.db"]
    assert "new.db is new" in CliRunner().invoke(main, [*args, *STAFF]).output
    second = [word.replace("d1", "d2").replace("100", "101") for word in STAFF]
    assert "is new" not in CliRunner().invoke(main, [*args, *second]).output
    listed = CliRunner().invoke(main, ["staff", "list", "--db", "new.db"]).output
    assert "d1" in listed
    assert "d2" in listed


# --- output that nobody can take -------------------------------------------------------------------------


def run_with(output: int, args: list[str]) -> int:
    stdout = os.fdopen(output, "w", encoding="utf-8")
    with redirect_stdout(stdout), pytest.raises(SystemExit) as ended:
        main.main(args, prog_name="studio")
    with suppress(OSError):
        stdout.close()
    return int(ended.value.code or 0)


SPEAKS = [
    ["--version"],
    ["care", "public-key", "GOOD"],
    ["decks", "list", "--db", "GOOD"],
    ["devices", "list"],
    ["doctor", "--db", "GOOD"],
    ["export", "GOOD", "--out", "OUT"],
    ["hands", "missing.phh"],
    ["report", "incident", "--db", "GOOD"],
    ["report", "incident", "--db", "GOOD", "--json"],
    ["ruling", "--game", "kkclash", "--incident", "exposed_card", "--phase", "betting"],
    ["staff", "list", "--db", "GOOD"],
    ["upgrade-rehearsal", "GOOD"],
    ["verify", "GOOD"],
    *([*path, "--help"] for path in COMMANDS),
]


@pytest.mark.parametrize("args", SPEAKS, ids=" ".join)
def test_a_full_disk_or_a_closed_pipe_ends_a_command_with_a_sentence_at_most(
    args: list[str], place: Path, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in ("full", "closed"):
        words = {"GOOD": str(good), "OUT": str(place / f"out-{kind}")}
        if kind == "full":
            output = os.open("/dev/full", os.O_WRONLY)
        else:
            reading, output = os.pipe()
            os.close(reading)
        assert run_with(output, [words.get(word, word) for word in args]) == 1
        said = capsys.readouterr().err
        sentence = "Error: What this command says cannot be written: No space left on device.\n"
        assert said in (sentence, "") if kind == "closed" else said == sentence


FULL = [
    (["rtp", "three_knights", "--save", "/dev/full/x"], "No certificate can be written here"),
    (["report", "incident", "--db", "GOOD", "--csv", "/dev/full/x"], "It cannot be written"),
    (["export", "GOOD", "--out", "/dev/full/x"], "Not a directory"),
    (["procedures", "page", "/dev/full/x", "--config", CONFIG], "It cannot be read or written"),
    (["backup", "GOOD", "/dev/full/x"], "nothing of it was kept"),
]


@pytest.mark.parametrize(("args", "said"), FULL, ids=[" ".join(args[:1]) for args, _ in FULL])
def test_a_place_that_cannot_be_written_is_named(args: list[str], said: str, good: Path) -> None:
    result = CliRunner().invoke(main, [str(good) if word == "GOOD" else word for word in args])
    assert said in ends_plainly(result)
