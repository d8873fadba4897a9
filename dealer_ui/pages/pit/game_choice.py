"""What games, pay tables and limits a table may be changed to, and makes the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dealer_ui.config.file import LimitSection, StudioConfig, TableSection
from dealer_ui.floor.house import House, section_of
from dealer_ui.frame.command_form import Fields
from studio.errors import BadInputError, RefusedError
from studio.games import find_game
from studio.money import parse_amount
from studio.people import Actor
from studio.tables.command import ChangeTable
from studio.tables.config import TableConfig
from studio.tables.deal.pay_table import pay_table_trouble
from studio.tables.limit import limit_in, limit_of

OWN: Final = ""
"""The name of what the configuration file says of the table itself."""


@dataclass(frozen=True, slots=True)
class GameChoice:
    """One game with its pay table. `config` is the table as it would be; `trouble` says why it may not be dealt on."""

    name: str
    title: str
    section: TableSection
    config: TableConfig
    trouble: RefusedError | None


def choices(house: House, table: str) -> Sequence[GameChoice]:
    """The games that the configuration offers this table: its own first, then the presets."""
    own = section_of(house, table)
    if own is None:
        return ()
    found = [_choice(house, OWN, own.title, own)]
    for name, preset in house.config.presets.items():
        told = {"game": preset.game, "rules": preset.rules, "limits": preset.limits, "window_s": preset.window_s}
        most_minor = preset.exposure_most_minor or own.exposure_most_minor
        section = own.model_copy(update={**told, "pot": preset.pot, "exposure_most_minor": most_minor})
        found.append(_choice(house, name, preset.title, section))
    return found


def _choice(house: House, name: str, title: str, section: TableSection) -> GameChoice:
    config = house.proved(house.config.table_config(section))
    return GameChoice(name, title, section, config, pay_table_trouble(config))


def limits_shown(config: TableConfig) -> Sequence[tuple[tuple[str, ...], Mapping[str, tuple[int, int]]]]:
    """The bets that share their limits, and these in each currency the table takes."""
    game, found = find_game(config.game), dict[tuple[tuple[str, tuple[int, int]], ...], list[str]]()
    for bet in game.betting.bets:
        limit = limit_of(config, game, bet)
        each = {one: limit_in(limit, one, config) for one in (config.currency, *config.currencies)}
        key = tuple((currency, (one.least_minor, one.most_minor)) for currency, one in each.items())
        found.setdefault(key, []).append(bet)
    return [(tuple(bets), dict(key)) for key, bets in found.items()]


def command_of(house: House, table: str, fields: Fields, actor: Actor) -> ChangeTable:
    """The command the form asks for; `RefusedError` says what is missing or makes no sense."""
    chosen = next((one for one in choices(house, table) if one.name == fields.get("preset", OWN)), None)
    if chosen is None:
        raise RefusedError("preset_unknown", "There is no such game in the configuration: choose one of the list.")
    section = chosen.section.model_copy(
        update={
            "limits": _limits(fields, chosen.config),
            "window_s": _window(fields, chosen.section.window_s),
            "exposure_most_minor": _most(fields, chosen.config),
        }
    )
    config = _proved(house, house.config, section)
    return ChangeTable(
        actor=actor, id=fields.get("id", ""), preset=_name(chosen, config), game=config.game, rules=config.rules,
        limits=config.limits, window_s=config.window_s, pot=config.pot, proof=config.proof, rates=config.rates,
        reason_code=fields.get("reason_code", "").strip(), words=fields.get("words", "").strip(),
        exposure_most_minor=config.exposure_most_minor, shown=fields.get("shown", ""),
    )  # fmt: skip


def _proved(house: House, config: StudioConfig, section: TableSection) -> TableConfig:
    return house.proved(config.table_config(section))


def _name(chosen: GameChoice, config: TableConfig) -> str:
    """Empty only where the table is again exactly as the file has it."""
    return chosen.name or (OWN if config == chosen.config else "changed")


def _limits(fields: Fields, config: TableConfig) -> dict[str, LimitSection]:
    """The limits as typed, in the table's own currency; as configured where nothing was."""
    found: dict[str, LimitSection] = {}
    for bet, limit in config.limits.items():
        least = _amount(fields.get(f"least.{bet}", ""), limit.least_minor, config.currency)
        most = _amount(fields.get(f"most.{bet}", ""), limit.most_minor, config.currency)
        if not 0 < least <= most:
            sentence = "The least stake is above 0 and not above the highest: write them anew."
            raise RefusedError("limits_wrong", sentence)
        found[bet] = LimitSection(least_minor=least, most_minor=most)
    return found


def _most(fields: Fields, config: TableConfig) -> int:
    """What the house may lose in a round, as typed; as configured where nothing was."""
    return _amount(fields.get("exposure_most", ""), config.exposure_most_minor, config.currency)


def _amount(text: str, otherwise: int, currency: str) -> int:
    if not text.strip():
        return otherwise
    try:
        return parse_amount(text.strip(), currency)
    except BadInputError as error:
        raise RefusedError("amount_wrong", error.sentence) from error


def _window(fields: Fields, otherwise: float) -> float:
    text = fields.get("window_s", "").strip()
    try:
        return float(text) if text else otherwise
    except ValueError:
        raise RefusedError("window_wrong", "Write how many seconds bets are taken, as a number.") from None
