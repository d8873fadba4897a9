"""A table host or a web node for a bench, in a process of its own: `python -m bench.cluster_process FOLDER NAME`.

The process prints its port once it serves. A table host's one table stands with its bets open, or has the shoe that is
named, and is closed. FOLDER holds `cluster.json`: the part `[cluster]` that all of them share, and the address of the
shoe.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.serving_studio import Spoken, open_bets, studio_config
from bench.table import DEALER
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.assembly.device_parts import configured_parts
from dealer_ui.assembly.web_node import build_web_node
from dealer_ui.config.cluster import TABLE_HOST, WEB_NODE, ClusterSection
from dealer_ui.config.file import StudioConfig
from dealer_ui.process.evidence import EvidenceFolder
from dealer_ui.rehearsal.demo.staff import give_papers
from dealer_ui.serving.server import Server
from studio.cards import Sealer
from studio.people import Pin
from studio.people.staffing import NewStaff
from studio.tables.config import TableConfig

HOSTS: Final = {"a": "t1", "b": "t2"}
"""Each table host, and its table; the first keeps the desk."""


def main(folder: str, name: str) -> None:
    config = _config(Path(folder), name)
    (_host if name in HOSTS else _node)(config, Path(folder))


def _config(folder: Path, name: str) -> StudioConfig:
    role = TABLE_HOST if name in HOSTS else WEB_NODE
    told = {**json.loads((folder / "cluster.json").read_text()), "host": name, "role": role}
    shoe = told.pop("shoe")
    section = ClusterSection.model_validate({**told, "secret_file": str(folder / f"{role}.secret")})
    config = studio_config(folder, shoe if name in HOSTS else "")
    tables = tuple(
        table.model_copy(update={"key": HOSTS[name], "host": name}) for table in config.tables if name in HOSTS
    )
    return config.model_copy(update={"cluster": section, "tables": tables or config.tables})


def _host(config: StudioConfig, folder: Path) -> None:
    assert config.cluster is not None
    has_shoe = len(config.devices) == 1
    parts = configured_parts(config) if has_shoe else StudioParts(_spoken, quick_pins=True)
    studio = build_studio(config, folder / f"{config.cluster.host}.db", parts)
    place = config.server
    server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
    try:
        studio.start()
        if DEALER.id not in studio.floor.staff.register.people:
            studio.floor.staff.add(NewStaff(DEALER.id, "1001", DEALER.name, ("dealer",), Pin("4826")))
            give_papers(studio.floor.staff, DEALER.id)
        if not has_shoe:
            open_bets(studio)
        print(place.port, flush=True)
        server.run()
    finally:
        server.stop()
        studio.stop()


def _spoken(table: TableConfig, sealer: Sealer, evidence: EvidenceFolder) -> Sequence[Spoken]:
    return [Spoken(id) for id in ("shoe", "shuffler", "camera")]


def _node(config: StudioConfig, folder: Path) -> None:
    node = build_web_node(config)
    place = config.server
    server = Server(node.app, place.host, place.port, place.threads, node.close_streams)
    try:
        node.start()
        print(place.port, flush=True)
        server.run()
    finally:
        server.stop()
        node.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
