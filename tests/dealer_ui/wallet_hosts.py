"""Two table hosts over one record and an operator's own wallet: each has a table, and hands at whichever it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from closed_again import close_each, closed_again
from nats_server import NatsServer
from patience import wait_until
from running_studio import API_KEY, HEALTHY_S, SOUTH_KEY, WINDOW_S, House, Said, sign_up

from dealer_ui.assembly import lease_keeper, queue_keeper
from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.assembly.web_node import WebNode, build_web_node
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.file import StudioConfig, StudioSection, TableSection, of_process
from dealer_ui.config.shape import DeviceSection, OperatorSection, WalletSection
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.operator.fault import Faults
from dealer_ui.rehearsal.operator.server import OperatorServer
from dealer_ui.rehearsal.operator.setting_up import open_operator
from dealer_ui.teller.teller import Teller
from studio.cards import Sealer
from studio.journal.postgres.connection import connect
from studio.money import bettor_account, suspense_account
from studio.ports import Observation
from studio.proof.audit.database import verify
from studio.tables.config import TableConfig

MONEY: Final = 100_000
HOME: Final = {"t1": "a", "t2": "b"}
ROLES: Final = ("shoe", "shuffler", "camera")


class Operator:
    """His server, his till, and the studio's configuration of him; he knows Ann and Bob."""

    def __init__(self, folder: Path, name: str = "north", dialect: str = "hmac") -> None:
        self.name = name
        self.faults = Faults(slow_s=60.0)
        self.server: OperatorServer = open_operator(folder / name, dialect, self.faults)
        with closed_again(self.close):
            for bettor in ("ann", "bob"):
                self.server.till.open_account(bettor, f"{bettor}-s", f"{bettor}-old", "EUR", MONEY)
            self.server.start()
        key_file = str(folder / name / f"studio.{dialect}")
        self.section = WalletSection(
            dialect=dialect, address=self.server.address, key_file=key_file, wait_s=HEALTHY_S  # type: ignore[arg-type]
        )  # fmt: skip

    def has(self, bettor: str = "ann") -> int:
        return self.server.till.look(bettor, f"{bettor}-s").balance_minor

    def close(self) -> None:
        close_each((self.server.close, self.server.till.close))


class Hands(House):
    """Hands at one table, wherever it is run; `House` has what they do."""

    def __init__(self, studio: Studio, table: str, said: dict[str, Said]) -> None:
        self.studio, self.floor, self.table, self.said = studio, studio.floor, table, said
        self.sealer = Sealer(Random(f"{table}/test").randbytes)

    def say(self, device: str, kind: Callable[..., Observation], **given: object) -> None:
        said = self.said[device]
        said.say(kind(device=said.id, at_ms=self.floor.now_ms(), **given))

    @property
    def here(self) -> bool:
        """Whether this host runs the table, thread and all."""
        return any(one.key == self.table and one.worker.alive for one in self.studio.leases.tables)


class Host:
    """A table host, with devices at both tables should it come to run them."""

    def __init__(self, config: StudioConfig, name: str) -> None:
        self.said = {table: {role: Said(f"{role}-{table}") for role in ROLES} for table in HOME}
        self.name = name

        def devices_of(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Said]:
            return list(self.said[table.key].values())

        parts = StudioParts(devices_of, byte_source=Random(name).randbytes, tick_s=0.01, quick_pins=True)
        self.studio = build_studio(config, Path(config.studio.database), parts)
        with closed_again(self.studio.stop):
            self.studio.start()

    def at(self, table: str) -> Hands:
        return Hands(self.studio, table, self.said[table])

    def teller(self, operator: str = "north") -> Teller:
        found = self.studio.floor.tellers.of(operator)
        assert found is not None
        return found


class Hosts:
    """`a` runs t1 and keeps the desk; `b` runs t2."""

    def __init__(self, folder: Path, nats: NatsServer, address: str, operators: Sequence[Operator]) -> None:
        self.folder, self.nats, self.address, self.operators = folder, nats, address, operators
        self.hosts: dict[str, Host] = {}
        self.nodes: list[WebNode] = []
        with closed_again(self.close):
            for name in ("a", "b"):
                self.start(name)

    @property
    def north(self) -> Operator:
        return self.operators[0]

    def config(self, name: str, role: str = "table") -> StudioConfig:
        cluster = ClusterSection(
            nats=(self.nats.address,), host=name, desk="a", role=role, secret_file=str(self.nats.secret_of(role)),  # type: ignore[arg-type]
            postgres=self.address, keys=self.address, shared=str(self.folder),
        )  # fmt: skip
        keys = {"north": API_KEY, "south": SOUTH_KEY}
        whole = StudioConfig(
            studio=StudioSection(
                title="Test", database=str(self.folder / f"{name}.db"), evidence=str(self.folder / "evidence")
            ),
            devices=tuple(
                DeviceSection(id=f"{role}-{table}", driver="camera", url=f"sim://{role}-{table}")
                for table in HOME for role in ROLES
            ),
            tables=tuple(
                TableSection(
                    key=table, title=f"Table {table}", game="three_knights", host=host, shoe=f"shoe-{table}",
                    shuffler=f"shuffler-{table}", camera=f"camera-{table}",
                ).model_copy(update={"window_s": WINDOW_S})
                for table, host in HOME.items()
            ),
            operators={
                one.name: OperatorSection(key_sha256=digest_of_key(keys[one.name]), wallet=one.section)
                for one in self.operators
            },
            cluster=cluster,
        )  # fmt: skip
        return of_process(whole)

    def start(self, name: str) -> Host:
        host = self.hosts[name] = Host(self.config(name), name)
        if name == "a":
            sign_up(host.studio.floor.staff)
        return host

    def start_web(self, name: str = "web-1") -> WebNode:
        node = build_web_node(self.config(name, "web"))
        self.nodes.append(node)
        node.start()
        wait_until(lambda: set(node.floor.tables) == set(HOME) and not any(map(node.floor.is_old, HOME)))
        wait_until(lambda: all(map(node.on_wire.presence.host_of, HOME)))
        return node

    def at(self, table: str, host: str = "") -> Hands:
        return self.hosts[host or HOME[table]].at(table)

    def betting(self, table: str) -> Hands:
        """The table is open, a round begun, and bets are taken."""
        hands = self.at(table)
        desk = self.hosts["a"].studio.floor.desks
        wait_until(lambda: hands.floor.staff.register.people)
        assert desk is not None
        hands.betting()
        return hands

    def lapse(self, name: str, *kept: str) -> None:
        """The host has not held on what it has for too long; but for what is `kept`."""
        with connect(self.address, reads_only=False) as raw:
            raw.execute(
                "UPDATE lease SET until = clock_timestamp() - interval '1 second'"
                ' WHERE host = $1 AND NOT "table" = ANY($2)',
                (name, list(kept)),
            )

    def tells(self, operator: str = "north") -> str:
        """The host that tells the wallet what it is owed."""
        found = [name for name, host in self.hosts.items() if host.teller(operator).desk.holds]
        return found[0] if len(found) == 1 else ""

    # --- money ------------------------------------------------------------------------------------------

    def held(self, account: str) -> int:
        return next(iter(self.hosts.values())).studio.floor.reader().balance(account, "EUR")

    def settled(self, operator: str = "north") -> None:
        """Nothing of its bettors lies in the studio, and nothing is owed, as any host has it."""
        accounts = [suspense_account(operator), *(bettor_account(operator, one) for one in ("ann", "bob"))]
        wait_until(lambda: not any(map(self.held, accounts)))
        wait_until(lambda: not any(host.teller(operator).desk.owed() for host in self.hosts.values()))
        wait_until(lambda: not any(host.teller(operator).desk.asked() for host in self.hosts.values()))

    def returned(self, *ids: str, operator: str = "north") -> int:
        """What these bets brought, less their stakes."""
        reader = next(iter(self.hosts.values())).studio.floor.reader()
        found = [reader.bet_status(operator, id) for id in ids]
        return sum(one.returned_minor - one.bet.stake_minor for one in found if one is not None)

    def checked(self) -> None:
        """The record is sound, once everybody has stopped."""
        self.close()
        found = verify(self.address)
        assert found.ok, found.first_wrong

    def close(self) -> None:
        nodes, self.nodes = self.nodes, []
        hosts, self.hosts = self.hosts, {}
        close_each((*(node.stop for node in nodes), *(host.studio.stop for host in hosts.values())))


def launch(house: House, bettor: str = "ann", key: str = API_KEY) -> Any:
    told = house.post(f"/bettors/{bettor}/pages", {"table": house.table, "session": f"{bettor}-s"}, key)
    assert told.status_code == 200, told.text
    return told.json


def bet(house: House, id: str, bettor: str = "ann", key: str = API_KEY, stake: int = 200) -> str:
    """`accepted`, or why not."""
    bets = [{"client_id": id, "bettor": bettor, "bet": "player1_win", "stake": stake}]
    told = house.post(f"/tables/{house.table}/bets", {"bets": bets}, key)
    assert told.status_code == 200, told.text
    [line] = told.json["answers"]
    return str(line.get("reason") or line["status"])


@contextmanager
def two_hosts(
    folder: Path, address: str, monkeypatch: pytest.MonkeyPatch, names: Sequence[str] = ("north",)
) -> Iterator[Hosts]:
    """Looks at leases come fast, as a test wants them."""
    for module in (lease_keeper, queue_keeper):
        monkeypatch.setattr(module, "LOOK_S", 0.05)
    with ExitStack() as stack:
        nats = stack.enter_context(NatsServer(folder))
        operators = [stack.enter_context(closing(Operator(folder, name))) for name in names]
        hosts = Hosts(folder, nats, address, operators)
        stack.callback(hosts.close)
        yield hosts
