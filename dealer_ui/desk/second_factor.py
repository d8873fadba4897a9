"""The desk of second factors: who needs one, what he is asked for after his PIN, and what a typed code leads to.

Whoever needs a code has no session before it was right: between PIN and code stands a `Halfway`, in memory, for three
minutes. Who has to have a factor and has none enrols there. A secret is on disk before the record says that it counts.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people import Actor
from studio.people.actor import need_fresh_pin
from studio.people.second_factor import (
    SECRET_BYTES,
    ProvedCode,
    TotpSecret,
    as_typed,
    enrol,
    fresh_recovery_codes,
)
from studio.people.signing_in import refuse_code
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import AnyStaffEvent, SecondFactorReset, SignInRefused, StaffRetired, StaffSignedIn

_LOG: Final = structlog.get_logger("dealer_ui.desk")
HALFWAY_MS: Final = 3 * 60_000
HALFWAY_MAX: Final = 200
"""So many may be between PIN and code; beyond it the oldest begins anew."""


class CodeNeededError(RefusedError):
    """The PIN was right, and a code is asked for now: with the `token` it is typed."""

    def __init__(self, token: str) -> None:
        super().__init__("code_needed", "The PIN is right. Now type the code of your device.")
        self.token = token


@dataclass(frozen=True, slots=True)
class Halfway:
    """Somebody whose PIN was right. `secret`: a new one, where he enrols. `signs_in`: he is not in yet, and comes in
    with the code; else he is, and changes his factor. `weak`: his PIN may not be chosen any more.
    """

    id: str
    station: str
    address: str
    until_ms: int
    secret: TotpSecret | None = None
    signs_in: bool = True
    weak: bool = False


@dataclass(frozen=True, slots=True, repr=False)
class CodeTaken:
    """What a right code led to: `recovery` are new recovery codes, told this once to whoever enrolled."""

    actor: Actor
    station: str
    signs_in: bool
    recovery: tuple[str, ...] = ()


class FactorRegister(Protocol):
    """Of the desk of the staff, what this one needs."""

    @property
    def register(self) -> StaffRegister: ...
    def change(
        self, change: Callable[[StaffRegister, int], tuple[AnyStaffEvent, ...]]
    ) -> tuple[AnyStaffEvent, ...]: ...
    def forgotten(self, station: str, actor: Actor | None, now: int) -> tuple[AnyStaffEvent, ...]: ...
    def now_ms(self) -> int: ...


class SecondFactors:
    """`must`: the roles that have to have one. `file` keeps the secrets."""

    def __init__(self, staff: FactorRegister, file: FactorFile | None = None, must: Collection[str] = ()) -> None:
        self._staff = staff
        self._file = file or FactorFile(None, secrets.token_bytes(32))
        self._must = frozenset(must)
        self._lock = threading.Lock()
        self._halfway: dict[str, Halfway] = {}

    def is_due(self, person: Staff) -> bool:
        """Whether this person needs more than the PIN to come in."""
        return person.factor is not None or bool(self._must & person.roles)

    def must_have(self, person: Staff) -> bool:
        return bool(self._must & person.roles)

    def halt(self, person: Staff, station: str, address: str, *, weak: bool) -> None:
        """`CodeNeededError` where the PIN of this person is not enough."""
        if self.is_due(person):
            secret = self._fresh_secret() if person.factor is None else None
            until_ms = self._staff.now_ms() + HALFWAY_MS
            raise CodeNeededError(self._keep(Halfway(person.id, station, address, until_ms, secret, True, weak)))

    def begin(self, actor: Actor, station: str) -> str:
        """Somebody signed in, his PIN just entered, wants a factor, or another one; gives the token."""
        need_fresh_pin(actor, self._staff.now_ms())
        until_ms = self._staff.now_ms() + HALFWAY_MS
        return self._keep(Halfway(actor.id, station, "", until_ms, self._fresh_secret(), False))

    def look(self, token: str) -> Halfway:
        """Where somebody stands; `RefusedError` once it took too long."""
        with self._lock:
            found = self._halfway.get(token)
        if found is None or self._staff.now_ms() > found.until_ms:
            raise RefusedError("halfway_over", "That took too long, or was done already. Begin again with your PIN.")
        return found

    def enter(self, token: str, typed: str) -> CodeTaken:
        """A code was typed. A wrong one counts as a wrong PIN does; a right one is used up."""
        half = self.look(token)
        person = self._staff.register.active(half.id)
        if person is None:
            raise RefusedError("not_staff", "This person is not of the staff any more. Sign in again.")
        enrolled = self._enrol(half, person, typed) if half.secret is not None else None
        if enrolled is None:
            self._take(half, self._proved(person, typed))
        with self._lock:
            self._halfway.pop(token, None)
        actor = self._staff.register.actor(half.id)
        return CodeTaken(actor.with_pin(self._staff.now_ms()), half.station, half.signs_in, enrolled or ())

    def hear(self, event: AnyStaffEvent) -> None:
        """A factor that was taken away has no secret any more, and who is halfway begins anew."""
        match event:
            case SecondFactorReset(id=id, factor=factor):
                over = factor
            case StaffRetired(id=id) if (own := self._staff.register.people[id].factor) is not None:
                over = own.id
            case _:
                return
        with self._lock:
            self._halfway = {token: one for token, one in self._halfway.items() if one.id != id}
        try:
            self._file.drop(over)
        except RefusedError as error:
            _LOG.error("a secret that opens nothing any more is still on the disk", factor=over, why=error.sentence)

    def seal_anew(self, *peppers: bytes) -> None:
        """The peppers were changed; the first is the newest."""
        self._file.seal_anew(*peppers)

    def _enrol(self, half: Halfway, person: Staff, typed: str) -> tuple[str, ...]:
        assert half.secret is not None
        step = half.secret.step_of(as_typed(typed), self._staff.now_ms())
        if step is None:
            sentence = "That is not the code of this secret. Type the one shown now, and look at the device's clock."
            raise RefusedError("code_wrong_enrolling", sentence)
        factor, before = secrets.token_hex(8), person.factor
        codes = fresh_recovery_codes(secrets.token_bytes)
        self._file.keep(factor, half.secret, codes)

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            own = register.people[person.id]
            return enrol(own, ProvedCode(factor, step), now), *self._came(own, half, now)

        try:
            self._staff.change(change)
        except RefusedError:
            self._file.drop(factor)
            raise
        if before is not None:
            self._file.drop(before.id)
        return codes

    def _proved(self, person: Staff, typed: str) -> ProvedCode | None:
        if (own := person.factor) is None:
            return None
        if number := self._file.recovery(own.id, typed):
            return ProvedCode(own.id, recovery=number)
        step = self._file.secret(own.id).step_of(as_typed(typed), self._staff.now_ms())
        return None if step is None else ProvedCode(own.id, step)

    def _take(self, half: Halfway, proved: ProvedCode | None) -> None:
        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            person = register.people[half.id]
            if proved is None or not proved.opens(person) or person.is_locked(now):
                return refuse_code(person, now_ms=now, station=half.station, address=half.address)
            return proved.used(person, half.station, now), *self._came(person, half, now)

        if any(isinstance(event, SignInRefused) for event in self._staff.change(change)):
            sentence = "That code is wrong or was used before. Wait for the next one; five wrong ones lock the badge."
            raise RefusedError("code_wrong", sentence)

    def _came(self, person: Staff, half: Halfway, now: int) -> tuple[AnyStaffEvent, ...]:
        """He comes in, where he was not in before; refused where he may not any more."""
        if not half.signs_in:
            return ()
        if person.barred or not person.active or person.is_locked(now):
            raise RefusedError("sign_in_refused", "Badge and PIN do not match. Ask an administrator.")
        came = StaffSignedIn(at_ms=now, id=person.id, station=half.station, new_pin_asked=half.weak)
        return *self._staff.forgotten(half.station, person.actor(), now), came

    def _keep(self, half: Halfway) -> str:
        token = secrets.token_urlsafe(24)
        with self._lock:
            while len(self._halfway) >= HALFWAY_MAX:
                del self._halfway[next(iter(self._halfway))]
            self._halfway[token] = half
        return token

    @staticmethod
    def _fresh_secret() -> TotpSecret:
        return TotpSecret(secrets.token_bytes(SECRET_BYTES))
