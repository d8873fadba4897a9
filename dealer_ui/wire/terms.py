"""What one process needs to come on the wire: where the servers are, who it is, and what proves it."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dealer_ui.config.cluster import ClusterSection
from studio.errors import BadInputError

MESSAGE_BYTES_MAX: Final = 1_000_000
"""What a NATS server takes where nobody says otherwise is 1 MiB; longer messages are not sent."""
ROOT: Final = "studio"
"""The first part of every subject; two studios on one NATS server have an account each."""


@dataclass(frozen=True, slots=True)
class WireTerms:
    """`name` is the process's own; `secret` is a password or a token, and in no repr."""

    servers: tuple[str, ...]
    name: str
    role: str
    user: str = ""
    secret: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = None

    @classmethod
    def of(cls, section: ClusterSection) -> WireTerms:
        """Reads the secret and the certificates; `BadInputError` where a file is no good."""
        user, secret = _read_secret(section.secret_file) if section.secret_file else ("", "")
        return cls(section.nats, section.host, section.role, user, secret, _tls(section))

    @property
    def asked(self) -> dict[str, Any]:
        """What the library is told of them. Replies come to an inbox that only this role may read."""
        told: dict[str, Any] = {"servers": list(self.servers), "inbox_prefix": f"_INBOX.{self.role}.{self.name}"}
        if self.user:
            told |= {"user": self.user, "password": self.secret}
        elif self.secret:
            told["token"] = self.secret
        return told | ({"tls": self.tls} if self.tls is not None else {})


def _read_secret(file: str) -> tuple[str, str]:
    """User and password, or no user and a token."""
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"The secret of the wire cannot be read: {_why(error)}.", where=file) from error
    if not text or "\n" in text:
        raise BadInputError("The secret of the wire is one line: user:password, or a token.", where=file)
    user, parted, secret = text.partition(":")
    return (user, secret) if parted else ("", text)


def _tls(section: ClusterSection) -> ssl.SSLContext | None:
    if not section.ca_file and not any(one.startswith("tls://") for one in section.nats):
        return None
    try:
        return ssl.create_default_context(cafile=section.ca_file or None)
    except (OSError, ssl.SSLError) as error:
        sentence = f"The certificates that the wire is checked by cannot be read: {_why(error)}."
        raise BadInputError(sentence, where=section.ca_file) from error


def _why(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
