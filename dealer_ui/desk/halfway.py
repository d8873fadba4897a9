"""Where somebody stands between what he typed at the door and his session, and how he carries it from page to page.

Who needs more than a PIN has no session before it was right. What he carries is ciphertext under a key of the pepper,
in a form: any process of the studio takes it up. It is good for three minutes, and while PIN and factor are those it
was made with.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import msgspec

from dealer_ui.process.factor_file import FactorFile
from studio.errors import RefusedError, SealedError
from studio.people.second_factor import TotpSecret
from studio.people.staff import Staff, StaffRegister

HALFWAY_MS: Final = 3 * 60_000


class DoorStep(StrEnum):
    """What he does next: shows his second factor or sets one up, or chooses a PIN of his own, and comes in; or, being
    in, shows the factor he has, or sets up another.
    """

    CODE = "code"
    PIN = "pin"
    SHOW = "show"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Halfway:
    """Somebody whose PIN was right. `secret`: a new one, where he enrols. `weak`: his PIN may not be chosen any more.
    `owes_pin`: he came with a one-time code, and is not in before he has chosen a PIN. `challenge`: what a passkey is
    asked to sign, and `wrong`: his lock-outs and wrong tries when it was. `wants`: being in, he sets up a `code` or a
    `passkey`, or takes the one of that credential away.
    """

    id: str
    station: str
    address: str
    until_ms: int
    secret: TotpSecret | None = None
    weak: bool = False
    owes_pin: bool = False
    step: DoorStep = DoorStep.CODE
    challenge: bytes = b""
    wrong: tuple[int, int] = (0, 0)
    wants: str = ""

    @property
    def signs_in(self) -> bool:
        """He is not in yet, and comes in at the end; else he is, and changes his factor."""
        return self.step not in (DoorStep.OWN, DoorStep.SHOW)

    @property
    def enrols(self) -> bool:
        """He sets up a factor now; else he shows one that he has."""
        return self.secret is not None


class CodeNeededError(RefusedError):
    """The PIN was right, and a second factor is asked for now: with the `token` it is shown."""

    def __init__(self, token: str) -> None:
        super().__init__("code_needed", "The PIN is right. Now show your second factor.")
        self.token = token


class OwnPinNeededError(RefusedError):
    """The one-time code was right, and he chooses his own PIN now: with the `token` it is typed."""

    def __init__(self, token: str) -> None:
        super().__init__("own_pin_needed", "The code is right. Now choose your own PIN.")
        self.token = token


class _Carried(msgspec.Struct, frozen=True):
    """What is sealed. `stands_on` is a digest of the PIN's hash, the factor's name and how often which passkey was
    used: no challenge opens twice.
    """

    id: str
    station: str
    address: str
    until_ms: int
    secret: bytes
    weak: bool
    owes_pin: bool
    step: DoorStep
    challenge: bytes
    wrong: tuple[int, int]
    wants: str
    stands_on: bytes

    def __repr__(self) -> str:
        return "_Carried(hidden)"


_CARRIED: Final = msgspec.json.Decoder(_Carried)


def carried(half: Halfway, person: Staff, file: FactorFile) -> str:
    """What he carries, as it stands in a form."""
    secret = half.secret.key() if half.secret is not None else b""
    written = _Carried(
        half.id, half.station, half.address, half.until_ms, secret, half.weak, half.owes_pin, half.step,
        half.challenge, half.wrong, half.wants, _stands_on(person),
    )  # fmt: skip
    return file.seal(msgspec.json.encode(written))


def taken_up(token: str, register: StaffRegister, file: FactorFile, now_ms: int) -> Halfway:
    """`RefusedError` once it took too long, or was done already."""
    with contextlib.suppress(SealedError, msgspec.MsgspecError):
        read = _CARRIED.decode(file.unseal(token))
        person = register.active(read.id)
        fits = person is not None and hmac.compare_digest(read.stands_on, _stands_on(person))
        if fits and now_ms <= read.until_ms:
            secret = TotpSecret(read.secret) if read.secret else None
            return Halfway(
                read.id, read.station, read.address, read.until_ms, secret, read.weak, read.owes_pin, read.step,
                read.challenge, read.wrong, read.wants,
            )  # fmt: skip
    raise RefusedError("halfway_over", "That took too long, or was done already. Begin again with your PIN.")


def wrong_tries(person: Staff) -> tuple[int, int]:
    """Differs after every wrong try at the door."""
    return person.pin.lock.times, person.pin.wrong


def _stands_on(person: Staff) -> bytes:
    factor = person.factor.id if person.factor is not None else ""
    passkeys = "\n".join(f"{one.credential} {one.uses}" for one in person.passkeys.values())
    return hashlib.sha256(f"{person.pin.hash}\n{factor}\n{passkeys}".encode()).digest()
