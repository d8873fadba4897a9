"""The only place for `devices monitor`: it prints observations as they come, from LinkUp on.

It is for closed tables: every seal is opened and the card is shown.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any, Final

import click
import msgspec

from devices.catalogue import DRIVERS, DriverSpec, build_driver
from devices.link import open_link
from devices.stop import until_stopped, wall_ms
from devices.supervisor import Supervisor
from studio.cards import SealedCard, Sealer
from studio.errors import BadInputError
from studio.ports import LineBytes, Observation

_USUAL: Final = (("outside_game", False), ("resent", False), ("error_mode", False))
"""What a person need not be told each time."""


@click.command()
@click.argument("url")
@click.option("--driver", required=True, help=f"One of {', '.join(entry.name for entry in DRIVERS)}.")
@click.option("--baud", type=click.IntRange(50, 4_000_000), help="The speed of the line, if not the protocol's own.")
@click.option("--raw", is_flag=True, help="Also show the bytes of the line.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def monitor(url: str, driver: str, baud: int | None, raw: bool, as_json: bool) -> None:
    """Show what a device says, as it comes. URL: a device path, socket://host:port."""
    sealer = Sealer(secrets.token_bytes)
    try:
        built = build_driver(driver, DriverSpec(driver, sealer, baud))
    except BadInputError as error:
        raise click.BadParameter(error.sentence, param_hint="--driver") from None
    supervisor = Supervisor(driver, url, open_link=open_link, driver=built, sealer=sealer)
    with until_stopped() as stopped:
        try:
            while not stopped.is_set():
                for seen in supervisor.step(wall_ms()):
                    if raw or not isinstance(seen, LineBytes):
                        click.echo(_as_json(seen) if as_json else _as_text(seen))
        finally:
            supervisor.close()


def _told(seen: Observation) -> dict[str, Any]:
    """An observation as plain values, seals opened."""
    told: dict[str, Any] = {"observation": type(seen).__name__}
    for name in seen.__struct_fields__:
        value = getattr(seen, name)
        match name, value:
            case "at_ms", _:
                continue
            case _, SealedCard():
                told[name] = str(value.card())
            case "sealed", _:
                told["hex"] = value.open().hex(" ")
            case _:
                told[name] = value
    told["at"] = datetime.fromtimestamp(seen.at_ms / 1000, UTC).isoformat(timespec="milliseconds")
    return told


def _as_json(seen: Observation) -> str:
    return msgspec.json.encode(_told(seen)).decode()


def _as_text(seen: Observation) -> str:
    told = _told(seen)
    at, name = str(told.pop("at"))[11:23], told.pop("observation")
    told.pop("device")
    said = (f"{key}={value}" for key, value in told.items() if value not in ("", None) and (key, value) not in _USUAL)
    return f"{at}  {name:<18} " + "  ".join(said)
