"""Bettors of two table hosts over one wallet of their operator's: hosts that die, hosts that are late, a wallet that is
dead. Whatever happens, the wallet's books are the ledger's.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from nats_server import needs_nats
from patience import PATIENCE_S, wait_until
from running_studio import PIT, SOUTH_KEY, House, impatient
from wallet_hosts import HOME, MONEY, Hosts, bet, launch, two_hosts

from dealer_ui.access.auth import COOKIE
from dealer_ui.assembly import lease_keeper, queue_keeper
from dealer_ui.assembly.web_node import WebNode
from dealer_ui.teller import shared_session
from dealer_ui.teller import tellers as tellers_module
from dealer_ui.teller.session import KEPT_MS
from dealer_ui.teller.shared_session import LAPSE_MS, SharedSessions
from dealer_ui.teller.teller import Teller
from studio.errors import StorageError
from studio.journal import Reader
from studio.money import free_suspense_account, suspense_account
from studio.tables import command as c

pytestmark = needs_nats
SUSPENSE = suspense_account("north")


@pytest.fixture
def hosts(tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosts]:
    with two_hosts(tmp_path, postgres_address, monkeypatch) as made:
        yield made


def play_out(house: House) -> None:
    house.do(c.CloseBetting)
    house.until(lambda view: any(place.state == "awaited" for box in view.boxes for place in box.places))
    house.deal_all()
    house.finish()


def test_one_bettor_plays_at_tables_of_two_hosts_and_is_paid_by_one(hosts: Hosts) -> None:
    first, second = hosts.betting("t1"), hosts.betting("t2")
    launch(first)  # at the one host, and known at the other
    assert (bet(first, "b1"), bet(second, "b2")) == ("accepted", "accepted")
    assert hosts.north.has() == MONEY - 400
    assert hosts.tells() == "a"
    play_out(first)
    play_out(second)
    hosts.settled()
    assert hosts.north.has() == MONEY + hosts.returned("b1", "b2")
    hosts.checked()


def test_a_bet_asked_for_by_a_host_that_dies_is_undone_by_who_takes_its_table(hosts: Hosts) -> None:
    first = hosts.betting("t1")
    launch(first)
    dying = hosts.hosts["a"]
    dying.teller().stakes.strand = lambda ends, commit: None  # type: ignore[method-assign]
    hosts.north.faults.switch(on=("silent_after",))
    with impatient(first):
        assert bet(first, "b1") == "wallet_unknown"
    wait_until(lambda: hosts.north.has() == MONEY - 200)  # it was taken, and nothing more was written
    hosts.north.faults.switch(off=("silent_after",))
    del hosts.hosts["a"]
    dying.studio.stop()
    hosts.lapse("a")
    wait_until(lambda: hosts.at("t1", "b").here)
    wait_until(lambda: hosts.tells() == "b")
    hosts.settled()
    assert hosts.north.has() == MONEY
    hosts.checked()


@pytest.mark.long
def test_what_is_owed_by_a_host_that_dies_is_told_by_another(hosts: Hosts) -> None:
    first, second = hosts.betting("t1"), hosts.betting("t2")
    launch(first)
    assert (bet(first, "b1"), bet(second, "b2")) == ("accepted", "accepted")
    hosts.north.faults.switch(on=("silent_after",))  # a return is taken, and nobody hears of it
    play_out(first)
    play_out(second)
    wait_until(lambda: len(hosts.hosts["b"].teller().desk.owed()) > 0)
    dying = hosts.hosts.pop("a")
    dying.studio.stop()
    hosts.north.faults.switch(off=("silent_after",))
    hosts.lapse("a")
    wait_until(lambda: hosts.tells() == "b")
    hosts.settled()
    assert hosts.north.has() == MONEY + hosts.returned("b1", "b2")
    hosts.checked()


def test_a_host_that_is_late_plays_no_stake_of_a_table_it_has_lost(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hosts.betting("t1")
    launch(first)
    hosts.north.faults.switch(on=("slow",))  # it takes the stake at once, and says so late
    with ThreadPoolExecutor() as pool:
        told = pool.submit(bet, first, "b1")
        wait_until(lambda: hosts.north.has() == MONEY - 200)
        for module in (lease_keeper, queue_keeper):
            monkeypatch.setattr(module, "RENEW_S", 1e9)  # neither renews any more
        hosts.lapse("a")
        wait_until(lambda: hosts.at("t1", "b").here)
        hosts.north.faults.switch(off=("slow",))
        assert told.result() != "accepted"
    hosts.settled()
    assert hosts.north.has() == MONEY
    [(count,)] = hosts.hosts["b"].studio.floor.reader().read("SELECT count(*) FROM bet", ())
    assert count == 0
    hosts.checked()


@pytest.mark.long
def test_a_host_that_has_lost_the_queue_settles_nothing_of_it(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    first = hosts.betting("t1")
    launch(first)
    assert bet(first, "b1") == "accepted"
    hosts.north.faults.switch(on=("slow",))
    first.do(c.FreezeTable)
    monkeypatch.setattr(queue_keeper, "RENEW_S", 1e9)
    late = hosts.hosts["a"].teller()
    hosts.hosts["a"].studio.queues.step = lambda now_s: None  # type: ignore[union-attr,method-assign]
    first.do(c.VoidRound, PIT, reason_code="machine")
    wait_until(lambda: late.outbox._telling)  # the cancel is under way from the host that is about to be late
    hosts.lapse("a", "t1")
    wait_until(lambda: hosts.hosts["b"].teller().desk.holds)
    hosts.north.faults.switch(off=("slow",))
    hosts.settled()
    wait_until(lambda: not late.desk.holds)
    assert hosts.north.has() == MONEY
    rows = hosts.hosts["b"].studio.floor.reader().events(kinds=("WalletTold",))
    assert len(list(rows)) == 1
    hosts.checked()


@pytest.mark.long
def test_a_dead_wallet_stops_its_own_bettors_at_both_hosts_and_nobody_else(
    tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with two_hosts(tmp_path, postgres_address, monkeypatch, ("north", "south")) as hosts:
        tables = hosts.betting("t1"), hosts.betting("t2")
        launch(tables[0])
        launch(tables[0], "bob", SOUTH_KEY)
        hosts.north.faults.switch(on=("down",))
        for at, table in enumerate(tables):
            told = {bet(table, f"n{at}{number}") for number in range(8)}
            assert told == {"wallet_unknown", "wallet_silent"}
            assert bet(table, f"s{at}", "bob", SOUTH_KEY) == "accepted"
        for host in hosts.hosts.values():  # either knows how the other's calls go
            wait_until(lambda host=host: host.teller().pulse.silent)  # type: ignore[misc]
            assert not host.teller("south").pulse.silent
        for table in tables:
            play_out(table)
        hosts.settled("south")
        south = hosts.operators[1]
        assert south.has("bob") == MONEY + hosts.returned("s0", "s1", operator="south")
        hosts.north.faults.switch(off=("down",))
        hosts.settled()
        assert hosts.north.has() == MONEY
        hosts.checked()


@pytest.mark.long
def test_a_bettor_is_launched_bets_wins_and_sees_his_money_through_a_web_node(hosts: Hosts) -> None:
    second = hosts.betting("t2")
    node = hosts.start_web()
    client = node.app.test_client()
    headers = {"Authorization": "Bearer a-key-for-tests"}

    def post(path: str, body: object) -> dict[str, object]:
        told = client.post(f"/api/v1{path}", json=body, headers=headers)
        assert told.status_code == 200, told.text
        return dict(told.json)

    page = str(post("/bettors/ann/pages", {"table": "t2", "session": "ann-s", "plays": True})["page"])
    browser = node.app.test_client()

    def shown() -> str:
        said = browser.get(page).text.partition('id="balance"')[2].partition("</b>")[0]
        return said.partition('data-minor="')[2].partition('"')[0]

    wait_until(lambda: shown() == str(MONEY))
    bets = [{"client_id": "b1", "bettor": "ann", "bet": "player1_win", "stake": 200}]
    [answer] = post("/tables/t2/bets", {"bets": bets})["answers"]  # type: ignore[misc]
    assert answer["status"] == "accepted", answer
    wait_until(lambda: shown() == str(MONEY - 200))
    play_out(second)
    hosts.settled()
    assert hosts.north.has() == MONEY + hosts.returned("b1")
    wait_until(lambda: shown() == str(hosts.north.has()))  # told by the other host, and shown here
    wait_until(lambda: not node.floor.tellers.of("north").desk.owed())  # type: ignore[union-attr]
    hosts.checked()


@pytest.mark.long
def test_a_sum_that_is_made_while_another_host_asks_leaves_nothing_out(hosts: Hosts) -> None:
    second = hosts.betting("t2")
    launch(second)
    told = hosts.hosts["a"].teller().desk
    with ThreadPoolExecutor() as pool:
        asking = pool.submit(lambda: [bet(second, f"b{number}") for number in range(12)])
        while not asking.done():
            assert told.keep()
        assert set(asking.result()) == {"accepted"}
    play_out(second)
    hosts.settled()
    assert hosts.north.has() == MONEY + hosts.returned(*(f"b{number}" for number in range(12)))
    assert len(list(hosts.hosts["b"].studio.floor.reader().events(kinds=("WalletKept",)))) > 2
    hosts.checked()


class PitAtNode:
    """Petra, signed in at a web node."""

    def __init__(self, node: WebNode) -> None:
        self._client = node.app.test_client()
        answer = self._client.post("/sign-in", data={"badge": "2001", "pin": "730162"})
        assert answer.status_code == 303, answer.text
        cookie = self._client.get_cookie(COOKIE)
        assert cookie is not None
        self._csrf = node.app.extensions["console"].sessions.find(cookie.value).csrf

    def page(self) -> str:
        return self._client.get("/pit/wallets").text

    def close(self, id: str, case: str) -> Any:
        told = {"act": "close_owed", "operator": "north", "movement": id, "case": case, "words": "Seen with Sven.",
                "pin": "730162"}  # fmt: skip
        headers = {"X-CSRF-Token": self._csrf, "Accept": "application/json"}
        return self._client.post("/pit/act", json=told, headers=headers)


@pytest.mark.long
def test_the_pit_sees_and_closes_at_a_web_node_what_another_host_tells_a_wallet(hosts: Hosts) -> None:
    second = hosts.betting("t2")
    launch(second)
    assert bet(second, "b1") == "accepted"
    node = hosts.start_web()
    pit = PitAtNode(node)
    hosts.north.faults.switch(on=("wrong_signature",))
    second.do(c.FreezeTable)
    second.do(c.VoidRound, PIT, reason_code="machine")
    wallet = node.floor.tellers.of("north")
    assert wallet is not None
    wait_until(lambda: len(wallet.desk.for_people()) == 1)
    [(owed, movement)] = wallet.desk.for_people()
    assert movement.facts.table == "t2"
    assert owed.call.id in pit.page()
    assert hosts.tells() == "a"
    other = hosts.hosts["b"].teller().desk
    wait_until(lambda: [one.call.id for one, _ in other.for_people()] == [owed.call.id])
    wait_until(lambda: "north" in {name for one in node.on_wire.presence.neighbours() for name in one.here.tells})
    wait_until(lambda: pit.close(owed.call.id, "taken").status_code == 200)
    wait_until(lambda: not wallet.desk.owed())
    wait_until(lambda: "Seen with Sven." in pit.page())
    assert pit.close(owed.call.id, "given").json["key"] == "closed_already"
    hosts.settled()
    assert hosts.north.has() == MONEY - 200, "its operator gives it back by hand"
    hosts.checked()


@pytest.mark.long
def test_free_bets_that_a_web_node_grants_are_played_at_another_host_and_told_to_the_wallet(hosts: Hosts) -> None:
    second = hosts.betting("t2")
    launch(second)
    client = hosts.start_web().app.test_client()
    headers = {"Authorization": "Bearer a-key-for-tests"}
    grant = {"client_id": "welcome", "stake": 300, "count": 2}
    told = client.post("/api/v1/bettors/ann/free-bets", json=grant, headers=headers)
    assert told.status_code == 200, told.text
    sent = {"client_id": "f1", "bettor": "ann", "bet": "player2_lose", "stake": 300, "free_bet": "welcome"}

    def staked() -> str:
        answer = client.post("/api/v1/tables/t2/bets", json={"bets": [sent]}, headers=headers)
        [line] = answer.json["answers"]
        return str(line.get("reason") or line["status"])

    wait_until(lambda: staked() in ("accepted", "duplicate"))
    till = hosts.north.server.till
    assert (hosts.north.has(), till.promotion_minor("ann")) == (MONEY, -300)
    play_out(second)
    hosts.settled()
    wait_until(lambda: not hosts.held(free_suspense_account("north")))
    won = hosts.returned("f1") + 300
    assert (hosts.north.has(), till.promotion_minor("ann")) == (MONEY + won, -300)
    hosts.checked()


@pytest.mark.long
def test_a_stake_at_a_table_that_no_configuration_names_any_more_is_undone(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = hosts.betting("t1")
    launch(first)
    dying = hosts.hosts["a"]
    dying.teller().stakes.strand = lambda ends, commit: None  # type: ignore[method-assign]
    hosts.north.faults.switch(on=("silent_after",))
    with impatient(first):
        assert bet(first, "b1") == "wallet_unknown"
    wait_until(lambda: hosts.north.has() == MONEY - 200)
    hosts.north.faults.switch(off=("silent_after",))
    for host in (hosts.hosts.pop("b"), hosts.hosts.pop("a")):
        host.studio.stop()
    monkeypatch.delitem(HOME, "t1")
    hosts.lapse("a")
    hosts.start("b")
    wait_until(lambda: hosts.tells() == "b")
    wait_until(lambda: hosts.north.has() == MONEY)
    hosts.settled()
    hosts.checked()


def test_a_table_that_cannot_be_begun_now_is_taken_again_and_its_host_runs_on(
    tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed, table_up = [], Teller.table_up

    def fails_once(teller: Teller, table: str, *rest: Any) -> None:
        if table == "t1" and not failed:
            failed.append(table)
            raise StorageError("Rows of other hosts are under way for too long; this is tried again.")
        table_up(teller, table, *rest)

    monkeypatch.setattr(Teller, "table_up", fails_once)
    with two_hosts(tmp_path, postgres_address, monkeypatch) as hosts:
        assert failed == ["t1"]
        wait_until(lambda: hosts.at("t1").here and hosts.at("t2").here)
        assert hosts.at("t1").floor.tables_here == ("t1",)
        hosts.checked()


def test_who_takes_over_a_wallet_keeps_nobody_waiting_while_rows_settle(
    hosts: Hosts, monkeypatch: pytest.MonkeyPatch
) -> None:
    tellers = hosts.hosts["b"].studio.floor.tellers
    asked, go_on, settled = threading.Event(), threading.Event(), tellers_module.settled

    def slow(reader: Reader, wait: Any) -> int:
        asked.set()
        assert go_on.wait(PATIENCE_S)
        return settled(reader, wait)

    monkeypatch.setattr(tellers_module, "settled", slow)
    hosts.lapse("a", "t1")
    monkeypatch.setattr(queue_keeper, "RENEW_S", 1e9)
    assert asked.wait(PATIENCE_S)
    tellers.follow(hosts.hosts["b"].studio.floor.reader())  # what others wrote is taken in meanwhile
    go_on.set()
    wait_until(lambda: hosts.tells() == "b" or hosts.hosts["b"].teller().desk.holds)


class Rows:
    """Sessions as the database keeps them; counts who looks."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.lapsed: list[int] = []

    def keep(self, operator: str, bettor: str, closed: str, at_ms: int) -> None:
        self.kept[operator, bettor] = closed

    def find(self, operator: str, bettor: str) -> str | None:
        return self.kept.get((operator, bettor))

    def lapse(self, before_ms: int) -> None:
        self.lapsed.append(before_ms)

    def close(self) -> None: ...


def test_a_host_remembers_so_many_sessions_of_wallets_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_session, "KNOWN_MOST", 2)
    rows = Rows()
    sessions = SharedSessions(rows, lambda: [b"pepper"], lambda: 0.0)
    sessions.begin(0)
    for bettor in ("ann", "bob", "cleo"):
        sessions.open("north", bettor, f"{bettor}-s", LAPSE_MS)
    assert list(sessions._of) == list(sessions._looked) == [("north", "bob"), ("north", "cleo")]
    assert [sessions.of("north", bettor) for bettor in ("ann", "bob", "cleo")] == ["ann-s", "bob-s", "cleo-s"]
    assert rows.lapsed == [-KEPT_MS]
    sessions.open("north", "dan", "dan-s", LAPSE_MS + 1)
    assert rows.lapsed == [-KEPT_MS, LAPSE_MS + 1 - KEPT_MS]
