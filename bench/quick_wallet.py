"""The far end that wallets are measured against: says yes to everything, after so many milliseconds.

A process of its own, which checks no signature and keeps no balance, and answers as cheaply as Python can: what is
measured is the studio's side, and both share the same cores.
`python -m bench.quick_wallet 20` prints its port and works until its input ends.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import msgspec

_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


@contextmanager
def answering(wait_ms: int) -> Iterator[int]:
    """Its port, while it works."""
    command = [sys.executable, "-m", "bench.quick_wallet", str(wait_ms)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


async def _serve(wait_s: float) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Talk(loop, wait_s), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)


class _Talk(asyncio.Protocol):
    """One connection: a request, its answer after a while, the next request."""

    def __init__(self, loop: asyncio.AbstractEventLoop, wait_s: float) -> None:
        self._loop = loop
        self._wait_s = wait_s
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, _, body = self._heard.partition(b"\r\n\r\n")
        found = _LENGTH.search(head)
        if found is None or len(body) < int(found[1]):
            return
        self._heard = b""
        answer = _yes(_ASKED.decode(body))
        if self._wait_s:
            self._loop.call_later(self._wait_s, self._transport.write, answer)
        else:
            self._transport.write(answer)


class _Asked(msgspec.Struct):
    user: str
    request_uuid: str


_ASKED: Final = msgspec.json.Decoder(_Asked)


def _yes(asked: _Asked) -> bytes:
    told = {"user": asked.user, "status": "RS_OK", "request_uuid": asked.request_uuid, "balance": 10**9}
    body = msgspec.json.encode(told)
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]) / 1000))
