"""Table hosts and web nodes of one studio in this process, over a NATS server of the test's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from closed_again import close_each, closed_again
from flask.testing import FlaskClient
from nats_server import NatsServer
from patience import wait_until
from running_studio import API_KEY, DEALER, PIT, sign_up

from dealer_ui.assembly.bootstrap import Studio, StudioParts, build_studio
from dealer_ui.assembly.web_node import WebNode, build_web_node
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.file import OperatorSection, StudioConfig, StudioSection, TableSection, of_process
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.process.evidence import EvidenceFolder
from studio.cards import Sealer
from studio.people import Actor
from studio.ports import Device
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.views import TableView

TABLES: Final = {"a": ("t1", "t2"), "b": ("t3", "t4")}
GAMES: Final = {"t1": "three_knights", "t2": "blackjack", "t3": "kkclash", "t4": "three_knights"}
DESK: Final = "a"


def config(folder: Path, nats: NatsServer, name: str, role: str = "table", postgres: str = "") -> StudioConfig:
    """The configuration as the process of that name has it. `postgres`: where all keep one record."""
    record = {"postgres": postgres, "shared": str(folder)} if postgres else {"record": str(folder / f"{DESK}.db")}
    cluster = ClusterSection(
        nats=(nats.address,), host=name, desk=DESK, role=role, secret_file=str(nats.secret_of(role)), **record,  # type: ignore[arg-type]
    )  # fmt: skip
    whole = StudioConfig(
        studio=StudioSection(title="Test", database=str(folder / f"{name}.db"), evidence=str(folder / "evidence")),
        tables=tuple(
            TableSection(key=key, title=f"Table {key[1:]}", game=GAMES[key], host=host)
            for host, keys in TABLES.items() for key in keys
        ),
        operators={"north": OperatorSection(key_sha256=digest_of_key(API_KEY))},
        cluster=cluster,
    )  # fmt: skip
    return of_process(whole)


def no_devices(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Device]:
    return ()


class WireHouse:
    """`hosts` run from the start; `web` is a web node. Whatever is stopped may be started again."""

    def __init__(self, folder: Path, nats: NatsServer, hosts: Sequence[str] = ("a", "b"), postgres: str = "") -> None:
        self.postgres = postgres
        self.folder = folder
        self.nats = nats
        self.hosts: dict[str, Studio] = {}
        self.nodes: list[WebNode] = []
        with closed_again(self.close):
            for name in hosts:
                self.start_host(name)
            self.web = self.start_web()

    def start_host(self, name: str) -> Studio:
        own = config(self.folder, self.nats, name, postgres=self.postgres)
        parts = StudioParts(no_devices, byte_source=Random(name).randbytes, tick_s=0.01, quick_pins=True)
        studio = self.hosts[name] = build_studio(own, Path(own.studio.database), parts)
        studio.start()
        if name == DESK:
            sign_up(studio.floor.staff)
        return studio

    def stop_host(self, name: str) -> None:
        self.hosts.pop(name).stop()

    def start_web(self, name: str = "web-1", postgres: str = "") -> WebNode:
        """Another web node, back once all know each other. `postgres`: the record as a role of its own has it."""
        node = build_web_node(config(self.folder, self.nats, name, "web", postgres or self.postgres))
        self.nodes.append(node)
        node.start()
        wanted = {table for host in self.hosts for table in TABLES[host]}
        wait_until(lambda: set(node.floor.tables) == wanted and not any(map(node.floor.is_old, wanted)))
        heard = [one.on_wire.presence for one in (node, *self.hosts.values()) if one.on_wire is not None]
        wait_until(lambda: all(look.host(name) for look in heard for name in self.hosts))
        return node

    def close(self) -> None:
        close_each(one.stop for one in (*self.nodes, *self.hosts.values()))

    def __enter__(self) -> WireHouse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- people -----------------------------------------------------------------------------------------

    def do(self, table: str, command: type[c.Command], actor: Actor = DEALER, **given: object) -> int:
        """By the web node."""
        if "pit_boss" in actor.roles:
            actor = actor.with_pin(self.web.floor.now_ms())
        return self.web.floor.command(table, command(actor=actor, **given))  # type: ignore[arg-type]

    def open(self, table: str) -> None:
        self.do(table, c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)

    def at_host(self, table: str) -> TableView:
        """The table as its own host has it."""
        host = next(name for name, tables in TABLES.items() if table in tables)
        return self.hosts[host].floor.view(table)

    # --- operators --------------------------------------------------------------------------------------

    @property
    def api(self) -> FlaskClient:
        return self.web.app.test_client()

    def get(self, path: str) -> Any:
        return self.api.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {API_KEY}"})

    def post(self, path: str, body: object) -> Any:
        return self.api.post(f"/api/v1{path}", json=body, headers={"Authorization": f"Bearer {API_KEY}"})
