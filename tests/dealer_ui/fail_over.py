"""What the tests of a fail-over ask of a studio on two hosts while its database changes machines."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from running_studio import API_KEY, PIT
from wire_house import WireHouse

from studio.errors import RefusedError, StorageError
from studio.tables import command as c

NORTH = {"Authorization": f"Bearer {API_KEY}"}


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder for servers that do not run as root, in memory where there is room for it."""
    folder = Path(tempfile.mkdtemp(prefix="studio-pg-", dir="/dev/shm" if Path("/dev/shm").is_dir() else "/tmp"))
    try:
        folder.chmod(0o711)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def deposit(house: WireHouse, id: str) -> int:
    body = {"client_id": id, "amount": 100}
    return house.api.post("/api/v1/bettors/ann/deposits", json=body, headers=NORTH).status_code


def balance(house: WireHouse) -> int | None:
    """What Ann has, or None while no line to the promoted server is there to read over."""
    try:
        return house.hosts["b"].floor.reader().balance("bettor:north:ann")
    except StorageError:
        return None


def is_done(house: WireHouse, command: type[c.Command]) -> bool:
    try:
        house.do("t3", command, PIT)
    except (RefusedError, TimeoutError):
        return False
    return True
