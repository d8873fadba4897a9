"""Reads a studio's configuration file: checked whole, resolved once, then frozen."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path

from pydantic import ValidationError

from dealer_ui.config.check import check_whole
from dealer_ui.config.place import Place, not_toml, wrong_value
from dealer_ui.config.shape import CAMERA as CAMERA
from dealer_ui.config.shape import LOCKING as LOCKING
from dealer_ui.config.shape import Currency as Currency
from dealer_ui.config.shape import DecksSection as DecksSection
from dealer_ui.config.shape import DeviceSection as DeviceSection
from dealer_ui.config.shape import KeysSection as KeysSection
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
    check_whole(config, Place(path, text), drivers)
    _read_rows(config, path)
    return _with_keys_beside(config, path)


def _with_keys_beside(config: StudioConfig, path: Path) -> StudioConfig:
    """The files with the keys of operators' wallets are found from where the configuration lies."""
    operators = dict(config.operators)
    for name, operator in config.operators.items():
        if operator.wallet is not None:
            key_file = str(path.parent / operator.wallet.key_file)
            wallet = operator.wallet.model_copy(update={"key_file": key_file})
            operators[name] = operator.model_copy(update={"wallet": wallet})
    return config.model_copy(update={"operators": operators})


def _read_rows(config: StudioConfig, path: Path) -> None:
    """The studio's own rows of procedures, from the files its tables name; they lie beside the configuration."""
    for table in config.tables:
        if table.procedures:
            table.read_rows(own_rows(path.parent / table.procedures))
