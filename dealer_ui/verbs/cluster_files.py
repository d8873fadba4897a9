"""The files of the cluster that the verb runs: a configuration for each process, and their secrets."""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dealer_ui.config.cluster import TABLE_HOST, WEB_NODE
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.verbs.private_postgres import PrivatePostgres
from studio.games import find_game
from studio.rulebook.script import WINDOW_S

GAMES: Final[Mapping[str, tuple[str, ...]]] = {"a": ("three_knights", "blackjack"), "b": ("kkclash", "baccarat")}
"""The table hosts, and what each deals; the first keeps the desk."""
DESK: Final = next(iter(GAMES))
FLOOR: Final = "floor"
WEB_NODES: Final = ("web-1", "web-2")
KEYS: Final = "sealed_keys"
WEB_ROLE: Final = "studio_web"
NATS_CONFIG: Final = Path(__file__).parent.parent / "wire" / "nats-server.conf"
BETTING_S: Final = 15.0
UNSURE_S: Final = 3.0
"""As at a table of people: a camera's pictures come as fast as they come, however much faster the dealer is."""
_POT: Final = "first5"
_DRIVERS: Final = (
    ("shoe", "angel_eye", "socket://127.0.0.1:{}"),
    ("shuffler", "generic", "socket://127.0.0.1:{}"),
    ("camera", "camera", "http://127.0.0.1:{}/felt.mjpg"),
)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def table_of(game: str) -> str:
    return f"{game.replace('_', '-')}-1"


TABLES: Final = tuple(table_of(game) for games in GAMES.values() for game in games)


@dataclass(slots=True, eq=False)
class ClusterFiles:
    """`port` is that of the first web node. `wallet`: the dialect of the operator's own, empty where he has none."""

    folder: Path
    port: int
    speed: float
    postgres: PrivatePostgres | None
    wallet: str = ""
    nats_port: int = field(default_factory=free_port)
    wallet_port: int = field(default_factory=free_port)
    host_ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in GAMES})
    device_ports: dict[str, tuple[int, int, int]] = field(
        default_factory=lambda: {table: (free_port(), free_port(), free_port()) for table in TABLES}
    )
    """By table: its shoe's, its shuffler's and its camera's."""
    api_key: str = field(default_factory=lambda: f"demo-{secrets.token_hex(12)}", repr=False)
    _passwords: dict[str, str] = field(
        default_factory=lambda: {role: f"{role}-{secrets.token_urlsafe(24)}" for role in (TABLE_HOST, WEB_NODE)},
        repr=False,
    )
    """With a letter in front: NATS reads a digit as the beginning of a number."""

    def write(self) -> None:
        """The folder they share, and the secrets of the wire."""
        self.shared.mkdir(mode=0o700)
        for role, password in self._passwords.items():
            self._write(f"{role}.secret", f"{role}:{password}\n")

    @property
    def shared(self) -> Path:
        return self.folder / "shared"

    @property
    def web_ports(self) -> Mapping[str, int]:
        return {name: self.port + at for at, name in enumerate(WEB_NODES)}

    @property
    def seed(self) -> Path:
        """The file in which the record begins; carried over where all hosts keep one."""
        return self.shared / "studio" if self.postgres is not None else self.folder / f"{DESK}.db"

    @property
    def wallet_file(self) -> Path:
        return self.folder / "operator" / "wallet.toml"

    def of_wire(self) -> tuple[Path, Mapping[str, str]]:
        """The wire's configuration, and what its server finds in its environment."""
        text = NATS_CONFIG.read_text(encoding="utf-8").replace("127.0.0.1:4222", f"127.0.0.1:{self.nats_port}")
        named = {f"{role.upper()}_PASSWORD": password for role, password in self._passwords.items()}
        return self._write("nats-server.conf", text), named

    def of_process(self, name: str) -> Path:
        """The configuration of a table host, a web node, or the floor, which looks at the wire as web nodes do."""
        role = TABLE_HOST if name in GAMES else WEB_NODE
        port = {**self.host_ports, **self.web_ports}.get(name, self.port)
        return self._write(f"{name}.toml", "\n".join(self._parts(name, role, port)))

    def _parts(self, name: str, role: str, port: int) -> Iterator[str]:
        yield f"""[studio]
title = "Demo studio"
database = {json.dumps(str(self.folder / f"{name}.db"))}
evidence = {json.dumps(str(self.folder / "evidence"))}

[server]
port = {port}

[decks]
backs = ["red", "blue"]

[pots.{_POT}]
seed_minor = 1_000_000
reset_minor = 1_000_000

[operators.demo]
key_sha256 = "{digest_of_key(self.api_key)}"
{self._of_wallet()}
[cluster]
nats = ["nats://127.0.0.1:{self.nats_port}"]
host = "{name}"
role = "{role}"
desk = "{DESK}"
secret_file = "{role}.secret"
{self._of_record()}
"""
        for host, games in GAMES.items():
            for game in games:
                yield self._of_table(game, host)

    def _of_table(self, game: str, host: str) -> str:
        key = table_of(game)
        devices = [
            f'[[devices]]\nid = "{role}-{key}"\ndriver = "{driver}"\nurl = "{url.format(port)}"\n'
            for (role, driver, url), port in zip(_DRIVERS, self.device_ports[key], strict=True)
        ]
        named = "".join(f'{role} = "{role}-{key}"\n' for role, _, _ in _DRIVERS)
        pot = f'pot = "{_POT}"\n' if find_game(game).pot.bet else ""
        return (
            "\n".join(devices)
            + f"""
[[tables]]
key = "{key}"
title = "{find_game(game).title} 1"
game = "{game}"
host = "{host}"
window_s = {min(BETTING_S / self.speed, WINDOW_S)}
unsure_after_s = {UNSURE_S}
{named}{pot}"""
        )

    def _of_wallet(self) -> str:
        if not self.wallet:
            return ""
        key_file = str(self.wallet_file.with_name(f"studio.{self.wallet}"))
        return f"""
[operators.demo.wallet]
dialect = "{self.wallet}"
address = "http://127.0.0.1:{self.wallet_port}"
key_file = {json.dumps(key_file)}
"""

    def _of_record(self) -> str:
        if self.postgres is None:
            return f"record = {json.dumps(str(self.seed))}"
        named = {
            "postgres": self.postgres.address, "web_postgres": self.postgres.address_as(WEB_ROLE),
            "keys": self.postgres.address_of(KEYS), "shared": str(self.shared),
        }  # fmt: skip
        return "\n".join(f"{name} = {json.dumps(place)}" for name, place in named.items())

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        return path
