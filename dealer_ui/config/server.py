"""What the configuration has of the web server: where it listens, what encrypts it, and whose word it believes."""

from __future__ import annotations

import re
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from dealer_ui.config.operator import NetworkText

_NAME: Final = r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z]([a-z0-9-]*[a-z0-9])?"
"""Of a host, and no bare address: browsers bind no passkey to one."""
_PUBLIC: Final = rf"^((https://{_NAME}|http://localhost)(:[0-9]{{1,5}})?)?$"


class TlsSection(BaseModel):
    """The certificate the studio shows and its key, as files. `name`: the host name it has to speak for, if any."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    certificate: Annotated[str, Field(min_length=1)]
    key: Annotated[str, Field(min_length=1)]
    name: str = ""


class ServerSection(BaseModel):
    """How the studio is served.

    `tls`: speak it ourselves. `encrypted_by`: "proxy" says that a reverse proxy does instead. `trusted_proxy`: the
    addresses of a reverse proxy whose word about its clients is believed. `public`: the one address that browsers know
    the consoles by, where it is not that of `tls`; passkeys are bound to its name. `metrics_key_sha256`: the digest of
    the key that opens /metrics; without one, /metrics is closed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    threads: Annotated[int, Field(ge=20, le=512)] = 48
    tls: TlsSection | None = None
    encrypted_by: Literal["", "proxy"] = ""
    trusted_proxy: tuple[NetworkText, ...] = ()
    public: Annotated[str, Field(pattern=_PUBLIC)] = ""
    metrics_key_sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""

    @property
    def origin(self) -> str:
        """As browsers write the address of the consoles; empty where no passkey can be bound to it: behind a proxy that
        is not named, or at a bare address.

        >>> ServerSection(public="https://studio.example:443").origin, ServerSection(port=9000).origin
        ('https://studio.example', 'http://localhost:9000')
        >>> ServerSection(public="http://localhost:80").origin, ServerSection(port=80).origin
        ('http://localhost', 'http://localhost')
        """
        if self.public:
            return _as_browsers_write(self.public)
        if self.tls is not None:
            named = re.fullmatch(_NAME, self.tls.name)
            return _as_browsers_write(f"https://{self.tls.name}:{self.port}") if named else ""
        return "" if self.encrypted_by or self.trusted_proxy else _as_browsers_write(f"http://localhost:{self.port}")


def _as_browsers_write(address: str) -> str:
    """Without the port that goes without saying."""
    return address.removesuffix(":443" if address.startswith("https:") else ":80")
