"""Keys exchanged without a stop: the pepper of the PINs, the key that signs, the key that wraps the key file.

What is secret is on disk before the record says that it counts, and the record says it before anybody is told. A crash
in between leaves a key more than is used, and never one less.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dealer_ui.desk.staff import StaffDesk
from dealer_ui.process.secret import PEPPER_BYTES, keep_peppers
from studio.care.event import KeyRotated, entry_of
from studio.care.signing import KEY_BYTES, Signer, change_signing_key, drop_signing_key, handing_over
from studio.errors import BadInputError, RefusedError, StorageError, not_written
from studio.journal import Unit
from studio.journal.keys.keyring import FileKeyring, Keyring
from studio.journal.keys.rewrapping import rewrap_running
from studio.journal.keys.wrapping import WrappedBy
from studio.people import Argon2PinHasher
from studio.people.pin import Peppers, generation_of

PEPPER: Final = "pepper"
SIGNING: Final = "signing"
WRAPPING: Final = "wrapping"


@dataclass(frozen=True, slots=True)
class KeyRotation:
    """The keys of one studio, at work or stopped. `commit` keeps a unit for good."""

    database: Path
    staff: StaffDesk
    signer: Signer
    keyring: Keyring
    commit: Callable[[Unit], object]
    _one_by_one: threading.Lock = field(default_factory=threading.Lock)

    def rotate(self, what: str, by: str, reason: str, source: str = "") -> str:
        """Another key counts from now on; says what is to be done besides. `RefusedError` says why it does not."""
        reason = reason.strip()
        acts: dict[str, Callable[[], tuple[KeyRotated, str]]] = {
            PEPPER: lambda: self._rotate_pepper(by, reason),
            SIGNING: lambda: self._rotate_signing(by, reason),
            WRAPPING: lambda: self._rotate_wrapping(by, reason, source),
        }
        return self._do(acts, what, reason)

    def retire(self, what: str, by: str, reason: str) -> str:
        """The keys before the newest open nothing any more, for good."""
        reason = reason.strip()
        acts: dict[str, Callable[[], tuple[KeyRotated, str]]] = {
            PEPPER: lambda: self._retire_pepper(by, reason),
            SIGNING: lambda: self._retire_signing(by, reason),
        }
        return self._do(acts, what, reason)

    def _do(self, acts: dict[str, Callable[[], tuple[KeyRotated, str]]], what: str, reason: str) -> str:
        if what not in acts:
            raise RefusedError("key_unknown", f"Say which key: {', '.join(acts)}.")
        if not reason:
            raise RefusedError("reason_needed", "Write a few words why: they are kept.")
        with self._one_by_one:
            try:
                told, said = acts[what]()
                self.commit(Unit(entries=(entry_of(told),)))
            except BadInputError as error:
                raise RefusedError("key_unusable", str(error)) from error
            except (OSError, StorageError, TimeoutError) as error:
                raise not_written(error) from error
        return said

    # --- the pepper -------------------------------------------------------------------------------------

    def _rotate_pepper(self, by: str, reason: str) -> tuple[KeyRotated, str]:
        before = self._hasher.peppers
        after = before.with_fresh(secrets.token_bytes(PEPPER_BYTES))
        self._take(after)
        said = (
            f"PINs are kept under pepper {after.newest} from now on, each from its next sign-in. When all have come: "
            "studio keys retire pepper."
        )
        return KeyRotated(
            at_ms=self.staff.now_ms(),
            what=PEPPER,
            by=by,
            reason=reason,
            before=str(before.newest),
            after=str(after.newest),
        ), said

    def _retire_pepper(self, by: str, reason: str) -> tuple[KeyRotated, str]:
        before = self._hasher.peppers
        if len(before.by_generation) == 1:
            raise RefusedError("nothing_to_retire", "There is one pepper only: rotate it first.")
        behind = [
            one.name for one in self.staff.register.people.values()
            if one.active and generation_of(one.pin.hash) != before.newest
        ]  # fmt: skip
        if behind:
            sentence = f"These have not signed in since: {', '.join(behind)}. Wait for them, or give them codes."
            raise RefusedError("pepper_in_use", sentence)
        self._take(before.newest_alone())
        old = ", ".join(str(one) for one in sorted(before.by_generation) if one != before.newest)
        told = KeyRotated(
            at_ms=self.staff.now_ms(),
            what=PEPPER,
            by=by,
            reason=reason,
            before=old,
            after=str(before.newest),
            retired=True,
        )
        return told, f"Pepper {old} is gone: hashes of then open nothing, here and in every copy."

    def _take(self, peppers: Peppers) -> None:
        keep_peppers(self.database, peppers)
        self.staff.second.seal_anew(*peppers.newest_first)
        self._hasher.take(peppers)

    @property
    def _hasher(self) -> Argon2PinHasher:
        hasher = self.staff.hasher
        assert isinstance(hasher, Argon2PinHasher)
        return hasher

    # --- the signing key --------------------------------------------------------------------------------

    def _rotate_signing(self, by: str, reason: str) -> tuple[KeyRotated, str]:
        if len(self.signer.public_keys) > 1:
            raise RefusedError("key_in_change", "The key before signs still: studio keys retire signing, then again.")
        before = self.signer.public_key
        fresh = secrets.token_bytes(KEY_BYTES)
        after = Signer.of(fresh).public_key
        signature = self.signer.sign(handing_over(before, after))
        change_signing_key(self.database, self.signer, fresh)
        said = (
            f"Signed with another key from now on; tell everybody who checks its public key:\n{after}\nRounds that are "
            "pushed are signed with both until studio keys retire signing."
        )
        return KeyRotated(
            at_ms=self.staff.now_ms(),
            what=SIGNING,
            by=by,
            reason=reason,
            before=before,
            after=after,
            signature=signature,
        ), said

    def _retire_signing(self, by: str, reason: str) -> tuple[KeyRotated, str]:
        if len(self.signer.public_keys) == 1:
            raise RefusedError("nothing_to_retire", "One key signs only: rotate it first.")
        after, before = self.signer.public_keys
        drop_signing_key(self.database, self.signer)
        told = KeyRotated(
            at_ms=self.staff.now_ms(), what=SIGNING, by=by, reason=reason, before=before, after=after, retired=True
        )
        return told, f"The key {before[:16]}… signs nothing any more. What it signed is checked with it as before."

    # --- the wrapping key -------------------------------------------------------------------------------

    def _rotate_wrapping(self, by: str, reason: str, source: str) -> tuple[KeyRotated, str]:
        if not isinstance(self.keyring, FileKeyring) or not self.keyring.is_wrapped:
            raise RefusedError("not_wrapped", "The key file is not wrapped: stop the studio and run studio keys wrap.")
        path = self.database.with_name(f"{self.database.name}.keys")
        after = WrappedBy.parse(source)
        done = rewrap_running(self.keyring, path, after)
        said = (
            f"The key file was wrapped anew, with {done.kept} keys. Before the next start write in the configuration: "
            f'[keys] wrapped_by = "{source}".'
        )
        return KeyRotated(at_ms=self.staff.now_ms(), what=WRAPPING, by=by, reason=reason, after=str(after)), said
