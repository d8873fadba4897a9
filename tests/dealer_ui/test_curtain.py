"""What was hidden on a felt stays hidden in every picture that was taken by then, whoever has looked meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from structlog.testing import capture_logs
from table_bench import CONFIG, DOWN, PIT, UP, Bench, bench
from test_live_picture import Source

from dealer_ui.assembly.device_parts import LOOKED_S, Tap
from dealer_ui.floor import curtain
from dealer_ui.floor.curtain import KEPT_MOST, TAKEN_MS, Curtains
from dealer_ui.floor.floor import Floor
from devices.camera.felt.calibration import Calibration, calibrate_from_corners
from devices.camera.felt.layout import layout_for
from devices.camera.picture.frame import decoded
from devices.technician.camera_bench import CameraBench
from studio.cards import parse_cards
from studio.diagnosis import Unseen
from studio.errors import SealedError
from studio.games import find_game
from studio.tables import command as c
from studio.tables.state.table import Status, TableState
from studio.value import replace
from studio.views.felt import OUT_OF_PLAY, hidden_zones

WIDTH, HEIGHT = 640, 360
PLAYER, DEALER = parse_cards("Ts Td 4h"), parse_cards("Qs 9d 5c")
LAYOUT = layout_for(find_game("three_card_poker").felt.zones)
SEALED = frozenset({*OUT_OF_PLAY, "dealer"})


@pytest.fixture
def table() -> Iterator[Bench]:
    """Three Card Poker: a round begun, nothing dealt yet."""
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as made:
        made.deposit(10_000)
        made.open()
        made.do(c.StartRound)
        yield made


def deal(table: Bench) -> None:
    """The player's cards lie open, the dealer's face down."""
    table.betting(("ante", 1000))
    for card in (card for pair in zip(PLAYER, DEALER, strict=True) for card in pair):
        slot = table.next_slot()
        table.draw(card)
        table.lay(*slot, card if slot[0] == "player" else None, UP if slot[0] == "player" else DOWN)


def decide(table: Bench) -> None:
    table.do(c.OpenBetting)
    table.wait(15)


# --- what is hidden now -----------------------------------------------------------------------------------


def test_hidden_is_where_a_card_lies_face_down_or_the_next_one_will(table: Bench) -> None:
    assert hidden_zones(table.state) == set(OUT_OF_PLAY)
    table.betting(("ante", 1000))
    table.draw(PLAYER[0])
    table.lay("player", 1, PLAYER[0], UP)
    assert table.next_slot() == ("dealer", 1)
    assert hidden_zones(table.state) == SEALED, "before it lies there"
    table.do(c.FreezeTable, PIT)
    assert hidden_zones(table.state) == SEALED, "whoever stops the table opens nothing"


def test_a_reveal_opens_a_zone_and_a_closed_table_hides_nothing(table: Bench) -> None:
    deal(table)
    assert hidden_zones(table.state) == SEALED
    assert hidden_zones(replace(table.state, status=Status.CLOSED)) == set()
    decide(table)
    for number, card in enumerate(DEALER, 1):
        table.lay("dealer", number, card, UP)
    assert hidden_zones(table.state) == set(OUT_OF_PLAY)


# --- what was hidden since --------------------------------------------------------------------------------


class Hung:
    """The curtains of one table, and a clock."""

    def __init__(self) -> None:
        self.now_ms = 100_000
        self.curtains = Curtains(lambda: self.now_ms)

    def draw(self, state: TableState, *, at_ms: int) -> None:
        self.now_ms = at_ms
        self.curtains.draw(state)

    def since(self, came_ms: int) -> set[str]:
        return set(self.curtains.since(CONFIG.key, came_ms))


def test_a_zone_that_was_hidden_when_a_picture_was_taken_stays_hidden_in_it(table: Bench) -> None:
    hung, idle = Hung(), table.state
    deal(table)
    sealed = table.state
    hung.draw(idle, at_ms=100_000)
    hung.draw(sealed, at_ms=101_000)
    hung.draw(idle, at_ms=103_000)
    hung.draw(replace(idle, status=Status.CLOSED), at_ms=104_000)
    assert hung.since(99_000) == hung.since(102_999) == SEALED, "also in one that was taken before: it is no newer"
    assert hung.since(103_000 + TAKEN_MS - 1) == SEALED, "it was taken before it came"
    assert hung.since(103_000 + TAKEN_MS) == hung.since(104_000) == set(OUT_OF_PLAY)
    assert hung.since(104_000 + TAKEN_MS) == set()


def test_while_the_disk_takes_nothing_every_place_is_hidden(table: Bench) -> None:
    """What is laid meanwhile is not on record: nobody can tell where a face may not be seen."""
    hung = Hung()
    hung.draw(table.state, at_ms=100_000)
    hung.now_ms = 101_000
    hung.curtains.draw(table.state, unstored=True)
    assert hung.since(102_000) == {*OUT_OF_PLAY, *table.state.game.felt.zones}
    hung.draw(table.state, at_ms=103_000)
    assert hung.since(103_000 + TAKEN_MS) == set(OUT_OF_PLAY)
    assert hung.since(103_000) > SEALED


def test_every_place_stays_hidden_until_what_waited_for_the_disk_is_on_record(table: Bench) -> None:
    """A card may lie face down there: the disk takes it only after the freeze of the table."""
    told: list[bool] = []
    table.betting(("ante", 1000))
    table.table._table._publish = lambda state, book, seq: told.append(
        table.table.unstored or hidden_zones(state) >= SEALED
    )
    table.disk_full = True
    table.draw(PLAYER[0])
    table.lay("player", 1, PLAYER[0], UP)
    table.draw(DEALER[0])
    table.lay("dealer", 1, DEALER[0], DOWN)
    table.disk_full = False
    table.tick()
    assert len(told) > 2
    assert all(told)
    assert not table.table.unstored


def test_what_is_too_long_ago_to_be_told_apart_is_hidden_together(table: Bench) -> None:
    hung, idle = Hung(), table.state
    deal(table)
    for turn in range(KEPT_MOST):
        hung.draw(table.state, at_ms=100_000 + 200 * turn)
        hung.draw(idle, at_ms=100_100 + 200 * turn)
    assert len(hung.curtains._drawn[CONFIG.key]) == KEPT_MOST
    assert hung.since(1) == SEALED
    assert hung.since(hung.now_ms + TAKEN_MS) == set(OUT_OF_PLAY)


def test_bets_are_not_looked_at_for_the_felt(table: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come by the thousand; whatever else changes is looked at."""
    looked: list[TableState] = []

    def counted(state: TableState) -> frozenset[str]:
        looked.append(state)
        return hidden_zones(state)

    monkeypatch.setattr(curtain, "hidden_zones", counted)
    hung = Hung()
    table.do(c.OpenBetting)
    hung.draw(table.state, at_ms=1)
    before = table.state
    assert table.bet("ante", 1000).status == "accepted"
    assert table.state is not before
    hung.draw(table.state, at_ms=2)
    assert len(looked) == 1
    table.wait(15)
    hung.draw(table.state, at_ms=3)
    assert len(looked) == 2


def test_a_felt_that_cannot_be_told_is_hidden_whole_and_stops_nobody(
    table: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(state: TableState) -> frozenset[str]:
        raise SealedError("no key")

    hung = Hung()
    hung.draw(table.state, at_ms=100_000)
    monkeypatch.setattr(curtain, "hidden_zones", torn)
    deal(table)
    with capture_logs() as logs:
        hung.draw(table.state, at_ms=101_000)
        decide(table)
        hung.draw(table.state, at_ms=102_000)
    assert hung.since(110_000) == {*OUT_OF_PLAY, *table.state.game.felt.zones}
    assert len(logs) == 1, "told once"


def test_a_table_is_covered_before_its_board_is_shown(table: Bench) -> None:
    order: list[str] = []
    floor = SimpleNamespace(
        _curtains=SimpleNamespace(draw=lambda state, **said: order.append("covered")),
        _workers={table.state.config.key: SimpleNamespace(runtime=SimpleNamespace(unstored=False))},
        _board=SimpleNamespace(publish=lambda *shown: order.append("shown")),
        duty=SimpleNamespace(follow=lambda state: None),
        tellers=SimpleNamespace(nudge=lambda: None),
    )
    Floor.publish(floor, table.state, None, 1)  # type: ignore[arg-type]
    assert order == ["covered", "shown"]


def test_a_card_that_should_not_lie_there_is_hidden_face_down() -> None:
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as made:
        made.deposit(10_000)
        made.open()
        made.draw(DEALER[0])
        made.lay("player", 2, None, DOWN)
        assert hidden_zones(made.state) == {*OUT_OF_PLAY, "player"}


def test_of_another_game_all_is_hidden_in_pictures_from_before(table: Bench) -> None:
    hung, state = Hung(), table.state
    hung.draw(state, at_ms=100_000)
    knights = find_game("three_knights")
    other = replace(state, round=None, config=replace(state.config, game=knights.key))
    hung.draw(other, at_ms=101_000)
    assert hung.since(100_900) == {*OUT_OF_PLAY, *knights.felt.zones}
    assert hung.since(101_000 + TAKEN_MS) == hidden_zones(other)


# --- the pictures -----------------------------------------------------------------------------------------


class Sight:
    """A table's camera with pictures of one grey each, and what is shown of them."""

    def __init__(self, hung: Hung) -> None:
        self.hung, self.source = hung, Source()
        self.tap = Tap(self.source, lambda: hung.now_ms / 1000)
        corners = [(10.0, 10.0), (WIDTH - 10.0, 10.0), (WIDTH - 10.0, HEIGHT - 10.0), (10.0, HEIGHT - 10.0)]
        self.calibration: Calibration | None = calibrate_from_corners(corners, LAYOUT, (WIDTH, HEIGHT))
        self.bench = CameraBench(
            "cam", LAYOUT, self, frame=self.tap.jpeg, hidden=lambda came: hung.since(came), path=Path("nowhere")
        )  # fmt: skip

    @property
    def came_ms(self) -> int | None:
        return self.tap.came_ms()

    def recalibrate(self, fixed: Calibration | None) -> None: ...

    def come(self, grey: int) -> None:
        frame = np.full((HEIGHT, WIDTH, 3), grey, np.uint8)
        self.source.come(cv2.imencode(".jpg", frame)[1].tobytes(), self.hung.now_ms / 1000)

    def look(self) -> None:
        """The watcher's turn."""
        self.tap.grab(self.hung.now_ms)

    def seen(self, zone: str) -> int | None:
        """The grey of a zone; None where it is painted over, or no picture is shown."""
        found = self.bench.picture()
        frame = None if isinstance(found, Unseen) else decoded(found[0])
        assert frame is not None
        assert self.calibration is not None
        region = next(one for one in LAYOUT.regions if one.zone == zone)
        ((x, y),) = self.calibration.px(np.array([[region.x_mm, region.y_mm]]))
        blue, green, red = (int(part) for part in frame[int(y), int(x)])
        return blue if max(abs(blue - green), abs(blue - red)) < 6 else None


@pytest.mark.parametrize("asked", [True, False], ids=["somebody looks meanwhile", "nobody does"])
def test_the_picture_that_is_fallen_back_to_is_covered_as_it_was(table: Bench, asked: bool) -> None:
    """Also where newer ones were shown between, and at a closed table."""
    hung, idle = Hung(), table.state
    sight = Sight(hung)
    deal(table)
    hung.draw(table.state, at_ms=hung.now_ms)
    sight.come(200)
    sight.look()
    assert not asked or sight.seen("dealer") is None
    hung.now_ms += 1_000
    sight.come(120)
    assert not asked or sight.seen("dealer") is None
    hung.draw(idle, at_ms=hung.now_ms + 500)
    hung.now_ms += round(LOOKED_S * 1000)
    assert sight.seen("player") == pytest.approx(200, abs=3), "the watcher's own last one"
    assert sight.seen("dealer") is None
    hung.draw(replace(idle, status=Status.CLOSED), at_ms=hung.now_ms)
    assert (sight.seen("dealer"), sight.seen("discard")) == (None, None)
    hung.now_ms += TAKEN_MS
    sight.come(80)
    sight.look()
    assert sight.seen("dealer") == pytest.approx(80, abs=3)


def test_the_newest_picture_is_older_than_what_opened_its_zone(table: Bench) -> None:
    hung, idle = Hung(), table.state
    sight = Sight(hung)
    deal(table)
    hung.draw(table.state, at_ms=hung.now_ms)
    sight.come(200)
    sight.look()
    hung.draw(idle, at_ms=hung.now_ms + 100)
    assert sight.seen("dealer") is None
    hung.now_ms += TAKEN_MS
    sight.come(120)
    assert sight.seen("dealer") == pytest.approx(120, abs=3)
