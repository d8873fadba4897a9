"""Acts that take two people: who asks, who agrees, that they are two different people, and what is recorded of both.

One person asks and another approves within a minute (`need_asker`, then `need_approver`), or both stand there and enter
their PINs at once (`need_witness`). Either way gives `TwoPeople`, from which every row that names two takes its names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from studio.errors import InvariantError, RefusedError
from studio.people.actor import Actor, need_fresh_pin, need_right

REQUEST_VALID_MS: Final = 60_000
"""A request waits so long for its second person; an approval is good for that one act."""


class Request(Protocol):
    """What one person asked for and another has to approve: a ruling, a correction, the opening of a sealed card."""

    @property
    def asked_by(self) -> str: ...
    @property
    def asked_by_name(self) -> str: ...
    @property
    def expires_at_ms(self) -> int: ...


Waiting = TypeVar("Waiting", bound=Request)


@dataclass(frozen=True, slots=True)
class TwoPeople:
    """The two behind one act, by id and name: who asked for it or does it, and who approves it or stands by."""

    asked_by: str
    asked_by_name: str
    approved_by: str
    approved_by_name: str

    def __post_init__(self) -> None:
        if not are_two(self.asked_by, self.approved_by):
            raise InvariantError(f"an act of two people was about to be recorded with '{self.asked_by}' alone")


def are_two(first: str, second: str) -> bool:
    """Whether the ids name two different people; False when one of them is empty."""
    return bool(first and second) and first != second


def need_asker(asker: Actor, now_ms: int, *, pit_bosses_on_floor: int, dealer: str) -> None:
    """Refuse unless this person, PIN just entered, may ask: a pit boss, or the table's `dealer` (an id) when one pit
    boss alone is on the floor.
    """
    if not asker.may("approve_two_people"):
        if not asker.may("ask_two_people") or asker.id != dealer:
            raise RefusedError("not_allowed", f"{asker.name} may not ask for this. Call the pit.")
        if pit_bosses_on_floor > 1:
            raise RefusedError("pit_asks", "There is more than one pit boss on the floor: one of them asks for this.")
    need_fresh_pin(asker, now_ms)


def has_lapsed(request: Request, now_ms: int) -> bool:
    """Whether its minute is over."""
    return now_ms > request.expires_at_ms


def need_waiting(request: Waiting | None, now_ms: int) -> Waiting:
    """The request that still waits for its second person; refused where there is none."""
    if request is None or has_lapsed(request, now_ms):
        raise nobody_asked()
    return request


def nobody_asked() -> RefusedError:
    """What is answered to a yes or a no that no request waits for."""
    return RefusedError("lapsed", "Nobody has asked for this within the last minute; let it be asked for again.")


def need_approver(request: Request, approver: Actor, now_ms: int, *, rights: Iterable[str]) -> TwoPeople:
    """Refuse unless this is another person, PIN just entered, who may approve and has the `rights` of the act."""
    if approver.id == request.asked_by:
        raise RefusedError("same_person", "You asked for this yourself; another person must approve it.")
    for right in ("approve_two_people", *rights):
        need_right(approver, right)
    need_fresh_pin(approver, now_ms)
    return TwoPeople(request.asked_by, request.asked_by_name, approver.id, approver.name)


def need_decliner(request: Request, actor: Actor) -> None:
    """Refuse unless this person may end the request: whoever asked takes it back, whoever may approve it says no."""
    if request.asked_by != actor.id:
        need_right(actor, "approve_two_people")


def need_witness(by: Actor, beside: Actor | None, now_ms: int, *, rights: Iterable[str], witness: str) -> TwoPeople:
    """Refuse unless two different people stand there, both PINs just entered: `by` with the `rights` of the act, and
    `beside` with the right to `witness` it; None where nobody was named.
    """
    for right in rights:
        need_right(by, right)
    need_fresh_pin(by, now_ms)
    if beside is None:
        raise RefusedError("second_missing", "Two people do this: the second one enters badge and PIN as well.")
    need_right(beside, witness)
    need_fresh_pin(beside, now_ms)
    if by.id == beside.id:
        raise RefusedError("same_person", "Another person has to stand by: nobody is his own witness.")
    return TwoPeople(by.id, by.name, beside.id, beside.name)
