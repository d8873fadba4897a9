"""The people of the floor: who they are, how they sign in, what they may do, and when it takes two of them."""

from studio.people.actor import PIN_VALID_MS, Actor, need_fresh_pin, need_right
from studio.people.approval import (
    REQUEST_VALID_MS,
    TwoPeople,
    are_two,
    has_lapsed,
    need_approver,
    need_asker,
    need_decliner,
    need_waiting,
    need_witness,
    nobody_asked,
)
from studio.people.paper import Paper, PaperStanding, day_of, need_papers
from studio.people.paper_event import LICENCE
from studio.people.papering import NewPaper
from studio.people.pin import Argon2PinHasher, Pin, PinHasher
from studio.people.reason import need_reason
from studio.people.record import SHIFT_KINDS, STAFF_KINDS
from studio.people.right import ACTIONS, TWO_PEOPLE_ACTIONS, Role, may
from studio.people.signing_in import Attempt, ComparedPin, compare_pin, confirm_pin, lift_lock_out, sign_in, sign_out
from studio.people.staff import Staff, StaffRegister, evolve_staff
from studio.people.staff_event import (
    AnyStaffEvent,
    PinConfirmed,
    SignInRefused,
    StaffAdded,
    StaffBadgeChanged,
    StaffLockedOut,
    StaffLockOutLifted,
    StaffPinChanged,
    StaffRetired,
    StaffRolesChanged,
    StaffSignedIn,
    StaffSignedOut,
)
from studio.people.staffing import (
    RESERVED_IDS,
    NewStaff,
    add_staff,
    change_badge,
    change_pin,
    change_roles,
    retire_staff,
)

__all__ = [
    "ACTIONS",
    "LICENCE",
    "PIN_VALID_MS",
    "REQUEST_VALID_MS",
    "RESERVED_IDS",
    "SHIFT_KINDS",
    "STAFF_KINDS",
    "TWO_PEOPLE_ACTIONS",
    "Actor",
    "AnyStaffEvent",
    "Argon2PinHasher",
    "Attempt",
    "ComparedPin",
    "NewPaper",
    "NewStaff",
    "Paper",
    "PaperStanding",
    "Pin",
    "PinConfirmed",
    "PinHasher",
    "Role",
    "SignInRefused",
    "Staff",
    "StaffAdded",
    "StaffBadgeChanged",
    "StaffLockOutLifted",
    "StaffLockedOut",
    "StaffPinChanged",
    "StaffRegister",
    "StaffRetired",
    "StaffRolesChanged",
    "StaffSignedIn",
    "StaffSignedOut",
    "TwoPeople",
    "add_staff",
    "are_two",
    "change_badge",
    "change_pin",
    "change_roles",
    "compare_pin",
    "confirm_pin",
    "day_of",
    "evolve_staff",
    "has_lapsed",
    "lift_lock_out",
    "may",
    "need_approver",
    "need_asker",
    "need_decliner",
    "need_fresh_pin",
    "need_papers",
    "need_reason",
    "need_right",
    "need_waiting",
    "need_witness",
    "nobody_asked",
    "retire_staff",
    "sign_in",
    "sign_out",
]
