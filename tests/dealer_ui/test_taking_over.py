"""A table whose host is gone, taken over by another in the middle of a round; and a host that is late."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from closed_again import closed_again
from nats_server import NatsServer, needs_nats
from patience import PATIENCE_S, wait_until
from running_studio import API_KEY, DEALER, PIT, TABLE, WINDOW_S, House, Said, sign_up

from dealer_ui.assembly import lease_keeper
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.assembly.hosts_order import carry_out
from dealer_ui.assembly.operators_order import Order
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.file import StudioConfig, StudioSection, TableSection
from dealer_ui.config.shape import DeviceSection, OperatorSection
from dealer_ui.desk.move import MoveDesk
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.floor.elsewhere import TAKEN_OVER
from dealer_ui.floor.leaving import LEAVING
from dealer_ui.floor.process_look import hosts_among
from dealer_ui.process.evidence import EvidenceFolder
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.journal.chain import check
from studio.journal.link import Heads
from studio.journal.postgres.connection import connect
from studio.tables import command as c
from studio.tables.config import TableConfig

pytestmark = needs_nats
DEVICES = ("shoe", "shuffler", "camera")


class Host(House):
    """A table host with hands of its own at the table, wherever that is; `House` has what they do."""

    def __init__(self, folder: Path, nats: NatsServer, name: str, address: str, url: str = "sim://") -> None:
        cluster = ClusterSection(
            nats=(nats.address,), host=name, desk="b", secret_file=str(nats.secret_of("table")), postgres=address,
            keys=address, shared=str(folder),
        )  # fmt: skip
        tables = (
            TableSection(
                key=TABLE, title="Table 1", game="three_knights", host="a", shoe="shoe", shuffler="shuffler",
                camera="camera",
            ).model_copy(update={"window_s": WINDOW_S}),
            TableSection(key="t2", title="Table 2", game="three_knights", host="b"),
        )  # fmt: skip
        config = StudioConfig(
            studio=StudioSection(title="Test", database=str(folder / f"{name}.db"), evidence=str(folder / "evidence")),
            devices=tuple(DeviceSection(id=id, driver="camera", url=url) for id in DEVICES),
            tables=tables, cluster=cluster, operators={"north": OperatorSection(key_sha256=digest_of_key(API_KEY))},
        )  # fmt: skip
        self.said = {id: Said(id) for id in DEVICES}
        self.sealer = Sealer(Random(f"{name}/test").randbytes)

        def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Said]:
            return list(self.said.values()) if table.key == TABLE else ()

        parts = StudioParts(devices_of, byte_source=Random(name).randbytes, tick_s=0.01, quick_pins=True)
        self.studio = build_studio(config, folder / f"{name}.db", parts)
        self.floor = self.studio.floor
        with closed_again(self.studio.stop):
            self.studio.start()


@dataclass(slots=True)
class Pair:
    """`a` has the table at first; `b` keeps the desk, and takes the table over."""

    a: Host
    b: Host
    address: str

    def lapse(self) -> None:
        """Host a has not renewed for too long."""
        with connect(self.address, reads_only=False) as raw:
            raw.execute("UPDATE lease SET until = clock_timestamp() - interval '1 second' WHERE host = 'a'")

    def until_b_has_it(self) -> None:
        wait_until(lambda: TABLE in self.b.floor.tables and self.b.view.now.act.key)
        wait_until(lambda: any(one.key == TABLE and one.worker.alive for one in self.b.studio.leases.tables))


def released(host: Host, incident: str) -> bool:
    """Whether the pit could let the round go on: the camera has seen every card by then."""
    try:
        host.do(c.RuleIncident, PIT, incident=incident, ruling="continue", reason_code="other", words="b has it now")
    except RefusedError:
        return False
    return True


@pytest.fixture
def pair(tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    monkeypatch.setattr(lease_keeper, "LOOK_S", 0.05)
    with NatsServer(tmp_path) as nats, Host(tmp_path, nats, "b", postgres_address) as b:
        sign_up(b.floor.staff)
        with Host(tmp_path, nats, "a", postgres_address) as a:
            yield Pair(a, b, postgres_address)


def test_a_round_goes_on_at_another_host_after_the_pits_release(pair: Pair) -> None:
    a, b = pair.a, pair.b
    a.betting()
    answer = a.bet("c1")
    assert answer.json["answers"][0]["status"] == "accepted", answer.text
    round = a.view.round.id
    before = a.studio.workers[0].runtime.state
    assert before.deck is not None
    a.studio.stop()
    pair.lapse()
    pair.until_b_has_it()
    state = next(one for one in b.studio.leases.tables if one.key == TABLE).worker.runtime.state
    assert state.round is not None
    assert (state.round.id, state.round.live) == (round, True)
    assert state.deck is not None
    assert [card.id for card in state.deck.sealed] == [card.id for card in before.deck.sealed]
    assert all(card.has_key for card in state.deck.sealed)
    assert "restart" in {one.kind for one in b.view.incidents.open}
    assert b.view.now.held
    b.links()
    for place in range(1, 5):
        b.lay("burn", place)  # they lie where they lay
    b.until(lambda view: [one.kind for one in view.incidents.open] == ["restart"])
    restart = next(one.id for one in b.view.incidents.open if one.kind == "restart")
    wait_until(lambda: released(b, restart))
    b.until(lambda view: not view.now.held)
    b.do(c.CloseBetting)
    b.deal_all()
    b.finish()
    assert b.view.round.id == round
    assert [bet.client_id for bet in b.floor.reader().bets(round)] == ["c1"]
    assert check(pair.address) is None


def test_a_host_opens_no_line_of_its_table_from_when_it_has_not_held_it_on(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = pair.a.studio.leases
    held, clock = next(iter(keeper._held.values())), keeper.lease_clock
    wait_until(lambda: not clock.why_not(held))
    monkeypatch.setattr(lease_keeper, "LEASE_S", 0.0)  # as long as nobody has renewed
    monkeypatch.setattr(lease_keeper, "RENEW_S", 0.0)
    wait_until(lambda: clock.why_not(held) == lease_keeper.LATE)
    monkeypatch.setattr(lease_keeper, "LEASE_S", 15.0)
    wait_until(lambda: not clock.why_not(held))


def test_a_host_that_is_late_freezes_its_table_and_says_who_has_it(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = pair.a, pair.b
    a.betting()
    monkeypatch.setattr(lease_keeper, "RENEW_S", 1e9)  # neither renews any more
    pair.lapse()
    pair.until_b_has_it()
    wait_until(lambda: a.view.now.act.key == TAKEN_OVER)
    assert a.view.now.act.values == {"host": "b"}
    assert not a.view.bets.open
    with pytest.raises(RefusedError, match="The host b runs this table now"):
        a.do(c.CallPit, DEALER)
    assert a.bet("late").json["answers"][0]["status"] == "refused"
    assert all(device.closed for device in a.said.values())
    assert a.floor.tables_here == ()
    assert [bet.client_id for bet in b.floor.reader().bets(b.view.round.id)] == []
    assert check(pair.address) is None


def test_a_table_whose_commit_is_not_answered_for_long_is_held_and_says_so(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = pair.a
    a.betting()
    monkeypatch.setattr(lease_keeper, "LATE_S", 0.05)
    answers, commit = threading.Event(), a.studio.store.engine.commit

    def late(heads: Heads) -> None:
        assert answers.wait(PATIENCE_S)
        commit(heads)

    monkeypatch.setattr(a.studio.store.engine, "commit", late)
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(a.do, c.CloseBetting)
        wait_until(lambda: a.view.now.held and a.view.now.act.key == "act.disk")
        assert a.view.now.primary is None
        answers.set()
        asked.result()
    a.until(lambda view: not view.now.held)
    assert a.view.now.frozen_by == ""
    a.deal_all()
    a.finish()
    assert check(pair.address) is None


def ordered(host: Host) -> MoveDesk:
    """The pit's orders, given at that host."""
    floor = host.floor
    return MoveDesk(floor.pit, hosts_among(floor.processes()), PIT.with_pin(floor.now_ms()), "drill", "a new disk")


def until_heard(pair: Pair) -> None:
    """Each host knows of both, and which tables they run."""

    def known(host: Host) -> bool:
        runs = {one.name: one.runs for one in hosts_among(host.floor.processes()) if one.there}
        return runs == {"a": (TABLE,), "b": ("t2",)}

    wait_until(lambda: known(pair.a) and known(pair.b))


def here(host: Host) -> bool:
    """Whether that host runs the table, thread and all."""
    return any(one.key == TABLE and one.worker.alive for one in host.studio.leases.tables)


def test_a_table_that_is_sent_finishes_its_round_first_and_comes_home_when_it_is_sent_there(pair: Pair) -> None:
    a, b = pair.a, pair.b
    a.betting()
    until_heard(pair)
    ordered(b).send(TABLE, "b")
    wait_until(lambda: a.view.now.goes_to == "b")
    assert a.view.now.act.key != LEAVING
    a.do(c.CloseBetting)
    a.deal_all()
    a.finish()
    round = a.view.round.id
    with pytest.raises(RefusedError) as refused:
        a.do(c.StartRound)
    assert refused.value.key in ("table_leaves", "taken_over")
    pair.until_b_has_it()
    wait_until(lambda: a.view.now.act.key == TAKEN_OVER)
    assert (b.view.round.id, b.view.round.stage) == (round, "settled")
    wait_until(lambda: not b.floor.pit.book.moves.sent)
    wait_until(lambda: not a.floor.pit.book.moves.sent)
    wait_until(lambda: {one.runs for one in hosts_among(a.floor.processes())} == {(), (TABLE, "t2")})
    ordered(a).send(TABLE, "a")
    wait_until(lambda: here(a) and not here(b))
    wait_until(lambda: a.view.now.act.key != TAKEN_OVER)
    kinds = {"TableSent", "TableArrived"}
    wait_until(lambda: len([*a.floor.reader().events(kinds=kinds)]) == 4)
    assert check(pair.address) is None


@pytest.mark.long
def test_a_drained_host_gives_its_tables_away_and_takes_none_until_it_is_taken_back(pair: Pair) -> None:
    a, b = pair.a, pair.b
    until_heard(pair)
    ordered(a).drain("a")
    wait_until(lambda: here(b) and not here(a))
    wait_until(lambda: "a" in b.floor.pit.book.moves.drained)
    with pytest.raises(RefusedError, match="The host a is drained"):
        ordered(b).send("t2", "a")
    ordered(b).take_back("a")
    wait_until(lambda: not a.floor.pit.book.moves.drained)
    wait_until(lambda: {one.runs for one in hosts_among(b.floor.processes())} == {(), (TABLE, "t2")})
    ordered(b).send(TABLE, "a")
    wait_until(lambda: here(a) and not here(b))
    assert check(pair.address) is None


def test_an_order_is_given_at_the_machine_too_and_says_how_hosts_stand(pair: Pair) -> None:
    floor = pair.a.floor
    until_heard(pair)
    told = carry_out(floor, Order("send_table", table=TABLE, host="b", reason="a new disk"), "root at the machine")
    assert not told.refused, told
    assert (TABLE, "b") in {row for one in told.hosts for row in one.tables}
    assert floor.pit.book.moves.sent[TABLE].by_name == "root at the machine"
    kept = carry_out(floor, Order("keep_table", table=TABLE), "root at the machine")
    refused = carry_out(floor, Order("drain_host", host="z", reason="r"), "root at the machine")
    assert (kept.refused, refused.refused) == ("", "There is no table host z; look at the list of machines.")


@pytest.mark.long
def test_a_host_that_is_gone_is_sent_nothing(pair: Pair) -> None:
    a, b = pair.a, pair.b
    until_heard(pair)
    a.studio.stop()
    wait_until(lambda: not {one.name: one.there for one in hosts_among(b.floor.processes())}["a"])
    with pytest.raises(RefusedError, match="The host a is gone: its tables are taken over by themselves"):
        ordered(b).drain("a")
    with pytest.raises(RefusedError, match="No host runs this table now"):
        ordered(b).send(TABLE, "b")


def test_a_host_that_stops_waits_for_no_next_look_at_its_leases(
    tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_keeper, "LOOK_S", 600.0)
    with NatsServer(tmp_path) as nats, Host(tmp_path, nats, "a", postgres_address) as a:
        assert "leases" in {thread.name for thread in threading.enumerate()}
        a.studio.stop()
        assert "leases" not in {thread.name for thread in threading.enumerate()}
