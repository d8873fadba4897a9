"""A table whose host is gone, taken over by another in the middle of a round; and a host that is late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import API_KEY, DEALER, PIT, TABLE, WINDOW_S, House, Said, sign_up

from dealer_ui.assembly import lease_keeper
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.file import StudioConfig, StudioSection, TableSection
from dealer_ui.config.shape import DeviceSection, OperatorSection
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.floor.elsewhere import TAKEN_OVER
from dealer_ui.process.evidence import EvidenceFolder
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.journal.chain import check
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
        a = Host(tmp_path, nats, "a", postgres_address)
        try:
            yield Pair(a, b, postgres_address)
        finally:
            a.studio.stop()


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


def test_a_table_comes_home_when_it_is_sent_there_between_two_rounds(pair: Pair) -> None:
    a, b = pair.a, pair.b
    leases = b.studio.store.leases
    assert leases is not None
    leases.send(TABLE, "b")
    pair.until_b_has_it()
    wait_until(lambda: a.view.now.act.key == TAKEN_OVER)
    leases.send(TABLE, "a")
    wait_until(lambda: b.view.now.act.key == TAKEN_OVER)
    wait_until(lambda: a.view.now.act.key != TAKEN_OVER and a.floor.tables_here == (TABLE,))
    wait_until(lambda: a.studio.leases.tables and a.studio.leases.tables[0].worker.alive)
    a.open()
    assert a.view.now.status == "open"
    assert check(pair.address) is None
