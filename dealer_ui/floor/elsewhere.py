"""A table that another host has taken over from this one: what its screens here say, and why it takes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from dealer_ui.worker.thread import TableWorker
from studio.errors import BadInputError, RefusedError
from studio.views import TableView, Words
from studio.views.shape import MessageView

TAKEN_OVER: Final = "act.taken_over"


def told_elsewhere(view: TableView, host: str) -> TableView:
    """The table as it was here last, with nothing to press."""
    told = MessageView(Words("message.unreachable"))
    now = replace(
        view.now, held=True, act=Words(TAKEN_OVER, {"host": host}), primary=None, why=None,
        messages=(*view.now.messages, told),
    )  # fmt: skip
    return replace(view, now=now, bets=replace(view.bets, open=False, deciding=(), turn=""))


class TablesHere:
    """The tables of this process by their workers; `lost` names those that another host runs, and which."""

    def __init__(self) -> None:
        self.workers: dict[str, TableWorker] = {}
        self.lost: dict[str, str] = {}

    @property
    def here(self) -> tuple[str, ...]:
        return tuple(table for table in tuple(self.workers) if table not in self.lost)

    def known(self, table: str) -> str:
        if table not in self.workers:
            raise BadInputError(f"There is no table '{table}' here; the tables are {', '.join(self.workers)}.")
        return table

    def at_work(self, table: str) -> TableWorker:
        """`RefusedError` for a table that another host runs."""
        if (host := self.lost.get(self.known(table))) is not None:
            sentence = f"The host {host} runs this table now, and nothing was done here: do it there."
            raise RefusedError("taken_over", sentence)
        return self.workers[table]
