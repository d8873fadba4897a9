"""What a factor that was shown is by what is on record, and what is said where it opens nothing."""

from __future__ import annotations

from typing import Final

from studio.errors import RefusedError
from studio.people.passkey import ShownPasskey, usable
from studio.people.staff import Staff
from studio.people.staff_event import AnyStaffEvent


def opened(found: ShownPasskey | None, person: Staff, station: str, now: int) -> tuple[AnyStaffEvent, ...]:
    """The row of a right signature: the key was used, or has counted backwards; none where it opens nothing."""
    own = person.passkeys.get(found.credential) if found is not None else None
    if found is None or own is None or own not in usable(person.passkeys.values()):
        return ()
    if own.is_behind(found.count):
        return (found.copied(person.id, station, now),)
    return (found.used(person.id, station, now),)


def no_code() -> RefusedError:
    return RefusedError(
        "code_not_taken", "Your role comes in with a passkey, and no code counts for it. Show a passkey."
    )


WRONG: Final = {
    "wrong_code": (
        "code_wrong",
        "That code is wrong or was used before. Wait for the next one; five wrong ones lock the badge.",
    ),
    "wrong_passkey": (
        "passkey_wrong",
        "That passkey opens nothing here. Show one that you have set up; five wrong ones lock the badge.",
    ),
}
COPIED: Final = (
    "This passkey has counted backwards: somebody may have a copy of it, and it opens nothing any more. Tell an "
    "administrator, and show another factor."
)
