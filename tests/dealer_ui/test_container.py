"""The container file is built, and a demo deals in what it builds, as nobody in particular."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator

import pytest
from container_engine import CONTAINER, ROOT, Image, built, is_out_of_reach
from studio_process import StudioProcess, free_port

TABLE = "three-knights-1"


def test_it_runs_as_nobody_in_particular_and_carries_no_secret() -> None:
    lines = CONTAINER.read_text().splitlines()
    assert "USER 10001" in lines
    assert [line for line in lines if line.startswith(("ADD http", "ENV ", "ARG "))] == ["ENV MALLOC_ARENA_MAX=2"]
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert {".git", ".venv", "*.db", "*.keys", "*.pepper", "*.signing", "*.factors", "*.secret"} <= set(left_out)


@pytest.mark.parametrize(
    "said",
    [
        "W: Failed to fetch http://deb.example/  Temporary failure resolving 'deb.example'",
        "Could not connect to deb.example:80 (192.0.2.1). - connect (111: Connection refused)",
        "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution",
        "dial tcp: lookup registry.example on 192.0.2.53:53: no such host",
        "dial tcp 192.0.2.1:443: i/o timeout",
    ],
)
def test_what_cannot_be_reached_is_no_mistake_of_the_file(said: str) -> None:
    assert is_out_of_reach(said)


@pytest.mark.parametrize(
    "said",
    [
        "ModuleNotFoundError: No module named 'dealer_ui.wire.connection'",
        "error creating network namespace: operation not permitted",
        "The connection of the studio was refused: timed out after 3 s",
        "ERROR: Could not find a version that satisfies the requirement live-dealer-studio[cluster]",
        "manifest for python:3.11-slim-bookwurm not found: manifest unknown",
        "ERROR: ResolutionImpossible: the network of requirements cannot be resolved",
    ],
)
def test_any_other_failure_fails_the_test(said: str) -> None:
    assert not is_out_of_reach(said)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    folder = tmp_path_factory.mktemp("container")
    yield built(folder)
    shutil.rmtree(folder)  # gigabytes


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_it_is_built_and_a_demo_deals_in_it(image: Image) -> None:
    said = subprocess.run([*image.inside, "--version"], capture_output=True, text=True, check=True)
    assert "version" in said.stdout
    assert image.uid == "10001"
    port = free_port()
    given = ("demo", "--json", "--port", str(port), "--db", "/var/lib/studio/studio.db", "--auto", "--speed", "20")
    with StudioProcess(*given, port=port, command=image.inside) as studio:
        try:
            studio.key = json.loads(studio.line())["api_key"]
            studio.once(TABLE, lambda now: bool(now["round"]) and now["round"]["number"] >= 2)
        finally:
            studio.stop(signal.SIGTERM)  # who kills the engine leaves the studio behind
        with pytest.raises(OSError, match="refused"):
            studio.ask("GET", f"/tables/{TABLE}")
