"""A studio with simulated tables is asked whatever its document says may be asked, and much that may not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from studio_process import StudioProcess

RUN_S: Final = 60
TABLE, ROOM = "three-knights-1", "nlh-1"
HERE: Final = Path(__file__).parent
CONFIG: Final = """
hooks = "fuzz_checks"
max-time = {run_s}
max-stream-events = 2
seed = 1
continue-on-failure = true
warnings = false
headers = {{ Authorization = "Bearer {key}" }}
generation = {{ database = "none", max-examples = 10 }}

[dictionaries]
tables.values = ["{table}", "{room}"]
rooms.values = ["{room}"]
bettors.values = ["ann"]
ids.values = ["n-1001", "c-1"]
rounds.values = ["{round}"]
movements.values = ["{movement}"]
begins.values = [{now_ms}]
ends.values = [{soon_ms}]

[parameters]
"path.table" = {{ dictionary = "tables", probability = 0.9 }}
"path.bettor" = {{ dictionary = "bettors", probability = 0.9 }}
"path.client_id" = {{ dictionary = "ids", probability = 0.9 }}
"path.round" = {{ dictionary = "rounds", probability = 0.9 }}
"path.movement" = {{ dictionary = "movements", probability = 0.9 }}
"query.from_ms" = {{ dictionary = "begins", probability = 0.9 }}
"query.to_ms" = {{ dictionary = "ends", probability = 0.9 }}
"body.table" = {{ dictionary = "tables", probability = 0.9 }}
"body.bettor" = {{ dictionary = "bettors", probability = 0.9 }}
"body.round" = {{ dictionary = "rounds", probability = 0.9 }}

[[operations]]
include-operation-id = ["own_seat", "seat_stream"]
parameters = {{ "path.table" = {{ dictionary = "rooms", probability = 0.9 }} }}

[[operations]]
include-operation-id = ["place_bets", "decide"]
checks.negative_data_rejection.enabled = false

[[operations]]
include-operation-id = ["place_bets", "deposit", "withdraw", "rakeback", "grant"]
checks.positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 429]
"""
"""What is in the dictionaries is there, so that more than the first check of a call is passed. A wrong item of a batch
is refused alone, which `fuzz_checks` looks after. Whether a currency is played here, or a span too long, no schema
says."""
FAR: Final = {"GET /bettors/{bettor}/hands/{round}", "GET /bets/{client_id}/{bet}"} | {
    "GET /movements/by-transaction/{round}/{transaction}"
}
"""A hand that is over, and a bet that the house placed: no table here gets to them in a minute. No wallet is asked."""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[StudioProcess]:
    games = ("--game", "three_knights", "--game", "nlh", "--speed", "3", "--auto")
    with StudioProcess.demo(tmp_path / "demo.db", *games) as running:
        yield running


def played(studio: StudioProcess) -> str:
    """Ann has money, a seat, a bet and a complaint; gives the round she bet on."""
    studio.until(TABLE, held=False)
    assert studio.ask("POST", "/bettors/ann/deposits", {"client_id": "d-1", "amount": 1_000_000})[0] == 200
    seat = {"client_id": "s-1", "bettor": "ann", "act": "sit", "seat": "seat9", "amount": 20_000}
    assert studio.ask("POST", f"/tables/{ROOM}/seats", seat)[0] == 200
    bet = {"client_id": "n-1001", "bettor": "ann", "bet": "player1_win", "stake": 500}
    for _ in range(5):
        studio.once(TABLE, lambda state: bool(state["window"]["open"]))
        _, told = studio.ask("POST", f"/tables/{TABLE}/bets", {"bets": [bet]})
        if told["answers"][0]["status"] == "accepted":
            complaint = {"client_id": "c-1", "round": told["round"], "words": "It closed early."}
            assert studio.ask("POST", "/bettors/ann/complaints", complaint)[0] == 200
            return str(told["round"])
    raise AssertionError(f"no window took the bet: {told}")


def fuzzed(studio: StudioProcess, folder: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """What schemathesis says in the end, and its report."""
    round, now_ms = played(studio), studio.table(TABLE)["now_ms"]
    _, moved = studio.ask("GET", "/movements?limit=1")
    assert studio.ask("GET", "/openapi.json")[0] == 200  # made at the first call, and nobody waits as long as we do
    config, report = folder / "schemathesis.toml", folder / "report.json"
    config.write_text(
        CONFIG.format(
            run_s=RUN_S,
            key=studio.key,
            table=TABLE,
            room=ROOM,
            round=round,
            movement=moved["movements"][0]["id"],
            now_ms=now_ms,
            soon_ms=now_ms + 60_000,
        )
    )
    done = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run",
            f"http://127.0.0.1:{studio.port}/api/v1/openapi.json", "--no-color", "--report", "json",
            "--report-json-path", str(report),
        ],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (HERE.parents[1], HERE.parent, HERE)))},
    )  # fmt: skip
    return done, json.loads(report.read_text()) if report.exists() else {}


@pytest.mark.night
def test_nothing_that_is_sent_is_answered_otherwise_than_the_document_says(
    studio: StudioProcess, tmp_path: Path
) -> None:
    done, report = fuzzed(studio, tmp_path)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    missed = [
        call
        for call, phases in report["valid_rates"].items()
        if not any(phase["accepted"] or phase["conflicts"] for phase in phases.values())
    ]
    assert set(missed) <= FAR, "so much of the interface was never got to"
    assert report["operations"]["tested"] == report["operations"]["total"]
