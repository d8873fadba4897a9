"""Changes of the staff by an administrator: who joins, what they may, badges, PINs, who leaves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.people.actor import Actor, need_right
from studio.people.pin import Pin, PinHasher
from studio.people.right import Role
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import (
    StaffAdded,
    StaffBadgeChanged,
    StaffPinChanged,
    StaffRetired,
    StaffRolesChanged,
)

RESERVED_IDS: Final = frozenset({"camera", "shoe", "shuffler", "system", "clock", "the system", "nobody"})
"""What the record calls whoever is no person: somebody of that id would do things in nobody's name."""

_ID: Final = re.compile(r"\w[\w.@ -]{0,63}")
"""It stands in addresses and in every record of what the person does."""


@dataclass(frozen=True, slots=True)
class NewStaff:
    """Somebody who joins. `id` is given by the caller and never used again for another."""

    id: str
    badge: str
    name: str
    roles: tuple[str, ...]
    pin: Pin


def add_staff(register: StaffRegister, new: NewStaff, *, by: Actor, now_ms: int, hasher: PinHasher) -> StaffAdded:
    """Somebody joins the staff."""
    need_right(by, "manage_staff")
    if not new.id or not new.name.strip():
        raise RefusedError("name_missing", "Give the person an id and a name.")
    if not _ID.fullmatch(new.id):
        raise RefusedError("id_wrong", "An id has letters, digits, dots and dashes, 64 at most. Choose another one.")
    if new.id.strip().lower() in RESERVED_IDS:
        raise RefusedError("id_reserved", "The record calls a machine by this id. Choose another one.")
    if new.id in register.people:
        raise RefusedError("id_taken", "This id belongs to somebody already. Choose another one.")
    badge = _free_badge(register, new.badge)
    roles = _roles(new.roles)
    return StaffAdded(
        at_ms=now_ms,
        id=new.id,
        badge=badge,
        name=new.name.strip(),
        roles=roles,
        pin_hash=hasher.hash(new.pin),
        by=by.id,
    )


def change_roles(
    register: StaffRegister, staff_id: str, roles: Iterable[str], *, by: Actor, now_ms: int
) -> StaffRolesChanged:
    """What somebody may do changes; the last administrator stays one."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    wanted = _roles(roles)
    if Role.ADMIN not in wanted:
        not_the_last_admin(register, person)
    not_himself(by, person)
    return StaffRolesChanged(at_ms=now_ms, id=person.id, roles=wanted, by=by.id)


def change_badge(register: StaffRegister, staff_id: str, badge: str, *, by: Actor, now_ms: int) -> StaffBadgeChanged:
    """Give a person a new badge; the old one no longer signs anybody in."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    return StaffBadgeChanged(at_ms=now_ms, id=person.id, badge=_free_badge(register, badge), by=by.id)


def change_pin(
    register: StaffRegister, staff_id: str, pin: Pin, *, by: Actor, now_ms: int, hasher: PinHasher
) -> StaffPinChanged:
    """A new PIN, by an administrator or by the person himself; it ends a lock-out."""
    person = person_of(register, staff_id)
    if by.id != person.id:
        need_right(by, "manage_staff")
    return StaffPinChanged(at_ms=now_ms, id=person.id, pin_hash=hasher.hash(pin), by=by.id)


def retire_staff(register: StaffRegister, staff_id: str, *, by: Actor, now_ms: int) -> StaffRetired:
    """Somebody leaves; the last administrator stays."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_the_last_admin(register, person)
    return StaffRetired(at_ms=now_ms, id=person.id, by=by.id)


def person_of(register: StaffRegister, staff_id: str) -> Staff:
    """Somebody of the staff, barred or not."""
    person = register.active(staff_id)
    if person is None:
        raise RefusedError("not_staff", "Nobody of the staff has this id. Look at the list of staff.")
    return person


def _free_badge(register: StaffRegister, badge: str) -> str:
    badge = badge.strip()
    if not badge:
        raise RefusedError("badge_missing", "Hold a badge to the reader, or type its number.")
    if register.with_badge(badge) is not None:
        raise RefusedError("badge_taken", "Somebody wears this badge already. Use another one.")
    return badge


def _roles(roles: Iterable[str]) -> tuple[str, ...]:
    wanted = set(roles)
    known = tuple(str(role) for role in Role if role in wanted)
    if not known or len(known) != len(wanted):
        raise RefusedError("roles_unknown", f"Choose one role or more of: {', '.join(Role)}.")
    return known


def not_himself(by: Actor, person: Staff) -> None:
    """Refuse what nobody does to himself."""
    if by.id == person.id:
        raise RefusedError("not_oneself", "Nobody does this to himself. Ask another administrator.")


def not_the_last_admin(register: StaffRegister, person: Staff) -> None:
    """Refuse what would leave the house without an administrator."""
    if [admin.id for admin in register.with_role(Role.ADMIN)] == [person.id]:
        raise RefusedError("last_admin", f"{person.name} is the only administrator. Make somebody else one first.")
