"""Which wallets a host tells what they are owed, and what one that cannot be told does to the others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import SimpleNamespace
from typing import Any

from dealer_ui.assembly.queue_keeper import QueueKeeper
from studio.errors import IllegalEventError
from studio.journal import Lease
from studio.journal.lease import LeaseLook


class Leases:
    host = "a"

    def __init__(self) -> None:
        self.held: dict[str, Lease] = {}

    def look(self) -> tuple[LeaseLook, ...]:
        return tuple(LeaseLook(lease, self.host, 10.0) for lease in self.held.values())

    def take(self, table: str, devices: Collection[str] = ()) -> Lease:
        before = self.held.get(table, Lease(table, 0))
        self.held[table] = Lease(table, before.epoch + 1)
        return self.held[table]

    def renew(self, leases: Collection[Lease]) -> frozenset[Lease]:
        return frozenset(leases) - set(self.held.values())


class Wallets:
    """Of two operators; what is on record of a `wrong` one does not fold."""

    def __init__(self) -> None:
        self.wrong = {"north"}

    def __iter__(self) -> Iterator[Any]:
        return (SimpleNamespace(operator=operator) for operator in ("north", "south"))

    def of(self, operator: str) -> Any:
        return SimpleNamespace(desk=SimpleNamespace(asked=tuple))

    def hold(self, operator: str, *given: object) -> None:
        if operator in self.wrong:
            raise IllegalEventError("an answer to a stake which was not asked for")


def test_a_wallet_whose_rows_do_not_fold_keeps_no_other_from_being_told() -> None:
    wallets = Wallets()
    keeper = QueueKeeper(wallets, Leases(), None, lambda: None, frozenset)  # type: ignore[arg-type]
    for _ in range(3):
        keeper.look()
        assert keeper.operators == ("south",)
    wallets.wrong.clear()
    keeper.look()
    assert sorted(keeper.operators) == ["north", "south"]
