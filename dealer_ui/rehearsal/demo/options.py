"""What a demo is asked to be, and the configuration of the studio that it is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dealer_ui.config.file import (
    DecksSection,
    DeviceSection,
    LimitSection,
    OperatorSection,
    PotSection,
    PresetSection,
    ServerSection,
    StudioConfig,
    StudioSection,
    TableSection,
)
from dealer_ui.config.shape import WalletSection
from dealer_ui.desk.operator_key import digest_of_key
from dealer_ui.rehearsal.demo.asked import rules_of
from dealer_ui.rehearsal.demo.deck_store import BACKS
from devices.catalogue import commands_of
from studio.games import HOUSE_GAMES, find_game
from studio.rulebook.script import WINDOW_S

OPERATOR: Final = "demo"
POT: Final = "first5"
UNSURE_S: Final = 3.0
"""As at a table of people: a camera's pictures come as fast as they come, however much faster the dealer is."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    games: tuple[str, ...]
    database: Path
    seed: int | None = None
    speed: float = 1.0
    auto: bool = False
    host: str = "127.0.0.1"
    port: int = 8000
    bettors: int = 20
    shoe: str = "angel_eye"
    window_s: float = 15.0
    wallet: str = ""
    """The dialect of the operator's own wallet; empty where his bettors' purses lie in the studio."""
    rules: tuple[tuple[str, str], ...] = ()
    """House options by name, of every table whose game has them."""


def _window_s(wanted: float) -> float:
    """However slow the demo is, bets are taken for no longer than the house takes them."""
    return min(wanted, WINDOW_S)


def _presets(speed: float) -> dict[str, PresetSection]:
    """Every game, to change a table to."""
    return {
        game.key: PresetSection(
            title=game.title, game=game.key, window_s=_window_s(15 / speed), pot=POT if game.pot.bet else "",
            limits={"*": LimitSection(least_minor=100, most_minor=100_000)},
        )
        for game in HOUSE_GAMES
    }  # fmt: skip


def config_of(options: DemoOptions, api_key: str, wallet: WalletSection | None) -> StudioConfig:
    tables, devices = [], []
    for game in options.games:
        key = f"{game.replace('_', '-')}-1"
        ids = {role: f"{role}-{key}" for role in ("shoe", "shuffler", "camera")}
        drivers = {"shoe": options.shoe, "shuffler": "generic", "camera": "camera"}
        devices += [
            DeviceSection(id=id, driver=drivers[role], url=f"sim://{id}", commands=bool(commands_of(drivers[role])))
            for role, id in ids.items()
        ]
        tables.append(
            TableSection(
                key=key,
                title=f"{find_game(game).title} 1",
                game=game,
                shoe=ids["shoe"],
                shuffler=ids["shuffler"],
                camera=ids["camera"],
                window_s=_window_s(options.window_s / options.speed),
                unsure_after_s=UNSURE_S,
                pot=POT if find_game(game).pot.bet else "",
                rules=rules_of(game, options.rules),
            )
        )
    return StudioConfig(
        studio=StudioSection(
            title="Demo studio", database=str(options.database), evidence=str(options.database.parent / "evidence")
        ),
        server=ServerSection(host=options.host, port=options.port),
        devices=tuple(devices),
        tables=tuple(tables),
        pots={POT: PotSection(seed_minor=1_000_000, reset_minor=1_000_000)},
        presets={key.replace("_", "-"): preset for key, preset in _presets(options.speed).items()},
        decks=DecksSection.model_validate({"register": True, "backs": BACKS}),
        operators={OPERATOR: OperatorSection(key_sha256=digest_of_key(api_key), wallet=wallet)},
    )
