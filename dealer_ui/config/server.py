"""What the configuration has of the web server: where it listens, what encrypts it, and whose word it believes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from dealer_ui.config.operator import NetworkText


class TlsSection(BaseModel):
    """The certificate the studio shows and its key, as files. `name`: the host name it has to speak for, if any."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    certificate: Annotated[str, Field(min_length=1)]
    key: Annotated[str, Field(min_length=1)]
    name: str = ""


class ServerSection(BaseModel):
    """How the studio is served.

    `tls`: speak it ourselves. `encrypted_by`: "proxy" says that a reverse proxy does instead. `trusted_proxy`: the
    addresses of a reverse proxy whose word about its clients is believed. `metrics_key_sha256`: the digest of the key
    that opens /metrics; without one, /metrics is closed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    threads: Annotated[int, Field(ge=20, le=512)] = 48
    tls: TlsSection | None = None
    encrypted_by: Literal["", "proxy"] = ""
    trusted_proxy: tuple[NetworkText, ...] = ()
    metrics_key_sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
