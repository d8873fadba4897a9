"""What no single key of a configuration can tell: what fits what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from dealer_ui.config.cluster import TABLE_HOST, ClusterSection
from dealer_ui.config.place import ConfigPlace, lower
from dealer_ui.config.shape import CAMERA, Location, PresetSection, ServerSection, StudioConfig, TableSection
from studio.errors import BadInputError
from studio.games import find_game
from studio.tables.books.exposure import unplaceable
from studio.tables.config import TableConfig

SHUFFLER: Final = "generic"
SHOE: Final = "generic_shoe"
"""The drivers of our own profile: they are easily taken for each other, and a shuffler's tells no card."""


def check_whole(config: StudioConfig, place: ConfigPlace, drivers: Collection[str] | None) -> None:
    """What no single key can tell: names used twice, devices that are not there, rules and bets of the game."""
    _check_encrypted(config.server, place)
    if config.people.passkey_only and not config.server.origin:
        sentence = (
            'a passkey is bound to the name of the consoles: give their address in [server], public = "https://NAME"'
        )
        raise place.wrong(("people", "passkey_only"), sentence)
    for at, device in enumerate(config.devices):
        if device.id in [one.id for one in config.devices[:at]]:
            raise place.wrong(("devices", at, "id"), f"two devices are called {device.id}")
        if drivers is not None and device.driver not in (CAMERA, *drivers):
            known = ", ".join(sorted({*drivers, CAMERA}))
            raise place.wrong(("devices", at, "driver"), f"there is no driver '{device.driver}', only {known}")
    _check_wire(config, place)
    taken: dict[str, str] = {}
    for at, table in enumerate(config.tables):
        if table.key in [one.key for one in config.tables[:at]]:
            raise place.wrong(("tables", at, "key"), f"two tables are called {table.key}")
        for role in ("shoe", "shuffler", "camera"):
            if device_id := getattr(table, role):
                _check_device(config, place, ("tables", at, role), device_id, taken)
                taken[device_id] = table.host
        _check_game(table, ("tables", at), place)
        if table.pot:
            _check_pot(config, table, ("tables", at), place)
        _check_currencies(config, table, at, place)
        _check_exposure(config, config.table_config(table), ("tables", at), place)
    for name in config.presets:
        _check_preset(config, name, place)
    for name, operator in config.operators.items():
        if operator.deposit_most_minor > operator.credit_most_minor:
            location = ("operators", name, "deposit_most_minor")
            raise place.wrong(location, "one deposit would be more than all purses may hold (credit_most_minor)")


def _check_encrypted(server: ServerSection, place: ConfigPlace) -> None:
    """PINs and cookies cross no network in the clear: who is reached from elsewhere speaks TLS, or names who does."""
    if server.tls is not None and server.encrypted_by:
        raise place.wrong(("server", "encrypted_by"), "the studio speaks TLS itself: leave this out, or [server.tls]")
    if server.tls is None and server.encrypted_by and not server.trusted_proxy:
        raise place.wrong(("server", "encrypted_by"), "the proxy that does it has to be named in trusted_proxy")
    if server.tls is None and not server.encrypted_by and not is_loopback(server.host):
        raise place.wrong(
            ("server", "host"),
            f"{server.host} is reached from other machines, and nothing encrypts what they send: give certificate and "
            'key in [server.tls], or say encrypted_by = "proxy" where a proxy does it and name it in trusted_proxy',
        )


def _check_wire(config: StudioConfig, place: ConfigPlace) -> None:
    """Nothing of the studio goes to another machine in the clear, and a process that reads the record has one."""
    if (cluster := config.cluster) is None:
        return
    for at, server in enumerate(cluster.nats):
        address = urlsplit(server)
        if address.scheme != "tls" and not is_loopback(address.hostname or ""):
            raise place.wrong(("cluster", "nats", at), "another machine is spoken to as tls://, never in the clear")
    if cluster.web_postgres and not cluster.postgres:
        sentence = "web nodes read the record that hosts keep in `postgres`: name that, too"
        raise place.wrong(("cluster", "web_postgres"), sentence)
    if cluster.postgres:
        return _check_shared(config, cluster, place)
    for name, operator in config.operators.items():
        if operator.wallet is not None and cluster.role != TABLE_HOST:
            sentence = "a web node serves bettors of an operator's own wallet over one record: name it as `postgres`"
            raise place.wrong(("operators", name, "wallet"), sentence)
    if not cluster.keeps_desk and not cluster.record:
        raise place.wrong(("cluster",), f"name as `record` the database of {cluster.desk}, which keeps the desk")


def _check_shared(config: StudioConfig, cluster: ClusterSection, place: ConfigPlace) -> None:
    """What one record of several hosts asks for besides its address."""
    if cluster.record:
        raise place.wrong(("cluster", "record"), "the record lies in `postgres`: leave this out")
    if not cluster.shared:
        sentence = "name as `shared` the folder that every process reads: the secret of the PINs lies in it"
        raise place.wrong(("cluster",), sentence)
    if cluster.keys == cluster.postgres:
        raise place.wrong(("cluster", "keys"), "keys lie apart from the record: name a database of their own")


def is_loopback(host: str) -> bool:
    """Whether only this machine itself reaches what listens at this host.

    >>> [is_loopback(one) for one in ("127.0.0.1", "127.0.1.1", "::1", "localhost", "0.0.0.0", "studio.example", "*")]
    [True, True, True, True, False, False, False]
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_of_one_machine(url: str) -> bool:
    """Whether another machine that opens this address of a device finds another one there, or none.

    >>> [is_of_one_machine(one) for one in ("/dev/ttyUSB0", "socket://127.0.0.1:4001", "socket://10.0.0.7:4001")]
    [True, True, False]
    """
    return "://" not in url or is_loopback(urlsplit(url).hostname or "")


def _check_device(
    config: StudioConfig, place: ConfigPlace, location: Location, id: str, taken: Mapping[str, str]
) -> None:
    """A device stands at one table, and a camera nowhere but in a camera's place. `taken`: the devices that stand
    somewhere already, and at whose tables: the same path at two hosts is a device of each machine.
    """
    device = next((one for one in config.devices if one.id == id), None)
    if device is None:
        known = ", ".join(one.id for one in config.devices) or "none"
        raise place.wrong(location, f"there is no device '{id}'; the devices are: {known}")
    if (device.driver == CAMERA) is not (location[-1] == "camera"):
        raise place.wrong(location, f"the device '{id}' has the driver '{device.driver}'")
    if location[-1] == "shoe" and device.driver == SHUFFLER:
        raise place.wrong(
            location, f"the device '{id}' has the driver of shufflers; a shoe of that profile has '{SHOE}'"
        )
    if id in taken:
        raise place.wrong(location, f"the device '{id}' stands somewhere else already")
    host = next(table.host for table in config.tables if id in (table.shoe, table.shuffler, table.camera))
    for one in config.devices:
        if one.id not in taken or one.url != device.url or one.url.startswith("sim:"):
            continue
        if is_of_one_machine(one.url) and host and taken[one.id] and host != taken[one.id]:
            continue
        raise place.wrong(location, f"the device '{id}' has the address of '{one.id}', which stands somewhere else")


def _check_pot(config: StudioConfig, table: TableSection | PresetSection, own: Location, place: ConfigPlace) -> None:
    """Refuse a table's pot unless it exists, the game has a bet that feeds it, and the rules have no fixed prize beside
    it.
    """
    location: Location = (*own, "pot")
    if table.pot not in config.pots:
        known = ", ".join(config.pots) or "none"
        raise place.wrong(location, f"there is no pot '{table.pot}'; the pots are: {known}")
    game = find_game(table.game)
    if not game.pot.bet:
        raise place.wrong(location, f"{game.title} has no bet that feeds a pot")
    if table.rules.get(f"{game.pot.bet}_pot"):
        raise place.wrong((*own, "rules"), "a table with a pot has no fixed prize beside it")
    _need_rate(config, config.pot_terms(table.pot).currency, location, place)


def _check_currencies(config: StudioConfig, table: TableSection, at: int, place: ConfigPlace) -> None:
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


def _need_rate(config: StudioConfig, currency: str, location: Location, place: ConfigPlace) -> None:
    if currency not in config.currencies:
        raise place.wrong(
            location, f"there is no rate for {currency}; the block rates knows {', '.join(config.currencies)}"
        )


def _check_preset(config: StudioConfig, name: str, place: ConfigPlace) -> None:
    """A game a table may be changed to is as sound as a table's own."""
    preset, location = config.presets[name], ("presets", name)
    _check_game(preset, location, place)
    if preset.pot:
        _check_pot(config, preset, location, place)
    if preset.exposure_most_minor is not None:
        told = {"game": preset.game, "rules": preset.rules, "limits": preset.limits, "pot": preset.pot}
        most = {"exposure_most_minor": preset.exposure_most_minor}
        table = config.tables[0].model_copy(update={**told, **most})
        _need_room(config.table_config(table), preset.exposure_most_minor, (*location, "exposure_most_minor"), place)


def _check_exposure(config: StudioConfig, table: TableConfig, own: Location, place: ConfigPlace) -> None:
    """One least stake on any bet has room: below every operator's limit, and below the table's."""
    for name, operator in config.operators.items():
        location = ("operators", name, "exposure_most_minor")
        _need_room(table, operator.exposure_most_minor, location, place)
    _need_room(table, table.exposure_most_minor, (*own, "exposure_most_minor"), place)


def _need_room(table: TableConfig, most_minor: int, location: Location, place: ConfigPlace) -> None:
    if bet := unplaceable(table, most_minor):
        raise place.wrong(location, f"one least stake on {bet} at {table.key} could cost the house more than that")


def _check_game(table: TableSection | PresetSection, own: Location, place: ConfigPlace) -> None:
    try:
        game = find_game(table.game)
    except BadInputError as error:
        raise place.wrong((*own, "game"), lower(error.sentence)) from error
    try:
        game.options.check(table.rules)
    except BadInputError as error:
        rule = next((name for name in table.rules if f"'{name}'" in error.sentence or name in error.sentence), "")
        location = (*own, "rules", rule) if rule else (*own, "rules")
        raise place.wrong(location, lower(error.sentence, game.title)) from error
    for bet, limit in table.limits.items():
        location = (*own, "limits", bet)
        if bet != "*" and bet not in game.betting.bets:
            raise place.wrong(location, "the game has no such bet")
        if limit.least_minor > limit.most_minor:
            raise place.wrong(location, "the least is above the most")
