"""Two operators with wallets of their own, each over real HTTP; what each does wrong is switched while it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from closed_again import close_each, closed_again
from flask.testing import FlaskClient
from patience import wait_until
from running_studio import API_KEY, HEALTHY_S, PIT, SOUTH_KEY, TABLE, House
from sealed_search import STAFF

from dealer_ui.access.auth import COOKIE
from dealer_ui.config.shape import WalletSection
from dealer_ui.rehearsal.operator.fault import Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import open_operator
from dealer_ui.teller.teller import Teller
from studio.tables import command as c

MONEY = 100_000
DAY_MS = 86_400_000
BETTORS = {"north": ("ann-77", API_KEY), "south": ("bob-12", SOUTH_KEY)}
"""Of each operator one bettor, and his key."""


class Operator:
    """One operator: his server, his till, and the studio's configuration of him."""

    def __init__(self, folder: Path, dialect: str, bettor: str) -> None:
        self.faults = Faults(slow_s=5.0)
        self.bettor = bettor
        self.server: OperatorServer = open_operator(folder, dialect, self.faults)
        with closed_again(self.close):
            self.server.till.open_account(bettor, "open", "over", "EUR", MONEY)
            self.server.start()
        self.section = WalletSection(
            dialect=dialect, address=self.server.address, key_file=str(folder / f"studio.{dialect}"), wait_s=HEALTHY_S
        )

    @property
    def balance(self) -> int:
        return self.server.till.look(self.bettor, "open").balance_minor

    def close(self) -> None:
        close_each((self.server.close, self.server.till.close))


class Pair:
    """A studio with both, its table taking bets."""

    def __init__(self, house: House, north: Operator, south: Operator) -> None:
        self.house = house
        self.north, self.south = north, south

    def bet(self, operator: str, id: str, stake: int = 200, bet: str = "player1_win") -> str:
        """What becomes of the bet: its status, or why it is refused."""
        bettor, key = BETTORS[operator]
        bets = [{"client_id": id, "bettor": bettor, "bet": bet, "stake": stake}]
        [line] = self.house.post(f"/tables/{TABLE}/bets", {"bets": bets}, key).json["answers"]
        return str(line.get("reason") or line["status"])

    def teller(self, operator: str) -> Teller:
        found = self.house.floor.tellers.of(operator)
        assert found is not None
        return found

    def void(self) -> None:
        self.house.do(c.FreezeTable)
        self.house.do(c.VoidRound, PIT, reason_code="machine")
        self.house.until(lambda view: view.round.stage == "voided")

    def refused(self, operator: str) -> str:
        """The id of the one thing that this wallet has said no to."""
        desk = self.teller(operator).desk
        wait_until(lambda: len(desk.for_people()) == 1)
        [(owed, _)] = desk.for_people()
        return owed.call.id

    def later(self, ms: int) -> None:
        """The desks' clock goes on by so much; the tables' own does not."""
        now_ms = self.house.studio.clock.now_ms
        self.house.floor.use_clock(lambda: now_ms() + ms)


@contextmanager
def two_operators(folder: Path) -> Iterator[Pair]:
    with (
        closing(Operator(folder / "north", "hmac", BETTORS["north"][0])) as north,
        closing(Operator(folder / "south", "hmac", BETTORS["south"][0])) as south,
        House(folder, wallet=north.section, south=south.section, window_s=600) as house,
    ):
        house.betting()
        for bettor, key in BETTORS.values():
            told = house.post(f"/bettors/{bettor}/pages", {"table": TABLE, "session": "open"}, key)
            assert told.status_code == 200, told.text
        yield Pair(house, north, south)


def signed_in(house: House, role: str) -> tuple[FlaskClient, dict[str, str]]:
    """Somebody of this role at a station, and the headers of his forms."""
    client = house.api
    [(badge, pin)] = [(badge, pin) for _, badge, pin, held in STAFF if held == role]
    assert client.post("/sign-in", data={"badge": badge, "pin": pin}).status_code == 303
    cookie = client.get_cookie(COOKIE)
    viewer: Any = house.studio.app.extensions["console"].sessions.find(cookie.value) if cookie else None
    return client, {"X-CSRF-Token": viewer.csrf, "Accept": "application/json"}
