"""What a studio's configuration holds: its sections, and what a table makes of them."""

from __future__ import annotations

from datetime import date, time
from pathlib import Path
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.numbers import list_currencies
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from dealer_ui.config.care import CareSection, KeysSection
from dealer_ui.config.cluster import ClusterSection
from dealer_ui.config.operator import CallsSection, CreditLimits, WebhookSection
from dealer_ui.config.people import PeopleSection as PeopleSection
from dealer_ui.config.secret import holds_password, no_password, says_trust
from dealer_ui.config.server import ServerSection as ServerSection
from studio.jackpot import PotTerms
from studio.money import AMOUNT_MINOR_MAX, Rates
from studio.procedures.record import Records
from studio.reports import GamingDay, Regard
from studio.reports.significant import CLASSES
from studio.rulebook.script import WINDOW_S
from studio.settlement import DEFAULT_POLICY, WALLET
from studio.tables.config import Limit, OperatorLimit, TableConfig

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


def _day(text: str) -> str:
    try:
        date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"There is no day {text}: write one as in 2026-01-31") from None
    return text


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"There is no zone {name}: write it as in Asia/Makassar") from None
    return name


Amount = Annotated[int, Field(gt=0, le=AMOUNT_MINOR_MAX)]
BETS_MOST: Final = 200_000
"""So many bets a table takes in a round where its configuration says nothing."""
EXPOSURE_MOST_MINOR: Final = 1_000_000_000
"""What a house may lose in one round where its configuration says nothing: ten million, in minor units of cents."""

Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), AfterValidator(_known)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudioSection(_Model):
    """`certificates`: a folder of proofs of the studio's own pay tables, beside those that ship.

    `zone`: where the studio is, as in Asia/Makassar; a gaming day there begins at `day_begins`.
    """

    title: str = "Live Dealer Studio"
    currency: Currency = "EUR"
    language: Literal["en", "ja", "id"] = "en"
    database: str = "studio.db"
    evidence: str = "evidence"
    certificates: str = ""
    zone: Annotated[str, AfterValidator(_zone)] = "UTC"
    day_begins: Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")] = "06:00"

    @property
    def gaming_day(self) -> GamingDay:
        return GamingDay(time.fromisoformat(self.day_begins), ZoneInfo(self.zone))


class DeviceSection(_Model):
    """One device, whatever table it stands at. `driver`: a serial driver's name, or `camera`.

    `repeat_ms`: equal scans of a bar code within it are one card. `lock_when_idle`: no card leaves the shoe unless due.
    `game_results`: by side, the byte with which a shoe that knows Baccarat calls it the winner. `secret`: where the
    `user:password` of a camera comes from, `file:NAME` beside the configuration or `env:NAME`; in `url` stands none.
    """

    id: Name
    driver: str
    url: Annotated[str, AfterValidator(says_trust)]
    baud: Annotated[int, Field(ge=300, le=921_600)] | None = None
    repeat_ms: Annotated[int, Field(ge=300, le=800)] = 500
    commands: bool = False
    lock_when_idle: bool = False
    expected_errors: tuple[str, ...] = ()
    game_results: dict[str, Annotated[int, Field(ge=0, le=127)]] = {}
    calibration: str = ""
    secret: Annotated[str, Field(pattern=r"^((file|env):\S.*)?$")] = ""

    @model_validator(mode="after")
    def _check_secret(self) -> DeviceSection:
        if holds_password(self.url):
            raise ValueError(
                "A password stands in the address, and a configuration holds none: write user:password into a file "
                'that its owner alone can read and name that, secret = "file:NAME", or secret = "env:NAME"'
            )
        if self.secret and (self.driver != CAMERA or "://" not in self.url or "@" in self.url):
            raise ValueError("A secret is for a camera at an address that names no user, as in rtsp://10.0.0.9/video")
        return self

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

    date: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), AfterValidator(_day)]
    worth: dict[Currency, Annotated[str, Field(pattern=r"^[0-9]{1,9}(\.[0-9]{1,12})?$")]]


class PotSection(_Model):
    """A progressive pot that tables feed: what it begins with, and begins with again once it was won."""

    currency: Currency = ""
    seed_minor: Annotated[int, Field(ge=0)]
    reset_minor: Annotated[int, Field(ge=0)]
    share_percent: Annotated[int, Field(ge=0, le=100)] = 38


class TableSection(_Model):
    """`exposure_most_minor`: the most the house may lose on one round, in the table's currency; pots are no loss.

    `host`: of a studio on several machines, the table host that runs it; empty: every host that reads this file.
    `video`: where a media server shows the table to bettors: WHEP, or HLS where it ends in `.m3u8`. Where its stream
    does not come, they see the table's camera.
    """

    key: Name
    title: str
    game: str
    video: Annotated[str, Field(pattern=r"^(https?://[^\s;,'\"]+)?$", max_length=512)] = ""
    shoe: str = ""
    shuffler: str = ""
    camera: str = ""
    window_s: Annotated[float, Field(gt=0, le=WINDOW_S)] = WINDOW_S
    host: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9-]{0,30})?$")] = ""
    unsure_after_s: Annotated[float, Field(gt=0, le=60)] = 3.0
    max_bets_per_round: Annotated[int, Field(gt=0, le=1_000_000)] = BETS_MOST
    exposure_most_minor: Amount = EXPOSURE_MOST_MINOR
    pot: str = ""
    procedures: str = ""
    currency: Currency = ""
    currencies: tuple[Currency, ...] = ()
    rules: dict[str, str | int | bool] = {}
    limits: dict[str, LimitSection] = {}
    _own_rows: Records = PrivateAttr(default=())

    def read_rows(self, rows: Records) -> None:
        """The rows of the file under `procedures`, once it has been read."""
        self._own_rows = rows


class PresetSection(_Model):
    """A game a table may be changed to, with its pay table, limits and window; its name is its key.

    `exposure_most_minor`: as at a table; without it that of the table stays.
    """

    title: str
    game: str
    window_s: Annotated[float, Field(gt=0, le=WINDOW_S)] = WINDOW_S
    exposure_most_minor: Amount | None = None
    pot: str = ""
    rules: dict[str, str | int | bool] = {}
    limits: dict[str, LimitSection] = {}


class DecksSection(_Model):
    """`register`: a table loads only decks that were received and brought to it. `backs`: the colours there may be.
    `count_days`: the whole stock is counted at least so often.
    """

    register_of_decks: Annotated[bool, Field(alias="register")] = False
    backs: tuple[Annotated[str, Field(pattern=r"^[a-z][a-z0-9 _-]{0,29}$")], ...] = ()
    count_days: Annotated[int, Field(ge=1, le=366)] = 91


class WalletSection(_Model):
    """Where an operator keeps his bettors' money himself, and how his wallet is spoken to.

    `key_file`: our private key (rsa) or the shared secret (hmac), beside the configuration. A stake is asked for
    `wait_s` at most, and never longer than `grace_s` after bets are closed; `lines`: so many calls at once.
    """

    dialect: Literal["rsa", "hmac"]
    address: Annotated[str, Field(pattern=r"^https?://[^\s]+$"), AfterValidator(no_password)]
    key_file: Annotated[str, Field(min_length=1)]
    wait_s: Annotated[float, Field(gt=0, le=30)] = 3.0
    grace_s: Annotated[float, Field(ge=0, le=5)] = 1.0
    lines: Annotated[int, Field(ge=1, le=256)] = 16


class OperatorSection(_Model):
    """One operator. `frames_from`: the web origins that may show this operator's bettors their pages in a frame.

    `key_sha256`: the digest of an API key besides those that `studio operators` gave him; may be empty. `claw_back`:
    what becomes of money that a correction takes back and a bettor's balance does not cover. In one round at one table
    his bettors may place `max_bets_per_round`, and the house may stand to lose `exposure_most_minor` to them, in the
    table's currency. A deposit is at most `deposit_most_minor`, and is refused when the purses of all his bettors would
    then hold more than `credit_most_minor`, both in the studio's currency. `wallet`: where he keeps his bettors' money
    himself; then there are no deposits, and a correction claims from his wallet, whatever `claw_back` says. `webhook`:
    where he is told of his rounds as they end. `calls`: what his requests need besides a key.
    """

    key_sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    suspended: bool = False
    max_bets_per_round: Annotated[int, Field(gt=0, le=1_000_000)] = BETS_MOST
    exposure_most_minor: Amount = EXPOSURE_MOST_MINOR
    deposit_most_minor: Amount = 100_000_000
    credit_most_minor: Amount = 10_000_000_000
    claw_back: Literal["allow_negative", "partial_and_receivable", "write_off"] = "partial_and_receivable"
    frames_from: tuple[Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?$")], ...] = ()
    wallet: WalletSection | None = None
    webhook: WebhookSection | None = None
    calls: CallsSection | None = None

    @property
    def policy(self) -> str:
        """What becomes of money that a correction takes back."""
        return self.claw_back if self.wallet is None else WALLET

    @property
    def limit(self) -> OperatorLimit:
        return OperatorLimit(bets_most=self.max_bets_per_round, exposure_most_minor=self.exposure_most_minor)


NEW_OPERATOR: Final = OperatorSection()
"""The limits of one who was added while the studio runs, and is in no file."""


def _significant(name: str) -> str:
    if name not in CLASSES:
        raise ValueError(f"There is no class '{name}' of significant events: name some of {', '.join(CLASSES)}.")
    return name


class RegulatorSection(_Model):
    """What the licence asks to be told of. `large_minor`: from how much on a sum is large, by currency.

    Something that is away for `outage_min` minutes counts as an outage. Events of the classes in `tell` are told within
    `tell_within_h` hours. A purse that nothing moves for `dormant_days` is dormant.
    """

    large_minor: dict[Currency, Amount] = {}
    outage_min: Annotated[int, Field(ge=1, le=1_440)] = 5
    tell: tuple[Annotated[str, AfterValidator(_significant)], ...] = Regard().told
    tell_within_h: Annotated[int, Field(ge=1, le=720)] = 24
    dormant_days: Annotated[int, Field(ge=1, le=36_500)] = 365

    @property
    def regard(self) -> Regard:
        return Regard(
            self.large_minor, self.outage_min * 60_000, self.tell, self.tell_within_h * 3_600_000, self.dormant_days
        )


class StudioConfig(_Model):
    """A whole studio as its file describes it."""

    studio: StudioSection = StudioSection()
    server: ServerSection = ServerSection()
    devices: tuple[DeviceSection, ...] = ()
    tables: Annotated[tuple[TableSection, ...], Field(min_length=1)]
    rates: RatesSection | None = None
    pots: dict[Name, PotSection] = {}
    presets: dict[Name, PresetSection] = {}
    decks: DecksSection = DecksSection()
    people: PeopleSection = PeopleSection()
    operators: dict[Name, OperatorSection] = {}
    care: CareSection = CareSection()
    keys: KeysSection = KeysSection()
    regulator: RegulatorSection = RegulatorSection()
    cluster: ClusterSection | None = None

    @property
    def record(self) -> str:
        """Where this process reads the record: the path of a file, or the address of the database that hosts share."""
        return self.studio.database if self.cluster is None else self.cluster.place_of(self.studio.database)

    @property
    def currency(self) -> str:
        return self.studio.currency

    @property
    def currencies(self) -> tuple[str, ...]:
        """Every currency a bettor may be kept in, the studio's own first."""
        return (self.studio.currency, *(self.rates.worth if self.rates else ()))

    def is_home(self, table: TableSection) -> bool:
        """Whether this process runs that table unless another host has taken it over."""
        return self.cluster is None or table.host in ("", self.cluster.host)

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
            shoe_results=dict(self.device(table.shoe).game_results) if table.shoe else {},
            unsure_after_s=table.unsure_after_s,
            max_bets_per_round=table.max_bets_per_round,
            pot=self.pot_terms(table.pot) if table.pot else None,
            own_rows=table._own_rows,
            exposure_most_minor=table.exposure_most_minor,
            operator_limits=self._operator_limits(),
            claw_back={name: one.policy for name, one in self.operators.items() if one.policy != DEFAULT_POLICY},
        )

    def _operator_limits(self) -> dict[str, OperatorLimit]:
        """Of each operator of the file, and of whoever is added while the studio runs."""
        every = NEW_OPERATOR.limit
        return {"*": every} | {name: one.limit for name, one in self.operators.items() if one.limit != every}

    def credit_of(self, operator: str) -> CreditLimits:
        """What he may credit his bettors with."""
        section = self.operators.get(operator, NEW_OPERATOR)
        return CreditLimits(section.deposit_most_minor, section.credit_most_minor, self.currency, self._all_rates())

    def _all_rates(self) -> Rates | None:
        if self.rates is None:
            return None
        return Rates(date=self.rates.date, worth={self.studio.currency: "1", **self.rates.worth})

    def _rates(self, table: TableSection) -> Rates | None:
        """The rates of all the currencies that meet at the table; None where only one does."""
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
