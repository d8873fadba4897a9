"""A year that is closed while bettors owe: what they owe is carried, repaid and proved; its rounds stay."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from correction_bench import approve, ask, correct, dealt, replaced
from poker_bench import CHIPS, PokerBench
from table_bench import CONFIG, PIT, Bench
from test_care_archive import _restored, close_year, run

from studio.care.signing import signer_beside
from studio.cli.verify import command as verify_command
from studio.errors import RefusedError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.journal.extract.hearing_rows import hearings
from studio.money import Transfer, bettor_account, operator_account, receivable_account
from studio.tables import command as c
from studio.wallets.notice import HEARING_KINDS, Hearing, HearingsKept, RoundsHeard, write_hearing

ANN = bettor_account("north", "ann")
OWED = {"partial_and_receivable": (0, -1_000), "allow_negative": (-1_000, 0), "write_off": (0, 0)}


def owing(path: Path, policy: str) -> Bench:
    """Ann has withdrawn everything before a win of hers is taken back."""
    table = dealt(Bench(msgspec.structs.replace(CONFIG, claw_back={"north": policy}), path=str(path)))
    out = Transfer("", "o", "withdraw", ANN, operator_account("north"), table.balance(), "EUR")
    table.writer.commit(Unit(transfers=(out,)))
    correct(table, replaced(table, "player1", 3, "Td"))
    return table


def closed(table: Bench, path: Path) -> Path:
    table.do(c.CloseTable, PIT)
    table.close()
    signer_beside(path, lambda count: bytes(range(count)))
    said = close_year(path, path.parent / "archive")
    assert said.exit_code == 0, said.output
    return path.parent / "archive" / "studio-2026" / "studio.db"


@pytest.mark.parametrize("policy", OWED)
def test_what_is_owed_is_carried_and_repaid_by_a_deposit_of_the_next_year(tmp_path: Path, policy: str) -> None:
    path = tmp_path / "studio.db"
    archived = closed(owing(path, policy), path)
    with Reader.open(path) as reader:
        assert (reader.balance(ANN), reader.balance(receivable_account(ANN))) == OWED[policy]
    assert run(verify_command, path, "--archive", archived).exit_code == 0
    table = Bench(CONFIG, path=str(path))
    deposit = Transfer("", "d", "deposit", operator_account("north"), ANN, 400, "EUR")
    repaid = min(400, -OWED[policy][1])
    paid = Transfer(receivable_account(ANN), "d", "repay", ANN, receivable_account(ANN), repaid, "EUR")
    table.writer.commit(Unit(transfers=(deposit, paid) if repaid else (deposit,)))
    table.close()
    assert run(verify_command, path, "--archive", archived).exit_code == 0


def test_a_deposit_that_forgets_what_was_carried_is_found(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    closed(owing(path, "partial_and_receivable"), path)
    table = Bench(CONFIG, path=str(path))
    table.writer.commit(Unit(transfers=(Transfer("", "d", "deposit", operator_account("north"), ANN, 400, "EUR"),)))
    table.close()
    said = run(verify_command, path)
    assert (said.exit_code, "repay" in said.output) == (1, True)


def test_a_round_of_a_closed_year_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    closed(owing(path, "write_off"), path)
    table = Bench(CONFIG, path=str(path))
    table.table = _restored(table, table.config)  # type: ignore[assignment]
    for round, key in (("t1-0000001", "closed_year"), ("t1-0000002", "no_such_round"), ("x", "no_such_round")):
        with pytest.raises(RefusedError) as refused:
            table.dossier(round)
        assert refused.value.key == key
    table.close()


def test_a_year_does_not_end_in_the_middle_of_a_correction(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    table = dealt(Bench(path=str(path)))
    ask(table, void=True)
    approve(table)
    table.do(c.CloseTable, PIT)
    table.close()
    signer_beside(path, lambda count: bytes(range(count)))
    said = close_year(path, tmp_path / "archive")
    assert said.exit_code == 1
    assert "still pays the correction t1-c1" in said.output


def heard_upto(path: Path, seq: int) -> Hearing:
    """The closed table of a played round; north, who is told of his rounds, has heard so far."""
    hearing = Hearing(since=seq, upto={})
    with Store.open(path) as store:
        writer = Writer(store)
        kept = HearingsKept(at_ms=2_000_000_000_000, hearings={"north": hearing})
        writer.commit(Unit(entries=(Entry("HearingsKept", kept.at_ms, write_hearing(kept)),)))
        for _ in range(3):
            told = RoundsHeard(operator="west", at_ms=kept.at_ms, upto={"t1": 1})
            writer.commit(Unit(entries=(Entry("RoundsHeard", told.at_ms, write_hearing(told)),)))
    return hearing


def test_a_year_is_not_closed_while_an_operator_has_still_to_hear_of_it(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    table = owing(path, "write_off")
    table.do(c.CloseTable, PIT)
    table.close()
    signer_beside(path, lambda count: bytes(range(count)))
    heard_upto(path, 0)
    said = close_year(path, tmp_path / "archive")
    assert said.exit_code == 1
    assert "north has still to be told of 2 rounds of this year" in said.output


def test_how_far_operators_have_heard_is_carried_in_one_row(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    table = owing(path, "write_off")
    table.do(c.CloseTable, PIT)
    table.close()
    signer_beside(path, lambda count: bytes(range(count)))
    with Reader.open(path) as reader:
        hearing = heard_upto(path, reader.head().seq)
    said = close_year(path, tmp_path / "archive")
    assert said.exit_code == 0, said.output
    with Reader.open(path) as reader:
        assert hearings(reader) == {"north": hearing}
        assert len(list(reader.events(kinds=HEARING_KINDS))) == 1
    assert run(verify_command, path).exit_code == 0


def test_what_a_seat_is_paid_out_has_another_id_in_each_year(tmp_path: Path) -> None:
    path, paid = tmp_path / "studio.db", list[str]()
    table = PokerBench("", path=str(path)).open()
    table.deposit(50_000, "ann")
    for year in (1, 2):
        assert table.ask("sit", "ann", id=f"s{year}", seat="seat1", amount_minor=CHIPS).status == "accepted"
        assert table.ask("leave", "ann", id=f"l{year}").status == "accepted"
        with table.store.reader() as reader:
            paid += [moved.bet for moved in reader.transfers("room:nlh-1") if moved.kind == "cash_out"]
        if year == 1:
            before = table.state.moves.count
            archived = closed(table, path)
            table = PokerBench("", path=str(path))
            table.table = _restored(table, table.config)  # type: ignore[assignment]
            assert table.state.moves.count >= before
            table.table.start(table.config, table.now)
            table.open()
    table.close()
    assert len(set(paid)) == len(paid) == 2
    assert run(verify_command, path, "--archive", archived).exit_code == 0
