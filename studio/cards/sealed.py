"""Sealed cards: how a card that nobody may see yet is closed, and how it is opened with its key.

A sealed card is an id, a nonce, a ciphertext (AES-256-GCM, the id as associated data) and a commitment. Its key lives
in memory and in the key file, never in the journal, until the reveal publishes it; then anyone can open the
journalled ciphertext and check it. AES-GCM by itself binds no key: a ciphertext can be made that two keys open to two
faces. The commitment, a SHA-256 over key and content, leaves one; without the key it tells nothing. What was sealed
before commitments has none. Nothing here prints a face.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final, NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from studio.cards.card import Card
from studio.errors import SealedError

ByteSource = Callable[[int], bytes]
"""Gives that many random bytes: `secrets.token_bytes` live, `random.Random(seed).randbytes` in a simulation."""

_PAD: Final = 32
_TAG: Final = b"studio-sealed 1\n"
COMMITMENT_BYTES: Final = hashlib.sha256().digest_size


class Sealed:
    """Bytes closed under a key of their own; equal when the ids are equal."""

    __slots__ = ("_key", "ciphertext", "commitment", "id", "nonce")

    def __init__(
        self, id: str, nonce: bytes, ciphertext: bytes, commitment: bytes = b"", key: bytes | None = None
    ) -> None:
        self.id = id
        self.nonce = nonce
        self.ciphertext = ciphertext
        self.commitment = commitment
        self._key = key

    @property
    def is_committed(self) -> bool:
        """Whether one key and one content alone fit; what was sealed before commitments has none."""
        return bool(self.commitment)

    def written(self) -> tuple[str, bytes, bytes, bytes]:
        """All of it that may be kept: everything but the key, in the order it is made from."""
        return self.id, self.nonce, self.ciphertext, self.commitment

    @property
    def has_key(self) -> bool:
        return self._key is not None

    def publish_key(self) -> bytes:
        """The key, to be kept in the key file or published with the reveal; `SealedError` without one."""
        if self._key is None:
            raise SealedError(f"The key of sealed {self.id} is not here; restore the key file beside the database.")
        return self._key

    def with_key(self, key: bytes) -> Sealed:
        return type(self)(*self.written(), key)

    def open(self) -> bytes:
        """The bytes as they were sealed; `SealedError` when the key is absent, or does not fit the commitment."""
        try:
            padded = AESGCM(self.publish_key()).decrypt(self.nonce, self.ciphertext, self.id.encode())
        except InvalidTag:
            raise SealedError(f"The key of sealed {self.id} does not open it; key or record was changed.") from None
        data = padded[1 : 1 + padded[0]]
        if self.is_committed and self.commitment != _commit(self.id, self.nonce, self.publish_key(), data):
            raise SealedError(f"Sealed {self.id} was committed to another key or content than this key opens.")
        return data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    def __reduce__(self) -> NoReturn:
        raise SealedError("A sealed card is not pickled; journal it instead.")


class SealedCard(Sealed):
    """A card as a shoe or a camera read it, closed until the script awaits it face up or reveals it."""

    __slots__ = ()

    def with_key(self, key: bytes) -> SealedCard:
        return SealedCard(*self.written(), key)

    def card(self) -> Card:
        """The face. Call it only where the script awaits the card face up, or at its reveal."""
        return Card.parse(self.open().decode())


class Sealer:
    """Closes readings as they are born; ids, keys and nonces come from the injected source."""

    __slots__ = ("_source",)

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def card(self, card: Card) -> SealedCard:
        return SealedCard(*self._closed(str(card).encode()))

    def raw(self, data: bytes) -> tuple[Sealed, ...]:
        """Line bytes, in pieces of at most 255, padded so that no length tells a face."""
        return tuple(Sealed(*self._closed(data[i : i + 255])) for i in range(0, len(data), 255))

    def _closed(self, data: bytes) -> tuple[str, bytes, bytes, bytes, bytes]:
        id, nonce, key = self._fresh()
        return id, nonce, _encrypt(id, nonce, key, data), _commit(id, nonce, key, data), key

    def _fresh(self) -> tuple[str, bytes, bytes]:
        drawn = self._source(52)
        return drawn[:8].hex(), drawn[8:20], drawn[20:]


def _encrypt(id: str, nonce: bytes, key: bytes, data: bytes) -> bytes:
    framed = bytes((len(data),)) + data
    framed += bytes(-len(framed) % _PAD)
    return AESGCM(key).encrypt(nonce, framed, id.encode())


def _commit(id: str, nonce: bytes, key: bytes, data: bytes) -> bytes:
    """Key and nonce are of one length each and the id tells its own, so no two contents write the same bytes."""
    named = id.encode()
    return hashlib.sha256(_TAG + key + nonce + bytes((len(named),)) + named + data).digest()
