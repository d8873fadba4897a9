"""A wallet is taken out of a studio only when nothing is owed to it; a year that ends carries what is."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import wait_until
from running_studio import PIT, House, impatient
from two_operators import MONEY, Pair, two_operators

from dealer_ui.assembly.reload import Rereading
from dealer_ui.config.file import OperatorSection
from dealer_ui.desk.operator_key import digest_of_key
from studio.care.signing import signer_beside
from studio.cli.archive import command as archive
from studio.cli.verify import command as verify_command
from studio.errors import BadInputError
from studio.money import bettor_account, suspense_account
from studio.proof.audit.database import verify
from studio.tables import command as c

PURSE = bettor_account("south", "bob-12")


def stop(pair: Pair) -> Path:
    pair.house.studio.stop()
    return pair.house.database


def quiet(pair: Pair) -> None:
    """Nothing is owed to anybody, and North has everything back."""
    wait_until(lambda: pair.north.balance == MONEY and not pair.teller("north").desk.owed())


def test_a_wallet_that_is_owed_something_is_not_taken_away(tmp_path: Path) -> None:
    with two_operators(tmp_path) as pair:
        pair.south.faults.switch(on=("silent_after",))
        with impatient(pair.house, "south"):
            assert pair.bet("south", "s1") == "wallet_unknown"
        stop(pair)
        with pytest.raises(BadInputError, match=r"operator south any more, and 1 movements over 2\.00 EUR are still"):
            House(tmp_path, wallet=pair.north.section)
        pair.south.faults.switch(off=("silent_after",))
        with House(tmp_path, wallet=pair.north.section, south=pair.south.section) as house:
            wait_until(lambda: not any(teller.desk.owed() for teller in house.floor.tellers))
            assert house.floor.reader().balance(suspense_account("south"), "EUR") == 0
        with House(tmp_path, wallet=pair.north.section) as house:
            assert house.floor.tellers.of("south") is None


def test_a_wallet_is_not_taken_away_while_its_bets_lie_at_a_table(tmp_path: Path) -> None:
    with two_operators(tmp_path) as pair:
        assert pair.bet("south", "s1") == "accepted"
        stop(pair)
        with pytest.raises(BadInputError, match="1 stakes of his bettors lie at tables: put the wallet back"):
            House(tmp_path, wallet=pair.north.section)


def test_without_his_wallet_an_operators_bettors_have_purses_and_with_it_again_none(tmp_path: Path) -> None:
    with two_operators(tmp_path) as pair:
        assert pair.bet("north", "n1") == "accepted"
        pair.void()
        quiet(pair)
        stop(pair)
    with House(tmp_path) as house:
        told = house.post("/bettors/ann-77/deposits", {"client_id": "d1", "amount": 500})
        assert told.status_code == 200, told.text
        assert house.floor.reader().balance(bettor_account("north", "ann-77"), "EUR") == 500
    assert verify(house.database).ok
    with pytest.raises(BadInputError, match=r"north is to keep his bettors' money in a wallet of his own"):
        House(tmp_path, wallet=pair.north.section)
    with House(tmp_path) as house:
        told = house.post("/bettors/ann-77/withdrawals", {"client_id": "w1", "amount": 500})
        assert told.status_code == 200, told.text
    with House(tmp_path, wallet=pair.north.section) as house:
        assert house.floor.tellers.of("north") is not None
    found = verify(house.database)
    assert found.ok, found.first_wrong


def test_a_running_studio_takes_no_new_operator_without_the_wallet_he_is_written_down_with(tmp_path: Path) -> None:
    with two_operators(tmp_path) as pair:
        floor = pair.house.floor
        east = OperatorSection(key_sha256=digest_of_key("a-key-of-east"), wallet=pair.south.section)
        wanted = floor.config.model_copy(update={"operators": {**floor.config.operators, "east": east}})
        told = Rereading(floor, lambda: wanted).take("root", "a new operator")
        assert told == "The configuration was read again. Only from the next start: operators.east."
        deposit = {"client_id": "d1", "amount": 500}
        assert pair.house.post("/bettors/eve/deposits", deposit, "a-key-of-east").status_code == 401
        assert pair.bet("south", "s1") == "accepted"


def test_what_is_owed_to_a_wallet_is_told_in_the_next_year(tmp_path: Path) -> None:
    with two_operators(tmp_path) as pair:
        house = pair.house
        assert pair.bet("south", "s1") == "accepted"
        pair.south.faults.switch(on=("wrong_signature",))
        pair.void()
        pair.refused("south")
        for incident in house.view.incidents.open:
            house.do(c.RuleIncident, PIT, incident=incident.id, ruling="resume", reason_code="machine", words="Seen.")
        house.do(c.ReleaseTable, PIT, reason_code="other", words="It was a test.")
        house.do(c.ConfirmFeltClear, PIT)
        house.do(c.CloseTable, PIT)
        database = stop(pair)
        signer_beside(database, lambda count: bytes(range(count)))
        said = CliRunner().invoke(archive, [str(database), "2026", "--to", str(tmp_path / "archive"), "--by", "Mika"])
        assert said.exit_code == 0, said.output
        assert pair.south.balance == MONEY - 200
        pair.south.faults.switch(off=("wrong_signature",))
        with House(tmp_path, wallet=pair.north.section, south=pair.south.section) as house:
            wait_until(lambda: not any(teller.desk.owed() for teller in house.floor.tellers))
            assert (pair.south.balance, house.floor.reader().balance(PURSE, "EUR")) == (MONEY, 0)
        old = tmp_path / "archive" / "studio-2026" / "studio.db"
        proved = CliRunner().invoke(verify_command, [str(database), "--archive", str(old)])
        assert proved.exit_code == 0, proved.output
