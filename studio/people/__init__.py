"""The people of the floor: who they are, how they sign in, what they may do, and when it takes two of them."""

from studio.people.actor import PIN_VALID_MS, Actor, need_fresh_pin, need_right
from studio.people.approval import (
    REQUEST_VALID_MS,
    TwoPeople,
    TwoPersonRequest,
    check_first_person,
    check_second_person,
)
from studio.people.pin import Argon2PinHasher, Pin, PinHasher
from studio.people.right import ACTIONS, TWO_PEOPLE_ACTIONS, Role, may

__all__ = [
    "ACTIONS",
    "PIN_VALID_MS",
    "REQUEST_VALID_MS",
    "TWO_PEOPLE_ACTIONS",
    "Actor",
    "Argon2PinHasher",
    "Pin",
    "PinHasher",
    "Role",
    "TwoPeople",
    "TwoPersonRequest",
    "check_first_person",
    "check_second_person",
    "may",
    "need_fresh_pin",
    "need_right",
]
