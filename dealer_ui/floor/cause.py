"""Why somebody in the pit should look, one cause at a time, whatever it shows itself at.

A server of cameras that is gone blinds six tables and is one cause; five incidents of one dropped card are one cause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import urlsplit

from dealer_ui.floor.house import House, section_of
from studio.errors import RefusedError
from studio.pit import Cause
from studio.procedures import Approval
from studio.views.shape import IncidentView, TableView
from studio.wallets.obligation import alarm_level

TOGETHER_MS: Final = 10_000
"""Incidents of one table that open within it belong together."""

WITNESS_LATE_MS: Final = 60_000
"""A witness that refuses for so long is worth a look; before, it is only asked again."""

WORDS: Final = (
    "disk", "host", "floor", "held", "frozen", "incident", "called", "device", "witness", "program_other",
    "program_unknown", "stock", "correction", "unsealing", "case", "complaint", "door", "guessed", "disowned",
    "wallet_doubt", "wallet_people", "wallet_late", "wallet", "webhook_day", "webhook_late", "webhook",
)  # fmt: skip
"""What an alarm may be, the worst first; keys of the catalogue (`alarm.<word>`)."""

_OF_A_LINK: Final = frozenset({"device_lost", "video_lost"})
_DISK: Final = "act.disk"
_UNREACHABLE: Final = "act.unreachable"


def causes_of(house: House) -> tuple[Cause, ...]:
    """Every cause there is now."""
    views = [view for view in map(house.view, house.tables) if view.now.status != "closed" or view.now.frozen_by]
    found = [*_disk(views), *_hosts(views), *_frozen(house, views), *_devices(house, views)]
    for view in views:
        found += _incidents(view)
        if (by := view.now.pit_called_by) and not view.now.frozen_by:
            found.append(
                Cause(f"called:{view.table}:{by}", "called", (view.table,), view.now.pit_called_by_name, by=by)
            )
    found += _corrections(house)
    found += _unsealings(house)
    found += _cases(house)
    found += _witnesses(house)
    found += _program(house)
    found += _stock(house)
    found += _doors(house)
    found += _wallets(house)
    found += _webhooks(house)
    return (*found, *_complaints(house))


def _disk(views: Iterable[TableView]) -> Iterator[Cause]:
    tables = tuple(view.table for view in views if view.now.act.key == _DISK)
    if tables:
        yield Cause("disk", "disk", tables)


def _hosts(views: Iterable[TableView]) -> Iterator[Cause]:
    """Tables whose host nobody has heard for a few seconds; a closed one waits for nobody."""
    tables = tuple(view.table for view in views if view.now.act.key == _UNREACHABLE)
    if tables:
        yield Cause("host", "host", tables)


def _frozen(house: House, views: Iterable[TableView]) -> Iterator[Cause]:
    """What the freeze of the floor froze is one cause; a table that was frozen by itself is its own."""
    whole = []
    for view in views:
        if view.now.frozen_with:
            whole.append(view)
        elif view.now.frozen_by:
            yield _freeze(house, f"frozen:{view.table}:{view.now.frozen_by}", "frozen", [view])
    if whole:
        first = min(whole, key=lambda view: int(view.now.frozen_with.rpartition("-")[2]))
        yield _freeze(
            house, f"floor:{first.now.frozen_with}", "floor", [first, *(one for one in whole if one is not first)]
        )


def _freeze(house: House, key: str, word: str, views: Sequence[TableView]) -> Cause:
    """The freeze of these tables by whoever froze the first of them, who has seen it if he sees to alarms."""
    by, name = views[0].now.frozen_by, views[0].now.frozen_by_name
    tables = tuple(table for table in house.tables if any(view.table == table for view in views))
    return Cause(key, word, tables, name, by=by, seen_by_name=name if _sees_to_alarms(house, by) else "")


def _sees_to_alarms(house: House, id: str) -> bool:
    try:
        return house.staff.actor(id).may("acknowledge_alarm")
    except RefusedError:
        return False  # the system itself, or somebody who has left


def _devices(house: House, views: Iterable[TableView]) -> Iterator[Cause]:
    """Links that are down and cameras that see nothing, by the machine behind them."""
    by_source: dict[str, list[str]] = {}
    about: dict[str, str] = {}
    shared = _shared_hosts(house)
    for view in views:
        for role in _troubled(view):
            section = section_of(house, view.table)
            device = (getattr(section, role, "") if section else "") or f"{role} {view.table}"
            host = _host(house, device)
            source = f"server:{host}" if host in shared else f"device:{device}"
            by_source.setdefault(source, []).append(view.table)
            about[source] = host if host in shared else role
    for source, tables in by_source.items():
        yield Cause(source, "device", tuple(dict.fromkeys(tables)), about[source], lingers=True)


def _troubled(view: TableView) -> list[str]:
    """The parts of the table that are not there, or whose loss is not ruled on yet."""
    if view.now.status == "closed":
        return []
    found = [role for role, up in view.devices.links.items() if not up]
    found += ["camera"] if view.devices.camera_blind else []
    found += [
        incident.where.device
        for incident in view.incidents.open
        if incident.kind in _OF_A_LINK and incident.where.device
    ]
    return list(dict.fromkeys(found))


def _shared_hosts(house: House) -> frozenset[str]:
    """Machines of the network with more than one device behind them."""
    counted = Counter(_host_of(device.url) for device in house.config.devices)
    return frozenset(host for host, times in counted.items() if host and times > 1)


def _host(house: House, device: str) -> str:
    return next((_host_of(one.url) for one in house.config.devices if one.id == device), "")


def _host_of(url: str) -> str:
    """
    >>> _host_of("rtsp://10.0.0.5:554/3"), _host_of("/dev/ttyUSB0"), _host_of("sim://camera-1")
    ('10.0.0.5', '', 'camera-1')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _incidents(view: TableView) -> Iterator[Cause]:
    """What the incidents of a table call the pit for; incidents that come from one mishap are one cause."""
    for group in _groups([one for one in view.incidents.open if _concerns_pit(view, one)]):
        first = group[0]
        word = "held" if any(one.holds for one in group) else "incident"
        yield Cause(f"incident:{view.table}:{first.id}", word, (view.table,), first.kind)


def _concerns_pit(view: TableView, incident: IncidentView) -> bool:
    if incident.kind in _OF_A_LINK and incident.where.device:
        return False
    return incident.holds or incident.row.approval != Approval.DEALER


def _groups(incidents: Iterable[IncidentView]) -> list[list[IncidentView]]:
    """What came of one mishap: at the same place or device, or soon after its first sign."""
    groups: list[list[IncidentView]] = []
    for incident in sorted(incidents, key=lambda one: (one.opened_at_ms, one.id)):
        group = next((group for group in groups if _of_one(group[0], incident)), None)
        if group is None:
            groups.append([incident])
        else:
            group.append(incident)
    return groups


def _of_one(first: IncidentView, other: IncidentView) -> bool:
    if first.where.device and first.where.device == other.where.device:
        return True
    if first.where.box and (first.where.box, first.where.place) == (other.where.box, other.where.place):
        return True
    return other.opened_at_ms - first.opened_at_ms <= TOGETHER_MS


def together(view: TableView, cause: Cause) -> Sequence[IncidentView]:
    """The incidents behind a cause of this table."""
    groups = _groups([one for one in view.incidents.open if _concerns_pit(view, one)])
    return next((group for group in groups if f"incident:{view.table}:{group[0].id}" == cause.key), [])


def _corrections(house: House) -> Iterator[Cause]:
    """Corrections of settled rounds that wait for a second person."""
    for table in house.tables:
        asked = house.view(table).aftermath.correction
        if asked is not None and not asked.approved_by:
            yield Cause(f"correction:{asked.id}", "correction", (table,), asked.round)


def _unsealings(house: House) -> Iterator[Cause]:
    """Sealed cards that wait for a second person to be opened."""
    for table in house.tables:
        asked = house.view(table).aftermath.sealed.asked
        if asked is not None:
            yield Cause(f"unsealing:{asked.id}", "unsealing", (table,), asked.round)


def _cases(house: House) -> Iterator[Cause]:
    for table in house.tables:
        for case in house.view(table).aftermath.cases:
            if not case.pays:
                yield Cause(f"case:{case.round}", "case", (table,), case.round)


def _witnesses(house: House) -> Iterator[Cause]:
    """Witnesses that have not taken a checkpoint for too long; of an address its host only, it may hold a key."""
    desk = house.checkpoints
    for behind in desk.behind if desk is not None else ():
        if house.now_ms() - behind.since_ms >= WITNESS_LATE_MS:
            name = _host_of(behind.witness) or behind.witness
            yield Cause(f"witness:{name}", "witness", (), name)


def _program(house: House) -> Iterator[Cause]:
    """A program that is not as it was started, and one that nobody answers for where somebody did for another."""
    if house.program is None:
        return
    stands = house.program.standing
    if found := (*stands.other, *stands.damaged):
        more = f" + {len(found) - 1}" if len(found) > 1 else ""
        yield Cause("program:other", "program_other", (), f"{found[0]}{more}")
    if stands.accepted is not None and stands.digest and not stands.answered_for:
        yield Cause(f"program:{stands.digest[:12]}", "program_unknown", (), stands.digest[:12])


def _stock(house: House) -> Iterator[Cause]:
    """The count of the stock of cards, once it is overdue."""
    due_ms = house.decks.count_due_ms
    if due_ms is not None and house.now_ms() >= due_ms:
        yield Cause(f"stock:{due_ms}", "stock", ())


def _complaints(house: House) -> Iterator[Cause]:
    """Complaints that wait for more than a day."""
    now_ms = house.now_ms()
    for complaint in tuple(house.pit.book.complaints.values()):
        if complaint.late(now_ms):
            yield Cause(f"complaint:{complaint.id}", "complaint", (complaint.table,), complaint.id)


def _doors(house: House) -> Iterator[Cause]:
    """Badges that are locked: whose, from where the wrong PINs came, and at whose sign-in, where it was at one."""
    now_ms = house.now_ms()
    for person in tuple(house.staff.register.people.values()):
        if person.active and person.is_locked(now_ms):
            lock, word, whose = person.pin.lock, "door", f"{person.name} ({person.badge})"
            if lock.beside:
                word, whose = "guessed", f"{whose} ← {house.staff.register.people[lock.beside].name}"
            yield Cause(f"{word}:{person.id}:{lock.times}", word, (), f"{whose}, {person.locked_from}")
        if person.active and not person.barred and (since_ms := person.notices.disowned_ms):
            yield Cause(f"disowned:{person.id}:{since_ms}", "disowned", (), f"{person.name} ({person.badge})")


def _wallets(house: House) -> Iterator[Cause]:
    """The alarms about operators' wallets: a silent wallet, one that is owed something for too long, one that a person
    must look into, and one of which the record cannot be read.
    """
    now_ms = house.now_ms()
    for teller in house.tellers:
        name, owed = teller.operator, teller.desk.standing()
        level = alarm_level(now_ms - owed.told_since_ms) if owed.told_since_ms else 0
        if level or teller.pulse.silent:
            word = "wallet_late" if level > 1 else "wallet"
            yield Cause(f"{word}:{name}", word, (), name, lingers=True)
        if teller.desk.in_doubt:
            yield Cause(f"wallet_doubt:{name}", "wallet_doubt", (), name)
        if owed.for_people:
            known = tuple(table for table in house.tables if table in owed.tables)
            yield Cause(f"wallet_people:{name}", "wallet_people", known, name)


def _webhooks(house: House) -> Iterator[Cause]:
    """Operators who cannot be told of their rounds: one alarm each, another the longer it lasts."""
    now_ms = house.now_ms()
    for teller in house.tellers.rounds or ():
        owed = teller.desk.standing()
        level = alarm_level(owed.age_ms(now_ms))
        if level or teller.pulse.silent:
            word = ("webhook", "webhook", "webhook_late", "webhook_day")[level]
            yield Cause(f"{word}:{teller.operator}", word, (), teller.operator, lingers=True)
