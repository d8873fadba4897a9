"""The verb `floor`: the simulated machines and people of a studio of several processes, in a process of their own."""

from __future__ import annotations

import ssl
from pathlib import Path

import click

from dealer_ui.config.file import load_config
from dealer_ui.process.log import quiet_logs
from studio.errors import BadInputError


@click.command()
@click.option("--config", "path", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--node", "nodes", required=True, multiple=True, metavar="HOST:PORT", help="A web node; repeatable.")
@click.option("--seed", default=1, show_default=True, help="Of the cards and of who does what.")
@click.option(
    "--tls",
    nargs=2,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="CERTIFICATE KEY",
    help="Serve the machines by TLS with these.",
)
@click.option("--speed", default=1.0, show_default=True, type=click.FloatRange(0.1, 100), help="Divide every wait.")
def floor(path: Path, nodes: tuple[str, ...], seed: int, tls: tuple[Path, Path] | None, speed: float) -> None:
    """Play the floor of a studio of several processes: its machines, where FILE looks for them, and its people.

    FILE is that of a web node. Shoes and shufflers are socket://127.0.0.1:PORT there, cameras http://127.0.0.1:PORT/….
    With --tls they are tls:// and https://. People are the demo's; they see what the wire shows and press at the web
    nodes.
    """
    from dealer_ui.assembly.bootstrap import DRIVERS
    from dealer_ui.rehearsal.floor.floor import SimFloor

    quiet_logs()
    try:
        shown = _shown(*tls) if tls else None
        made = SimFloor(load_config(path, DRIVERS), tuple(map(_address, nodes)), seed=seed, speed=speed, tls=shown)
    except BadInputError as error:
        raise click.ClickException(str(error)) from error
    for stand in made.stands:
        lines = ", ".join(line.url for line in stand.lines)
        click.echo(f"{stand.key}: {lines}, {stand.camera.url}")
    made.run()


def _shown(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except OSError as error:
        raise BadInputError("The certificate and its key cannot be used.", where=str(certificate)) from error
    return context


def _address(node: str) -> str:
    host, parted, port = node.removeprefix("http://").rstrip("/").rpartition(":")
    if not parted or not host or not port.isdigit():
        raise click.BadParameter(f"{node} is no address of a web node: write HOST:PORT.", param_hint="--node")
    return f"{host}:{port}"
