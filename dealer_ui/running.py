"""The only place for the commands that run a studio: `demo` and `serve`."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from dealer_ui.config import load_config
from dealer_ui.log import quiet_logs
from studio.errors import BadInputError, StorageError

if TYPE_CHECKING:
    from dealer_ui.bootstrap import Studio

_HANGUP_S: Final = 0.5


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
    as_json: bool,
) -> None:
    """Run a whole studio on simulated devices; the console is in the browser."""
    from dealer_ui.rehearsal.demo import DemoOptions, build_demo, games_named, shoe_named

    quiet_logs()
    folder = None if database else Path(tempfile.mkdtemp(prefix="studio-demo-"))
    path = database or Path(str(folder)) / "demo.db"
    try:
        options = DemoOptions(games_named(games), path, seed, speed, auto, host, port, shoe=shoe_named(shoe))
        built = build_demo(options)

        def opened() -> None:
            built.start()
            _say_sign_in(built.api_key, options.database, host, port, as_json)
            if auto:
                built.start_bettors()

        _run(built.studio, opened, built.stop)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    finally:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _run(studio: Studio, opened: Callable[[], None], stop: Callable[[], None]) -> None:
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


def _say_sign_in(api_key: str, database: Path, host: str, port: int, as_json: bool) -> None:
    from dealer_ui.rehearsal.demo import STAFF

    url = f"http://{host}:{port}/"
    if as_json:
        staff = [{"badge": badge, "pin": pin, "name": name, "role": role} for _, badge, pin, name, role in STAFF]
        line = {"url": url, "database": str(database), "api_key": api_key, "staff": staff}
        click.echo(json.dumps(line))
    else:
        click.echo(f"The demo studio is open: {url}\n\n  badge  PIN   who")
        for _, badge, pin, name, role in STAFF:
            click.echo(f"  {badge}   {pin}  {name}, {role.replace('_', ' ')}")
        if host == "127.0.0.1":
            click.echo(f"\nTo be dealer and pit boss in one browser, sign the second in at http://localhost:{port}/")
        click.echo(f"\n  Operators' key  {api_key}\n  Database        {database}\n\nStop it with Ctrl-C.")
    sys.stdout.flush()


def _reload_on_hangup(studio: Studio, path: Path) -> None:
    """SIGHUP only wakes a thread of its own, which reads the configuration again."""
    from dealer_ui.bootstrap import DRIVERS
    from dealer_ui.operators.reload import reload

    wanted = threading.Event()

    def work(stopping: threading.Event) -> None:
        while not stopping.is_set():
            if wanted.wait(_HANGUP_S):
                wanted.clear()
                reload(studio.floor, path, lambda file: load_config(file, DRIVERS))

    studio.keep("configuration", work)
    signal.signal(signal.SIGHUP, lambda number, frame: wanted.set())


@click.command()
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path))
def serve(path: Path) -> None:
    """Run the studio a configuration file describes, on its devices."""
    from dealer_ui.bootstrap import DRIVERS, build_studio
    from dealer_ui.device_parts import configured_parts

    quiet_logs()
    try:
        config = load_config(path, DRIVERS)
        studio = build_studio(config, Path(config.studio.database), configured_parts(config))

        def opened() -> None:
            studio.start()
            _reload_on_hangup(studio, path)
            click.echo(f"{config.studio.title} is open: http://{config.server.host}:{config.server.port}/")

        _run(studio, opened, studio.stop)
    except (BadInputError, StorageError) as error:
        raise click.ClickException(str(error)) from error
