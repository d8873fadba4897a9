"""The page of the whole floor: `/pit`. Every table worst first, every alarm once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from dealer_ui.floor.cause import WORDS
from dealer_ui.floor.full_machine import full_machines
from dealer_ui.floor.house import House, name_of
from dealer_ui.floor.process_look import hosts_among
from dealer_ui.floor.trouble import worst_first
from dealer_ui.frame.alarm_row import AlarmRow, about_of, rows_of
from dealer_ui.frame.incident_way import REASONS
from dealer_ui.frame.screen import Asked, Screen
from studio.pit import PREPARED
from studio.views.shape import TableView

SOUNDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("disk", "host", "floor", "held", "frozen"), "held"),
    **dict.fromkeys(("incident", "correction", "unsealing", "case", "complaint"), "asked"),
    **dict.fromkeys(("door", "guessed", "disowned", "wallet_people", "wallet_doubt"), "asked"),
    "called": "called",
    **dict.fromkeys(("program_other", "program_unknown"), "asked"),
    **dict.fromkeys(("device", "witness", "wallet", "wallet_late", "webhook", "webhook_late", "webhook_day"), "device"),
}
"""What each alarm sounds like."""


def draw_floor(asked: Asked) -> tuple[int, Mapping[str, Any]]:
    house = asked.house
    views = [house.view(table) for table in house.tables]
    rows = rows_of(house)
    return max((house.pit.seq, *(view.seq for view in views))), {
        "tables": worst_first(views),
        "rows": rows,
        "alarms": sounds(rows),
        "about": partial(about_of, asked.language),
        "named": partial(name_of, house),
        "freeze": house.pit.book.freeze if any(row.cause.word == "floor" for row in rows) else None,
        "complaints": sum(one.open for one in tuple(house.pit.book.complaints.values())),
        "prepared": PREPARED,
        "full_machines": full_machines(views, house.processes()),
        **_machines(house),
        "reasons": REASONS,
    }


def _machines(house: House) -> Mapping[str, Any]:
    """The processes of the studio; which tables each host runs and which are on their way, and who ordered it."""
    processes, moves = house.processes(), house.pit.book.moves
    hosts = hosts_among(processes)
    goes = {table: moves.goal(table, host.name, hosts) for host in hosts if host.there for table in sorted(host.runs)}
    return {
        "processes": processes,
        "titles": {table: house.view(table).title for table in house.tables},
        "drained": moves.drained,
        "sent": moves.sent,
        "goes": goes,
        "movable": any(one.may for one in hosts),
        "targets": [one.name for one in hosts if one.there and one.name not in moves.drained],
    }


def sounds(rows: list[AlarmRow]) -> tuple[str, ...]:
    """What a station is heard for, the most urgent first; what somebody has acknowledged is silent."""
    found = [f"loud:{row.id}" for row in rows if row.loud]
    found += [f"asked:{one.id}" for row in rows for one in row.asked]
    waiting = (row for row in rows if row.waits and not row.loud)
    quiet = sorted(waiting, key=lambda row: WORDS.index(row.cause.word))
    return (*found, *(f"{SOUNDS[row.cause.word]}:{row.cause.key.replace(' ', '_')}" for row in quiet))


def _pulse(asked: Asked) -> object:
    """What changes on the floor page without a journal row: the number of bets refused for want of room under the
    exposure limit, and which processes are there.
    """
    refused = tuple(refused_of(asked.house.view(table)) for table in asked.house.tables)
    return refused, tuple((one.name, one.state, one.runs) for one in asked.house.processes())


def refused_of(view: TableView) -> int:
    return view.bets.exposure.refused if view.bets.exposure is not None else 0


FLOOR: Final = Screen("pit", ("view_pit",), draw_floor, of_table=False, pulse=_pulse)
