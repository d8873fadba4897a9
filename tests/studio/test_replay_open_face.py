"""`studio replay DB ROUND --text`: a hand of Open-Face Chinese as a table recorded it, sealed where it is sealed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from open_face_bench import OpenFaceBench
from table_bench import PIT

from dealer_ui.verbs.replay import command

QUEENS = "Ah Ad Ac Qh Qd 2c 3d 4h 5s 7c Kh Kd 8c 9d Th Jc Ks 4c 6d Ts 2h 3h 8d 9s 2s As 5d 5h 6c 6h 7d 7h 8s Js"
BOB = (
    ("bottom", "bottom", "bottom", "top", "top"), ("middle", "middle", "muck"), ("muck", "bottom", "middle"),
    ("bottom", "middle", "muck"), ("muck", "top", "middle"),
)  # fmt: skip


def replay(path: Path, *more: str) -> Result:
    return CliRunner().invoke(command, [str(path), *more])


def cards_in(text: str) -> set[str]:
    return set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand that sends Bob into fantasy; the hand he plays in it, which Ann lets pass; a void one."""
    path = tmp_path_factory.mktemp("ofc") / "studio.db"
    bench = OpenFaceBench("ann bob", path=str(path)).open()
    bench.hand(QUEENS)
    for rows in BOB:
        assert bench.set(*rows).status == "accepted"
        bench.set_at_random()
    bench.end_hand()
    bench.hand()
    bench.play_out(silent=("seat1",))
    bench.end_hand()
    bench.hand()
    bench.report("malfunction", PIT)
    bench.rule("void_round", PIT, kind="malfunction")
    bench.clear()
    bench.close()
    return path


def test_a_hand_is_told_street_by_street(db: Path) -> None:
    told = replay(db, "1", "--text")
    assert told.exit_code == 0, told.output
    head, *parts = told.stdout.split("\n\n")
    assert "Open-Face Chinese, hand ofc-1-0000001, table ofc-1" in head
    assert re.search(r"^seat2  north/bob  .*EUR$", head, re.M)
    assert [part.splitlines()[0] for part in parts] == [*(f"Street {n}" for n in range(1, 6)), "Boards", "Points"]
    assert parts[0].splitlines()[1] == "seat2  5 dealt  top Qh Qd · bottom Ah Ad Ac"
    assert parts[1].splitlines()[1] == "seat2  3 dealt  middle Kh Kd · 1 given up"
    assert "next hand in fantasy with 14" in parts[5].splitlines()[1]
    assert re.fullmatch(r"seat2 against seat1  \+\d  \d+\.\d\d EUR", parts[6].splitlines()[1])


def test_what_was_given_up_is_told_to_its_own_seat_alone(db: Path) -> None:
    public = cards_in(replay(db, "1", "--text").stdout)
    bob, ann = (cards_in(replay(db, "1", "--text", "--seat", seat).stdout) for seat in ("seat2", "seat1"))
    assert len(public) == 26
    assert len(bob - public) == len(ann - public) == 4
    assert not (bob - public) & (ann - public)
    assert "8c" in bob - public


def test_fantasy_is_told_where_it_was_laid(db: Path) -> None:
    told = replay(db, "2", "--text").stdout
    assert "seat2  14 dealt  in fantasy, laid at the end" in told
    assert re.search(r"\nFantasy\nseat2  top .* · middle .* · bottom .* · 1 given up\n", told)


def test_a_seat_that_let_its_time_pass_says_so(db: Path) -> None:
    told = replay(db, "2", "--text").stdout
    assert "seat1  5 dealt  not set in time, and never looked at: dead" in told
    assert re.search(r"Boards\n(.*\n)*seat1  dead\n", told)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("3", "--text"), "Round ofc-1-0000003 is void"),
        (("1", "--phh"), "Write the hand with --text"),
        (("1", "--phh", "--text"), "ask for one of them"),
        (("1", "--seat", "seat1"), "--seat goes with --phh or --text"),
        (("1", "--text", "--seat", "seat9"), "name one of seat2, seat1"),
    ],
)
def test_what_cannot_be_written_is_refused_with_what_to_do(db: Path, asked: tuple[str, ...], sentence: str) -> None:
    told = replay(db, *asked)
    assert told.exit_code != 0
    assert sentence in " ".join(told.output.split())


def test_the_whole_round_is_told_in_words_with_each_turn_and_every_row(db: Path) -> None:
    told = replay(db, "1").stdout
    assert "Bets are open" not in told
    assert "Seat 2 is to choose until" in told
    assert "[{" not in told
    assert re.search(r"Seat 2, bottom: A♥ A♦ A♣ .*", told)
    assert "14 cards at once in the next hand" in told
    assert re.search(r"Seat \d wins \d of Seat \d: \d+\.00 EUR", told)
