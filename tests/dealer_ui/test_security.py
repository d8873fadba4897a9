"""The page of security is held to the house; and what a release is made of, audited with and confined by."""

from __future__ import annotations

import ast
import json
import re
import shutil
import socket
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE_S
from running_studio import API_KEY, TABLE, House, config

from dealer_ui.access.auth import COOKIE, STATION_COOKIE
from dealer_ui.assembly.bootstrap import StudioParts, build_studio
from dealer_ui.config.operator import CallsSection
from dealer_ui.config.shape import DeviceSection
from devices.camera.picture.frame import Gone
from devices.camera.source.live import StreamSource
from scripts.audit import judged
from scripts.bill_of_materials import VENDORED, bill, vendored

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/security.md"
UNIT = ROOT / "config/studio.service"
ROWS = [
    [cell.strip() for cell in line.strip("| \n").split(" | ")]
    for line in PAGE.read_text().partition("| ASVS |")[2].splitlines()[2:]
    if line.startswith("| ")
]


@cache
def named_in(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text())
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_every_row_has_a_place_and_a_test_or_says_that_it_is_missing(row: list[str]) -> None:
    assert len(row) == 4, row
    asvs, asks, where, test = row
    assert re.fullmatch(r"\d+\.\d+\.\d+( \(L3\))?(, \d+\.\d+\.\d+( \(L3\))?)*", asvs)
    assert asks
    if where.startswith("*missing*"):
        assert test == "—"
        assert len(where) > len("*missing*") + 20, "it says why, or what there is instead"
        return
    place = re.fullmatch(r"\[([^]]+)\]\(([^)]+)\)", where)
    assert place, where
    assert (ROOT / place[1]).exists()
    assert (PAGE.parent / place[2]).resolve() == ROOT / place[1]
    file, _, name = test.strip("`").partition("::")
    assert (ROOT / file).is_file()
    assert not name or name in named_in(file), f"{file} has no {name}"


def test_a_sign_in_at_a_station_gives_another_token_and_ends_the_one_before(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.staff()
        client = house.api
        tokens = []
        for _ in range(2):
            assert client.post("/sign-in", data={"badge": "1001", "pin": "4826"}).status_code == 303
            kept, station = client.get_cookie(COOKIE), client.get_cookie(STATION_COOKIE)
            assert kept is not None
            assert station is not None
            tokens.append((kept.value, station.value))
        (before, here), (after, again) = tokens
        assert before != after
        assert here == again
        sessions = house.studio.app.extensions["console"].sessions
        assert sessions.look(before) is None
        assert sessions.look(after) is not None


def test_what_is_recorded_of_a_configuration_holds_no_secret(tmp_path: Path) -> None:
    told = ("camera-pass-5150", "wallet-secret-of-north-1", "calls-secret-of-north-77", "1" * 64, API_KEY)
    of_camera = f"studio:{told[0]}"
    for name, secret in (("calls.secret", told[2]), ("wrapping.key", told[3]), ("camera.secret", of_camera)):
        (tmp_path / name).write_text(secret)
        (tmp_path / name).chmod(0o600)
    whole = config(tmp_path, wrapped_by=f"file:{tmp_path / 'wrapping.key'}")
    north = whole.operators["north"]
    calls = CallsSection(key_files=(str(tmp_path / "calls.secret"),))
    named = f"file:{tmp_path / 'camera.secret'}"
    camera = DeviceSection(id="camera", driver="camera", url="rtsp://10.0.0.9/video", secret=named)
    whole = whole.model_copy(update={
        "operators": {"north": north.model_copy(update={"calls": calls})},
        "devices": (*(one for one in whole.devices if one.id != "camera"), camera),
    })  # fmt: skip
    studio = build_studio(whole, tmp_path / "studio.db", StudioParts(lambda *_: (), quick_pins=True))
    studio.start()
    try:
        client = studio.app.test_client()
        assert client.get(f"/display/{TABLE}").status_code == 200
        recorded = b"".join(row.body for row in studio.floor.reader().events())
    finally:
        studio.stop()
    assert b"TableConfigured" in recorded or b"limits" in recorded
    for secret in told:
        assert secret.encode() not in recorded
        assert secret.encode() not in (tmp_path / "studio.db").read_bytes()


# --- what a release is made of --------------------------------------------------------------------------


WEAK = {"name": "thing", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1"]}]}


@pytest.mark.parametrize(
    ("said", "passes", "words"),
    [
        ("", True, "cannot be reached from here"),
        ("<html>", True, "cannot be reached from here"),
        ('{"dependencies": [{"name": "thing", "skip_reason": "not found"}]}', True, "tells nothing of weaknesses"),
        ('{"dependencies": [{"name": "thing", "version": "1.0", "vulns": []}]}', True, "1 packages have no known"),
        (json.dumps({"dependencies": [WEAK]}), False, "thing 1.0: CVE-1, mended in 1.1"),
    ],
)
def test_a_known_weakness_fails_the_audit_and_no_network_does_not(said: str, passes: bool, words: str) -> None:
    judgement = judged(said, {"thing"})
    assert judged(said, ())[0], "what is in no release fails none"
    assert judgement[0] is passes
    assert words in judgement[1]


def test_the_bill_names_what_the_studio_needs_and_what_ships_with_its_pages() -> None:
    made = bill()
    assert made.metadata.component is not None
    assert made.metadata.component.name == "live-dealer-studio"
    names = {one.name.lower() for one in made.components}
    assert {"flask", "waitress", "cryptography", "argon2-cffi", "segno", "htmx.org", "d3"} <= names
    assert not {"pytest", "mypy", "ruff"} & names, "what only the tests need is in no release"
    assert all(one.version for one in made.components)
    folders = {path.name for path in VENDORED.parent.iterdir() if path.is_dir()}
    assert len(list(vendored(VENDORED.read_text()))) == len(folders)


def test_the_bill_is_written_as_cyclonedx(tmp_path: Path) -> None:
    target = tmp_path / "dist" / "sbom.cdx.json"
    command = [sys.executable, "-m", "scripts.bill_of_materials", str(target)]
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    told: dict[str, Any] = json.loads(target.read_text())
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert any(one["purl"].startswith("pkg:pypi/flask@") for one in told["components"])


# --- how it is run --------------------------------------------------------------------------------------

CONFINED = """
NoNewPrivileges=true ProtectSystem=strict ProtectHome=true PrivateTmp=true ProtectKernelModules=true
ProtectKernelTunables=true ProtectControlGroups=true RestrictNamespaces=true LockPersonality=true
MemoryDenyWriteExecute=true SystemCallArchitectures=native DevicePolicy=closed UMask=0077 LimitCORE=0
Environment=MALLOC_ARENA_MAX=2
""".split()  # noqa: SIM905
EXPOSURE_MOST = 2.5


def test_the_service_is_confined(tmp_path: Path) -> None:
    unit = UNIT.read_text()
    assert set(CONFINED) <= set(unit.splitlines())
    assert not re.search(r"^User=root", unit, re.MULTILINE)
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze is not here: the unit was read, and not analysed.")
    copy = tmp_path / "studio.service"
    copy.write_text(re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", unit, flags=re.MULTILINE))
    said = subprocess.run([tool, "security", "--offline=true", str(copy)], capture_output=True, text=True, check=False)
    found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", said.stdout)
    if found is None:
        pytest.skip(f"systemd-analyze here analyses no unit that is not installed: {said.stderr.strip()[:120]}")
    assert float(found[1]) <= EXPOSURE_MOST


def test_a_cameras_password_is_in_no_sentence_and_no_address_that_is_told() -> None:
    with socket.socket() as closed:  # bound and not listening: nobody answers there
        closed.bind(("127.0.0.1", 0))
        camera = StreamSource(f"http://studio:pass-5150@127.0.0.1:{closed.getsockname()[1]}/video")
        try:
            assert camera.wait(PATIENCE_S)
            gone = camera.grab(0)
        finally:
            camera.close()
    assert isinstance(gone, Gone)
    assert "studio:***@127.0.0.1" in camera.url
    assert "pass-5150" not in f"{gone} {camera.url} {[thread.name for thread in threading.enumerate()]}"
