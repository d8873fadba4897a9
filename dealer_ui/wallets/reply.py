"""What comes back from a call over HTTP: a reply that is whole, or why there is none."""

from __future__ import annotations

from typing import Protocol

import msgspec

from dealer_ui.wallets.dialect import Request


class Reply(msgspec.Struct, frozen=True):
    status: int
    body: bytes


class NoReply(msgspec.Struct, frozen=True):
    why: str


class Sending(Protocol):
    """`dealer_ui.wallets.line.Line` is one."""

    def send(self, request: Request, wait_s: float) -> Reply | NoReply: ...

    def close(self) -> None: ...
