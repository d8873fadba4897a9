"""Changes of the staff by an administrator: who joins, what they may, badges, one-time codes, who leaves.

Nobody chooses another's PIN: who joins and who forgot his gets a code, which opens the sign-in once, to choose one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from studio.errors import RefusedError
from studio.people.actor import Actor, need_right
from studio.people.pin import Pin, PinHasher
from studio.people.right import Role
from studio.people.staff import Staff, StaffRegister, as_worn
from studio.people.staff_event import (
    StaffAdded,
    StaffBadgeChanged,
    StaffPinChanged,
    StaffRetired,
    StaffRolesChanged,
)

SETUP_ID: Final = "system"
"""Who acts on the machine itself, before anybody can sign in."""
RESERVED_IDS: Final = frozenset({"camera", "shoe", "shuffler", SETUP_ID, "clock", "the system", "nobody"})
"""What the record calls whoever is no person: somebody of that id would do things in nobody's name."""

_ID: Final = re.compile(r"\w[\w.@ -]{0,63}")
"""It stands in addresses and in every record of what the person does."""


_TURNING: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
"""With one of them in his name, what stands after it in a line of the record would be read backwards."""


CODE_MS: Final = 24 * 3_600_000
CODE_DIGITS: Final = 8
"""What the pad of every sign-in takes: 26 bits, against five tries."""


@dataclass(frozen=True, slots=True)
class NewStaff:
    """Somebody who joins. `id` is given by the caller and never used again for another. `code`: the PIN is a one-time
    code; only a set-up that needs no administrator, as the demo's, gives people PINs.
    """

    id: str
    badge: str
    name: str
    roles: tuple[str, ...]
    pin: Pin
    code: bool = False


def fresh_code(below: Callable[[int], int]) -> Pin:
    """A one-time code. `below(n)` gives a random number from 0 to n - 1, unguessable.

    >>> fresh_code(lambda n: 7).digits()
    '00000007'
    """
    return Pin(f"{below(10**CODE_DIGITS):0{CODE_DIGITS}d}")


def add_staff(register: StaffRegister, new: NewStaff, *, by: Actor, now_ms: int, hasher: PinHasher) -> StaffAdded:
    """Somebody joins the staff."""
    need_right(by, "manage_staff")
    if not new.id or not new.name.strip():
        raise RefusedError("name_missing", "Give the person an id and a name.")
    if any(unicodedata.bidirectional(letter) in _TURNING or letter < " " for letter in new.name):
        raise RefusedError(
            "name_turns", "The name holds a sign that nobody sees and that turns text round. Type it anew."
        )
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
        code_until_ms=now_ms + CODE_MS if new.code else 0,
    )


def change_roles(
    register: StaffRegister, staff_id: str, roles: Iterable[str], *, by: Actor, now_ms: int, had: Iterable[str] = ()
) -> tuple[StaffRolesChanged, ...]:
    """What somebody may do changes; the last administrator stays one, and roles he has already are no change.

    `had`: the roles that whoever asks was shown, where he was shown any. What another administrator has given or taken
    meanwhile is not undone by it.
    """
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    wanted, shown = _roles(roles), set(had)
    if set(wanted) == person.roles:
        return ()
    if shown and shown != person.roles:
        raise RefusedError(
            "roles_changed", f"The roles of {person.name} were changed meanwhile: look at them, then change them.",
            name=person.name,
        )  # fmt: skip
    if Role.ADMIN not in wanted:
        not_the_last_admin(register, person, now_ms)
    not_himself(by, person)
    return (StaffRolesChanged(at_ms=now_ms, id=person.id, roles=wanted, by=by.id),)


def change_badge(register: StaffRegister, staff_id: str, badge: str, *, by: Actor, now_ms: int) -> StaffBadgeChanged:
    """Give a person a new badge; the old one no longer signs anybody in."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    return StaffBadgeChanged(at_ms=now_ms, id=person.id, badge=_free_badge(register, badge), by=by.id)


def change_pin(
    register: StaffRegister, staff_id: str, pin: Pin, *, by: Actor, now_ms: int, hasher: PinHasher
) -> StaffPinChanged:
    """A new PIN, chosen by the person himself, or printed by a demo for everybody to read; it ends a lock-out."""
    person = person_of(register, staff_id)
    if by.id not in (person.id, SETUP_ID):
        raise RefusedError("pin_of_another", "Nobody chooses another's PIN. Give this person a one-time code instead.")
    return StaffPinChanged(at_ms=now_ms, id=person.id, pin_hash=hasher.hash(pin), by=by.id)


def give_code(
    register: StaffRegister, staff_id: str, code: Pin, *, by: Actor, now_ms: int, hasher: PinHasher
) -> StaffPinChanged:
    """A one-time code in the place of a PIN that was forgotten; it ends a lock-out, and the PIN opens nothing more."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_himself(by, person)
    return StaffPinChanged(
        at_ms=now_ms, id=person.id, pin_hash=hasher.hash(code), by=by.id, code_until_ms=now_ms + CODE_MS
    )


def retire_staff(register: StaffRegister, staff_id: str, *, by: Actor, now_ms: int) -> StaffRetired:
    """Somebody leaves; the last administrator stays."""
    need_right(by, "manage_staff")
    person = person_of(register, staff_id)
    not_the_last_admin(register, person, now_ms)
    return StaffRetired(at_ms=now_ms, id=person.id, by=by.id)


def person_of(register: StaffRegister, staff_id: str) -> Staff:
    """Somebody of the staff, barred or not."""
    person = register.active(staff_id)
    if person is None:
        raise RefusedError("not_staff", "Nobody of the staff has this id. Look at the list of staff.")
    return person


def _free_badge(register: StaffRegister, badge: str) -> str:
    badge = as_worn(badge)
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


def not_the_last_admin(register: StaffRegister, person: Staff, now_ms: int) -> None:
    """Refuse what would leave the house without an administrator who can come in: a one-time code that nobody took
    within its life lets nobody in.
    """
    admins = register.with_role(Role.ADMIN)
    if person not in admins or any(one.id != person.id and not one.code_is_over(now_ms) for one in admins):
        return
    if len(admins) == 1:
        raise RefusedError("last_admin", f"{person.name} is the only administrator. Make somebody else one first.")
    sentence = f"{person.name} is the only administrator who can come in. Give another one a new one-time code first."
    raise RefusedError("last_admin_in", sentence, name=person.name)
