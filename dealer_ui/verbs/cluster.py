"""The verb `cluster`: a whole studio of several processes on this machine, for trying it out."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dealer_ui.verbs.cluster_files import DESK, FLOOR, GAMES, KEYS, TABLES, WEB_NODES, WEB_ROLE, ClusterFiles
from dealer_ui.verbs.private_postgres import NOT_THERE, PrivatePostgres
from dealer_ui.verbs.running import WALLETS
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.store import HOST
from studio.proof.audit.database import AuditVerdict, verify

if TYPE_CHECKING:
    from dealer_ui.rehearsal.person.web_bettors import WebBettors

KILL_S: Final = 20.0
OFF_S: Final = 35.0
"""Longer than another host waits before it takes tables over."""
SETTLE_S: Final = 90.0
"""So long at most bettors ask at the end after bets of which they were not told yet."""
_WELCOME_MINOR: Final = 10_000_000
"""What whoever is new to the operator with a wallet finds in his account."""
_LOOK_S: Final = 0.5
_BENEATH: Final = ("nats", "postgres", "operator", FLOOR)
"""What hosts and nodes stand on."""
_ENDS_S: Final = 8.0
_STUDIO: Final = (sys.executable, "-c", "from dealer_ui.cli import main; main()")


@dataclass(slots=True, eq=False)
class ClusterProcess:
    """One process of the studio, started again whenever it has ended."""

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    _running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(  # noqa: S603 - our own programs
                self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, **self.environment}
            )

    @property
    def ended(self) -> bool:
        return self._running is None or self._running.poll() is not None

    def kill(self) -> None:
        """Without a warning, as when the power goes."""
        if self._running is not None:
            self._running.kill()
            self._running.wait()

    def tell(self) -> None:
        self.send(signal.SIGTERM)

    def send(self, what: signal.Signals) -> None:
        if self._running is not None and self._running.poll() is None:
            self._running.send_signal(what)

    def wait(self) -> None:
        if self._running is not None:
            try:
                self._running.wait(_ENDS_S)
            except subprocess.TimeoutExpired:
                self.kill()


def nats_program() -> str | None:
    """Where the wire's server lies on this machine; None where it is not installed."""
    return shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin:/usr/local/bin")


class Cluster:
    """PostgreSQL, NATS, a simulated floor, two table hosts that reach its devices over TCP, two web nodes; all in one
    folder."""

    def __init__(
        self, folder: Path, *, port: int, speed: float, seed: int, wallet: str = "", has_floor: bool = True
    ) -> None:
        """`wallet`: the dialect of the wallet in which the bettors' operator keeps their money, where he does. Without
        `has_floor` somebody else plays the floor, at the addresses of its configuration."""
        if (server := nats_program()) is None:
            raise BadInputError("The studio's wire is NATS: install it with `apt-get install nats-server`, then again.")
        self._folder, self._seed = folder, seed
        self.killed: Counter[str] = Counter()
        self.postgres = engine = PrivatePostgres.in_folder(folder / "postgres")
        if wallet and engine is None:
            raise BadInputError(f"An operator's wallet is asked by several hosts over one record. {NOT_THERE}")
        self.files = files = ClusterFiles(folder, port, speed, engine, wallet)
        files.write()
        config, named = files.of_wire()
        self.processes = [self._process("nats", [server, "--config", str(config)], named)]
        self.processes += [self._floor()] if has_floor else []
        self.processes += [self._served(name) for name in (*GAMES, *WEB_NODES)]
        camera = next(iter(files.device_ports.values()))[-1]
        ports = {"nats": files.nats_port, FLOOR: camera, **files.host_ports, **files.web_ports}
        self._open: dict[str, Callable[[], bool]] = {name: partial(_answers, at) for name, at in ports.items()}
        if wallet:
            self.processes.insert(0, self._operator())
            self._open["operator"] = partial(_answers, files.wallet_port)
        if engine is not None:
            self.processes.insert(0, self._process("postgres", engine.command))
            self._open["postgres"] = partial(_has_keys, engine)

    @property
    def web_ports(self) -> tuple[int, ...]:
        return tuple(self.files.web_ports.values())

    def process(self, name: str) -> ClusterProcess:
        return next(one for one in self.processes if one.name == name)

    def start(self, stopping: threading.Event) -> None:
        """Each once the one before it is open; `BadInputError` where one does not open."""
        for process in self.processes:
            if process.name == DESK:
                self._begin_record()
            process.start()
            while not self._open[process.name]():
                if process.ended:
                    raise BadInputError(f"{process.name} has ended: {_last_line(process.log)}")
                if stopping.wait(_LOOK_S):
                    return

    def keep(self, stopping: threading.Event, *, kills: bool, until_s: float = float("inf")) -> None:
        """Start what has ended; with `kills`, kill one of them now and then. Ends `until_s` by the steady clock.

        Every second time that a host is killed it is left off until its tables have moved.
        """
        chance, next_s = random.Random(self._seed), time.monotonic() + KILL_S  # noqa: S311 - a rehearsal
        mortal, off_until_s = [one for one in self.processes if one.name != FLOOR], dict[str, float]()
        while not stopping.wait(_LOOK_S) and time.monotonic() < until_s:
            if kills and time.monotonic() >= next_s:
                next_s = time.monotonic() + KILL_S
                chosen = chance.choice([one for one in mortal if not one.ended])
                if self._kill(chosen):
                    off_until_s[chosen.name] = time.monotonic() + OFF_S
                continue
            for process in self.processes:
                if process.ended and time.monotonic() >= off_until_s.get(process.name, 0.0):
                    click.echo(f"Started again: {process.name}")
                    process.start()

    def _kill(self, chosen: ClusterProcess) -> bool:
        """Whether it is to be left off for a while."""
        self.killed[chosen.name] += 1
        left_off = chosen.name in GAMES and self.killed[chosen.name] % 2 == 0 and self.postgres is not None
        click.echo(f"Killed: {chosen.name}" + (", and left off until its tables have moved" if left_off else ""))
        chosen.kill()
        return left_off

    def stop(self) -> None:
        """Hosts and nodes first, then what they stand on."""
        self._end([one for one in self.processes if one.name not in _BENEATH])
        self._end([one for one in self.processes if one.name in _BENEATH])

    def _end(self, ending: Sequence[ClusterProcess]) -> None:
        for process in ending:
            process.tell()
        for process in ending:
            process.wait()

    def read_record(self) -> AuditVerdict | None:
        """What `studio verify` says of the record once nobody writes it any more; None where none is shared."""
        if self.postgres is None:
            return None
        self._end([one for one in self.processes if one.name != "postgres"])
        engine = self.process("postgres")
        while not self.postgres.answers:
            if engine.ended:
                engine.start()
            threading.Event().wait(_LOOK_S)
        return verify(self.postgres.address)

    def _begin_record(self) -> None:
        """As docs/first-cluster.md has it: the first of the staff are entered in a file, and that is carried over."""
        from dealer_ui.rehearsal.floor.beginning import begin_record

        begin_record(self.files.seed)
        if self.postgres is not None:
            from studio.journal.postgres.carrying import carry_over
            from studio.journal.postgres.connection import connect
            from studio.journal.postgres.right import grant_web

            carry_over(self.files.seed, self.postgres.address, HOST, lambda table, rows: None)
            with closing(connect(self.postgres.address, reads_only=False)) as owner:
                owner.execute(f"CREATE ROLE {WEB_ROLE} LOGIN".encode())
                grant_web(owner, WEB_ROLE)
            self.files.seed.unlink()

    def _process(
        self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> ClusterProcess:
        return ClusterProcess(name, command, self._folder / f"{name}.log", environment or {})

    def _served(self, name: str) -> ClusterProcess:
        return self._process(name, [*_STUDIO, "serve", "--config", str(self.files.of_process(name))])

    def _floor(self) -> ClusterProcess:
        nodes = [word for port in self.web_ports for word in ("--node", f"127.0.0.1:{port}")]
        command = [*_STUDIO, "floor", "--config", str(self.files.of_process(FLOOR)), *nodes]
        return self._process(FLOOR, [*command, "--seed", str(self._seed), "--speed", str(self.files.speed)])

    def _operator(self) -> ClusterProcess:
        """Who keeps the bettors' money; he takes in whoever is launched."""
        files = self.files
        command = [
            *_STUDIO, "wallet", "operator", str(files.wallet_file.parent), "--dialect", files.wallet, "--port",
            str(files.wallet_port), "--welcome", str(_WELCOME_MINOR),
        ]  # fmt: skip
        return self._process("operator", command)


def _has_keys(engine: PrivatePostgres) -> bool:
    """Whether it answers, and has the database of keys by now."""
    return engine.answers and engine.has_database(KEYS)


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


def _last_line(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else []
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


@click.command()
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65534), help="Of the first web node.")
@click.option("--speed", default=2.0, show_default=True, type=click.FloatRange(0.1, 100), help="Divide every wait.")
@click.option("--seed", default=1, show_default=True, help="Of what is killed.")
@click.option("--kill", "kills", is_flag=True, help="Kill a process at random every 20 seconds, and start it again.")
@click.option("--wallet", type=click.Choice(WALLETS), help="The operator keeps his bettors' money, in his own process.")
@click.option("--minutes", type=click.FloatRange(0.1), help="End after so long, and verify the record.")
def cluster(port: int, speed: float, seed: int, kills: bool, wallet: str | None, minutes: float | None) -> None:
    """Run PostgreSQL, NATS, a simulated floor, two table hosts at its devices, two web nodes, and bettors at these."""
    from dealer_ui.rehearsal.demo.options import OPERATOR
    from dealer_ui.rehearsal.demo.staff import STAFF
    from dealer_ui.rehearsal.person.web_bettors import WebBettors

    folder, stopping = Path(tempfile.mkdtemp(prefix="studio-cluster-")), threading.Event()
    made: Cluster | None = None
    try:
        made = Cluster(folder, port=port, speed=speed, seed=seed, wallet=wallet or "")
        made.start(stopping)
        _say_open(made, STAFF, folder)
        bettors = WebBettors(made.web_ports, made.files.api_key, OPERATOR, TABLES, speed, launches=bool(wallet))
        bettors.start()
        made.keep(stopping, kills=kills, until_s=time.monotonic() + 60 * minutes if minutes else float("inf"))
        _end_bettors(made, bettors, stopping)
        _say_record(made, made.read_record(), bettors)
    except BadInputError as error:
        raise click.ClickException(str(error)) from error
    finally:
        if made is not None:
            made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _end_bettors(made: Cluster, bettors: WebBettors, stopping: threading.Event) -> None:
    """Nothing more is killed, what has ended is started again, and whoever was not answered asks until he is."""
    keeping = threading.Thread(target=partial(made.keep, stopping, kills=False), daemon=True)
    keeping.start()
    bettors.finish(SETTLE_S)
    stopping.set()
    keeping.join()


def _say_record(made: Cluster, verdict: AuditVerdict | None, bettors: WebBettors) -> None:
    """What was killed, and what the record says of it and of what bettors were told; exit 1 where it is not sound."""
    click.echo("Killed: " + (", ".join(f"{name} {times}" for name, times in sorted(made.killed.items())) or "nothing"))
    if verdict is None:
        return
    if verdict.first_wrong is not None:
        raise click.ClickException(f"The record is not sound: {verdict.first_wrong.sentence}")
    click.echo(f"The record is sound: {verdict.rounds} rounds, {verdict.events} rows of the journal.\n{bettors.told}")
    assert made.postgres is not None
    with closing(Reader.open(made.postgres.address)) as reader:
        wrong = tuple(bettors.wrong(reader))
    if wrong:
        raise click.ClickException("\n".join(wrong))
    click.echo("The record has every bet that was acknowledged, once, and no other of theirs.")


def _say_open(made: Cluster, staff: Sequence[tuple[str, str, str, str, str]], folder: Path) -> None:
    click.echo(f"The studio is open: http://127.0.0.1:{made.files.port}/\n\n  badge  PIN   who")
    for _, badge, pin, name, role in staff:
        click.echo(f"  {badge}   {pin}  {name}, {role.replace('_', ' ')}")
    names = ", ".join(process.name for process in made.processes)
    click.echo(f"\n  Processes       {names}\n  Operators' key  {made.files.api_key}\n  Logs            {folder}/*.log")
    if made.postgres is None:
        click.echo(f"\n{NOT_THERE}")
    else:
        click.echo(f"  Record          {made.postgres.address}")
    click.echo("\nStop it with Ctrl-C.")
    sys.stdout.flush()
