"""A room full of browsers keeps hundreds of idle connections open, and the next screen is served all the same."""

from __future__ import annotations

import contextlib
import http.client
import socket

from flask import Flask
from open_port import OpenPort
from patience import PATIENCE_S


def test_three_hundred_idle_connections_do_not_keep_the_next_one_out() -> None:
    app = Flask("idle")
    app.add_url_rule("/", "root", lambda: "here")
    port = OpenPort(app, threads=4)
    with contextlib.ExitStack() as idle:
        for _ in range(300):
            idle.enter_context(socket.create_connection(("127.0.0.1", port.number), timeout=PATIENCE_S))
        asking = http.client.HTTPConnection("127.0.0.1", port.number, timeout=PATIENCE_S)
        idle.callback(asking.close)
        asking.request("GET", "/")
        assert asking.getresponse().read() == b"here"
    port.close()
