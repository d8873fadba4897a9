"""What is open on the floor when a shift is handed over: at the tables, among the complaints, among the alarms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dealer_ui.floor.house import House
from dealer_ui.frame.alarm_row import rows_of
from studio.people.shift_event import OpenMatter
from studio.views.shape import TableView
from studio.wallets.obligation import alarm_level

_OF_THE_HOUSE: Final = frozenset({"disk", "witness", "program_other", "program_unknown"})
"""Causes of alarms that are told as matters of their own; every other cause shows at its table, too."""


def matters_of(house: House) -> tuple[OpenMatter, ...]:
    """For the next pit boss, what waits for somebody; no card's face is in it."""
    tables = (matter for table in house.tables for matter in _of_table(house.view(table)))
    return (*tables, *_complaints(house), *_wallets(house), *_webhooks(house), *_messages(house), *_alarms(house))


def _of_table(view: TableView) -> Iterator[OpenMatter]:
    table, seat = view.table, view.seat
    for incident in view.incidents.open:
        yield OpenMatter(
            table=table, what="incident", id=incident.id, kind=incident.kind, since_ms=incident.opened_at_ms
        )
        if incident.asked.by:
            yield OpenMatter(table=table, what="ruling", id=incident.id, about=incident.asked.by_name)
    if view.now.frozen_by:
        yield OpenMatter(table=table, what="held", about=view.now.frozen_by_name)
    for case in view.aftermath.cases:
        yield OpenMatter(table=table, what="case", id=case.round, kind=case.bet, since_ms=case.opened_at_ms)
    if view.aftermath.correction is not None:
        what = "paying" if view.aftermath.correction.approved_by else "correction"
        yield OpenMatter(
            table=table, what=what, id=view.aftermath.correction.round, about=view.aftermath.correction.asked.by_name
        )
    if view.aftermath.sealed.asked is not None:
        yield OpenMatter(
            table=table,
            what="unsealing",
            id=view.aftermath.sealed.asked.round,
            about=view.aftermath.sealed.asked.asked.by_name,
        )
    if view.now.pit_called_by:
        yield OpenMatter(table=table, what="call", about=view.now.pit_called_by_name)
    if seat.relief:
        yield OpenMatter(table=table, what="relief", about=seat.relief_name, since_ms=seat.relief_at_ms)
    if view.now.status != "closed":
        yield from _missing(view)


def _missing(view: TableView) -> Iterator[OpenMatter]:
    """What an open table lacks: a device, a camera that sees, a dealer."""
    for device, up in view.devices.links.items():
        if not up:
            yield OpenMatter(table=view.table, what="device", kind=device)
    if view.devices.camera_blind and view.devices.links.get("camera", True):
        yield OpenMatter(table=view.table, what="blind", kind=view.devices.camera_blind)
    if view.seat.stood_down:
        yield OpenMatter(table=view.table, what="no_dealer", about=view.seat.stood_down)


def _complaints(house: House) -> Iterator[OpenMatter]:
    for one in tuple(house.pit.book.complaints.values()):
        if one.open:
            yield OpenMatter(table=one.table, what="complaint", id=one.id, about=one.round, since_ms=one.at_ms)


def _wallets(house: House) -> Iterator[OpenMatter]:
    """What is owed to operators' wallets: of each how many movements, and since when the oldest."""
    for teller in house.tellers:
        owed = teller.desk.standing()
        if owed.count:
            what = "wallet_people" if owed.for_people else "wallet"
            count = owed.for_people or owed.count
            yield OpenMatter(
                table="", what=what, id=teller.operator, about=f"{teller.operator} ({count})",
                since_ms=owed.oldest_since_ms,
            )  # fmt: skip


def _webhooks(house: House) -> Iterator[OpenMatter]:
    """Operators who have not heard of their rounds for a minute, and since when the oldest waits."""
    now_ms = house.now_ms()
    for teller in house.tellers.rounds or ():
        owed = teller.desk.standing()
        if alarm_level(owed.age_ms(now_ms)):
            yield OpenMatter(
                table="", what="webhook", id=teller.operator, about=teller.operator, since_ms=owed.oldest_since_ms
            )


def _messages(house: House) -> Iterator[OpenMatter]:
    """Messages to bettors that stand until somebody takes them away."""
    for one in tuple(house.pit.book.messages.values()):
        if one.until == "hand":
            yield OpenMatter(table=one.table, what="message", id=one.id, kind=one.text, since_ms=one.at_ms)


def _alarms(house: House) -> Iterator[OpenMatter]:
    """Alarms that nobody has acknowledged, and those that no table tells of."""
    for row in rows_of(house):
        if row.waits or row.cause.word in _OF_THE_HOUSE:
            table = row.cause.tables[0] if row.cause.tables else ""
            what = "unseen" if row.waits else "alarm"
            since_ms = row.alarm.raised_ms if row.alarm else 0
            yield OpenMatter(
                table=table, what=what, id=row.id, kind=row.cause.word, about=row.cause.about, since_ms=since_ms
            )
