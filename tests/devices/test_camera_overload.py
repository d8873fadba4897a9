"""A machine with too much to do: pictures are left out, fairly, and said to be; what was read of one never is."""

from __future__ import annotations

import functools
import random
import threading

import pytest
from patience import PATIENCE_S, wait_until

from devices.camera.face.reader import CardReader
from devices.camera.felt.layout import layout_for
from devices.camera.pace.load import Flow
from devices.camera.pace.lookout import Behind, LatePictures, Lookout, LookTurns
from devices.camera.watch import Watcher, WatchSettings
from devices.sim.felt import SimFelt
from devices.sim.picture.felt_render import FeltLook, FeltRenderer
from studio.cards import DECK, Sealer
from studio.ports import CameraCaughtUp, CameraFellBehind, CameraSawCard, CardFace

FRAME_S = 0.2
LAYOUT = layout_for({"banker": 3, "player1": 3})
CARDS = (("banker", 1), ("banker", 2), ("player1", 1), ("player1", 2))


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Camera:
    """Five pictures a second by a clock that is set by hand; only the newest is kept."""

    url = "sim://slow"

    def __init__(self, renderer: FeltRenderer, clock: Clock) -> None:
        self._renderer = renderer
        self._clock = clock
        self._given = 0
        self.flow = Flow()

    @property
    def _newest(self) -> int:
        return int(self._clock() / FRAME_S)

    def wait(self, timeout_s: float) -> bool:
        if self._newest == self._given:
            self._clock.now_s += timeout_s
        return self._newest > self._given

    def grab(self, now_ms: int):
        if self._newest == self._given:
            return None
        unseen, self._given = self._newest - self._given - 1 if self._given else 0, self._newest
        age_ms = (self._clock() - self._newest * FRAME_S) * 1000
        self.flow = Flow(self.flow.taken + unseen + 1, self.flow.skipped + unseen, age_ms)
        return self._renderer.frame(now_ms)

    def close(self) -> None:
        pass


class SlowReader(CardReader):
    """A reader on a machine that has other things to do."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.slow_s = 0.0
        self._clock = clock

    def scores(self, cards):
        self._clock.now_s += self.slow_s
        return super().scores(cards)


@functools.cache
def camera() -> FeltRenderer:
    return FeltRenderer(SimFelt(LAYOUT, random.Random(1)), 1, FeltLook(hands=False))


@pytest.fixture
def clock():
    return Clock()


class Table:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.felt = SimFelt(LAYOUT, random.Random(1))
        self.camera = Camera(camera().over(self.felt), clock)
        self.reader = SlowReader(clock)
        settings = WatchSettings(reader=self.reader, clock_s=clock)
        watcher = Watcher(self.camera, self.felt.layout, Sealer(random.Random(2).randbytes), settings=settings)
        self.lookout = Lookout(watcher, LookTurns(1), clock_s=clock)
        self.told = []

    def run(self, lasts_s: float) -> None:
        until_s = self.clock() + lasts_s
        while self.clock() < until_s:
            self.told += self.lookout.step(int(self.clock() * 1000))

    def seen(self, kind):
        return [one for one in self.told if isinstance(one, kind)]


def test_under_load_pictures_are_shed_and_said_to_be_every_card_is_read_once_and_it_passes(clock):
    table = Table(clock)
    table.run(0.6)
    table.reader.slow_s = 1.3
    for number, slot in enumerate(CARDS):
        table.felt.lay(*slot, DECK[number * 7], CardFace.UP)
    table.run(6)
    assert table.camera.flow.skipped > table.camera.flow.taken / 3
    (late,) = table.seen(CameraFellBehind)
    assert late.behind_ms > 300
    assert not table.seen(CameraCaughtUp)
    table.reader.slow_s = 0.0
    table.run(6)
    assert len(table.seen(CameraCaughtUp)) == 1
    read = [(one.zone, one.place, one.card.card()) for one in table.seen(CameraSawCard) if one.card]
    assert sorted(read) == sorted((*slot, DECK[number * 7]) for number, slot in enumerate(CARDS))


def test_the_time_a_camera_waited_for_its_turn_is_not_taken_from_its_observations(clock):
    class Waited(LookTurns):
        def turn(self, looked_s):
            clock.now_s += 0.75
            return super().turn(looked_s)

    stamps = []

    class Watched:
        id, flow = "camera", Flow()

        def wait(self, timeout_s):
            return True

        def step(self, now_ms):
            stamps.append(now_ms)
            return []

        def close(self):
            pass

    Lookout(Watched(), Waited(1), clock_s=clock).step(5_000)
    assert stamps == [5_750]


# --- the notice -----------------------------------------------------------------------------------------


def follow(looks):
    """What was told at each of `(seconds, lag in ms, pictures shed)`."""
    behind = Behind()
    return [(now_s, said) for now_s, lag_ms, shed in looks if (said := behind.looked(now_s, lag_ms, shed))]


def test_a_camera_that_keeps_up_says_nothing_of_it():
    assert follow([(n * 0.2, 40, 0) for n in range(60)]) == []


def test_one_late_picture_is_no_news():
    assert follow([(n * 0.2, 1_500 if n == 10 else 30, 0) for n in range(60)]) == []


def test_late_pictures_are_told_once_they_have_lasted():
    ((at_s, late),) = follow([(n * 0.2, 3_000, 0) for n in range(25)])
    assert isinstance(late, LatePictures)
    assert 1.5 <= at_s < 3
    assert 1_500 < late.behind_ms <= 3_000


def test_pictures_left_out_are_told_though_those_looked_at_are_fresh():
    told = follow([(n * 0.6, 80, 2) for n in range(20)])
    assert len(told) == 1
    assert told[0][1].behind_ms < 100
    assert told[0][1].shed_percent > 30


def test_the_figure_is_told_again_only_when_it_has_changed_by_a_second():
    told = follow([(n * 0.5, 2_000 if n < 40 else 6_000, 0) for n in range(80)])
    assert [round(late.behind_ms, -3) for _, late in told] == [2_000, 3_000, 6_000]
    assert told[2][0] - told[1][0] >= 5


def test_it_is_over_only_when_all_is_well_for_a_while():
    looks = [(n * 0.2, 3_000, 0) for n in range(20)]
    looks += [(4 + n * 0.2, 20, 0) for n in range(10)]
    looks += [(6 + n * 0.2, 3_000, 0) for n in range(5)]
    assert [said is True for _, said in follow(looks)] == [False]
    looks += [(7 + n * 0.2, 20, 0) for n in range(40)]
    assert [said is True for _, said in follow(looks)] == [False, True]


# --- turns ----------------------------------------------------------------------------------------------


def test_so_many_look_at_once_and_no_more():
    turns = LookTurns(2)
    with turns.turn(0), turns.turn(0):
        third = threading.Thread(target=lambda: turns.turn(0).__enter__())
        third.start()
        wait_until(lambda: turns.waiting == 1)
    third.join(PATIENCE_S)
    assert turns.waiting == 0


def test_the_camera_that_has_not_looked_for_the_longest_is_next():
    turns, order, threads = LookTurns(1), [], []

    def look(looked_s):
        with turns.turn(looked_s):
            order.append(looked_s)

    with turns.turn(0):
        for number, looked_s in enumerate((7.0, 3.0, 9.0, 1.0, 5.0), 1):
            threads.append(threading.Thread(target=look, args=(looked_s,)))
            threads[-1].start()
            wait_until(lambda number=number: turns.waiting == number)
    for thread in threads:
        thread.join(PATIENCE_S)
    assert order == [1.0, 3.0, 5.0, 7.0, 9.0]


def test_a_turn_is_given_back_by_whoever_fails():
    turns = LookTurns(1)
    with pytest.raises(ZeroDivisionError), turns.turn(0):
        raise ZeroDivisionError
    with turns.turn(0):
        assert turns.waiting == 0
