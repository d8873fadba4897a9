"""An operator's own books held against ours, where he keeps his bettors' money: each difference by name."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from patience import wait_until
from running_studio import PIT, House, impatient
from test_api_movements import STATED_OF_WALLET
from test_seamless_wallet import SUSPENSE, Operator, answer, held, launch, owed, play_out, settled, void_settled

from studio.cli.statement import command, reconcile_command
from studio.tables import command as c


@pytest.fixture
def north(tmp_path: Path) -> Iterator[Operator]:
    with ExitStack() as stack:
        operator = Operator(tmp_path / "north", "rsa")
        stack.callback(operator.close)
        yield operator


def books(operator: Operator) -> list[str]:
    with urllib.request.urlopen(f"{operator.server.address}/books.csv") as told:
        return list(told.read().decode().splitlines())


def reconcile(house: House, lines: list[str]) -> Result:
    file = house.database.with_name("books.csv")
    file.write_text("\n".join(lines) + "\n")
    return CliRunner().invoke(reconcile_command, [str(house.database), "--operator", "north", "--against", str(file)])


def movements(house: House) -> list[tuple[str, str, int]]:
    """What moved in north's wallet as the interface lists it, three a page: kind, id, amount as the wallet has it."""
    found, after = list[tuple[str, str, int]](), 0
    while True:
        page = house.get(f"/movements?limit=3&after={after}").json
        for one in page["movements"]:
            if one["transaction"]:
                same = house.get(f"/movements/by-transaction/{one['round']}/{one['transaction']}").json["movements"]
                assert one in same
        kinds = [(one, STATED_OF_WALLET.get(one["kind"], "")) for one in page["movements"]]
        found += [(kind, one["transaction"], -one["amount"]) for one, kind in kinds if kind]
        after = page["next"]
        if not page["more"]:
            return found


def stated(lines: list[str]) -> list[tuple[str, str, int]]:
    """The lines of a statement: kind, id and amount."""
    return [(kind, id, int(amount)) for kind, id, _, _, _, amount, *_ in (line.split(",") for line in lines[1:])]


@pytest.mark.long
def test_books_agree_whatever_the_wallet_has_done_and_each_difference_is_named(north: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=north.section, window_s=600) as house:
        house.betting()
        launch(house)
        for fault in ("silent_after", "silent"):
            north.faults.switch(on=(fault,))
            with impatient(house):
                assert answer(house, f"b-{fault}")["reason"] == "wallet_unknown"
            north.faults.switch(off=(fault,))
            settled(house)
        assert answer(house, "b1")["status"] == "accepted"
        play_out(house)
        settled(house)

        ours = CliRunner().invoke(command, [str(house.database), "--operator", "north"])
        told = ours.stdout.splitlines()
        assert movements(house) == stated(told)
        assert [line.split(",")[0] for line in told[1:6]] == ["debit", "cancel", "debit", "cancel", "debit"]
        assert [line.split(",")[4] for line in told[1:6]] == ["unsure"] * 4 + [""]

        theirs = books(north)
        agreed = reconcile(house, theirs)
        assert agreed.exit_code == 0, agreed.output
        assert f"{len(told) - 1} transactions agree, 0 do not." in agreed.output
        assert "apart" not in agreed.output

        debit = next(line for line in theirs if line.startswith("debit") and "-200" in line)
        last = [line for line in theirs if line.startswith("debit")][-1]
        less = reconcile(house, [line for line in theirs if line != last])
        assert less.exit_code == 1
        assert "only the studio has    debit" in less.output
        assert "of ann: -2.00 EUR, round t1-0000001" in less.output
        other = reconcile(house, [line.replace("-200", "-201") if line == last else line for line in theirs])
        assert other.exit_code == 1
        assert "differs" in other.output
        more = reconcile(house, [*theirs, "credit,nobody-knows,ann,5,EUR"])
        assert "only the operator has  credit nobody-knows of ann" in more.output
        kept = [line for line in theirs if not line.startswith("cancel")]
        forgotten = reconcile(house, kept)
        assert forgotten.exit_code == 1
        assert f"in suspense            debit {debit.split(',')[1]} of ann" in forgotten.output


def test_what_is_in_suspense_is_told_until_the_wallet_is_back(north: Operator, tmp_path: Path) -> None:
    with House(tmp_path, wallet=north.section, window_s=600) as house:
        house.betting()
        launch(house)
        north.faults.switch(on=("silent_after",))
        with impatient(house):
            assert answer(house, "b1")["reason"] == "wallet_unknown"
        north.faults.switch(on=("down",), off=("silent_after",))
        wait_until(lambda: held(house, SUSPENSE) == 200)
        told = reconcile(house, books(north))
        assert told.exit_code == 1
        assert "in suspense" in told.output
        north.faults.switch(off=("down",))
        wait_until(lambda: not owed(house))
        assert reconcile(house, books(north)).exit_code == 0
        house.do(c.FreezeTable)
        house.do(c.VoidRound, PIT, reason_code="machine")


@pytest.mark.parametrize("dialect", ["rsa", "hmac"])
def test_what_a_correction_took_back_agrees_however_a_wallet_names_it(tmp_path: Path, dialect: str) -> None:
    with ExitStack() as stack:
        operator = Operator(tmp_path / "north", dialect)
        stack.callback(operator.close)
        house = stack.enter_context(House(tmp_path, wallet=operator.section, window_s=600))
        house.betting()
        launch(house)
        bet = {"client_id": "b1", "bettor": "ann", "bet": "player2_lose", "stake": 500}
        assert house.post("/tables/t1/bets", {"bets": [bet]}).json["answers"][0]["status"] == "accepted"
        play_out(house)
        settled(house)
        void_settled(house)
        settled(house)
        wait_until(lambda: "recovery" in reconcile(house, books(operator)).output and not owed(house))
        theirs = books(operator)
        agreed = reconcile(house, theirs)
        assert agreed.exit_code == 0, agreed.output
        assert "recovery   EUR  here -500, there -500" in agreed.output
        ours = CliRunner().invoke(command, [str(house.database), "--operator", "north"])
        assert movements(house) == stated(ours.stdout.splitlines())
        less = reconcile(house, [line for line in theirs if "-500" not in line or ",b1," in line][:-1])
        assert "only the studio has    recovery" in less.output
