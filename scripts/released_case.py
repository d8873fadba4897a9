"""Has a released version play a night, and keeps it as a test case for every later one; `make released`.

The version is installed from its wheel into an environment of its own. Its demo deals some rounds of several games and
is killed while cards lie face down, so that the case has an open round and the keys it needs. What is kept is one small
file, `<version>.tar.xz`: the database with what lies beside it, the configuration of a studio with these tables, the
example that was shipped, a signed export, and `held.json`, which says what there was. A case, once kept, is never made
anew.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import socket
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import threading
import venv
from pathlib import Path
from typing import Any, Final

from scripts.release import ROOT, version_of

GAMES: Final = ("three_knights", "blackjack", "holdem_bonus", "nlh")
ENDED: Final = 1
"""So many rounds of each game against the house have ended before the night is cut off; a hand of poker is at work."""
AT_WORK: Final = ("nlh-1", "Chose")
CUT_OFF: Final = ("holdem-bonus-1", "deciding")
"""The table and its phase in which it is: cards of players and dealer lie face down."""
FEEDS: Final = "holdem_bonus"
"""The game with a bet that feeds a pot."""
SPEED: Final = "6"
LOOK_S: Final = 0.05
LOOKS: Final = 12_000
EXPORTED: Final = "300"
"""The last row of the export: most of it stands in the database already."""
BESIDE: Final = ("keys", "pepper", "signing")
TABLE: Final = """
[[devices]]
id = "shoe-{key}"
driver = "angel_eye"
url = "socket://shoe-{key}.example:4001"

[[devices]]
id = "camera-{key}"
driver = "camera"
url = "http://camera-{key}.example/video.mjpg"

[[tables]]
key = "{key}"
title = "{key}"
game = "{game}"
shoe = "shoe-{key}"
camera = "camera-{key}"
{pot}
"""
CONFIG: Final = """# A studio with the tables of the night beside it; nobody answers at its devices.
[studio]
title = "Released"
database = "studio.db"
evidence = "evidence"

[server]
port = 8000

[pots.first5]
seed_minor = 1_000_000
reset_minor = 1_000_000

[decks]
register = true
backs = ["red", "blue"]

[operators.demo]
key_sha256 = "{digest}"
"""


class Night:
    """A demo of an installed version at work."""

    def __init__(self, studio: Path, folder: Path) -> None:
        self._studio, self.db = studio, folder / "studio.db"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = int(probe.getsockname()[1])
        games = [word for game in GAMES for word in ("--game", game)]
        asked = ["demo", "--auto", "--json", "--seed", "1", "--speed", SPEED, "--port", str(self._port), *games]
        self._process = subprocess.Popen(  # noqa: S603 - the program that is released
            [studio, *asked, "--db", self.db], stdout=subprocess.PIPE, cwd=folder, text=True
        )
        assert self._process.stdout is not None
        self._key = str(json.loads(self._process.stdout.readline())["api_key"])

    def played(self) -> None:
        """Wait until enough rounds of every table have ended and one is in the middle; then the power goes."""
        pause = threading.Event()
        for _ in range(LOOKS):
            if self._phase() == CUT_OFF[1] and self._is_ripe():
                break
            pause.wait(LOOK_S)
        else:
            raise SystemExit("The night did not come so far.")
        self.end()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _phase(self) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        with contextlib.closing(connection):
            connection.request("GET", f"/api/v1/tables/{CUT_OFF[0]}", headers={"Authorization": f"Bearer {self._key}"})
            return str(json.loads(connection.getresponse().read())["phase"])

    def _is_ripe(self) -> bool:
        counted = 'SELECT "table", kind, count(*) FROM journal WHERE kind IN (?, ?) GROUP BY 1, 2'
        with contextlib.closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as reader:
            found = {(table, kind): n for table, kind, n in reader.execute(counted, ("RoundSettled", AT_WORK[1]))}
        house = [key_of(game) for game in GAMES if key_of(game) != AT_WORK[0]]
        return AT_WORK in found and all(found.get((key, "RoundSettled"), 0) >= ENDED for key in house)


def key_of(game: str) -> str:
    """The demo's table of that game."""
    return f"{game.replace('_', '-')}-1"


def asked(studio: Path, *words: str) -> str:
    """What a command of that version prints; the exit is 0."""
    return subprocess.run([studio, *words], check=True, capture_output=True, text=True).stdout  # noqa: S603


def held(db: Path) -> dict[str, Any]:
    """What the database holds, as plain figures: where its chains end, its rounds, its open ones, its balances."""
    with contextlib.closing(sqlite3.connect(db)) as reader:
        [journal] = reader.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1")
        [ledger] = reader.execute("SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1")
        ended = "SELECT round FROM journal WHERE kind IN ('RoundSettled', 'RoundVoided')"
        rounds = [round for (round,) in reader.execute(f"{ended} ORDER BY seq")]
        begun = "SELECT DISTINCT round, \"table\" FROM journal WHERE round <> ''"
        still = dict(reader.execute(f"{begun} AND round NOT IN ({ended})"))
        balances = reader.execute("SELECT account, currency, amount FROM balance WHERE amount <> 0 ORDER BY 1, 2")
        return {
            "journal": list(journal), "ledger": list(ledger), "rounds": rounds, "open": still,
            "balances": [list(one) for one in balances],
        }  # fmt: skip


def configuration() -> str:
    tables = (
        TABLE.format(key=f"{game.replace('_', '-')}-1", game=game, pot='pot = "first5"' if game == FEEDS else "")
        for game in GAMES
    )
    return CONFIG.format(digest="0" * 64) + "".join(tables)


def kept(studio: Path, version: str, into: Path, work: Path) -> Path:
    """Play the night in `work` and keep it as `into/<version>.tar.xz`."""
    case = work / version
    case.mkdir()
    night = Night(studio, work)
    try:
        night.played()
    finally:
        night.end()
    asked(studio, "backup", str(night.db), str(work / "backup"), "--keys-to", str(work / "keys"))
    [copy], [keys] = (work / "backup").glob("studio-*"), (work / "keys").glob("studio-*")
    shutil.copy2(copy / "studio.db", case / "studio.db")
    for end in BESIDE:
        shutil.copy2(keys / f"studio.db.{end}", case)
    told = {"version": version, "verified": json.loads(asked(studio, "verify", str(case / "studio.db"), "--json"))}
    asked(studio, "export", str(case / "studio.db"), "--to", EXPORTED, "--out", str(case / "export.jsonl"))
    told["public_key"] = asked(studio, "care", "public-key", str(case / "studio.db")).strip()
    (case / "held.json").write_text(json.dumps({**told, **held(case / "studio.db")}, indent=1), encoding="utf-8")
    (case / "studio.toml").write_text(configuration(), encoding="utf-8")
    shutil.copy2(ROOT / "config/example-studio.toml", case / "example-studio.toml")
    into.mkdir(parents=True, exist_ok=True)
    target = into / f"{version}.tar.xz"
    with tarfile.open(target, "w:xz", preset=9) as archive:
        archive.add(case, arcname=version)
    return target


def main(dist: Path, into: Path) -> int:
    version = version_of(ROOT)
    if (into / f"{version}.tar.xz").exists():
        sys.stderr.write(f"There is a case of {version} already, and a case is never made anew.\n")
        return 1
    [wheel] = dist.glob(f"*-{version}-*.whl")
    with tempfile.TemporaryDirectory(prefix="studio-released-") as folder:
        venv.create(Path(folder) / "env", with_pip=True)
        pip = [Path(folder) / "env/bin/pip", "install", "--quiet", wheel]
        subprocess.run(pip, check=True)  # noqa: S603 - the installer of that environment
        target = kept(Path(folder) / "env/bin/studio", version, into, Path(folder))
    sys.stdout.write(f"{target}: {target.stat().st_size / 1024:.0f} KiB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
