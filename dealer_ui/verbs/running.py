"""The commands that run a studio: `demo` and `serve`."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import click
import structlog

from dealer_ui.config.check import is_loopback
from dealer_ui.config.cluster import BOTH, TABLE_HOST, WEB_NODE, ClusterSection
from dealer_ui.config.file import StudioConfig, load_config, of_process, web_node_beside
from dealer_ui.process.log import quiet_logs
from studio.errors import BadInputError, StorageError

if TYPE_CHECKING:
    from flask import Flask

    from dealer_ui.assembly.bootstrap import Studio
    from dealer_ui.assembly.operators_order import Reread
    from dealer_ui.rehearsal.demo.demo import Demo

_LOG: Final = structlog.get_logger("dealer_ui.verbs.running")
_HANGUP_S: Final = 0.5
WALLETS: Final = ("rsa", "hmac")


@click.command()
@click.option("--game", "games", multiple=True, help="Game to deal, more than once for more tables; all: one of each.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--db", "database", type=click.Path(dir_okay=False, path_type=Path), help="Keep the database in FILE.")
@click.option("--auto", is_flag=True, help="Also play the dealer, the pit and some bettors.")
@click.option("--seed", type=int, help="Play from this seed.")
@click.option(
    "--speed", default=1.0, show_default=True, type=click.FloatRange(0.1, 100), help="Divide every wait by this."
)
@click.option("--shoe", default="angel_eye", show_default=True, help="The driver whose protocol the shoe speaks.")
@click.option("--wallet", type=click.Choice(WALLETS), help="The operator keeps his bettors' money, in his own process.")
@click.option("--rule", "rules", multiple=True, metavar="NAME=VALUE", help="A house option, such as squeeze=on.")
@click.option("--json", "as_json", is_flag=True, help="Print the sign-in as one JSON object.")
def demo(  # noqa: PLR0913 - one parameter an option
    games: tuple[str, ...],
    port: int,
    host: str,
    database: Path | None,
    auto: bool,
    seed: int | None,
    speed: float,
    shoe: str,
    wallet: str | None,
    rules: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a whole studio on simulated devices; the console is in the browser."""
    from dealer_ui.assembly.operators_order import no_file
    from dealer_ui.rehearsal.demo.asked import games_named, rules_named, shoe_named
    from dealer_ui.rehearsal.demo.demo import DemoOptions, build_demo

    quiet_logs()
    folder = None if database else Path(tempfile.mkdtemp(prefix="studio-demo-"))
    path = database or Path(str(folder)) / "demo.db"
    try:
        names, shoe = games_named(games), shoe_named(shoe)
        chosen = rules_named(names, rules)
        options = DemoOptions(
            names, path, seed, speed, auto, host, port, shoe=shoe, wallet=wallet or "", rules=chosen,
        )  # fmt: skip
        built = build_demo(options)

        def opened() -> None:
            built.start()
            _open_door(built.studio, no_file)
            _say_sign_in(built, host, port, as_json=as_json)
            if auto:
                built.start_bettors()

        _run(built.studio, opened, built.stop)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class _Served(Protocol):
    """A studio or a web node, ready to be served."""

    config: StudioConfig
    app: Flask

    def close_streams(self) -> None: ...


def _run(studio: _Served, opened: Callable[[], None], stop: Callable[[], None]) -> None:
    """Take the port first, then start, serve, and stop everything whatever ends it."""
    from dealer_ui.serving.server import Server

    place = studio.config.server
    try:
        server = Server(studio.app, place.host, place.port, place.threads, studio.close_streams)
        try:
            opened()
            server.run()
        finally:
            server.stop()
    finally:
        stop()


def _say_sign_in(built: Demo, host: str, port: int, *, as_json: bool) -> None:
    from dealer_ui.rehearsal.demo.staff import STAFF
    from dealer_ui.serving.server import address_of

    url, api_key, database = address_of("http", host, port), built.api_key, built.options.database
    bettor = f"{url}bettor/{next(iter(built.rigs))}"
    if as_json:
        staff = [{"badge": badge, "pin": pin, "name": name, "role": role} for _, badge, pin, name, role in STAFF]
        line: dict[str, object] = {
            "url": url,
            "database": str(database),
            "api_key": api_key,
            "staff": staff,
            "bettor": bettor,
        }
        if built.operator is not None:
            line |= {"wallet": {"address": built.operator.address, "control": built.operator.control}}
        click.echo(json.dumps(line))
    else:
        click.echo(f"The demo studio is open: {url}\n\n  badge  PIN   who")
        for _, badge, pin, name, role in STAFF:
            click.echo(f"  {badge}   {pin}  {name}, {role.replace('_', ' ')}")
        if host == "127.0.0.1":
            click.echo(f"\nTo be dealer and pit boss in one browser, sign the second in at http://localhost:{port}/")
        elif not is_loopback(host):
            click.echo("\nNothing encrypts what crosses the network to it: a demo is for a network you trust.")
        click.echo(f"\n  A bettor plays at  {bettor}")
        click.echo(f"  A demo asks nobody for a second factor; whoever is signed in sets one up at {url}second-factor")
        click.echo(f"  A passkey can be set up at http://localhost:{port}/ alone: sign in there")
        if built.operator is not None:
            click.echo(
                f"\n  Bettors' money is with their operator: {built.operator.address} ({built.operator.dialect})"
            )
            click.echo("  What he does wrong is switched while he runs; the same address says what there is:")
            click.echo(f'    curl -d \'{{"on": ["slow"], "off": []}}\' {built.operator.control}')
        click.echo(f"\n  Operators' key  {api_key}\n  Database        {database}\n\nStop it with Ctrl-C.")
    sys.stdout.flush()


class _Hangups:
    """Whether SIGHUP came; the signal itself does nothing but say so."""

    def __init__(self) -> None:
        self.heard = False

    def hear(self, *_: object) -> None:
        self.heard = True


@contextmanager
def _hangups() -> Iterator[_Hangups]:
    """Keep a hang-up (SIGHUP) from ending the program, from before the studio is built until it is gone."""
    hangups = _Hangups()
    before = signal.signal(signal.SIGHUP, hangups.hear)
    try:
        yield hangups
    finally:
        signal.signal(signal.SIGHUP, before)


def _hear(studio: Studio, reread: Callable[[], None], hangups: _Hangups) -> None:
    """Read the configuration again, on a thread of its own, whenever a hang-up came."""

    def work(stopping: threading.Event) -> None:
        while not stopping.wait(_HANGUP_S):
            if hangups.heard:
                hangups.heard = False
                reread()

    studio.keep("configuration", work)


def _open_door(studio: Studio, reread: Reread) -> None:
    """The command line reaches this studio from now on; tables run without that too."""
    from dealer_ui.assembly import hosts_order
    from dealer_ui.assembly.operators_door import Door
    from dealer_ui.assembly.operators_order import Answered, Order, carry_out

    try:
        door = Door(Path(studio.config.studio.database))
    except OSError as error:
        _LOG.error("`studio operators` cannot reach this studio: no socket can lie beside its database", why=str(error))
        return
    of_operators = partial(carry_out, studio.floor.operator_desk, reread=reread, keys=studio.keys)

    def answer(order: Order, by: str) -> Answered:
        if order.verb in hosts_order.VERBS:
            return hosts_order.carry_out(studio.floor, order, by)
        return of_operators(order, by)

    studio.keep("door", partial(door.keep, answer))


@dataclass(frozen=True, slots=True)
class _Process:
    """Which of a studio's processes this is, where the command line says other than the file."""

    role: str = ""
    host: str = ""
    port: int = 0

    def of(self, config: StudioConfig) -> StudioConfig:
        """The configuration with what the command line says."""
        if (self.role or self.host) and config.cluster is None:
            sentence = "This studio is one process: give its configuration a part [cluster] first."
            raise BadInputError(sentence, where="--role, --host")
        if config.cluster is not None:
            said = {"role": self.role or config.cluster.role, "host": self.host or config.cluster.host}
            cluster = ClusterSection.model_validate({**config.cluster.model_dump(), **said})
            config = config.model_copy(update={"cluster": cluster})
        if self.port:
            config = config.model_copy(update={"server": config.server.model_copy(update={"port": self.port})})
        return config


def _say_open(config: StudioConfig, app: Flask) -> None:
    from dealer_ui.serving.server import address_of

    scheme = "https" if app.extensions["tls"] else "http"
    where = address_of(scheme, config.server.host, config.server.port)
    click.echo(f"{config.studio.title} is open: {where}")


def _say_nobody(studio: Studio, config: StudioConfig) -> None:
    """Of a record that has nobody yet: it is new, or another than was meant."""
    if config.cluster is None and not any(one.active for one in studio.floor.staff.register.people.values()):
        there = Path(config.studio.database).absolute()
        click.echo(
            f"Nobody may sign in: {there} has no staff. If it is new, stop the studio and add the first by studio staff"
            " add; if not, name the right file by its whole path: any other begins where the studio is started.",
            err=True,
        )


def _serve_pages(config: StudioConfig) -> None:
    """A web node, until it is stopped."""
    from dealer_ui.assembly.web_node import build_web_node

    node = build_web_node(config)

    def opened() -> None:
        node.start()
        _say_open(config, node.app)

    _run(node, opened, node.stop)


class _PagesBeside:
    """The web node of a process that is a table host too, at an address of its own; nothing where it is not both."""

    def __init__(self, config: StudioConfig | None) -> None:
        self._config = config
        self._open: list[Callable[[], None]] = []

    def start(self) -> None:
        """The record is there by now."""
        from dealer_ui.assembly.web_node import build_web_node
        from dealer_ui.serving.server import Server

        if self._config is None:
            return
        place, node = self._config.server, build_web_node(self._config)
        self._open.append(node.stop)
        server = Server(node.app, place.host, place.port, place.threads, node.close_streams)
        self._open.append(server.stop)
        node.start()
        server.run_beside()
        _say_open(self._config, node.app)

    def stop(self) -> None:
        while self._open:
            self._open.pop()()


def _serve(path: Path, process: _Process, hangups: _Hangups) -> None:
    from dealer_ui.assembly.bootstrap import DRIVERS, build_studio
    from dealer_ui.assembly.device_parts import configured_parts
    from dealer_ui.assembly.reload import Rereading

    asked = process.of(load_config(path, DRIVERS))
    config, pages = of_process(asked), _PagesBeside(web_node_beside(asked))
    if config.cluster is not None and config.cluster.role == WEB_NODE:
        return _serve_pages(config)
    studio = build_studio(config, Path(config.studio.database), configured_parts(config))
    tls = studio.app.extensions["tls"]

    def reread() -> StudioConfig:
        return of_process(process.of(load_config(path, DRIVERS)))

    rereading = Rereading(studio.floor, reread, tls.renew if tls else lambda: "")

    def opened() -> None:
        studio.start()
        _hear(studio, rereading.on_hangup, hangups)
        _open_door(studio, rereading.take)
        _say_open(config, studio.app)
        _say_nobody(studio, config)
        pages.start()

    def stop() -> None:
        pages.stop()
        studio.stop()

    _run(studio, opened, stop)


@click.command()
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--role", type=click.Choice((TABLE_HOST, WEB_NODE, BOTH)), help="Of a studio on several machines: this one's."
)
@click.option("--host", "name", default="", help="Of a studio on several machines: what this process is called.")
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Another port than that of the file.")
def serve(path: Path, role: str | None, name: str, port: int) -> None:
    """Run the studio a configuration file describes, on its devices."""
    quiet_logs()
    try:
        with _hangups() as hangups:
            _serve(path, _Process(role or "", name, port), hangups)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
