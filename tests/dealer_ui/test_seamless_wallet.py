"""A studio whose operator keeps his bettors' money: real HTTP, a real till of his own, and what he does wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from patience import wait_until
from running_studio import TABLE, House

from dealer_ui.config.shape import WalletSection
from dealer_ui.rehearsal.operator.fault import Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import open_operator
from studio.money import bettor_account, operator_account, suspense_account
from studio.proof.audit.database import verify
from studio.tables import command as c

PURSE = bettor_account("north", "ann")
SUSPENSE = suspense_account("north")
MONEY = 100_000


class Operator:
    """North: his server, his till, and the studio's configuration of him."""

    def __init__(self, folder: Path, dialect: str) -> None:
        self.faults = Faults(slow_s=5.0)
        self.server: OperatorServer = open_operator(folder, dialect, self.faults)
        self.server.till.open_account("ann", "ann-s", "ann-old", "EUR", MONEY)
        self.server.start()
        self.section = WalletSection(
            dialect=dialect, address=self.server.address, key_file=str(folder / f"studio.{dialect}"), wait_s=0.5
        )

    @property
    def balance(self) -> int:
        return self.server.till.look("ann", "ann-s").balance_minor

    def close(self) -> None:
        self.server.close()
        self.server.till.close()


@pytest.fixture(params=["rsa", "hmac"])
def operator(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Operator]:
    with ExitStack() as stack:
        operator = Operator(tmp_path / "north", request.param)
        stack.callback(operator.close)
        yield operator


@pytest.fixture
def house(operator: Operator, tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, wallet=operator.section) as house:
        yield house


def launch(house: House) -> None:
    told = house.post("/bettors/ann/pages", {"table": TABLE, "session": "ann-s"})
    assert told.status_code == 200, told.text


def held(house: House, account: str) -> int:
    return house.floor.reader().balance(account, "EUR")


def owed(house: House) -> int:
    teller = house.floor.tellers.of("north")
    assert teller is not None
    return len(teller.desk.owed())


def play_out(house: House) -> None:
    house.do(c.CloseBetting)
    house.until(lambda view: any(place.state == "awaited" for box in view.boxes for place in box.places))
    house.deal_all()
    house.finish()


def settled(house: House) -> None:
    """Nothing of Ann's lies in the studio, and nothing is owed."""
    wait_until(lambda: not held(house, PURSE) and not held(house, SUSPENSE) and not owed(house))


def test_a_bet_is_taken_from_the_wallet_and_what_it_returns_goes_there(house: House, operator: Operator) -> None:
    house.betting()
    launch(house)
    [answer] = house.bet("b1").json["answers"]
    assert answer["status"] == "accepted", answer
    assert operator.balance == MONEY - 200
    assert house.bet("b1").json["answers"][0]["status"] == "duplicate"
    assert operator.balance == MONEY - 200
    play_out(house)
    settled(house)
    returned = house.floor.reader().bet_status("north", "b1")
    assert returned is not None
    assert operator.balance == MONEY - 200 + returned.returned_minor
    assert held(house, operator_account("north")) == operator.balance - MONEY
    house.studio.stop()
    found = verify(house.database)
    assert found.ok, found.first_wrong
