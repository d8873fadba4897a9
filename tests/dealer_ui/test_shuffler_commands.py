"""What a configuration with `commands = true` lets anybody send to a machine of the generic profile."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dealer_ui.assembly.device_parts import configured_parts
from dealer_ui.config.file import DeviceSection, StudioConfig, TableSection
from dealer_ui.process.evidence import EvidenceFolder
from devices.shuffler.generic_order import WORDS
from devices.supervisor import Supervisor
from studio.cards import Sealer
from studio.errors import RefusedError
from studio.ports import HostCommand


def shuffler(folder: Path, *, commands: bool) -> Supervisor:
    section = DeviceSection(id="s1", driver="generic", url="sim://nothing", commands=commands)
    table = TableSection(key="t1", title="Table 1", game="three_knights", shuffler="s1")
    config = StudioConfig(devices=(section,), tables=(table,))
    parts = configured_parts(config)
    [found] = parts.devices_of(
        config.table_config(table), Sealer(random.Random(1).randbytes), EvidenceFolder(folder / "evidence")
    )
    assert isinstance(found, Supervisor)
    return found


@pytest.mark.parametrize("name", WORDS)
def test_every_command_of_the_profile_is_authorised_together(tmp_path: Path, name: str) -> None:
    shuffler(tmp_path, commands=True).driver.check(HostCommand(name))
    with pytest.raises(RefusedError, match="lets nobody send"):
        shuffler(tmp_path, commands=False).driver.check(HostCommand(name))
