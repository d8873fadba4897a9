"""The studio as passkeys know it: one name, one address, what their owner's browser is asked, and what it answers.

Only here is an answer of a browser read; `webauthn` checks it (WebAuthn level 2, 7.1 and 7.2). Whether a right one
opens is decided by what is on record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Final, TypeVar
from urllib.parse import urlsplit

import structlog
from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url, parse_authentication_credential_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from dealer_ui.config.shape import StudioConfig
from studio.people.passkey import NewPasskey, Passkey, ShownPasskey, usable
from studio.people.staff import Staff

CHALLENGE_BYTES: Final = 32
ANSWER_CHARACTERS_MAX: Final = 16 * 1024
ASKED_MS: Final = 120_000
"""So long a browser waits for its owner; what is carried beside the question is good for three minutes."""

_LOG: Final = structlog.get_logger("dealer_ui.desk")
Read = TypeVar("Read")


class RelyingParty:
    """`origin`: the one address that browsers know the consoles by, as in https://studio.example; passkeys are bound to
    its name. `title`: what a device shows its owner.
    """

    def __init__(self, origin: str, title: str) -> None:
        self.origin = origin
        self._id = urlsplit(origin).hostname or ""
        self._title = title

    def to_make(self, person: Staff, challenge: bytes) -> str:
        """What the browser of somebody who sets up a passkey is asked: JSON for `navigator.credentials.create`."""
        asked = generate_registration_options(
            rp_id=self._id, rp_name=self._title, challenge=challenge, timeout=ASKED_MS, user_name=person.name,
            user_id=hashlib.sha256(b"passkeys of " + person.id.encode()).digest(),
            exclude_credentials=_named(person.passkeys.values()),
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.DISCOURAGED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
        )  # fmt: skip
        return options_to_json(asked)

    def to_show(self, person: Staff, challenge: bytes) -> str:
        """What the browser of somebody who has passkeys is asked: JSON for `navigator.credentials.get`."""
        asked = generate_authentication_options(
            rp_id=self._id, challenge=challenge, timeout=ASKED_MS,
            allow_credentials=_named(usable(person.passkeys.values())),
            user_verification=UserVerificationRequirement.PREFERRED,
        )  # fmt: skip
        return options_to_json(asked)

    def made(self, answer: str, challenge: bytes) -> NewPasskey | None:
        """The key that was made for this question; None where it is no answer to it."""

        def read() -> NewPasskey:
            found = verify_registration_response(
                credential=answer, expected_challenge=challenge, expected_rp_id=self._id, expected_origin=self.origin
            )
            credential, public_key = found.credential_id, found.credential_public_key
            return NewPasskey(bytes_to_base64url(credential), bytes_to_base64url(public_key), found.sign_count)

        return _answered(answer, read)

    def shown(self, answer: str, challenge: bytes, person: Staff) -> ShownPasskey | None:
        """Which of this person's keys signed this question; None where none did. Its count is not judged here."""

        def read() -> ShownPasskey | None:
            credential = parse_authentication_credential_json(answer)
            own = person.passkeys.get(bytes_to_base64url(credential.raw_id))
            if own is None:
                return None
            found = verify_authentication_response(
                credential=credential, expected_challenge=challenge, expected_rp_id=self._id,
                expected_origin=self.origin, credential_public_key=base64url_to_bytes(own.public_key),
                credential_current_sign_count=0,
            )  # fmt: skip
            return ShownPasskey(own.credential, found.new_sign_count)

        return _answered(answer, read)


def party_of(config: StudioConfig) -> RelyingParty | None:
    """None where the consoles have no address that a passkey can be bound to."""
    return RelyingParty(config.server.origin, config.studio.title) if config.server.origin else None


def _named(passkeys: Iterable[Passkey]) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.credential)) for one in passkeys]


def _answered(answer: str, read: Callable[[], Read | None]) -> Read | None:
    """What anybody may send is read with whatever the reader raises: it is wrong, and is told as such."""
    if len(answer) > ANSWER_CHARACTERS_MAX:
        return None
    try:
        return read()
    except Exception as error:
        _LOG.info("a passkey was refused", why=type(error).__name__)
        return None
