"""Reads a studio's configuration file: checked whole, resolved once, then frozen."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path

from pydantic import ValidationError

from dealer_ui.config.care import KeysSection as KeysSection
from dealer_ui.config.check import check_whole
from dealer_ui.config.cluster import BOTH, TABLE_HOST
from dealer_ui.config.place import ConfigPlace, not_toml, wrong_value
from dealer_ui.config.secret import secret_beside, trust_beside
from dealer_ui.config.shape import CAMERA as CAMERA
from dealer_ui.config.shape import LOCKING as LOCKING
from dealer_ui.config.shape import Currency as Currency
from dealer_ui.config.shape import DecksSection as DecksSection
from dealer_ui.config.shape import DeviceSection as DeviceSection
from dealer_ui.config.shape import LimitSection as LimitSection
from dealer_ui.config.shape import Location as Location
from dealer_ui.config.shape import Name as Name
from dealer_ui.config.shape import OperatorSection as OperatorSection
from dealer_ui.config.shape import PotSection as PotSection
from dealer_ui.config.shape import PresetSection as PresetSection
from dealer_ui.config.shape import RatesSection as RatesSection
from dealer_ui.config.shape import ServerSection as ServerSection
from dealer_ui.config.shape import StudioConfig as StudioConfig
from dealer_ui.config.shape import StudioSection as StudioSection
from dealer_ui.config.shape import TableSection as TableSection
from studio.cli.procedures import own_rows
from studio.errors import BadInputError
from studio.text_file import read_text, read_toml


def load_config(path: Path, drivers: Collection[str] | None = None) -> StudioConfig:
    """Read and check a configuration file; `BadInputError` names file, line and key.

    `drivers`: the names of the serial drivers there are; without it they are not looked at.
    """
    text = read_text(path, what="The configuration")
    try:
        plain = read_toml(text, str(path))
    except tomllib.TOMLDecodeError as error:
        raise not_toml(path, text, error) from error
    try:
        config = StudioConfig.model_validate(plain)
    except ValidationError as error:
        raise wrong_value(path, text, error) from error
    check_whole(config, ConfigPlace(path, text), drivers)
    _read_rows(config, path)
    if config.cluster is not None:
        config = config.model_copy(update={"cluster": config.cluster.beside(path.parent)})
    return _with_keys_beside(config, path)


def of_process(config: StudioConfig) -> StudioConfig:
    """The configuration as the process has it that it is for: a table host has its own tables alone, and those that it
    may take over, where all hosts share one record. One that is a web node too is told as a table host here.

    `BadInputError` where it has none.
    """
    if config.cluster is not None and config.cluster.role == BOTH:
        config = config.model_copy(update={"cluster": config.cluster.table_part})
    if config.cluster is None:
        return config
    if config.cluster.role != TABLE_HOST:
        return config.model_copy(update={"cluster": config.cluster.as_it_reads})
    own = tuple(table for table in config.tables if config.is_home(table))
    if not own:
        sentence = f"No table is run by the host {config.cluster.host}: name it as `host` of a table."
        raise BadInputError(sentence, where="[cluster] host")
    return config if config.cluster.postgres else config.model_copy(update={"tables": own})


def web_node_beside(config: StudioConfig) -> StudioConfig | None:
    """The configuration of the web node in a process that is a table host too; None where it is one of the two.

    `BadInputError` where that node could not ask for what only web nodes may.
    """
    cluster = config.cluster
    if cluster is None or cluster.role != BOTH:
        return None
    if cluster.secret_file and not cluster.web_secret_file:
        sentence = "A process that is both asks as a web node, too: name the web nodes' secret as `web_secret_file`."
        raise BadInputError(sentence, where="[cluster] web_secret_file")
    server = config.server.model_copy(update={"port": cluster.web_port})
    return config.model_copy(update={"cluster": cluster.web_part(config.studio.database), "server": server})


def record_file(config: StudioConfig, *, of_desk: bool = False) -> Path:
    """The file in which a command finds the record of a studio that is stopped. `of_desk`: what the desk keeps.

    `BadInputError` where the record lies elsewhere: a file of that name is then one from which the studio has moved on,
    or another host's, and whatever were done to it would count nowhere.
    """
    cluster = config.cluster
    if cluster is not None and cluster.postgres:
        sentence = (
            "The record is in PostgreSQL, and no table host runs on this machine with this configuration: start it, or"
            " do it where one runs."
        )
        raise BadInputError(sentence, where="[cluster] postgres")
    if cluster is not None and of_desk and not cluster.keeps_desk:
        sentence = f"The host {cluster.desk} keeps this: do it on its machine, with its configuration."
        raise BadInputError(sentence, where="[cluster] desk")
    return Path(config.studio.database)


def _with_keys_beside(config: StudioConfig, path: Path) -> StudioConfig:
    """The files with keys and secrets, of operators, cameras and the certificate, are found from where the
    configuration lies."""
    operators = dict(config.operators)
    for name, operator in config.operators.items():
        for at, section in (("wallet", operator.wallet), ("webhook", operator.webhook)):
            if section is not None and section.key_file:
                found = section.model_copy(update={"key_file": str(path.parent / section.key_file)})
                operators[name] = operators[name].model_copy(update={at: found})
        if (hook := operators[name].webhook) is not None and hook.next_key_file:
            hook = hook.model_copy(update={"next_key_file": str(path.parent / hook.next_key_file)})
            operators[name] = operators[name].model_copy(update={"webhook": hook})
        if operator.calls is not None:
            files = tuple(str(path.parent / file) for file in operator.calls.key_files)
            calls = operator.calls.model_copy(update={"key_files": files})
            operators[name] = operators[name].model_copy(update={"calls": calls})
    server = config.server
    if (tls := server.tls) is not None:
        beside = {at: str(path.parent / getattr(tls, at)) for at in ("certificate", "key")}
        server = server.model_copy(update={"tls": tls.model_copy(update=beside)})
    devices = tuple(_device_beside(one, path.parent) for one in config.devices)
    return config.model_copy(update={"operators": operators, "server": server, "devices": devices})


def _device_beside(device: DeviceSection, folder: Path) -> DeviceSection:
    beside = {"secret": secret_beside(device.secret, folder), "url": trust_beside(device.url, folder)}
    return device.model_copy(update=beside)


def _read_rows(config: StudioConfig, path: Path) -> None:
    """The studio's own rows of procedures, from the files its tables name; they lie beside the configuration."""
    for table in config.tables:
        if table.procedures:
            table.read_rows(own_rows(path.parent / table.procedures))
