"""What the consoles need of the studio behind them: the floor, narrowed to what they use.

The floor of `bootstrap` fulfils it, and so does the fake floor of the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from dealer_ui.care.checkpoint_desk import CheckpointDesk
from dealer_ui.care.program_desk import ProgramDesk
from dealer_ui.config.file import StudioConfig, TableSection
from dealer_ui.desk.deck import DeckDesk
from dealer_ui.desk.duty import Duty
from dealer_ui.desk.operator_key import OperatorKeys
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.pot import PotMove
from dealer_ui.desk.second_factor import SecondFactors
from dealer_ui.desk.shift import ShiftDesk
from dealer_ui.desk.staff import Change
from dealer_ui.desk.winners import Winners
from dealer_ui.floor.device_port import Bench
from dealer_ui.floor.pot_feed import Feeders
from dealer_ui.floor.process_look import ProcessLook
from dealer_ui.teller.look import Wallets
from studio.diagnosis import Unseen
from studio.errors import RefusedError
from studio.journal import Reader
from studio.people import Actor, AnyStaffEvent, Pin, PinHasher
from studio.people.staff import StaffRegister
from studio.ports import HostCommand
from studio.tables.config import TableConfig
from studio.tables.declaration import Command
from studio.views.shape import TableView


class Desk(Protocol):
    """Where people sign in. Each refuses with `RefusedError`; too many wrong PINs close a badge for a while."""

    @property
    def register(self) -> StaffRegister: ...

    listeners: list[Callable[[AnyStaffEvent], None]]
    sweep: Callable[[], None]
    second: SecondFactors

    @property
    def hasher(self) -> PinHasher: ...

    def sign_in(self, badge: str, pin: str, now: int, station: str = "", address: str = "") -> Actor: ...

    def take_station(self, staff_id: str, station: str, pin: Pin) -> None: ...

    def sign_out(self, staff_id: str, station: str) -> None: ...

    def sign_in_ended(self, staff_id: str, station: str, why: str) -> None: ...

    def change(self, change: Change) -> tuple[AnyStaffEvent, ...]: ...

    def pit_bosses_on_floor(self) -> int: ...

    def confirm_pin(
        self, staff_id: str, pin: str, station: str = "", address: str = "", *, badge: str = ""
    ) -> Actor: ...

    def actor(self, staff_id: str) -> Actor: ...

    def catch_up(self) -> None: ...


class House(Protocol):
    """Thread-safe. `view` is the latest committed; `command` is durable when it returns its place in the journal."""

    @property
    def tables(self) -> tuple[str, ...]: ...

    @property
    def config(self) -> StudioConfig: ...

    @property
    def operators(self) -> OperatorKeys: ...

    @property
    def staff(self) -> Desk: ...

    @property
    def checkpoints(self) -> CheckpointDesk | None: ...

    @property
    def program(self) -> ProgramDesk | None: ...

    @property
    def shifts(self) -> ShiftDesk: ...

    @property
    def duty(self) -> Duty: ...

    @property
    def decks(self) -> DeckDesk: ...

    def view(self, table: str) -> TableView: ...

    def command(self, table: str, command: Command) -> int: ...

    def order(self, device: str, order: HostCommand, *, by: Actor, reason: str, id: str = "") -> int: ...

    def move_pot(self, asked: PotMove, fed: Feeders, by: Actor, beside: Actor | None) -> int: ...

    def wait(self, table: str | None, after_seq: int, timeout_s: float) -> int: ...

    def follow(self, moved: Callable[[], None]) -> None: ...

    def now_ms(self) -> int: ...

    def reader(self) -> Reader: ...

    @property
    def winners(self) -> Winners: ...

    def evidence_path(self, digest: str) -> Path | None: ...

    def camera_jpeg(self, table: str) -> tuple[bytes, int] | Unseen: ...

    def rtp(self, table: str) -> Mapping[str, float]: ...

    def best_once_in(self, table: str) -> Mapping[str, int]: ...

    def proved(self, config: TableConfig) -> TableConfig: ...

    @property
    def bench(self) -> Bench: ...

    @property
    def pit(self) -> PitDesk: ...

    @property
    def tellers(self) -> Wallets: ...

    def processes(self) -> tuple[ProcessLook, ...]:
        """The processes of a studio on several machines; none of one that is a single process."""
        ...


def window_s_of(house: House, table: str) -> float:
    """How long the table's betting window is."""
    return house.view(table).game.window_s


def section_of(house: House, table: str) -> TableSection | None:
    """The table's own part of the configuration."""
    return next((section for section in house.config.tables if section.key == table), None)


def device_roles(house: House, table: str) -> Mapping[str, str]:
    """What each device is at its table, by its id: `shoe`, `shuffler` or `camera`."""
    section = section_of(house, table)
    if section is None:
        return {}
    return {section.shoe: "shoe", section.shuffler: "shuffler", section.camera: "camera"}


def name_of(house: House, staff_id: str) -> str:
    """A person's name by id; the id itself when no such person is on the register."""
    try:
        return house.staff.actor(staff_id).name if staff_id else ""
    except RefusedError:
        return staff_id
