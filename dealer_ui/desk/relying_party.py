"""The studio as passkeys know it: one name, one address, what their owner's browser is asked, and what it answers.

Only here is an answer of a browser read; `webauthn` checks it (WebAuthn level 2, 7.1 and 7.2). Whether a right one
opens is decided by what is on record. The library is loaded when the first passkey is made or shown: with the
certificates and codings it brings it takes a tenth of the start of a studio, and of every command about people.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import urlsplit

import structlog

from dealer_ui.config.shape import StudioConfig
from studio.people.passkey import NewPasskey, Passkey, ShownPasskey, usable
from studio.people.staff import Staff

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

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
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import structs

        asked = generate_registration_options(
            rp_id=self._id, rp_name=self._title, challenge=challenge, timeout=ASKED_MS, user_name=person.name,
            user_id=hashlib.sha256(b"passkeys of " + person.id.encode()).digest(),
            exclude_credentials=_named(person.passkeys.values()),
            authenticator_selection=structs.AuthenticatorSelectionCriteria(
                resident_key=structs.ResidentKeyRequirement.DISCOURAGED,
                user_verification=structs.UserVerificationRequirement.PREFERRED,
            ),
        )  # fmt: skip
        return options_to_json(asked)

    def to_show(self, person: Staff, challenge: bytes) -> str:
        """What the browser of somebody who has passkeys is asked: JSON for `navigator.credentials.get`."""
        from webauthn import generate_authentication_options, options_to_json
        from webauthn.helpers.structs import UserVerificationRequirement

        asked = generate_authentication_options(
            rp_id=self._id, challenge=challenge, timeout=ASKED_MS,
            allow_credentials=_named(usable(person.passkeys.values())),
            user_verification=UserVerificationRequirement.PREFERRED,
        )  # fmt: skip
        return options_to_json(asked)

    def made(self, answer: str, challenge: bytes) -> NewPasskey | None:
        """The key that was made for this question; None where it is no answer to it."""
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        def read() -> NewPasskey:
            found = verify_registration_response(
                credential=answer, expected_challenge=challenge, expected_rp_id=self._id, expected_origin=self.origin
            )
            credential, public_key = found.credential_id, found.credential_public_key
            return NewPasskey(bytes_to_base64url(credential), bytes_to_base64url(public_key), found.sign_count)

        return _answered(answer, read)

    def shown(self, answer: str, challenge: bytes, person: Staff) -> ShownPasskey | None:
        """Which of this person's keys signed this question; None where none did. Its count is not judged here."""
        from webauthn import base64url_to_bytes, verify_authentication_response
        from webauthn.helpers import bytes_to_base64url, parse_authentication_credential_json

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
    from webauthn import base64url_to_bytes
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

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
