"""The desk of second factors: who needs one, what he is asked for after his PIN, and what he shows leads to.

Whoever needs a factor has no session before it was right: he is `Halfway` between PIN and factor. Who has to have one
and has none enrols there, and who came with a one-time code chooses his own PIN there. Being in, he shows the factor he
has before he changes any. A secret is on disk before the record says that it counts; of passkeys there is none.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import structlog

from dealer_ui.desk.factor_act import FactorActs
from dealer_ui.desk.factor_register import CodeTaken as CodeTaken
from dealer_ui.desk.factor_register import FactorRegister
from dealer_ui.desk.halfway import HALFWAY_MS as HALFWAY_MS
from dealer_ui.desk.halfway import CodeNeededError, DoorStep, Halfway, OwnPinNeededError, carried, wrong_tries
from dealer_ui.desk.relying_party import CHALLENGE_BYTES, RelyingParty
from dealer_ui.desk.shown_code import carried_code, code_carried
from dealer_ui.desk.shown_factor import no_code, opened
from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError
from studio.people import Actor
from studio.people.actor import need_fresh_pin
from studio.people.choosing_pin import choose_pin
from studio.people.factor_rule import FactorRule, has_factor, remove_passkey
from studio.people.pin import Pin
from studio.people.second_factor import (
    SECRET_BYTES,
    TotpSecret,
)
from studio.people.staff import Staff, StaffRegister
from studio.people.staff_event import (
    AnyStaffEvent,
    SecondFactorReset,
    StaffRetired,
    StaffSignedIn,
)
from studio.people.staffing import change_pin

_LOG: Final = structlog.get_logger("dealer_ui.desk")


class SecondFactors:
    """`must`: the roles that have to have a factor; `passkey_only`: those whose factor is a passkey. `file` keeps the
    secrets. `party`: as what the studio asks for passkeys; None where it has no address that can have any.
    """

    def __init__(
        self,
        staff: FactorRegister,
        file: FactorFile | None = None,
        must: Collection[str] = (),
        *,
        passkey_only: Collection[str] = (),
        party: RelyingParty | None = None,
    ) -> None:
        self._staff = staff
        self._file = file or FactorFile(None, secrets.token_bytes(32))
        self.rule = FactorRule(frozenset(must), frozenset(passkey_only))
        self.party = party
        self._acts = FactorActs(staff, self._file, self.rule)

    def is_due(self, person: Staff) -> bool:
        """Whether this person needs more than what he types first to come in."""
        return person.has_code or has_factor(person) or self.rule.must_have(person)

    def refuse_at_work(self, staff_id: str) -> None:
        """Whoever needs more than a PIN comes in nowhere but at the door."""
        if self.is_due(self._staff.register.people[staff_id]):
            raise RefusedError("code_at_the_door", "A code is needed beside this PIN: come in by the sign-in page.")

    def halt(self, person: Staff, station: str, address: str, *, weak: bool) -> None:
        """`CodeNeededError` or `OwnPinNeededError` where what this person typed is not enough."""
        half = Halfway(person.id, station, address, self._staff.now_ms() + HALFWAY_MS, weak=weak)
        half = replace(half, owes_pin=person.has_code)
        if person.has_code and not has_factor(person):
            raise OwnPinNeededError(self._keep(replace(half, step=DoorStep.PIN)))
        if self.is_due(person):
            raise CodeNeededError(self._asked(half, person, enrols=not has_factor(person)))

    def begin(self, actor: Actor, station: str, wants: str = "code") -> str:
        """Somebody signed in, his PIN just entered, wants a `code` or a `passkey`, or the passkey of that credential
        taken away; gives the token. What he has he shows first.
        """
        now = self._staff.now_ms()
        need_fresh_pin(actor, now)
        person = self._staff.register.people[actor.id]
        if wants == "code" and not self.rule.counts_code(person):
            raise no_code()
        if wants not in ("code", "passkey"):
            remove_passkey(person, wants, self.rule, station=station, now_ms=now)
        step = DoorStep.SHOW if has_factor(person) else DoorStep.OWN
        half = Halfway(actor.id, station, "", now + HALFWAY_MS, step=step, wants=wants)
        return self._asked(half, person, enrols=step is DoorStep.OWN)

    def look(self, token: str, *steps: DoorStep) -> Halfway:
        """Where somebody stands before one of these steps; `RefusedError` once it took too long, or is done already."""
        self._staff.catch_up()
        return self._stands(token, self._staff.register, steps)

    def asked_again(self, token: str, *steps: DoorStep) -> str:
        """He stands where he stood, and a passkey is asked something else: no question is asked twice. `RefusedError`
        once that is over, though it was not when he was looked up.
        """
        register = self._staff.register
        half = self._stands(token, register, steps)
        return self._asked_anew(half, register.people[half.id])

    def enter(self, token: str, typed: str, step: DoorStep = DoorStep.CODE) -> CodeTaken:
        """A code was typed. A wrong one counts as a wrong PIN does; a right one is used up. `OwnPinNeededError` where
        he has to choose a PIN after it, `CodeNeededError` where he sets up a factor then.
        """
        half = self.look(token, step)
        person = self._staff.register.people[half.id]
        if half.enrols:
            if not self.rule.counts_code(person):
                raise no_code()
            return self._led(half, self._acts.enrol_device(token, half, person, typed))
        if not self.rule.takes_code(person):
            raise no_code()
        proved = self._acts.proved(person, typed)

        def shown(own: Staff, now: int) -> tuple[AnyStaffEvent, ...]:
            return (proved.used(own, half.station, now),) if proved is not None and proved.opens(own) else ()

        self._acts.take(token, half, shown, "wrong_code")
        return self._led(half)

    def show(self, token: str, answer: str, *, name: str = "", step: DoorStep = DoorStep.CODE) -> CodeTaken:
        """A browser answered for a passkey that was asked for, or made one, which its owner calls `name`. Counts and
        leads on as a code does.
        """
        half = self.look(token, step)
        person = self._staff.register.people[half.id]
        asked_before = not half.enrols and half.wrong != wrong_tries(person)
        if not answer or self.party is None or asked_before:
            raise RefusedError("passkey_none", "No passkey was shown. Press the button again, and touch your key then.")
        if half.enrols:
            self._acts.enrol_passkey(token, half, self.party.made(answer, half.challenge), name)
            return self._led(half)
        found = self.party.shown(answer, half.challenge, person)
        self._acts.take(token, half, lambda own, now: opened(found, own, half.station, now), "wrong_passkey")
        return self._led(half)

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
            self._acts.taken_up(token, register, now)
            own = register.people[half.id]
            if now >= own.pin.code_until_ms:
                raise RefusedError("code_over", "The time of this code is over. Ask an administrator for another one.")
            chosen = change_pin(register, own.id, pin, by=own.actor(now), now_ms=now, hasher=self._staff.hasher)
            came = self._acts.came(own, half, now)
            return chosen, *(() if self.rule.owes(own) else came)

        half = replace(half, owes_pin=False, weak=False)
        if not any(isinstance(event, StaffSignedIn) for event in self._staff.change(change)):
            own = self._staff.register.people[half.id]
            raise CodeNeededError(self._asked(replace(half, step=DoorStep.CODE), own, enrols=True))
        return self._taken(half, ())

    def hear(self, event: AnyStaffEvent) -> None:
        """A factor that was taken away has no secret any more."""
        match event:
            case SecondFactorReset(factor=factor) if factor:
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

    def _led(self, half: Halfway, recovery: tuple[str, ...] = ()) -> CodeTaken:
        """Where somebody is whose factor was right: in, or before the next step."""
        own = self._staff.register.people[half.id]
        if half.owes_pin:
            raise OwnPinNeededError(self._keep(replace(half, step=DoorStep.PIN)))
        if half.step is DoorStep.SHOW and half.wants in ("code", "passkey"):
            until_ms = self._staff.now_ms() + HALFWAY_MS
            raise CodeNeededError(self._asked(replace(half, step=DoorStep.OWN, until_ms=until_ms), own, enrols=True))
        if half.signs_in and self.rule.owes(own):
            raise CodeNeededError(self._asked(half, own, enrols=True))
        return self._taken(half, recovery)

    def _taken(self, half: Halfway, recovery: tuple[str, ...]) -> CodeTaken:
        actor = self._staff.register.actor(half.id)
        return CodeTaken(actor.with_pin(self._staff.now_ms()), half.station, recovery)

    def _keep(self, half: Halfway) -> str:
        return carried(half, self._staff.register.people[half.id], self._file)

    def _stands(self, token: str, register: StaffRegister, steps: Collection[DoorStep]) -> Halfway:
        half = self._acts.taken_up(token, register, self._staff.now_ms())
        if half.step not in steps:
            raise RefusedError("halfway_over", "That was done already. Begin again with your PIN.")
        return half

    def _asked(self, half: Halfway, person: Staff, *, enrols: bool) -> str:
        """He is asked for a factor that he has, or for a new one; what he carries says which."""
        secret = TotpSecret(secrets.token_bytes(SECRET_BYTES)) if enrols else None
        return self._asked_anew(replace(half, secret=secret), person)

    def _asked_anew(self, half: Halfway, person: Staff) -> str:
        """`person`: as he was when it was decided what he is asked; what is newer ends what he carries."""
        half = replace(half, challenge=secrets.token_bytes(CHALLENGE_BYTES), wrong=wrong_tries(person))
        return carried(half, person, self._file)
