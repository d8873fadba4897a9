"""One AES-GCM ciphertext that two keys open to two faces: what somebody who holds the keys could make beforehand.

The ciphertext's first three bytes must be right under both key streams: keys are drawn until two fit. Its second
block is padding, so it is chosen to make the tag right under both: in GF(2^128) that is one linear equation.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from studio.cards import Card

_R = 0xE1 << 120


def two_faced(id: str, one: Card, other: Card, seed: int = 1) -> tuple[bytes, bytes, tuple[bytes, bytes]]:
    """Nonce, ciphertext, and the keys that open it to one face and to the other; the id is sixteen letters."""
    assert len(id) == 16
    draw = random.Random(seed).randbytes
    nonce = draw(12)
    keys, start = _keys(nonce, one, other, draw)
    first = start + draw(13)
    tags = [_Tag(key, nonce, id.encode(), first) for key in keys]
    second = _times(tags[0].fixed ^ tags[1].fixed, _inverse(tags[0].weight ^ tags[1].weight))
    tag = tags[0].fixed ^ _times(second, tags[0].weight)
    return nonce, first + second.to_bytes(16, "big") + tag.to_bytes(16, "big"), keys


def _keys(nonce: bytes, one: Card, other: Card, draw: Callable[[int], bytes]) -> tuple[tuple[bytes, bytes], bytes]:
    ones: dict[bytes, bytes] = {}
    others: dict[bytes, bytes] = {}
    while True:
        for mine, theirs, face in ((ones, others, one), (others, ones, other)):
            key = draw(32)
            stream = _block(key, nonce + (2).to_bytes(4, "big"))
            start = bytes(a ^ b for a, b in zip(stream, b"\x02" + str(face).encode(), strict=False))
            mine[start] = key
            if start in theirs:
                return (ones[start], others[start]), start


class _Tag:
    """The tag under one key, as far as it is fixed, and by what the second block is multiplied in it."""

    def __init__(self, key: bytes, nonce: bytes, data: bytes, first: bytes) -> None:
        h = int.from_bytes(_block(key, bytes(16)), "big")
        squared = _times(h, h)
        cubed, fourth = _times(squared, h), _times(squared, squared)
        lengths = (len(data) * 8 << 64) | 32 * 8
        self.weight = squared
        self.fixed = (
            _times(int.from_bytes(data, "big"), fourth)
            ^ _times(int.from_bytes(first, "big"), cubed)
            ^ _times(lengths, h)
            ^ int.from_bytes(_block(key, nonce + (1).to_bytes(4, "big")), "big")
        )


def _block(key: bytes, block: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor().update(block)


def _times(a: int, b: int) -> int:
    """The product in GHASH's field, its bits counted from the left."""
    product = 0
    for at in range(127, -1, -1):
        if a >> at & 1:
            product ^= b
        b = (b >> 1) ^ (_R if b & 1 else 0)
    return product


def _inverse(a: int) -> int:
    """a to the power of 2^128 - 2."""
    product, square = 1 << 127, a
    for _ in range(127):
        square = _times(square, square)
        product = _times(product, square)
    return product
