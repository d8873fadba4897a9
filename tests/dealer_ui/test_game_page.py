"""The page on which the pit changes a table's game and limits, in a running studio with a camera that follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running_studio import TABLE, House

from dealer_ui.assembly.table_room import Followers, WatchedCamera
from dealer_ui.config.file import LimitSection, PresetSection, load_config
from devices.camera.felt.calibration import Calibration
from devices.camera.felt.layout import Layout, layout_for
from studio.errors import BadInputError
from studio.games import find_game

PRESETS = {
    "high": PresetSection(
        title="High", game="three_knights", limits={"*": LimitSection(least_minor=1000, most_minor=900_000)}
    ),
    "ultimate": PresetSection(title="Ultimate", game="ultimate_holdem", window_s=12),
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, window_s=15) as found:
        found.floor.config = found.floor.config.model_copy(update={"presets": PRESETS})
        found.staff()
        found.links()
        yield found


def visit(house: House, badge: str = "2001", pin: str = "730162") -> Any:
    visitor = house.studio.app.test_client()
    visitor.post("/sign-in", data={"badge": badge, "pin": pin})
    return visitor


def send(house: House, **fields: str) -> Any:
    visitor = visit(house)
    page = visitor.get(f"/pit/{TABLE}/game").get_data(as_text=True)
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    told = {"reason_code": "other", "words": "Quiet.", "pin": "730162", "csrf": csrf, **fields}
    return visitor.post(f"/pit/{TABLE}/game", data=told)


def test_the_page_shows_each_choice_with_its_limits(house: House) -> None:
    page = visit(house).get(f"/pit/{TABLE}/game?preset=high").get_data(as_text=True)
    for word in ("High", "Ultimate", "as configured", "€10.00 – €9,000.00", 'value="10.00"'):
        assert word in page


def test_a_preset_is_taken_over_with_the_limits_as_typed(house: House) -> None:
    assert send(house, preset="high", **{"least.*": "2.50", "window_s": "10"}).status_code == 303
    view = house.view
    assert (view.game.limits["player1_win"], view.game.window_s, view.game.preset) == ((250, 900_000), 10, "high")
    assert "changed by Petra" in visit(house).get(f"/pit/{TABLE}").get_data(as_text=True)
    assert send(house, preset="").status_code == 303
    assert house.view.game.changed_by == ""


def test_the_most_the_house_may_lose_is_shown_and_taken_over_as_typed(house: House) -> None:
    page = visit(house).get(f"/pit/{TABLE}/game").get_data(as_text=True)
    assert 'name="exposure_most"' in page
    assert 'value="10000000.00"' in page
    assert send(house, preset="", exposure_most="5000").status_code == 303
    assert house.studio.workers[0].runtime.state.config.exposure_most_minor == 500_000


def test_the_operators_and_the_display_follow_the_game_at_once(house: House) -> None:
    assert send(house, preset="ultimate").status_code == 303
    state = house.get(f"/tables/{TABLE}").json
    assert state["game"] == "ultimate_holdem"
    assert "Ultimate" in visit(house).get(f"/display/{TABLE}").get_data(as_text=True)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        pytest.param({"preset": "none"}, "no such game", id="no-such-preset"),
        pytest.param({"preset": "high", "least.*": "ten"}, "amount", id="no-amount"),
        pytest.param({"preset": "high", "least.*": "9", "most.*": "8"}, "least stake", id="upside-down"),
        pytest.param({"preset": "high", "window_s": "soon"}, "seconds", id="no-number"),
        pytest.param({"preset": "high", "exposure_most": "399.99"}, "raise that limit", id="less-than-one-bet"),
        pytest.param({"preset": "high", "pin": ""}, "PIN", id="no-pin"),
        pytest.param({"preset": "high", "words": ""}, "few words", id="no-words"),
        pytest.param({}, "Nothing would change", id="nothing-new"),
    ],
)
def test_what_is_refused_is_said_on_the_page(house: House, given: dict[str, str], word: str) -> None:
    answer = send(house, **{"preset": "", **given})
    assert answer.status_code == 409
    assert word in answer.get_data(as_text=True)
    assert house.view.game.changed_by == ""


def test_a_dealer_does_not_see_the_page(house: House) -> None:
    assert visit(house, "1001", "4826").get(f"/pit/{TABLE}/game").status_code == 403


def test_the_change_outlasts_a_restart_of_the_studio(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.floor.config = house.floor.config.model_copy(update={"presets": PRESETS})
        house.staff()
        house.links()
        assert send(house, preset="ultimate").status_code == 303
    with House(tmp_path) as house:
        assert (house.view.game.key, house.view.game.changed_by) == ("ultimate_holdem", "Petra")


class _Watcher:
    id = "camera"

    def __init__(self) -> None:
        self.laid: list[Layout | None] = []

    def recalibrate(self, fixed: Calibration | None, layout: Layout | None = None) -> None:
        self.laid.append(layout)


class _Bench:
    def lay_out(self, device: str, layout: Layout) -> None:
        self.layout = layout


def test_a_camera_follows_the_game_of_its_table_once() -> None:
    watcher, bench = _Watcher(), _Bench()
    eye = WatchedCamera(watcher, bench, lambda layout: None, "three_knights")  # type: ignore[arg-type]
    for game in ("three_knights", "blackjack", "blackjack"):
        eye.follow(game)
    assert watcher.laid == [layout_for(find_game("blackjack").felt.zones)]
    assert bench.layout is watcher.laid[0]
    assert Followers().eyes == []


@pytest.mark.parametrize(
    ("preset", "key"),
    [
        pytest.param('title = "X"\ngame = "snap"', "presets.x.game", id="no-such-game"),
        pytest.param('title = "X"\ngame = "kkclash"\nrules = { six = "even" }', "presets.x.rules", id="no-such-rule"),
        pytest.param('title = "X"\ngame = "three_knights"\npot = "p"', "presets.x.pot", id="no-such-pot"),
    ],
)
def test_a_preset_of_the_file_is_checked_when_it_is_read(tmp_path: Path, preset: str, key: str) -> None:
    path = tmp_path / "studio.toml"
    path.write_text(f'[[tables]]\nkey = "t"\ntitle = "T"\ngame = "three_knights"\n\n[presets.x]\n{preset}\n')
    with pytest.raises(BadInputError, match=key.replace(".", r"\.")):
        load_config(path)
