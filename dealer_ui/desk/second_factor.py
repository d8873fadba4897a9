"""The desk of second factors: who needs one, what he is asked for after his PIN, and what a typed code leads to.

Whoever needs a code has no session before it was right: he is `Halfway` between PIN and code. Who has to have a factor
and has none enrols there, and who came with a one-time code chooses his own PIN there. A secret is on disk before the
record says that it counts.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Final, Protocol

import structlog

from dealer_ui.desk.halfway import HALFWAY_MS as HALFWAY_MS
from dealer_ui.desk.halfway import CodeNeededError, DoorStep, Halfway, OwnPinNeededError, carried, taken_up
from dealer_ui.desk.shown_code import carried_code, code_carried
from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people import Actor
from studio.people.actor import need_fresh_pin
from studio.people.choosing_pin import choose_pin
from studio.people.pin import Pin, PinHasher
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
from studio.people.staffing import change_pin

_LOG: Final = structlog.get_logger("dealer_ui.desk")


@dataclass(frozen=True, slots=True, repr=False)
class CodeTaken:
    """What a right code led to: `recovery` are new recovery codes, told this once to whoever enrolled."""

    actor: Actor
    station: str
    recovery: tuple[str, ...] = ()


class FactorRegister(Protocol):
    """Of the desk of the staff, what this one needs."""

    @property
    def register(self) -> StaffRegister: ...
    @property
    def hasher(self) -> PinHasher: ...
    def catch_up(self) -> None: ...
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

    def is_due(self, person: Staff) -> bool:
        """Whether this person needs more than what he types first to come in."""
        return person.has_code or person.factor is not None or self.must_have(person)

    def refuse_at_work(self, staff_id: str) -> None:
        """Whoever needs more than a PIN comes in nowhere but at the door."""
        if self.is_due(self._staff.register.people[staff_id]):
            raise RefusedError("code_at_the_door", "A code is needed beside this PIN: come in by the sign-in page.")

    def must_have(self, person: Staff) -> bool:
        return bool(self._must & person.roles)

    def halt(self, person: Staff, station: str, address: str, *, weak: bool) -> None:
        """`CodeNeededError` or `OwnPinNeededError` where what this person typed is not enough."""
        half = Halfway(person.id, station, address, self._staff.now_ms() + HALFWAY_MS, weak=weak)
        half = replace(half, owes_pin=person.has_code)
        if person.has_code and person.factor is None:
            raise OwnPinNeededError(self._keep(replace(half, step=DoorStep.PIN)))
        if self.is_due(person):
            secret = self._fresh_secret() if person.factor is None else None
            raise CodeNeededError(self._keep(replace(half, secret=secret)))

    def begin(self, actor: Actor, station: str) -> str:
        """Somebody signed in, his PIN just entered, wants a factor, or another one; gives the token."""
        need_fresh_pin(actor, self._staff.now_ms())
        until_ms = self._staff.now_ms() + HALFWAY_MS
        return self._keep(Halfway(actor.id, station, "", until_ms, self._fresh_secret(), step=DoorStep.OWN))

    def look(self, token: str, *steps: DoorStep) -> Halfway:
        """Where somebody stands before one of these steps; `RefusedError` once it took too long, or is done already."""
        self._staff.catch_up()
        half = self._taken_up(token, self._staff.register, self._staff.now_ms())
        if half.step not in steps:
            raise RefusedError("halfway_over", "That was done already. Begin again with your PIN.")
        return half

    def enter(self, token: str, typed: str, step: DoorStep = DoorStep.CODE) -> CodeTaken:
        """A code was typed. A wrong one counts as a wrong PIN does; a right one is used up. `OwnPinNeededError` where
        he has to choose a PIN after it.
        """
        half = self.look(token, step)
        person = self._staff.register.people[half.id]
        enrolled = self._enrol(token, half, person, typed) if half.secret is not None else None
        if enrolled is None:
            self._take(token, half, self._proved(person, typed))
        if half.owes_pin:
            raise OwnPinNeededError(self._keep(replace(half, step=DoorStep.PIN)))
        return self._taken(half, enrolled or ())

    def choose(self, token: str, new_pin: str, again: str) -> CodeTaken:
        """Who came with a one-time code has chosen his PIN, which uses the code up, and is in; `CodeNeededError` where
        he has to set up a factor before.
        """
        half = self.look(token, DoorStep.PIN)
        person = self._staff.register.people[half.id]
        if new_pin != again:
            raise RefusedError("pins_differ", "The two new PINs are not the same. Type them again.")
        pin = choose_pin(new_pin, badge=person.badge, roles=person.roles)
        if self._staff.hasher.matches(person.pin.hash, pin):
            raise RefusedError("pin_is_code", "That is the code itself, and somebody else has seen it. Choose a PIN.")

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self._taken_up(token, register, now)
            own = register.people[half.id]
            if now >= own.pin.code_until_ms:
                raise RefusedError("code_over", "The time of this code is over. Ask an administrator for another one.")
            chosen = change_pin(register, own.id, pin, by=own.actor(now), now_ms=now, hasher=self._staff.hasher)
            came = self._came(own, half, now)
            return chosen, *(() if own.factor is None and self.must_have(own) else came)

        half = replace(half, owes_pin=False, weak=False)
        if not any(isinstance(event, StaffSignedIn) for event in self._staff.change(change)):
            raise CodeNeededError(self._keep(replace(half, step=DoorStep.CODE, secret=self._fresh_secret())))
        return self._taken(half, ())

    def _taken(self, half: Halfway, recovery: tuple[str, ...]) -> CodeTaken:
        actor = self._staff.register.actor(half.id)
        return CodeTaken(actor.with_pin(self._staff.now_ms()), half.station, recovery)

    def hear(self, event: AnyStaffEvent) -> None:
        """A factor that was taken away has no secret any more."""
        match event:
            case SecondFactorReset(factor=factor):
                over = factor
            case StaffRetired(id=id) if (own := self._staff.register.people[id].factor) is not None:
                over = own.id
            case _:
                return
        try:
            self._file.drop(over)
        except RefusedError as error:
            _LOG.error("a secret that opens nothing any more is still on the disk", factor=over, why=error.sentence)

    def show_code(self, code: Pin, staff_id: str, by: str) -> str:
        """What the browser of whoever gave somebody a one-time code carries, to show it."""
        return carried_code(code, self._staff.register.people[staff_id], by, self._file, self._staff.now_ms())

    def shown_code(self, token: str, staff_id: str, by: str) -> str | None:
        """The digits that it shows; None where it shows them no more."""
        self._staff.catch_up()
        return code_carried(token, self._staff.register.people[staff_id], by, self._file, self._staff.now_ms())

    def seal_anew(self, *peppers: bytes) -> None:
        """The peppers were changed; the first is the newest."""
        self._file.seal_anew(*peppers)

    def _enrol(self, token: str, half: Halfway, person: Staff, typed: str) -> tuple[str, ...]:
        assert half.secret is not None
        step = half.secret.step_of(as_typed(typed), self._staff.now_ms())
        if step is None:
            sentence = "That is not the code of this secret. Type the one shown now, and look at the device's clock."
            raise RefusedError("code_wrong_enrolling", sentence)
        factor, before = secrets.token_hex(8), person.factor
        codes = fresh_recovery_codes(secrets.token_bytes)
        self._file.keep(factor, half.secret, codes)

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self._taken_up(token, register, now)
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

    def _take(self, token: str, half: Halfway, proved: ProvedCode | None) -> None:
        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self._taken_up(token, register, now)
            person = register.people[half.id]
            if proved is None or not proved.opens(person) or person.is_locked(now):
                return refuse_code(person, now_ms=now, station=half.station, address=half.address)
            return proved.used(person, half.station, now), *self._came(person, half, now)

        if any(isinstance(event, SignInRefused) for event in self._staff.change(change)):
            sentence = "That code is wrong or was used before. Wait for the next one; five wrong ones lock the badge."
            raise RefusedError("code_wrong", sentence)

    def _came(self, person: Staff, half: Halfway, now: int) -> tuple[AnyStaffEvent, ...]:
        """He comes in, where he was not in before; refused where he may not any more."""
        if not half.signs_in or (half.owes_pin and half.step is DoorStep.CODE):
            return ()
        if person.barred or not person.active or person.is_locked(now):
            raise RefusedError("sign_in_refused", "Badge and PIN do not match. Ask an administrator.")
        came = StaffSignedIn(at_ms=now, id=person.id, station=half.station, new_pin_asked=half.weak)
        return *self._staff.forgotten(half.station, person.actor(), now), came

    def _taken_up(self, token: str, register: StaffRegister, now: int) -> Halfway:
        """Asked again of the register that is changed: somebody may have been quicker since he was looked up."""
        return taken_up(token, register, self._file, now)

    def _keep(self, half: Halfway) -> str:
        return carried(half, self._staff.register.people[half.id], self._file)

    @staticmethod
    def _fresh_secret() -> TotpSecret:
        return TotpSecret(secrets.token_bytes(SECRET_BYTES))
