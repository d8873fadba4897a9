"""The only place where a studio's configuration file is read: checked whole, resolved once, then frozen."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final, Literal

from babel.numbers import list_currencies
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from dealer_ui.api import OperatorKey
from studio.errors import BadInputError
from studio.games import find_game
from studio.jackpot import PotTerms
from studio.money import Rates
from studio.tables.config import Limit, TableConfig

CAMERA: Final = "camera"
"""The driver of a device that is no serial one."""
LOCKING: Final = ("angel_eye", "generic_shoe")
"""The drivers of shoes that can be locked."""

Location = tuple[str | int, ...]
"""The way to a key: names, and places in a list counted from 0."""

Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,30}$")]


def _known(currency: str) -> str:
    """Of ISO 4217; none, where a key may be left empty."""
    if currency and currency not in list_currencies():
        raise ValueError(f"There is no currency {currency}: write the three letters of ISO 4217, as in EUR")
    return currency


Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), AfterValidator(_known)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudioSection(_Model):
    """`certificates`: a folder of proofs of the studio's own pay tables, beside those that ship."""

    title: str = "Live Dealer Studio"
    currency: Currency = "EUR"
    language: Literal["en", "ja", "id"] = "en"
    database: str = "studio.db"
    evidence: str = "evidence"
    certificates: str = ""


class ServerSection(_Model):
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=1, le=65535)] = 8000
    threads: Annotated[int, Field(ge=20, le=512)] = 48


class DeviceSection(_Model):
    """One device, whatever table it stands at. `driver`: a serial driver's name, or `camera`.

    `repeat_ms`: equal scans of a bar code within it are one card. `lock_when_idle`: no card leaves the shoe unless due.
    """

    id: Name
    driver: str
    url: str
    baud: Annotated[int, Field(ge=300, le=921_600)] | None = None
    repeat_ms: Annotated[int, Field(ge=300, le=800)] = 500
    commands: bool = False
    lock_when_idle: bool = False
    expected_errors: tuple[str, ...] = ()
    calibration: str = ""

    @model_validator(mode="after")
    def _check_lock(self) -> DeviceSection:
        if self.lock_when_idle and (not self.commands or self.driver not in LOCKING):
            raise ValueError(f"lock_when_idle needs commands = true, and a driver that can lock: {', '.join(LOCKING)}")
        return self


class LimitSection(_Model):
    least_minor: Annotated[int, Field(gt=0)]
    most_minor: Annotated[int, Field(gt=0)]


class RatesSection(_Model):
    """What one unit of other currencies is worth in the studio's own, on that day: exact, as text."""

    date: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    worth: dict[Currency, Annotated[str, Field(pattern=r"^[0-9]{1,9}(\.[0-9]{1,12})?$")]]


class PotSection(_Model):
    """A progressive pot that tables feed: what it begins with, and begins with again once it was won."""

    currency: Currency = ""
    seed_minor: Annotated[int, Field(ge=0)]
    reset_minor: Annotated[int, Field(ge=0)]
    share_percent: Annotated[int, Field(ge=0, le=100)] = 38


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
    pot: str = ""
    currency: Currency = ""
    currencies: tuple[Currency, ...] = ()
    rules: dict[str, str | int | bool] = {}
    limits: dict[str, LimitSection] = {}


class OperatorSection(_Model):
    """`frames_from`: the web origins that may show this operator's bettors their pages in a frame."""

    key_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    suspended: bool = False
    frames_from: tuple[Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$")], ...] = ()


class StudioConfig(_Model):
    """A whole studio as its file describes it."""

    studio: StudioSection = StudioSection()
    server: ServerSection = ServerSection()
    devices: tuple[DeviceSection, ...] = ()
    tables: Annotated[tuple[TableSection, ...], Field(min_length=1)]
    rates: RatesSection | None = None
    pots: dict[Name, PotSection] = {}
    operators: dict[Name, OperatorSection] = {}

    @property
    def currency(self) -> str:
        return self.studio.currency

    @property
    def currencies(self) -> tuple[str, ...]:
        """Every currency a bettor may be kept in, the studio's own first."""
        return (self.studio.currency, *(self.rates.worth if self.rates else ()))

    @property
    def operator_keys(self) -> Mapping[str, OperatorKey]:
        return {name: OperatorKey(one.key_sha256, one.suspended) for name, one in self.operators.items()}

    def device(self, id: str) -> DeviceSection:
        return next(device for device in self.devices if device.id == id)

    def calibration_path(self, id: str) -> Path:
        """Where this camera's calibration is kept, or would be."""
        own = self.device(id).calibration
        return Path(own) if own else Path(self.studio.database).parent / "calibrations" / f"{id}.json"

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
            currency=table.currency or self.studio.currency,
            currencies=table.currencies,
            rates=self._rates(table),
            rules=dict(table.rules),
            limits=limits,
            window_s=table.window_s,
            shoe=table.shoe,
            shuffler=table.shuffler,
            camera=table.camera,
            expected_errors=self.device(table.shoe).expected_errors if table.shoe else (),
            unsure_after_s=table.unsure_after_s,
            max_bets_per_round=table.max_bets_per_round,
            pot=self.pot_terms(table.pot) if table.pot else None,
        )

    def _rates(self, table: TableSection) -> Rates | None:
        """Of all the currencies that meet at the table; None where there is one."""
        met = {table.currency or self.studio.currency, *table.currencies}
        if table.pot:
            met.add(self.pot_terms(table.pot).currency)
        if len(met) == 1 or self.rates is None:
            return None
        worth = {self.studio.currency: "1", **self.rates.worth}
        return Rates(date=self.rates.date, worth={currency: worth[currency] for currency in sorted(met)})

    def pot_terms(self, key: str) -> PotTerms:
        pot = self.pots[key]
        return PotTerms(
            key=key,
            currency=pot.currency or self.studio.currency,
            seed_minor=pot.seed_minor,
            reset_minor=pot.reset_minor,
            share_percent=pot.share_percent,
        )


def load_config(path: Path, drivers: Collection[str] | None = None) -> StudioConfig:
    """Read and check a configuration file; `BadInputError` names file, line and key.

    `drivers`: the names of the serial drivers there are; without it they are not looked at.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"The configuration cannot be read: {error.strerror}.", where=str(path)) from error
    except UnicodeDecodeError as error:
        raise BadInputError("The configuration is not UTF-8 text.", where=str(path)) from error
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(path, text, error) from error
    try:
        config = StudioConfig.model_validate(plain)
    except ValidationError as error:
        raise _wrong(path, text, error) from error
    _check_whole(config, _Place(path, text), drivers)
    return config


def _not_toml(path: Path, text: str, error: tomllib.TOMLDecodeError) -> BadInputError:
    """tomllib names the line inside its sentence, and the end of the file by that name."""
    why, _, at = str(error).rpartition(" (at ")
    line = re.match(r"line (\d+)", at)
    number = int(line[1]) if line else len(text.splitlines()) or 1
    return BadInputError(f"This is not valid TOML: {why or error}.", where=f"{path}, line {number}")


def _wrong(path: Path, text: str, error: ValidationError) -> BadInputError:
    first = error.errors()[0]
    unknown, missing = first["type"] == "extra_forbidden", first["type"] == "missing"
    what = (
        "there is no such key"
        if unknown
        else "it is missing"
        if missing
        else _lower(first["msg"].removeprefix("Value error, "))
    )
    return _Place(path, text).wrong(tuple(first["loc"]), what)


def _lower(sentence: str, name: str = "\n") -> str:
    """A sentence as the end of another; a name it begins with keeps its capital letter."""
    first = sentence[0] if sentence.startswith(name) else sentence[0].lower()
    return first + sentence[1:].removesuffix(".")


@dataclass(frozen=True, slots=True)
class _Place:
    """A configuration file and its text, to say where a key stands in it."""

    path: Path
    text: str

    def wrong(self, location: Sequence[str | int], what: str) -> BadInputError:
        """Lists are counted from 1, as a person counts the blocks of the file."""
        key = ".".join(str(part + 1) if isinstance(part, int) else part for part in location)
        where = f"{self.path}, line {_line_of(self.text, location)}"
        return BadInputError(f"The key {key} is wrong: {what}.", where=where)


def _line_of(text: str, location: Sequence[str | int]) -> int:
    """The line of the key the location ends in; of the block it is missing from; 1 when even that stands nowhere."""
    lines = text.splitlines()
    start, end, name = 0, len(lines), ""
    for part in location:
        if isinstance(part, int):
            headers = [at for at, line in enumerate(lines) if line.strip().startswith(f"[[{name}]]")]
            found = headers[part] if part < len(headers) else None
            end = len(lines)
        else:
            name = part
            wanted = re.compile(rf'^\s*(?:\[+[\w.]*\b)?"?{re.escape(name)}"?(?=[\s=.\]]|$)')
            found = next((at for at in range(start, end) if wanted.match(lines[at])), None)
        if found is None:
            break
        start, end = found, _end_of_block(lines, found, end, name)
    return start + 1


def _end_of_block(lines: Sequence[str], start: int, end: int, name: str) -> int:
    """Where the block that a header begins is over; a key that is no header ends nothing."""
    if not lines[start].lstrip().startswith("["):
        return end
    deeper = re.compile(rf"^\s*\[+([\w.]+\.)?{re.escape(name)}\.")
    others = (at for at in range(start + 1, end) if lines[at].lstrip().startswith("[") and not deeper.match(lines[at]))
    return next(others, end)


def _check_whole(config: StudioConfig, place: _Place, drivers: Collection[str] | None) -> None:
    """What no single key can tell: names used twice, devices that are not there, rules and bets of the game."""
    for at, device in enumerate(config.devices):
        if device.id in [one.id for one in config.devices[:at]]:
            raise place.wrong(("devices", at, "id"), f"two devices are called {device.id}")
        if drivers is not None and device.driver not in (CAMERA, *drivers):
            known = ", ".join(sorted({*drivers, CAMERA}))
            raise place.wrong(("devices", at, "driver"), f"there is no driver '{device.driver}', only {known}")
    taken: set[str] = set()
    for at, table in enumerate(config.tables):
        if table.key in [one.key for one in config.tables[:at]]:
            raise place.wrong(("tables", at, "key"), f"two tables are called {table.key}")
        for role in ("shoe", "shuffler", "camera"):
            if device_id := getattr(table, role):
                _check_device(config, place, ("tables", at, role), device_id, taken)
        _check_game(table, at, place)
        if table.pot:
            _check_pot(config, table, at, place)
        _check_currencies(config, table, at, place)


def _check_device(config: StudioConfig, place: _Place, location: Location, id: str, taken: set[str]) -> None:
    """A device stands at one table, and a camera nowhere but in a camera's place."""
    device = next((one for one in config.devices if one.id == id), None)
    if device is None:
        known = ", ".join(one.id for one in config.devices) or "none"
        raise place.wrong(location, f"there is no device '{id}'; the devices are: {known}")
    if (device.driver == CAMERA) is not (location[-1] == "camera"):
        raise place.wrong(location, f"the device '{id}' has the driver '{device.driver}'")
    if id in taken:
        raise place.wrong(location, f"the device '{id}' stands somewhere else already")
    taken.add(id)


def _check_pot(config: StudioConfig, table: TableSection, at: int, place: _Place) -> None:
    """A pot that is there, at a game with a bet that feeds it, and no fixed prize beside it."""
    location = ("tables", at, "pot")
    if table.pot not in config.pots:
        known = ", ".join(config.pots) or "none"
        raise place.wrong(location, f"there is no pot '{table.pot}'; the pots are: {known}")
    game = find_game(table.game)
    if not game.pot_bet:
        raise place.wrong(location, f"{game.title} has no bet that feeds a pot")
    if table.rules.get(f"{game.pot_bet}_pot"):
        raise place.wrong(("tables", at, "rules"), "a table with a pot has no fixed prize beside it")
    _need_rate(config, config.pot_terms(table.pot).currency, location, place)


def _check_currencies(config: StudioConfig, table: TableSection, at: int, place: _Place) -> None:
    """Each currency has a rate above 0, and comes once."""
    own = table.currency or config.currency
    if config.rates is not None:
        for currency, worth in config.rates.worth.items():
            if currency == config.currency or not Fraction(worth):
                raise place.wrong(("rates", "worth", currency), f"it must be another than {config.currency}, above 0")
    _need_rate(config, own, ("tables", at, "currency"), place)
    for number, currency in enumerate(table.currencies):
        location = ("tables", at, "currencies")
        if currency == own or currency in table.currencies[:number]:
            raise place.wrong(location, f"{currency} is named twice")
        _need_rate(config, currency, location, place)


def _need_rate(config: StudioConfig, currency: str, location: Location, place: _Place) -> None:
    if currency not in config.currencies:
        raise place.wrong(
            location, f"there is no rate for {currency}; the block rates knows {', '.join(config.currencies)}"
        )


def _check_game(table: TableSection, at: int, place: _Place) -> None:
    try:
        game = find_game(table.game)
    except BadInputError as error:
        raise place.wrong(("tables", at, "game"), _lower(error.sentence)) from error
    try:
        game.check_rules(table.rules)
    except BadInputError as error:
        rule = next((name for name in table.rules if f"'{name}'" in error.sentence or name in error.sentence), "")
        location = ("tables", at, "rules", rule) if rule else ("tables", at, "rules")
        raise place.wrong(location, _lower(error.sentence, game.title)) from error
    for bet, limit in table.limits.items():
        location = ("tables", at, "limits", bet)
        if bet != "*" and bet not in game.bets:
            raise place.wrong(location, "the game has no such bet")
        if limit.least_minor > limit.most_minor:
            raise place.wrong(location, "the least is above the most")


__all__ = ["StudioConfig", "load_config"]
