"""Secrets that a configuration names and does not hold: from a file beside it, or from the environment."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from studio.device_address import BY_TLS, trust_in
from studio.errors import BadInputError

FILE: Final = "file:"
ENVIRONMENT: Final = "env:"
_FILES: Final = frozenset({"ca", "certificate", "key"})
"""What of an address by TLS names a file."""


def holds_password(address: str) -> bool:
    """Whether a password stands in an address.

    >>> holds_password("rtsp://studio:secret@10.0.0.9/video"), holds_password("rtsp://studio@10.0.0.9/video")
    (True, False)
    >>> holds_password("postgresql://studio@10.0.0.9/floor?password=secret")
    True
    >>> holds_password("postgresql://studio@10.0.0.9/floor?sslkey=k&sslpassword=secret")
    True
    """
    _, found, rest = address.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    asked = parse_qs(rest.partition("?")[2])
    return bool(found and at and ":" in user) or "password" in asked or "sslpassword" in asked


def no_password(address: str) -> str:
    """For the keys of a configuration that are addresses and need no secret of it."""
    if holds_password(address):
        raise ValueError("A password stands in the address, and a configuration holds none")
    return address


def secret_beside(secret: str, folder: Path) -> str:
    """The same, its file found from that folder."""
    return f"{FILE}{folder / secret.removeprefix(FILE)}" if secret.startswith(FILE) else secret


def says_trust(url: str) -> str:
    """For the address of a device, its scheme in small letters: one by TLS says by what the device is known.

    >>> says_trust("TLS://10.0.0.7:4001#ca=ca.pem")
    'tls://10.0.0.7:4001#ca=ca.pem'
    """
    scheme, found, rest = url.partition("://")
    url = f"{scheme.lower()}{found}{rest}" if found else url
    if url.startswith(BY_TLS):
        try:
            trust_in(url)
        except BadInputError as error:
            raise ValueError(error.sentence) from None
    return url


def trust_beside(url: str, folder: Path) -> str:
    """The same address of a device by TLS, the files that it names found from that folder.

    >>> trust_beside("tls://10.0.0.7:4001#ca=ca.pem&name=shoe-7", Path("/etc/studio"))
    'tls://10.0.0.7:4001#ca=/etc/studio/ca.pem&name=shoe-7'
    """
    address, asked, known = url.partition("#")
    if not asked or not url.startswith(BY_TLS):
        return url
    said = [(name, str(folder / value) if name in _FILES else value) for name, value in parse_qsl(known)]
    return f"{address}#{urlencode(said, safe='/:')}"


def with_secret(address: str, secret: str, environment: Mapping[str, str] = os.environ) -> str:
    """The address with the user and password of that secret; `BadInputError` says what is wrong with it, and not what
    it is.
    """
    if not secret:
        return address
    user, colon, password = _read(secret, environment).partition(":")
    if not (user and colon and password):
        raise BadInputError("A camera's secret is one line, user:password.", where=secret)
    scheme, _, rest = address.partition("://")
    return f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}"


def _read(secret: str, environment: Mapping[str, str]) -> str:
    if secret.startswith(ENVIRONMENT):
        name = secret.removeprefix(ENVIRONMENT)
        if name not in environment:
            raise BadInputError("A camera's secret is not there: the environment has no such name.", where=secret)
        return environment[name].strip()
    path = Path(secret.removeprefix(FILE))
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        told = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise BadInputError(f"A camera's secret cannot be read: {error.strerror}.", where=str(path)) from None
    except UnicodeDecodeError:
        raise BadInputError("A camera's secret is one line, user:password.", where=str(path)) from None
    if mode & 0o077:
        sentence = f"A camera's secret can be read by others ({mode:o}): chmod 600 {path}."
        raise BadInputError(sentence, where=str(path))
    return told
