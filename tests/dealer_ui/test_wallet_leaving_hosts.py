"""A wallet leaves a studio of several hosts by the host of the desk; no other runs a table without it before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from nats_server import needs_nats
from patience import wait_until
from running_studio import PIT
from wallet_hosts import MONEY, Host, Hosts, bet, launch, two_hosts

from dealer_ui.config.file import StudioConfig
from studio.errors import BadInputError
from studio.tables import command as c

pytestmark = needs_nats


@pytest.fixture
def hosts(tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosts]:
    with two_hosts(tmp_path, postgres_address, monkeypatch) as made:
        yield made


def without_wallets(config: StudioConfig) -> StudioConfig:
    operators = {name: one.model_copy(update={"wallet": None}) for name, one in config.operators.items()}
    return config.model_copy(update={"operators": operators})


def test_no_host_runs_tables_without_a_wallet_that_the_studio_still_has(hosts: Hosts) -> None:
    first = hosts.betting("t1")
    launch(first)
    assert bet(first, "b1") == "accepted"
    hosts.hosts.pop("b").studio.stop()
    with pytest.raises(BadInputError, match="the studio still has it: start the host of the desk with this"):
        Host(without_wallets(hosts.config("b")), "b")
    hosts.start("b")
    first.do(c.FreezeTable)
    first.do(c.VoidRound, PIT, reason_code="machine")
    wait_until(lambda: hosts.north.has() == MONEY)
    hosts.settled()
    hosts.close()
    for name in ("a", "b"):
        hosts.hosts[name] = Host(without_wallets(hosts.config(name)), name)
        assert not list(hosts.hosts[name].studio.floor.tellers)
    hosts.checked()
