"""A configuration that cannot be used is answered with its file, its line and its key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dealer_ui.config.file import load_config
from studio.errors import BadInputError
from studio.games import find_game

DRIVERS = ("angel_eye", "generic")

GOOD = """\
[studio]
title = "Test"

[[devices]]
id = "shoe-1"
driver = "angel_eye"
url = "/dev/ttyUSB0"

[[devices]]
id = "eye-1"
driver = "camera"
url = "http://10.0.0.9/video"

[[tables]]
key = "t1"
title = "Table 1"
game = "three_knights"
shoe = "shoe-1"
camera = "eye-1"

[tables.rules]
six = "even"

[tables.limits]
"*" = { least_minor = 100, most_minor = 1_000 }
player1_pair_plus = { least_minor = 100, most_minor = 500 }

[[tables]]
key = "t2"
title = "Table 2"
game = "three_knights"

[operators.north]
key_sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
"""


def wrong(path: Path, old: str, new: str) -> str:
    assert GOOD.count(old) >= 1
    path.write_text(GOOD.replace(old, new, 1))
    with pytest.raises(BadInputError) as caught:
        load_config(path, DRIVERS)
    return str(caught.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "studio.toml"


def test_a_good_file_is_read_whole(file: Path) -> None:
    file.write_text(GOOD)
    config = load_config(file, DRIVERS)
    table = config.table_config(config.tables[0])
    assert (table.shoe, table.camera, table.rules["six"]) == ("shoe-1", "eye-1", "even")
    assert table.limit("player1_win").most_minor == 1_000


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read: No such file") as caught:
        load_config(file, DRIVERS)
    assert caught.value.where == str(file)


def test_a_folder_and_a_file_in_another_alphabet_are_refused(file: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read: Is a directory"):
        load_config(file.parent, DRIVERS)
    file.write_bytes("title = 'Größe'".encode("latin-1"))
    with pytest.raises(BadInputError, match="not UTF-8"):
        load_config(file, DRIVERS)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "Test"', "title = Test", 2, "This is not valid TOML: Invalid value."),
        ("[operators.north]\n", "[operators.north\n", 33, "This is not valid TOML: "),
        ('title = "Test"', 'titel = "Test"', 2, "The key studio.titel is wrong: there is no such key."),
        ("[studio]", "[studios]", 1, "The key studios is wrong: there is no such key."),
        ('url = "/dev/ttyUSB0"', "url = 7", 7, "The key devices.1.url is wrong: input should be a valid string."),
        ('url = "/dev/ttyUSB0"', "", 4, "The key devices.1.url is wrong: it is missing."),
        ('title = "Table 2"', "", 28, "The key tables.2.title is wrong: it is missing."),
        (
            'title = "Table 2"', 'title = "Table 2"\nwindow_s = 0', 31,
            "The key tables.2.window_s is wrong: input should be greater than 0.",
        ),
        (
            'title = "Table 2"', 'title = "Table 2"\nwindow_s = 16', 31,
            "The key tables.2.window_s is wrong: input should be less than or equal to 15.",
        ),
        (
            'driver = "angel_eye"', 'driver = "angel_ey"', 6,
            "The key devices.1.driver is wrong: there is no driver 'angel_ey', only angel_eye, camera, generic.",
        ),
        ('id = "eye-1"', 'id = "shoe-1"', 10, "The key devices.2.id is wrong: two devices are called shoe-1."),
        (
            'shoe = "shoe-1"', 'shoe = "shoe-2"', 18,
            "The key tables.1.shoe is wrong: there is no device 'shoe-2'; the devices are: shoe-1, eye-1.",
        ),
        (
            'shoe = "shoe-1"', 'shoe = "eye-1"', 18,
            "The key tables.1.shoe is wrong: the device 'eye-1' has the driver 'camera'.",
        ),
        (
            'game = "three_knights"\n\n[operators', 'game = "three_knights"\nshoe = "shoe-1"\n\n[operators', 32,
            "The key tables.2.shoe is wrong: the device 'shoe-1' stands somewhere else already.",
        ),
        ('key = "t2"', 'key = "t1"', 29, "The key tables.2.key is wrong: two tables are called t1."),
        (
            'game = "three_knights"', 'game = "three_nights"', 17,
            "The key tables.1.game is wrong: there is no game 'three_nights' here: the games are three_knights",
        ),
        (
            'title = "Test"', 'title = "Test"\ncurrency = "ZZZ"', 3,
            "The key studio.currency is wrong: there is no currency ZZZ: write the three letters of ISO 4217, as in EU",
        ),
        (
            'six = "even"', 'six = "odd"', 22,
            "The key tables.1.rules.six is wrong: the house option six cannot be 'odd': "
            "write one of six_pays_half, commission, even.",
        ),
        (
            'six = "even"', 'seven = "even"', 22,
            "The key tables.1.rules.seven is wrong: Three Knights has no house option 'seven': it has six.",
        ),
        (
            "player1_pair_plus =", "player1_pair_minus =", 26,
            "The key tables.1.limits.player1_pair_minus is wrong: the game has no such bet.",
        ),
        (
            "most_minor = 1_000", "most_minor = 10", 25,
            "The key tables.1.limits.* is wrong: the least is above the most.",
        ),
        (
            'title = "Table 1"', 'title = "Table 1"\nexposure_most_minor = 3_999', 17,
            "The key tables.1.exposure_most_minor is wrong: one least stake on player1_pair_plus at t1 could cost the "
            "house more than that.",
        ),
        (
            "[operators.north]", "[operators.north]\nexposure_most_minor = 100", 34,
            "The key operators.north.exposure_most_minor is wrong: one least stake on player1_tie at t1 could cost",
        ),
        (
            "[operators.north]", "[operators.north]\ndeposit_most_minor = 101\ncredit_most_minor = 100", 34,
            "The key operators.north.deposit_most_minor is wrong: one deposit would be more than all purses may hold",
        ),
        (
            "[operators.north]",
            '[presets.high]\ntitle = "High"\ngame = "blackjack"\nexposure_most_minor = 9_999\n\n[operators.north]', 36,
            "The key presets.high.exposure_most_minor is wrong: one least stake on 1:perfect_pair at t1 could cost",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_file_its_line_and_its_key(
    file: Path, old: str, new: str, line: int, said: str
) -> None:
    sentence = wrong(file, old, new)
    assert sentence.startswith(f"{file}, line {line}: "), sentence
    assert said in sentence


def test_what_the_operating_page_writes_of_a_poker_table_and_an_operator_is_taken(file: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/operating.md").read_text("utf-8")
    table, operator = (
        re.search(rf"### {heading}\n.*?```toml\n(.*?)```", page, re.DOTALL)
        for heading in ("A table of the poker room", "Operators")
    )
    assert table
    assert operator
    devices = re.sub(r"^(shoe|shuffler|camera) = .*\n", "", table[1], flags=re.MULTILINE)
    file.write_text(GOOD.partition("[operators")[0] + devices + operator[1].replace("…", "0" * 64))
    config = load_config(file, DRIVERS)
    (poker,) = [one for one in config.tables if one.key == "nlh-1"]
    written = {**poker.rules}
    assert written == dict(find_game("nlh").options.defaults)
    assert config.operators["north"].claw_back == "partial_and_receivable"


def test_the_secrets_of_a_webhook_lie_beside_the_configuration_and_are_not_needed(tmp_path: Path) -> None:
    hooks = {
        "north": 'key_file = "north.secret"',
        "south": "",
        "east": 'key_file = "old.secret"\nnext_key_file = "new.secret"',
    }
    sections = (
        f'[operators.{name}.webhook]\naddress = "https://{name}.example/r"\n{key}\n' for name, key in hooks.items()
    )
    path = tmp_path / "studio.toml"
    path.write_text(GOOD + "\n" + "\n".join(sections))
    operators = load_config(path, DRIVERS).operators
    files = {name: one.webhook.key_files for name, one in operators.items() if one.webhook is not None}
    beside = {"north": ("north.secret",), "south": (), "east": ("old.secret", "new.secret")}
    assert files == {name: tuple(str(tmp_path / one) for one in named) for name, named in beside.items()}


def test_the_secrets_of_an_operators_calls_lie_beside_the_configuration_too(tmp_path: Path) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(f'{GOOD}\n[operators.south.calls]\nkey_files = ["a", "b"]\naddresses = ["10.1.0.0/16"]\n')
    calls = load_config(path, DRIVERS).operators["south"].calls
    assert calls is not None
    assert calls.key_files == (str(tmp_path / "a"), str(tmp_path / "b"))


@pytest.mark.parametrize(
    "wrong", ['key_files = ["a", "b", "c"]', 'addresses = ["10.1.0.0/99"]', 'address = "10.1.0.1"']
)
def test_calls_that_cannot_be_are_refused_with_their_line(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(f"{GOOD}\n[operators.south.calls]\n{wrong}\n")
    with pytest.raises(BadInputError, match=r"operators\.south\.calls|line"):
        load_config(path, DRIVERS)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            '[studio]\ncurrency = "eur"',
            "studio.currency is wrong: write the three capital letters of ISO 4217, as in EUR.",
        ),
        ('[server]\npublic = "studio.example"', "server.public is wrong: write https:// and the name of a host, "),
        ('[server]\nmetrics_key_sha256 = "AB"', "server.metrics_key_sha256 is wrong: write the 64 hexadecimal digits"),
        ("[regulator]\nlarge_minor = { eur = 5 }", "[key] is wrong: write the three capital letters of ISO 4217"),
        ("[pots.Main]\nseed_minor = 1", "[key] is wrong: write small letters, digits, - and _, "),
        ('[operators.north]\nframes_from = ["play.example"]', "frames_from.1 is wrong: write the address of a site "),
        ('[studio]\nday_begins = "6"', "studio.day_begins is wrong: write a time of day, as in 06:00."),
    ],
    ids=lambda text: text.partition("\n")[2],
)
def test_a_person_is_told_what_to_write_and_no_regular_expression(tmp_path: Path, wrong: str, said: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(f'{wrong}\n\n[[tables]]\nkey = "t1"\ntitle = "Table 1"\ngame = "three_knights"\n')
    with pytest.raises(BadInputError) as told:
        load_config(path, DRIVERS)
    assert said in str(told.value)
    assert "^" not in str(told.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"driver": "generic"}, "has the driver of shufflers; a shoe of that profile has 'generic_shoe'"),
        ({"url": "socket://10.0.0.7:4001"}, "the device 'b' has the address of 'a', which stands somewhere else"),
    ],
)
def test_two_tables_never_read_one_line_and_no_shuffler_is_a_shoe(
    tmp_path: Path, change: dict[str, str], said: str
) -> None:
    shoes = {"a": {"driver": "angel_eye", "url": "socket://10.0.0.7:4001"}}
    shoes["b"] = {"driver": "angel_eye", "url": "socket://10.0.0.8:4001", **change}
    text = '[studio]\ntitle = "X"\ndatabase = "s.db"\nevidence = "ev"\n[server]\nthreads = 24\n'
    for id, shoe in shoes.items():
        text += f'[[devices]]\nid = "{id}"\ndriver = "{shoe["driver"]}"\nurl = "{shoe["url"]}"\n'
        text += f'[[tables]]\nkey = "t{id}"\ntitle = "{id}"\ngame = "three_knights"\nshoe = "{id}"\n'
    path = tmp_path / "studio.toml"
    path.write_text(text)
    with pytest.raises(BadInputError, match=re.escape(said)):
        load_config(path)


@pytest.mark.parametrize("url", ["/dev/ttyUSB0", "socket://127.0.0.1:4001"])
@pytest.mark.parametrize(("hosts", "stands"), [("ab", True), ("aa", False), ("a", False)])
def test_the_same_path_at_two_hosts_is_a_device_of_each_machine(
    tmp_path: Path, url: str, hosts: str, stands: bool
) -> None:
    text = '[studio]\ntitle = "X"\ndatabase = "s.db"\nevidence = "ev"\n[server]\nthreads = 24\n'
    for number, host in enumerate(hosts.ljust(2)):
        text += f'[[devices]]\nid = "s{number}"\ndriver = "angel_eye"\nurl = "{url}"\n'
        text += f'[[tables]]\nkey = "t{number}"\ntitle = "T"\ngame = "three_knights"\nshoe = "s{number}"\n'
        text += f'host = "{host.strip()}"\n'
    path = tmp_path / "studio.toml"
    path.write_text(text)
    if stands:
        assert len(load_config(path).tables) == 2
        return
    with pytest.raises(BadInputError, match="the device 's1' has the address of 's0'"):
        load_config(path)
