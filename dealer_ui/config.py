"""The only place where a studio's configuration file is read: checked whole, resolved once, then frozen."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dealer_ui.api import OperatorKey
from studio.errors import BadInputError
from studio.games import find_game
from studio.tables.config import Limit, TableConfig

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,30}$")]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudioSection(_Model):
    title: str = "Live Dealer Studio"
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")] = "EUR"
    language: Literal["en", "ja", "id"] = "en"
    database: str = "studio.db"
    evidence: str = "evidence"


class ServerSection(_Model):
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    threads: Annotated[int, Field(ge=20, le=512)] = 48


class DeviceSection(_Model):
    """One device, whatever table it stands at. `driver`: a serial driver's name, or `camera`."""

    id: Name
    driver: str
    url: str
    baud: Annotated[int, Field(ge=300, le=921_600)] | None = None
    commands: bool = False
    expected_errors: tuple[str, ...] = ()


class LimitSection(_Model):
    least_minor: Annotated[int, Field(gt=0)]
    most_minor: Annotated[int, Field(gt=0)]


class TableSection(_Model):
    key: Name
    title: str
    game: str
    shoe: str = ""
    shuffler: str = ""
    camera: str = ""
    window_s: Annotated[float, Field(gt=0, le=600)] = 15
    unsure_after_s: Annotated[float, Field(gt=0, le=60)] = 3.0
    max_bets_per_round: Annotated[int, Field(gt=0, le=1_000_000)] = 200_000
    rules: dict[str, str | int | bool] = {}
    limits: dict[str, LimitSection] = {}


class OperatorSection(_Model):
    key_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    suspended: bool = False


class StudioConfig(_Model):
    """A whole studio as its file describes it."""

    studio: StudioSection = StudioSection()
    server: ServerSection = ServerSection()
    devices: tuple[DeviceSection, ...] = ()
    tables: Annotated[tuple[TableSection, ...], Field(min_length=1)]
    operators: dict[Name, OperatorSection] = {}

    @property
    def currency(self) -> str:
        return self.studio.currency

    @property
    def operator_keys(self) -> Mapping[str, OperatorKey]:
        return {name: OperatorKey(one.key_sha256, one.suspended) for name, one in self.operators.items()}

    def device(self, id: str) -> DeviceSection:
        return next(device for device in self.devices if device.id == id)

    def table_config(self, table: TableSection) -> TableConfig:
        """The table's own frozen configuration; the expected errors are those of its shoe."""
        limits = {
            bet: Limit(least_minor=limit.least_minor, most_minor=limit.most_minor)
            for bet, limit in table.limits.items()
        }
        limits.setdefault("*", Limit(least_minor=100, most_minor=100_000))
        return TableConfig(
            key=table.key,
            title=table.title,
            game=table.game,
            currency=self.studio.currency,
            rules=dict(table.rules),
            limits=limits,
            window_s=table.window_s,
            shoe=table.shoe,
            shuffler=table.shuffler,
            camera=table.camera,
            expected_errors=self.device(table.shoe).expected_errors if table.shoe else (),
            unsure_after_s=table.unsure_after_s,
            max_bets_per_round=table.max_bets_per_round,
        )


def load_config(path: Path) -> StudioConfig:
    """Read and check a configuration file; `BadInputError` names file, line and key."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"The configuration cannot be read: {error.strerror}.", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInputError("The configuration is not UTF-8 text.", where=str(path)) from error
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInputError(f"This is not valid TOML: {error}.", where=str(path)) from error
    try:
        config = StudioConfig.model_validate(plain)
    except ValidationError as error:
        raise _wrong(path, text, error) from error
    _check_whole(config, path, text)
    return config


def _wrong(path: Path, text: str, error: ValidationError) -> BadInputError:
    first = error.errors()[0]
    location = tuple(first["loc"])
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in location)
    what = "there is no such key" if first["type"] == "extra_forbidden" else first["msg"][0].lower() + first["msg"][1:]
    return BadInputError(f"The key {key} is wrong: {what}.", where=f"{path}, line {_line_of(text, location)}")


def _line_of(text: str, location: Sequence[Any]) -> int:
    """The line of the key the location ends in, searched from its section on; 1 when it stands nowhere."""
    lines = text.splitlines()
    start = 0
    for depth, part in enumerate(location):
        if isinstance(part, int):
            headers = [at for at, line in enumerate(lines) if line.strip() == f"[[{location[depth - 1]}]]"]
            start = headers[part] if part < len(headers) else start
        else:
            wanted = re.compile(rf'^\s*(\[+[\w.]*\b)?"?{re.escape(str(part))}"?\b')
            start = next((at for at in range(start, len(lines)) if wanted.match(lines[at])), start)
    return start + 1


def _check_whole(config: StudioConfig, path: Path, text: str) -> None:
    """What no single key can tell: names used twice, devices that are not there, rules and bets of the game."""
    known = [device.id for device in config.devices]
    for at, table in enumerate(config.tables):
        where = f"{path}, line {_line_of(text, ('tables', at, 'key'))}"
        if [one.key for one in config.tables].count(table.key) > 1:
            raise BadInputError(
                f"The key tables.{at + 1}.key is wrong: two tables are called {table.key}.", where=where
            )
        for role in ("shoe", "shuffler", "camera"):
            device = getattr(table, role)
            if device and device not in known:
                line = f"{path}, line {_line_of(text, ('tables', at, role))}"
                raise BadInputError(
                    f"The key tables.{at + 1}.{role} is wrong: there is no device '{device}'.", where=line
                )
        _check_game(table, at, f"{path}, line {_line_of(text, ('tables', at, 'game'))}")


def _check_game(table: TableSection, at: int, where: str) -> None:
    try:
        game = find_game(table.game)
        game.check_rules(table.rules)
    except BadInputError as error:
        raise BadInputError(
            f"The key tables.{at + 1}.game or its rules are wrong: {error.sentence}", where=where
        ) from error
    for bet, limit in table.limits.items():
        key = f"tables.{at + 1}.limits.{bet}"
        if bet != "*" and bet not in game.bets:
            raise BadInputError(f"The key {key} is wrong: the game has no such bet.", where=where)
        if limit.least_minor > limit.most_minor:
            raise BadInputError(f"The key {key} is wrong: the least is above the most.", where=where)


__all__ = ["StudioConfig", "load_config"]
