"""Patroni really runs: the leader's machine goes, the other is promoted, tables hold and go on over one address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fail_over import balance, deposit, is_done, server_folder
from nats_server import NatsServer, needs_nats
from patience import wait_until
from patroni_pair import PatroniPair, why_not
from running_studio import PIT
from wire_house import WireHouse

from studio.errors import RefusedError
from studio.journal.chain import check
from studio.tables import command as c

pytestmark = [needs_nats, pytest.mark.night]


@pytest.fixture
def pair() -> Iterator[PatroniPair]:
    if sentence := why_not():
        pytest.skip(sentence)
    with server_folder() as folder, closing(PatroniPair(folder)) as made:
        yield made


def test_patroni_promotes_the_standby_and_tables_go_on_by_themselves(pair: PatroniPair, tmp_path: Path) -> None:
    with NatsServer(tmp_path) as nats, WireHouse(tmp_path, nats, postgres=pair.address) as house:
        house.open("t3")
        assert [deposit(house, id) for id in ("d1", "d2", "d3")] == [200] * 3
        gone = pair.leader
        pair.kill(gone)
        with pytest.raises((RefusedError, TimeoutError)):
            house.do("t3", c.PauseTable, PIT)
        assert deposit(house, "d4") != 200
        wait_until(lambda: house.at_host("t3").now.act.key == "act.disk")
        wait_until(lambda: pair.leader not in ("", gone), 0.2)
        wait_until(lambda: deposit(house, "d4") == 200)
        wait_until(lambda: not house.at_host("t3").now.held)
        assert house.at_host("t3").now.frozen_by == ""
        wait_until(lambda: is_done(house, c.FreezeTable))
        wait_until(lambda: balance(house) == 400)
        pair.start(gone)  # its machine is there again, and follows
        wait_until(lambda: pair.role(gone) in ("replica", "sync_standby"), 0.2)
        assert check(pair.address) is None
