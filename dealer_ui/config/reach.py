"""Which devices of a table another machine can reach too, and which hang on a cable of one."""

from __future__ import annotations

from dealer_ui.config.shape import StudioConfig, TableSection
from studio.device_address import without_password


def on_cables(config: StudioConfig, table: TableSection) -> tuple[str, ...]:
    """The devices of that table that no other machine can reach."""
    return tuple(sorted(id for id in _named(table) if "://" not in config.device(id).url))


def on_network(config: StudioConfig, table: TableSection) -> tuple[str, ...]:
    """The addresses of that table's devices which another machine can reach; simulated ones are each process' own."""
    urls = {without_password(config.device(id).url) for id in _named(table)}
    return tuple(sorted(url for url in urls if "://" in url and not url.startswith("sim://")))


def _named(table: TableSection) -> set[str]:
    return {table.shoe, table.shuffler, table.camera} - {""}
