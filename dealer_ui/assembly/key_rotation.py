"""Keys exchanged without a stop: the pepper of the PINs, the key that signs, the key that wraps the key file.

What is secret is on disk before the record says that it counts, and gone only after the record says that it is; the
record says it before anybody is told. A crash in between leaves a key more than is used, and never one less.
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
from studio.care.signing import (
    KEY_BYTES,
    Signer,
    change_signing_key,
    drop_signing_key,
    handing_over,
    keep_signing_key_before,
)
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
_SHARED: Final = (
    "Every process of this studio reads the pepper as it starts, and would know nobody's PIN under another: in a studio"
    " of several processes it stays. If its file may have been copied, give everybody a code: each chooses a new PIN."
)
_NO_FILE: Final = (
    "The keys of sealed cards lie in a database here, under the wrapping key that its first host had: that is not"
    " exchanged. If it may have leaked, let the rounds end, stop every host, and name an empty database of keys."
)


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A key that counts from now on, or is to go, and what the record says of it."""

    told: KeyRotated
    said: str
    then: Callable[[], None] = lambda: None
    """Once the record says it."""
    unsaid: Callable[[Exception], str] = lambda error: ""
    """Where the record could not say it: undoes it, or gives in a sentence what stands all the same."""


@dataclass(frozen=True, slots=True)
class KeyRotation:
    """The keys of one studio, at work or stopped. `commit` keeps a unit for good."""

    database: Path
    staff: StaffDesk
    signer: Signer
    keyring: Keyring
    commit: Callable[[Unit], object]
    several: bool = False
    """Whether the studio has more processes than this one: each reads the pepper as it starts, and knows no other."""
    _one_by_one: threading.Lock = field(default_factory=threading.Lock)

    def rotate(self, what: str, by: str, reason: str, source: str = "") -> str:
        """Another key counts from now on; says what is to be done besides. `RefusedError` says why it does not."""
        reason = reason.strip()
        acts: dict[str, Callable[[], _Exchange]] = {
            PEPPER: lambda: self._rotate_pepper(by, reason),
            SIGNING: lambda: self._rotate_signing(by, reason),
            WRAPPING: lambda: self._rotate_wrapping(by, reason, source),
        }
        return self._do(acts, what, reason)

    def retire(self, what: str, by: str, reason: str) -> str:
        """The keys before the newest open nothing any more, for good."""
        reason = reason.strip()
        acts: dict[str, Callable[[], _Exchange]] = {
            PEPPER: lambda: self._retire_pepper(by, reason),
            SIGNING: lambda: self._retire_signing(by, reason),
        }
        return self._do(acts, what, reason)

    def _do(self, acts: dict[str, Callable[[], _Exchange]], what: str, reason: str) -> str:
        if what not in acts:
            raise RefusedError("key_unknown", f"Say which key: {', '.join(acts)}.")
        if what == PEPPER and self.several:
            raise RefusedError("pepper_shared", _SHARED)
        if not reason:
            raise RefusedError("reason_needed", "Write a few words why: they are kept.")
        with self._one_by_one:
            try:
                exchange = acts[what]()
                self._record(exchange)
                exchange.then()
            except BadInputError as error:
                raise RefusedError("key_unusable", str(error)) from error
            except (OSError, StorageError, TimeoutError) as error:
                raise not_written(error) from error
        return exchange.said

    def _record(self, exchange: _Exchange) -> None:
        try:
            self.commit(Unit(entries=(entry_of(exchange.told),)))
        except (OSError, StorageError) as error:
            if stands := exchange.unsaid(error):
                raise RefusedError("not_recorded", stands) from error
            raise

    # --- the pepper -------------------------------------------------------------------------------------

    def _rotate_pepper(self, by: str, reason: str) -> _Exchange:
        before = self._hasher.peppers
        after = before.with_fresh(secrets.token_bytes(PEPPER_BYTES))
        self._take(after)
        said = (
            f"PINs are kept under pepper {after.newest} from now on, each from its next sign-in. When all have come: "
            "studio keys retire pepper."
        )
        told = KeyRotated(
            at_ms=self.staff.now_ms(),
            what=PEPPER,
            by=by,
            reason=reason,
            before=str(before.newest),
            after=str(after.newest),
        )
        return _Exchange(told, said)

    def _retire_pepper(self, by: str, reason: str) -> _Exchange:
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
        said = f"Pepper {old} is gone: hashes of then open nothing, here and in every copy."
        return _Exchange(told, said, then=lambda: self._let_go(before.newest_alone()))

    def _take(self, peppers: Peppers) -> None:
        keep_peppers(self.database, peppers)
        self.staff.second.seal_anew(*peppers.newest_first)
        self._hasher.take(peppers)

    def _let_go(self, peppers: Peppers) -> None:
        """Nothing is sealed with what is gone, whenever the power goes."""
        self.staff.second.seal_anew(*peppers.newest_first)
        keep_peppers(self.database, peppers)
        self._hasher.take(peppers)

    @property
    def _hasher(self) -> Argon2PinHasher:
        hasher = self.staff.hasher
        assert isinstance(hasher, Argon2PinHasher)
        return hasher

    # --- the signing key --------------------------------------------------------------------------------

    def _rotate_signing(self, by: str, reason: str) -> _Exchange:
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
        told = KeyRotated(
            at_ms=self.staff.now_ms(),
            what=SIGNING,
            by=by,
            reason=reason,
            before=before,
            after=after,
            signature=signature,
        )
        return _Exchange(told, said, unsaid=self._sign_as_before)

    def _sign_as_before(self, error: Exception) -> str:
        """The exchange is undone where it is sure that the record does not say it: no key signs unknown to all."""
        if not isinstance(error, TimeoutError):
            keep_signing_key_before(self.database, self.signer)
        return ""

    def _retire_signing(self, by: str, reason: str) -> _Exchange:
        if len(self.signer.public_keys) == 1:
            raise RefusedError("nothing_to_retire", "One key signs only: rotate it first.")
        after, before = self.signer.public_keys
        told = KeyRotated(
            at_ms=self.staff.now_ms(), what=SIGNING, by=by, reason=reason, before=before, after=after, retired=True,
            signature=self.signer.signatures(handing_over(before, after))[1],
        )  # fmt: skip
        said = f"The key {before[:16]}… signs nothing any more. What it signed is checked with it as before."
        return _Exchange(told, said, then=lambda: drop_signing_key(self.database, self.signer))

    # --- the wrapping key -------------------------------------------------------------------------------

    def _rotate_wrapping(self, by: str, reason: str, source: str) -> _Exchange:
        if not isinstance(self.keyring, FileKeyring):
            raise RefusedError("not_a_file", _NO_FILE)
        if not self.keyring.is_wrapped:
            raise RefusedError("not_wrapped", "The key file is not wrapped: stop the studio and run studio keys wrap.")
        path = self.database.with_name(f"{self.database.name}.keys")
        after = WrappedBy.parse(source)
        done = rewrap_running(self.keyring, path, after)
        write = f'Before the next start write in the configuration: [keys] wrapped_by = "{source}".'
        stands = (
            "The key file was wrapped anew, and the record could not be told: keep the new key, nothing else opens the"
            f" file. {write} Once the record is written again, ask again, that it may say so."
        )
        told = KeyRotated(at_ms=self.staff.now_ms(), what=WRAPPING, by=by, reason=reason, after=str(after))
        said = f"The key file was wrapped anew, with {done.kept} keys. {write}"
        return _Exchange(told, said, unsaid=lambda error: stands)
