"""What second factors do to the record: set up, shown, refused, and the coming in of who showed a right one.

Each act asks again, of the register that it changes, where its person stands: somebody may have been quicker.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from dealer_ui.desk.factor_register import FactorRegister
from dealer_ui.desk.halfway import DoorStep, Halfway, taken_up
from dealer_ui.desk.pin_door import need_no_lock
from dealer_ui.desk.shown_factor import COPIED, WRONG
from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people.factor_rule import FactorRule, enrol_passkey, remove_passkey
from studio.people.passkey import NewPasskey
from studio.people.second_factor import ProvedCode, as_typed, enrol, fresh_recovery_codes
from studio.people.signing_in import refuse_factor
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import AnyStaffEvent, PasskeyCopied, SignInRefused, StaffSignedIn


class FactorActs:
    """A `token` is what its person carries, `half` what it says. `RefusedError` where an act does not count."""

    def __init__(self, staff: FactorRegister, file: FactorFile, rule: FactorRule) -> None:
        self._staff = staff
        self._file = file
        self._rule = rule

    def enrol_device(self, token: str, half: Halfway, person: Staff, typed: str) -> tuple[str, ...]:
        """The first code of a new device was typed; gives its recovery codes."""
        assert half.secret is not None
        step = half.secret.step_of(as_typed(typed), self._staff.now_ms())
        if step is None:
            sentence = "That is not the code of this secret. Type the one shown now, and look at the device's clock."
            raise RefusedError("code_wrong_enrolling", sentence)
        factor, before = secrets.token_hex(8), person.factor
        codes = fresh_recovery_codes(secrets.token_bytes)
        self._file.keep(factor, half.secret, codes)

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self.taken_up(token, register, now)
            own = register.people[person.id]
            return enrol(own, ProvedCode(factor, step), now), *self.came(own, half, now)

        try:
            self._staff.change(change)
        except RefusedError as error:
            if error.key != "no_answer_yet":  # the row of it may yet be kept, and then his device opens
                self._file.drop(factor)
            raise
        if before is not None:
            self._file.drop(before.id)
        return codes

    def enrol_passkey(self, token: str, half: Halfway, new: NewPasskey | None, name: str) -> None:
        """`new`: what the browser made for the question, if that is what it answered."""
        if new is None:
            sentence = "That passkey was not made for this page. Load the page again and set it up once more."
            raise RefusedError("passkey_wrong_enrolling", sentence)

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self.taken_up(token, register, now)
            own = register.people[half.id]
            return enrol_passkey(register, own, new, name, now), *self.came(own, half, now)

        self._staff.change(change)

    def proved(self, person: Staff, typed: str) -> ProvedCode | None:
        """Which of his codes this is; None where it is none."""
        if (own := person.factor) is None:
            return None
        if number := self._file.recovery(own.id, typed):
            return ProvedCode(own.id, recovery=number)
        step = self._file.secret(own.id).step_of(as_typed(typed), self._staff.now_ms())
        return None if step is None else ProvedCode(own.id, step)

    def take(
        self, token: str, half: Halfway, shown: Callable[[Staff, int], tuple[AnyStaffEvent, ...]], wrong: str
    ) -> None:
        """`shown` gives the row of what opens, of what does not but is told, or none; `wrong`: the reason then."""

        def change(register: StaffRegister, now: int) -> tuple[AnyStaffEvent, ...]:
            self.taken_up(token, register, now)
            person = register.people[half.id]
            need_no_lock(person, now)
            rows = shown(person, now)
            if not rows or isinstance(rows[0], PasskeyCopied):
                address, station = half.address, half.station
                return *rows, *refuse_factor(person, wrong, now_ms=now, station=station, address=address)
            if half.step is DoorStep.SHOW and half.wants not in ("code", "passkey"):
                return *rows, remove_passkey(person, half.wants, self._rule, station=half.station, now_ms=now)
            return *rows, *(() if self._rule.owes(person) else self.came(person, half, now))

        events = self._staff.change(change)
        if any(isinstance(event, PasskeyCopied) for event in events):
            raise RefusedError("passkey_copied", COPIED)
        if any(isinstance(event, SignInRefused) for event in events):
            raise RefusedError(*WRONG[wrong])

    def came(self, person: Staff, half: Halfway, now: int) -> tuple[AnyStaffEvent, ...]:
        """He comes in, where he was not in before; refused where he may not any more."""
        if not half.signs_in or (half.owes_pin and half.step is DoorStep.CODE):
            return ()
        need_no_lock(person, now)
        if person.barred or not person.active:
            raise RefusedError("sign_in_refused", "Badge and PIN do not match. Ask an administrator.")
        came = StaffSignedIn(at_ms=now, id=person.id, station=half.station, new_pin_asked=half.weak)
        return *self._staff.forgotten(half.station, person.actor(), now), came

    def taken_up(self, token: str, register: StaffRegister, now: int) -> Halfway:
        """Asked again of the register that is changed: somebody may have been quicker since he was looked up."""
        return taken_up(token, register, self._file, now)
