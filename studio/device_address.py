"""The addresses of devices: which of them mean TLS, by what such a device is known, and how much of one may be told.

What is named behind the `#` of an address is for this end alone, and is sent to nobody.

| in the address | means |
|---|---|
| `#ca=devices-ca.pem` | whoever answers shows a certificate for that host, issued by one of this file |
| `#sha256=4f1c…` | whoever answers shows this very certificate, whatever stands in it |
| `&name=shoe-7` | with `ca`: the name in the certificate, where it is not the host of the address |
| `&certificate=studio.pem&key=studio.key` | what the studio shows of itself, where the device server asks |

One of the first two is always there: nothing is spoken to a device that nobody has checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from studio.errors import BadInputError

BY_TLS: Final = ("tls://", "https://")
"""How the addresses of devices begin that are reached by TLS."""
_KNOWN: Final = frozenset({"ca", "sha256", "name", "certificate", "key"})
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def without_password(url: str) -> str:
    """A device's address as screens, sentences and the record may tell it: without that, and without what is to be
    known of the device by TLS, which names files of one machine.

    >>> without_password("rtsp://studio:secret@10.0.0.9/video"), without_password("/dev/video0")
    ('rtsp://studio:***@10.0.0.9/video', '/dev/video0')
    >>> without_password("tls://10.0.0.7:4001#ca=/etc/studio/ca.pem")
    'tls://10.0.0.7:4001'
    """
    url = url.partition("#")[0] if url.startswith(BY_TLS) else url
    scheme, found, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    user, at, where = host.rpartition("@")
    name, colon, _ = user.partition(":")
    return f"{scheme}{found}{name}{colon}***{at}{where}{slash}{path}" if found and at and colon else url


@dataclass(frozen=True, slots=True)
class Trust:
    """By what a device is known. Either `ca`, a file, or `sha256`, of its certificate."""

    ca: str = ""
    sha256: str = ""
    name: str = ""
    certificate: str = ""
    key: str = ""


def trust_in(url: str) -> Trust:
    """What an address says of it; `BadInputError` where that is not enough, or is not known."""
    asked = dict(parse_qsl(urlsplit(url).fragment, keep_blank_values=True))
    trust = Trust(**{name: value for name, value in asked.items() if name in _KNOWN})
    if unknown := sorted(asked.keys() - _KNOWN):
        raise BadInputError(f"The address of a device by TLS knows no {unknown[0]}: write {', '.join(sorted(_KNOWN))}.")
    if bool(trust.ca) == bool(trust.sha256):
        raise BadInputError("Say by what the device is known: #ca=FILE, or #sha256= and the digest of its certificate.")
    digest = trust.sha256.replace(":", "").lower()
    if digest and not _DIGEST.fullmatch(digest):
        raise BadInputError("The digest of a certificate, sha256, has 64 hexadecimal digits: copy it anew.")
    if bool(trust.certificate) != bool(trust.key):
        raise BadInputError("The studio's own certificate and its key belong together: name both, or neither.")
    return Trust(trust.ca, digest, trust.name, trust.certificate, trust.key)
