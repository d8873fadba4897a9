"""`studio replay DB ROUND --phh`: a hand as a table recorded it, sealed where it is sealed, read back alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from poker_bench import PokerBench
from pokerkit import HandHistory
from table_bench import PIT
from test_phh_text import cards_in
from test_verify_command import night

from dealer_ui.verbs.replay import command
from studio.cards import parse_cards
from studio.histories.phh import play_phh, read_phh
from studio.proof.telling.hand import tell_result

HOLES = "Ah Kh 2c Ad Kd 7d"
BOARD = "4s As 9c 3d 5h 8h 6h Jc"


def replay(path: Path, *more: str) -> Result:
    return CliRunner().invoke(command, [str(path), *more])


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two hands: one is shown on the river, all fold in the other; a third is open."""
    path = tmp_path_factory.mktemp("poker") / "studio.db"
    bench = PokerBench(path=str(path)).open()
    bench.hand(f"{HOLES} {BOARD}")
    bench.acts("raise 300", "call", "fold", "check", "bet 500", "call", "check", "check", "check", "check", "show")
    bench.end_hand()
    bench.hand(HOLES)
    bench.acts("fold", "fold")
    bench.end_hand()
    bench.hand()
    bench.close()
    return path


def test_a_recorded_hand_is_written_and_finishes_alike_elsewhere(db: Path) -> None:
    told = replay(db, "1", "--phh")
    assert told.exit_code == 0, told.output
    history = HandHistory.loads(told.stdout)
    *_, last = history
    assert list(last.stacks) == history.finishing_stacks == list(play_phh(read_phh(told.stdout)).stacks)
    assert history.players == ["north/bob", "north/cy", "north/ann"]
    assert (history.hand, history.table, history.seats) == ("nlh-1-0000001", "nlh-1", [2, 3, 1])


def test_cards_that_nobody_showed_are_not_in_it(db: Path) -> None:
    assert cards_in(replay(db, "2", "--phh").stdout) == set()


def test_a_seat_sees_its_own_cards_beside_what_was_shown(db: Path) -> None:
    bob = {str(card) for card in parse_cards("2c 7d")}
    assert cards_in(replay(db, "2", "--phh", "--seat", "seat2").stdout) == bob


def test_a_seats_cards_are_not_opened_without_the_key_file(db: Path, tmp_path: Path) -> None:
    copy = tmp_path / "studio.db"
    copy.write_bytes(db.read_bytes())
    told = replay(copy, "2", "--phh", "--seat", "seat2")
    assert told.exit_code == 1
    assert "The key file cannot be read" in told.output
    assert not list(tmp_path.glob("*.keys"))
    (tmp_path / "studio.db.keys").write_text("")
    assert "write the hand without --seat" in replay(copy, "2", "--phh", "--seat", "seat2").output
    assert replay(copy, "2", "--phh").exit_code == 0


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (("3", "--phh"), "The hand is not over"),
        (("1", "--phh", "--seat", "seat9"), "name one of seat2, seat3, seat1"),
        (("1", "--seat", "seat1"), "--seat goes with --phh"),
    ],
)
def test_what_cannot_be_written_is_refused_in_a_sentence(db: Path, asked: tuple[str, ...], sentence: str) -> None:
    told = replay(db, *asked)
    assert told.exit_code
    assert sentence in told.output


def test_a_round_against_the_house_is_no_hand(tmp_path: Path) -> None:
    told = replay(night(tmp_path / "studio.db"), "1", "--phh")
    assert "is no hand of the poker room" in told.output


def test_a_void_hand_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    bench = PokerBench(path=str(path)).open()
    bench.hand(HOLES)
    bench.acts("raise 500", "call")
    bench.lose("seat3", 1, identified=False)
    bench.rule("void_round", PIT)
    assert "The hand is still being paid" in replay(path, "1").stdout
    bench.pay()
    bench.close()
    assert "is void" in replay(path, "1", "--phh").output
    told = replay(path, "1").stdout
    assert told.rstrip().endswith("every chip that was put in went back.")
    assert "bets, and" not in told


def test_a_hand_is_told_aloud_with_its_seats_its_amounts_and_its_pots(db: Path) -> None:
    told = replay(db, "1").stdout
    for sentence in (
        "Seat 1: north/ann with 100.00 EUR, on the button",
        "Seat 1 chooses to raise to 3.00 EUR.",
        "Seat 2 shows A♥ A♦",
        "Board: A♠ 9♣ 3♦ 8♥ J♣",
        "Pot of 17.00 EUR: 17.00 EUR to Seat 2",
        "The hand is settled: every seat has what it takes.",
    ):
        assert sentence in told, sentence
    assert "{" not in told
    assert not {card.sign for card in parse_cards("Kh Kd")} & set(told.split())


def test_a_hand_told_aloud_names_who_is_to_choose_and_who_posted(db: Path) -> None:
    told = replay(db, "1").stdout
    assert "Bets are open" not in told
    assert "Seat 1 is to choose until" in told
    assert "Put in before the cards: Seat 2 0.50 EUR, Seat 3 1.00 EUR." in told


def test_what_nobody_called_is_told_beside_the_pots() -> None:
    seats = {"seat1": {"paid": 500, "takes": 0}, "seat2": {"paid": 900, "takes": 1400}}
    pots = [{"amount": 1000, "rake": 0, "winners": {"seat2": 1000}}]
    told = list(tell_result({"seats": seats, "board": [], "pots": pots, "rake": 0}, "EUR"))
    assert told == ["Pot of 10.00 EUR: 10.00 EUR to Seat 2", "4.00 EUR of Seat 2 was not called and goes back"]
