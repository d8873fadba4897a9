"""The far end that wallets are measured against: says yes to everything, after so many milliseconds.

A process of its own, which checks no signature and keeps no balance: what is measured is the studio's side.
`python -m bench.quick_wallet 20` prints its port and works until its input ends.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

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
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                found = _LENGTH.search(head)
                body = await reader.readexactly(int(found[1]) if found else 0)
                if wait_s:
                    await asyncio.sleep(wait_s)
                writer.write(_yes(json.loads(body)))
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):  # it is over, or its input is
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await asyncio.to_thread(sys.stdin.read)


def _yes(asked: dict[str, str]) -> bytes:
    told = {"user": asked["user"], "status": "RS_OK", "request_uuid": asked["request_uuid"], "balance": 10**9}
    body = json.dumps(told).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]) / 1000))
