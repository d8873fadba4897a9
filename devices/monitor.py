"""`devices monitor`: it prints observations as they come, from LinkUp on.

It is for closed tables: every seal is opened and the card is shown.
"""

from __future__ import annotations

import secrets

import click
import msgspec

from devices.catalogue import DRIVERS, DriverSpec, build_driver
from devices.stop import until_stopped, wall_ms
from devices.supervisor import Supervisor
from devices.technician.playback import open_line
from devices.technician.telling import in_words, told
from studio.cards import Sealer
from studio.errors import BadInputError
from studio.ports import LineBytes, LineIdled, Observation


@click.command()
@click.argument("url")
@click.option("--driver", required=True, help=f"One of {', '.join(entry.name for entry in DRIVERS)}.")
@click.option("--baud", type=click.IntRange(50, 4_000_000), help="The speed of the line, if not the protocol's own.")
@click.option("--raw", is_flag=True, help="Also show the bytes of the line.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def monitor(url: str, driver: str, baud: int | None, raw: bool, as_json: bool) -> None:
    """Show what a device says, as it comes. URL: a device path, socket://host:port, capture://FILE."""
    sealer = Sealer(secrets.token_bytes)
    try:
        built = build_driver(driver, DriverSpec(driver, sealer, baud))
    except BadInputError as error:
        raise click.BadParameter(error.sentence, param_hint="--driver") from None
    supervisor = Supervisor(driver, url, open_link=open_line, driver=built, sealer=sealer)
    with until_stopped() as stopped:
        try:
            while not stopped.is_set():
                for seen in supervisor.step(wall_ms()):
                    if raw or not isinstance(seen, LineBytes | LineIdled):
                        click.echo(_as_json(seen) if as_json else _as_text(seen))
        finally:
            supervisor.close()


def _as_json(seen: Observation) -> str:
    return msgspec.json.encode(told(seen)).decode()


def _as_text(seen: Observation) -> str:
    at = str(told(seen)["at"])[11:23]
    name, _, said = in_words(seen, faces=True).partition("  ")
    return f"{at}  {name:<18} {said}"
