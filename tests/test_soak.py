"""`make soak`: its figures, its judgement of them, and a short one with two tables."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from soak.__main__ import GAMES
from soak.books import what_is_wrong
from soak.course import counted_log, planned
from soak.figure import FigureBook, Life, Sample, trends
from soak.life import grown
from soak.line_file import LineFile
from soak.page import page, unbounded
from soak.studio import BLOCKS, IN_USE, SoakOptions, TimedActs, WallClock
from soak.tester import Promise
from studio.games import GAMES as ALL
from studio.journal import Store, Unit, Writer
from studio.money import Offer, Transfer, bettor_account

ROOT = Path(__file__).parents[1]
ANN = bettor_account("north", "ann")


def samples(*, rss_mb: float = 300, grows_mb: float = 0, files: int = 80, more_files: int = 0) -> list[Sample]:
    """An hour of looks, one a minute."""
    return [
        Sample(
            life=0,
            at_s=60.0 * at,
            rss_mb=rss_mb + grows_mb * at,
            files=files + more_files * at,
            threads=40,
            seq=at,
            rounds=at,
            sizes={"database": 1000 * at},
            act_ms=[5.0, 7.0],
            bet_ms=[9.0],
        )
        for at in range(60)
    ]


def life(**altered: object) -> Life:
    told = Life(
        number=0, kind="long", lasted_s=3600, counted_s=3600, rounds=100, rows=5000, bytes=2_000_000,
        kinds=[("LineBytes", 2000, 800_000)], wrong=[], notes=["disk full 2x"],
    )  # fmt: skip
    return msgspec.structs.replace(told, **altered)


def test_a_life_that_holds_what_it_held_is_bounded() -> None:
    found = {one.name: one for one in trends(samples())}
    assert all(one.bounded for one in found.values())
    assert found["memory"].per_hour == 0
    assert found["a dealer's act, p95"].late == 7.0 or found["a dealer's act, median"].late == 6.0


@pytest.mark.parametrize(("what", "grown"), [("memory", {"grows_mb": 4}), ("open files", {"more_files": 1})])
def test_what_grows_with_every_look_is_named_with_how_fast(what: str, grown: dict[str, int]) -> None:
    [found] = [one for one in trends(samples(**grown)) if not one.bounded]
    assert found.name == what
    assert found.per_hour == pytest.approx(60 * next(iter(grown.values())))


def test_what_is_loaded_once_at_the_beginning_is_no_growth() -> None:
    loading = [
        msgspec.structs.replace(one, rss_mb=150.0) if at < 10 else one
        for at, one in enumerate(samples(rss_mb=400))
    ]  # fmt: skip
    assert all(one.bounded for one in trends(loading))


def test_a_life_of_a_few_looks_says_nothing_of_growth() -> None:
    assert trends(samples(grows_mb=50)[:10]) == []


def test_the_page_says_what_is_wrong_and_what_an_hour_costs(tmp_path: Path) -> None:
    book = FigureBook(tmp_path)
    for one in samples(grows_mb=4):
        book.samples.add(one)
    book.lives.add(life(wrong=["Bet k1 was acknowledged and is lost."]))
    book.lives.add(life(number=1, kind="idle", rounds=0, bytes=4_000))
    told = page(book, ("three_knights", "nlh"))
    assert "**Not sound.**" in told
    assert "Life 1: Bet k1 was acknowledged and is lost." in told
    assert "Life 1: memory: " in told
    assert "| 1 | long | 60.0 | 100 | 5000 | 20,000 |" in told
    assert "An idle hour (life 2)" in told
    assert "4 KB in the journal, 2.0 KB a table." in told


def booked(path: Path, *transfers: Transfer) -> list[str]:
    """What is wrong of a record with these transfers, beside a bet that was placed."""
    with Store.open(path) as store:
        writer = Writer(store)
        writer.commit(Unit(transfers=(Transfer("", "d1", "deposit", "operator:north", ANN, 1_000, "EUR"),)))
        offer = Offer("b1", "north", "c1", "ann", "t1", "r1", "ante", 100, "EUR")
        writer.commit(Unit(offers=(offer,), entries_for_bets=lambda _: ()))
        writer.commit(Unit(transfers=transfers))
    return [one for one in what_is_wrong(path, ()) if "twice" in one]


def test_a_pot_that_is_fed_in_every_round_is_no_bet_paid_twice(tmp_path: Path) -> None:
    fed = [Transfer(f"r{one}", "first5", "feed", "house:t1", "pot:first5", 50, "EUR") for one in (1, 2)]
    assert booked(tmp_path / "studio.db", *fed) == []


def test_a_bet_that_was_paid_in_two_rounds_is_told(tmp_path: Path) -> None:
    posts = [Transfer("r1", "b1", "post", "escrow:r1", "house:t1", 100, "EUR")]
    paid = [Transfer(f"r{one}", "b1", "return", "house:t1", ANN, 50, "EUR") for one in (1, 2)]
    assert booked(tmp_path / "studio.db", *posts, *paid) == ["Bet b1 was paid twice."]


def test_an_idle_table_that_fills_the_record_is_unbounded(tmp_path: Path) -> None:
    book = FigureBook(tmp_path)
    book.lives.add(life(kind="idle", bytes=2 * 5_000_000))
    [said] = unbounded(book, 2)
    assert "an idle table writes 120,000,000 bytes a day" in said


def test_a_soak_goes_on_from_its_files_and_drops_the_line_that_a_kill_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "promises.jsonl"
    kept = LineFile(path, Promise)
    kept.add(Promise("bet", "k1", "main", 100, kept=True))
    with path.open("ab") as file:
        file.write(b'{"kind":"bet","client')
    again = LineFile(path, Promise)
    again.add(Promise("bet", "k2", "main", 100, kept=False))
    assert [one.client_id for one in LineFile(path, Promise)] == ["k1", "k2"]


def test_every_life_is_in_the_plan_and_a_day_goes_through_all_of_them_again() -> None:
    short, day = planned(1200), planned(24 * 3600)
    assert [one.kind for one in short] == ["quiet", *["killed"] * 5, "idle", "long"]
    assert sum(one.lasts_s for one in short) == pytest.approx(1200)
    assert len(day) == 6 * len(short)
    assert max(one.lasts_s for one in day if one.kind == "idle") < 3600
    assert any(one.clock_s < 0 for one in short)


def test_errors_of_our_own_are_picked_out_of_the_log_and_the_rest_is_counted() -> None:
    disk = "2026-01-01T00:00:00Z [error    ] a tick waits for the disk error='full' table=t1"
    ours = "2026-01-01T00:00:00Z [error    ] a tick failed by an error of our own error='x' table=t1"
    found, told = counted_log([disk, disk, ours, "Traceback (most recent call last):"])
    assert found == [f"the log: {ours}"]
    assert "log: error: a tick waits for the disk 2x" in told


def test_it_is_told_when_python_holds_many_more_blocks_and_not_when_it_holds_a_few_more() -> None:
    early = {BLOCKS: 500_000, IN_USE: 90_000_000}
    assert grown(early, {BLOCKS: 700_000, IN_USE: 95_000_000}) == (
        "Python held more of: blocks of memory 500,000 to 700,000; malloc: 90 to 95 MB in use"
    )
    assert grown(early, {BLOCKS: 509_000, IN_USE: 90_000_000}) == (
        "Python held more of: nothing; malloc: 90 to 90 MB in use"
    )


def test_every_game_has_its_turn_at_a_table() -> None:
    assert sorted(GAMES) == sorted(game.key for game in ALL)


def test_the_clock_of_a_soaked_studio_jumps_and_its_acts_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("time", "time_ns"):
        monkeypatch.setattr(time, name, getattr(time, name))  # put back afterwards
    before_ns = time.time_ns()
    clock = WallClock(-3600)
    assert time.time_ns() < before_ns - 3000 * 10**9
    clock.jump(7200)
    assert time.time_ns() > before_ns + 3000 * 10**9
    acts = TimedActs(lambda number: number + 1)
    assert [acts(number) for number in (1, 2)] == [2, 3]
    assert len(acts.take()) == 2
    assert acts.take() == []


def test_the_options_of_a_soaked_studio_are_one_word_of_its_command_line() -> None:
    options = SoakOptions("studio.db", 8000, ("nlh",), 2.0, works=False)
    assert msgspec.json.decode(msgspec.json.encode(options), type=SoakOptions) == options


@pytest.mark.night
def test_two_tables_are_soaked_for_a_minute_and_are_sound(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "soak",
        "--folder",
        str(tmp_path),
        "--minutes",
        "1",
        "--tables",
        "2",
        "--speed",
        "5",
    ]
    for run in range(2):  # the second finds everything done, and tells the same page
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=550, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Nothing is wrong, and nothing grows without a bound." in done.stdout
        lives = list(FigureBook(tmp_path).lives)
        assert len(lives) == 8, run
    assert sum(one.rounds for one in lives) > 0
    assert sum("kill -9" in " ".join(one.notes) for one in lives) == 5
