"""The only place for what the consoles need of the studio behind them: the floor, narrowed to what they use.

The floor of `bootstrap` fulfils it, and so does the fake floor of the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.config import StudioConfig, TableSection
from dealer_ui.deck_desk import DeckDesk
from dealer_ui.pit.desk import PitDesk
from dealer_ui.technician.port import Bench
from studio.journal import Reader
from studio.people import Actor
from studio.people.staff import StaffRegister
from studio.ports import HostCommand
from studio.tables.command import PersonCommand
from studio.tables.config import TableConfig
from studio.views.shape import TableView


class Desk(Protocol):
    """Where people sign in. Each refuses with `RefusedError`; too many wrong PINs close a badge for a while."""

    @property
    def register(self) -> StaffRegister: ...

    def sign_in(self, badge: str, pin: str, now: int) -> Actor: ...

    def confirm_pin(self, staff_id: str, pin: str) -> Actor: ...

    def actor(self, staff_id: str) -> Actor: ...


class House(Protocol):
    """Thread-safe. `view` is the latest committed; `command` is durable when it returns its place in the journal."""

    @property
    def tables(self) -> tuple[str, ...]: ...

    @property
    def config(self) -> StudioConfig: ...

    @property
    def staff(self) -> Desk: ...

    @property
    def checkpoints(self) -> CheckpointDesk | None: ...

    @property
    def decks(self) -> DeckDesk: ...

    def view(self, table: str) -> TableView: ...

    def command(self, table: str, command: PersonCommand) -> int: ...

    def order(self, device: str, order: HostCommand, *, by: Actor, reason: str, id: str = "") -> int: ...

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int: ...

    def now_ms(self) -> int: ...

    def reader(self) -> Reader: ...

    def evidence_path(self, digest: str) -> Path | None: ...

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | None: ...

    def rtp(self, table: str) -> Mapping[str, float]: ...

    def proved(self, config: TableConfig) -> TableConfig: ...

    @property
    def bench(self) -> Bench: ...

    @property
    def pit(self) -> PitDesk: ...


def window_s_of(house: House, table: str) -> float:
    """How long the table's betting window is."""
    return house.view(table).window_s


def section_of(house: House, table: str) -> TableSection | None:
    """The table's own part of the configuration."""
    return next((section for section in house.config.tables if section.key == table), None)


def device_roles(house: House, table: str) -> Mapping[str, str]:
    """What each device is at its table, by its id: `shoe`, `shuffler` or `camera`."""
    section = section_of(house, table)
    if section is None:
        return {}
    return {section.shoe: "shoe", section.shuffler: "shuffler", section.camera: "camera"}
