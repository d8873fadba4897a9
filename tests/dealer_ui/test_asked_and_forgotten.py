"""What is asked leaves nothing in memory: not a bettor who came once, nor a wrong PIN, nor an address that is none."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import count

import pytest
from running_studio import TABLE, House

ROUNDS, EACH = 2, 40
PER_REQUEST = 0.4
"""So many objects more a request may lie there: an answer that is kept is a dozen."""


class Strangers:
    """Everything anew each time: names, ids, addresses, PINs, paths."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.numbers = count()
        self.app = house.studio.app

    def ask(self) -> int:
        """A few hundred requests; gives how many."""
        for number in (next(self.numbers) for _ in range(EACH)):
            ip = {"REMOTE_ADDR": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
            client = self.app.test_client()
            for path in (f"/lost{number}", f"/display/{TABLE}?x={number}", f"/sign-in?next=/pit/{number}"):
                client.get(path, environ_base=ip).close()
            client.post("/sign-in", data={"badge": f"{number}", "pin": f"{number:04}"}, environ_base=ip).close()
            self.house.post(f"/bettors/b{number}/deposits", {"client_id": f"d{number}", "amount": 100}).close()
            refused = {"client_id": f"k{number}", "bettor": f"b{number}", "bet": f"none{number}", "stake": 100}
            self.house.post(f"/tables/{TABLE}/bets", {"bets": [refused]}).close()
        return EACH * 6


@pytest.fixture
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Strangers]:
    with House(tmp_path_factory.mktemp("asked")) as house:
        yield Strangers(house)


def lying() -> int:
    gc.collect()
    return len(gc.get_objects())


def test_what_strangers_and_operators_ask_is_forgotten(strangers: Strangers) -> None:
    for _ in range(2):
        strangers.ask()  # whatever is made once, and kept for all who ask
    before = lying()
    asked = sum(strangers.ask() for _ in range(ROUNDS))
    assert lying() - before < asked * PER_REQUEST
