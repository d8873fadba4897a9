"""`studio replay`: a round told aloud, sealed where it is sealed, and the rows themselves with --json."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result
from table_bench import BURNS, CONFIG, DEAL, PIT, PIT_TOO, UNSURE, Bench
from test_verify_command import night

from dealer_ui.verbs.replay import command, english
from studio import ports
from studio.journal import Reader
from studio.money import KINDS
from studio.proof.telling.replay import find_round, tell_round
from studio.tables import command as c
from studio.tables.event.table import ObservationRecorded


def replay(path: Path, *more: str) -> Result:
    return CliRunner().invoke(command, [str(path), *more])


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return night(tmp_path_factory.mktemp("night") / "studio.db")


def test_a_settled_round_is_told_from_the_first_burn_to_the_money(db: Path) -> None:
    told = replay(db, "1")
    assert told.exit_code == 0
    lines = [line.rstrip() for line in told.stdout.splitlines()]
    assert lines[:3] == [
        "Round t1-0000001",
        "Table 1 (t1), three_knights, rulebook version 1",
        "Dealt on 2023-11-14; times are UTC",
    ]
    story = [
        "Round 1 is started; d1 deals.",
        "Burn card 4 is confirmed by the camera.",
        "1 bet is taken: 10.00 EUR.",
        "No more bets.",
        "player1_tie: 1 bet, 10.00 EUR",
        "Player 1, card 1: J♠.",
        "Player 1: J♠ 3♥ 6♦  Single Knight Nine – tie",
        "Paid back: 1 transfer, 90.00 EUR.",
        "The round is settled: 2 bets, and the house lost 75.00 EUR.",
    ]
    at = [told.stdout.index(sentence) for sentence in story]
    assert at == sorted(at)


def test_what_was_never_revealed_stays_sealed(db: Path) -> None:
    told = replay(db, "t1-0000001").stdout
    assert told.count("Burn card 1 stands, sealed (") == 1
    assert not any(card.sign in told for card in BURNS)
    assert told.count("opened with its published key") == len(DEAL)


def test_a_voided_round_names_its_row_and_who_ruled(db: Path) -> None:
    told = replay(db, "2", "--table", "t1").stdout
    assert "INCIDENT t1-i1: Malfunction, reported by p1. The table is held." in told
    assert "RULING [EV10] by Petra: Void the round. “As we saw it.”" in told
    assert told.rstrip().endswith("The round is void under row EV10: 1 bet, and every stake went back.")


def test_a_round_still_open_says_what_it_awaits(db: Path) -> None:
    assert replay(db, "3").stdout.rstrip().endswith("The round is still open: it awaits the bets.")


def test_the_rows_themselves_come_one_a_line(db: Path) -> None:
    rows = [json.loads(line) for line in replay(db, "1", "--json").stdout.splitlines()]
    assert rows[0]["event"]["kind"] == "RoundStarted"
    assert {row["round"] for row in rows} == {"t1-0000001"}


@pytest.mark.parametrize(
    ("more", "words"),
    [(["9"], "There is no round '9' here"), (["1", "--table", "t9"], "There is no round '1' at table t9")],
)
def test_a_round_that_is_not_there_is_named(db: Path, more: list[str], words: str) -> None:
    result = replay(db, *more)
    assert result.exit_code == 1
    assert words in result.stderr


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    assert "There is no such database" in replay(tmp_path / "none.db", "1").stderr


def test_a_number_at_two_tables_wants_the_table(tmp_path: Path) -> None:
    path = str(tmp_path / "studio.db")
    for key in ("t1", "t2"):
        table = Bench(msgspec.structs.replace(CONFIG, key=key), path=path)
        table.open().do(c.StartRound)
        table.close()
    assert "more than one table (t1, t2)" in replay(Path(path), "1").stderr
    assert replay(Path(path), "1", "--table", "t2").stdout.startswith("Round t2-0000001\n")


def test_every_turn_a_round_can_take_has_words(tmp_path: Path) -> None:
    table = Bench(path=str(tmp_path / "studio.db"))
    table.open().deposit()
    table.do(c.StartRound)
    table.draw_unread()
    table.lay("burn", 1)
    table.report("burn_error")
    table.rule("reshuffle_and_redeal", PIT)
    table.clear()
    table.load("deck-2")
    table.burn()
    table.do(c.OpenBetting)
    table.draw(DEAL[0])
    table.rule("card_is_next_card")
    table.wait(16)
    table.lay("player1", 1, DEAL[0])
    table.draw("9h")
    table.lay("player2", 1, DEAL[1])
    table.rule("manual", PIT, str(DEAL[1]))
    table.approve(PIT_TOO)
    table.do(c.FreezeTable)
    table.draw(DEAL[2])
    table.lose("player1", 1, identified=True)
    table.lay("player1", 1, face=UNSURE)
    table.say(ports.UnreadableFrame(device="shoe", at_ms=table.now, reason="bcc", count=7))
    table.do(c.ReleaseTable, table.pin(PIT), reason_code="checked", words="Go on.")
    table.links(up=False, only=("camera",))
    table.restart()
    table.close()
    told = replay(tmp_path / "studio.db", "1").stdout
    for sentence in (
        "The shoe owes a reading for Burn, card 1.",
        "INCIDENT t1-i1: Burn error, reported by d1.",
        "The same round is dealt again (TK2).",
        "is set aside, J♠, opened with its published key: it came before it was due.",
        "goes to the next place of the deal.",
        "Petra asks for: Enter the card by hand (“As we saw it.”). A second person has to approve.",
        "RULING [HG15] by Petra, approved by Pavel: Enter the card by hand (2c). “As we saw it.”",
        "Player 2, card 1: overridden by Petra with Pavel.",
        "Player 2, card 1 is corrected: it is 2♣, by manual.",
        "Dana froze the table.",
        "shoe      sent 7 bytes that make no message (wrong checksum).",
        "camera    saw the card of Player 1, place 1, leave to the left; read before: yes.",
        "p1 released the table: Go on. (Looked at).",
        "camera    is lost: The cable is out.",
        "The program was started again; the table came back as it stood.",
    ):
        assert sentence in told


def test_every_kind_of_transfer_has_words() -> None:
    words = [english("EUR").moved(kind) for kind in KINDS]
    assert len(set(words)) == len(KINDS)
    assert not [said for said in words if said.startswith("posting")]


def test_a_person_is_told_of_by_name_where_the_staff_is_registered(db: Path) -> None:
    with Reader.open(db) as reader:
        told = "\n".join(tell_round(reader, find_round(reader, "1"), english("EUR", {"d1": "Dewi"}), {"d1": "Dewi"}))
    assert "Round 1 is started; Dewi deals." in told
    assert "The result is declared by Dewi." in told
    assert " d1" not in told


@pytest.mark.parametrize(
    ("seen", "said"),
    [
        (ports.ShufflerState(device="shuffler", at_ms=1, state="loading"), "is taking the deck in."),
        (
            ports.DeckVerified(device="shuffler", at_ms=1, count=52, deck_id="A1", verdict="ok"),
            "counted deck A1: 52 cards, whole.",
        ),
        (
            ports.CameraSawStray(device="camera", at_ms=1, x=0.5, y=0.5, face=ports.CardFace.UP),
            "saw a card outside the places, face up.",
        ),
        (ports.ShoeCardUnread(device="shoe", at_ms=1, label="Banker 3"), "let a card out and could not read it."),
        (ports.ShoeErrorRaised(device="shoe", at_ms=1, code=9, error="card_jam"), "raised error 9 (card_jam)."),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_what_a_device_says_is_a_sentence_and_no_list_of_fields(seen: ports.AnyObservation, said: str) -> None:
    assert english("EUR").sentence(ObservationRecorded(observation=seen)) == said
