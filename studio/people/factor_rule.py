"""Which second factors count for whom, by the roles that the configuration names; and what nobody does without."""

from __future__ import annotations

from dataclasses import dataclass

from studio.errors import RefusedError
from studio.people.factor_event import PasskeyEnrolled, PasskeyRemoved
from studio.people.passkey import PASSKEY_NAME_MAX, PASSKEYS_MAX, NewPasskey, usable
from studio.people.staff import Staff, StaffRegister


@dataclass(frozen=True, slots=True)
class FactorRule:
    """`must`: the roles that have to have a second factor. `passkey`: those that have to have a passkey; for them no
    typed code counts.
    """

    must: frozenset[str] = frozenset()
    passkey: frozenset[str] = frozenset()

    def must_have(self, person: Staff) -> bool:
        return bool((self.must | self.passkey) & person.roles)

    def counts_code(self, person: Staff) -> bool:
        """Whether the code of a device may be this person's second factor."""
        return not self.passkey & person.roles

    def takes_code(self, person: Staff) -> bool:
        """Whether he is asked for a code now. Who has to have a passkey and has none shows the device he has, once, to
        set one up.
        """
        return person.factor is not None and (self.counts_code(person) or not person.passkeys)

    def owes(self, person: Staff) -> bool:
        """Whether he has to set up a factor before he comes in."""
        has = usable(person.passkeys.values()) or (person.factor is not None and self.counts_code(person))
        return self.must_have(person) and not has


def has_factor(person: Staff) -> bool:
    """Whether his PIN alone opens nothing; a key that was copied is one still, until two people reset it."""
    return person.factor is not None or bool(person.passkeys)


def enrol_passkey(register: StaffRegister, person: Staff, new: NewPasskey, name: str, now_ms: int) -> PasskeyEnrolled:
    """From now on this key opens. No two people have the same."""
    name = " ".join(name.split())
    if not name or len(name) > PASSKEY_NAME_MAX or not name.isprintable():
        raise RefusedError("passkey_name", "Give the passkey a name of at most 40 characters: it is how you know it.")
    if len(person.passkeys) >= PASSKEYS_MAX:
        raise RefusedError("passkeys_many", "You have ten passkeys: remove one before you set up another.")
    if any(new.credential in one.passkeys for one in register.people.values()):
        raise RefusedError("passkey_known", "This passkey is set up already. Use another device or key.")
    return PasskeyEnrolled(
        at_ms=now_ms, id=person.id, credential=new.credential, public_key=new.public_key, count=new.count, name=name
    )


def remove_passkey(person: Staff, credential: str, rule: FactorRule, *, station: str, now_ms: int) -> PasskeyRemoved:
    """He takes it away himself, unless it is the last factor of a role that needs one, or only keys that were copied
    would be left: those open nothing, and he could not come in any more.
    """
    if credential not in person.passkeys:
        raise RefusedError("no_passkey", "You have no such passkey any more. Look at the list again.")
    others = [one for key, one in person.passkeys.items() if key != credential]
    codes = person.factor is not None and rule.counts_code(person)
    if not person.passkeys[credential].copied and not usable(others) and not codes:
        if rule.must_have(person):
            sentence = "Your role needs a second factor and this is the last: set up another first."
            raise RefusedError("last_factor", sentence)
        if others:
            raise RefusedError("copied_left", "Remove the passkey that was copied first: that one lets nobody in.")
    return PasskeyRemoved(at_ms=now_ms, id=person.id, credential=credential, station=station)
