"""Measures a pit boss's acts, and a small operator's bets, while four operators flood a table."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from bench.figure import Figure
from bench.serving_studio import OPERATOR_KEYS, PIT_BADGE, PIT_PIN, TABLE, serving
from bench.sign_in import cookie_of
from dealer_ui.api.door import PREFIX

BATCH: Final = 1_000
CONNECTIONS: Final = 4
"""Of each operator: a batch is sent again on each as soon as the one before is answered, or turned away."""
FLOOD_S: Final = 9.0
BETTORS: Final = 50
ACT_MS_MAX: Final = 100
_IDS: Final = count()


@dataclass(slots=True)
class Told:
    """What an operator was answered, by all its connections."""

    accepted: int = 0
    turned_away: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def measure() -> Sequence[Figure]:
    with tempfile.TemporaryDirectory() as name, serving(Path(name)) as port:
        for operator in OPERATOR_KEYS:
            _deposit(port, operator)
        until, told = time.perf_counter() + FLOOD_S, {operator: Told() for operator in OPERATOR_KEYS}
        small, *floods = OPERATOR_KEYS
        with ThreadPoolExecutor(len(floods) * CONNECTIONS + 2) as people:
            for operator in floods:
                for _ in range(CONNECTIONS):
                    people.submit(_flood, port, operator, until, told[operator], BATCH)
            bets = people.submit(_flood, port, small, until, told[small], 1)
            acts_ms = people.submit(_acts_ms, port, until).result()
            bets_ms = bets.result()
    return _figures(acts_ms, bets_ms, told, small)


def _figures(acts_ms: Sequence[float], bets_ms: Sequence[float], told: dict[str, Told], small: str) -> Sequence[Figure]:
    floods = [one.accepted / FLOOD_S for operator, one in told.items() if operator != small]
    p99 = _p99(acts_ms)
    return [
        Figure(name=f"an act of the pit, median of {len(acts_ms)}", value=median(acts_ms), unit="ms"),
        Figure(
            name="an act of the pit, p99", value=p99, unit="ms", target=f"at most {ACT_MS_MAX} ms",
            holds=p99 <= ACT_MS_MAX,
        ),
        Figure(name=f"one bet of a small operator, median of {len(bets_ms)}", value=median(bets_ms), unit="ms"),
        Figure(name="one bet of a small operator, p99", value=_p99(bets_ms), unit="ms"),
        Figure(name="the four that flood, together", value=sum(floods), unit="bets/s"),
        Figure(name="the least of the four", value=min(floods), unit="bets/s", raw=max(floods), raw_name="the most"),
        Figure(name="batches told to come back", value=sum(one.turned_away for one in told.values()), unit="batches"),
    ]  # fmt: skip


def _p99(values: Sequence[float]) -> float:
    return quantiles(values, n=100)[98] if len(values) > 1 else float("nan")


def _flood(port: int, operator: str, until: float, told: Told, batch: int) -> Sequence[float]:
    """Batch after batch, and again when it is turned away; how long each that was taken took, in ms."""
    taken: list[float] = []
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        while (began := time.perf_counter()) < until:
            body = json.dumps({"bets": [_bet() for _ in range(batch)]})
            while (answer := _post(connection, operator, f"/tables/{TABLE}/bets", body))[0] == 429:
                with told.lock:
                    told.turned_away += 1
                threading.Event().wait(answer[1])
            taken.append((time.perf_counter() - began) * 1000)
            with told.lock:
                told.accepted += sum(one["status"] == "accepted" for one in answer[2].get("answers", ()))
    return taken


def _acts_ms(port: int, until: float) -> Sequence[float]:
    """The pit is called and the call answered, again and again, over a connection kept open."""
    taken: list[float] = []
    cookie = cookie_of(port, PIT_BADGE, PIT_PIN)
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", "/pit", headers={"Cookie": cookie, "Accept": "text/html"})
        found = re.search(r'data-csrf="([^"]+)"', connection.getresponse().read().decode())
        assert found is not None
        headers = {"Cookie": cookie, "X-CSRF-Token": found[1], "Content-Type": "application/json"}
        while (began := time.perf_counter()) < until:
            command = ("call_pit", "answer_call")[len(taken) % 2]
            body = json.dumps({"command": command, "id": f"act{len(taken)}"})
            connection.request("POST", f"/table/{TABLE}/command", body, headers)
            answer = connection.getresponse()
            assert (answer.read(), answer.status)[1] == 200
            taken.append((time.perf_counter() - began) * 1000)
            threading.Event().wait(0.02)
    return taken


def _bet() -> dict[str, object]:
    number = next(_IDS)
    return {"client_id": f"c{number}", "bettor": f"b{number % BETTORS}", "bet": "player1_win", "stake": 100}


def _deposit(port: int, operator: str) -> None:
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        for number in range(BETTORS):
            body = json.dumps({"client_id": f"d{number}", "amount": 10**9})
            assert _post(connection, operator, f"/bettors/b{number}/deposits", body)[0] == 200


def _post(
    connection: HTTPConnection, operator: str, path: str, body: str
) -> tuple[int, float, dict[str, list[dict[str, str]]]]:
    """The status, how long to wait where that is told, and what was said."""
    headers = {"Authorization": f"Bearer {OPERATOR_KEYS[operator]}", "Content-Type": "application/json"}
    connection.request("POST", PREFIX + path, body, headers)
    answer = connection.getresponse()
    said = json.loads(answer.read())
    return answer.status, float(answer.getheader("Retry-After") or 0), said
