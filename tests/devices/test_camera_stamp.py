"""When a picture was taken, by the times its own stream gives it: what lay unread is as old as it lay."""

from __future__ import annotations

import pytest

from devices.camera.source.stamp import SETTLE_S, UNDATED_S, Stamps

FRAME_S = 0.04
OPENED_S = 100.0


class Stream:
    """Pictures that are taken every 40 ms from a second after the opening on, and come when they are read."""

    def __init__(self) -> None:
        self.stamps, self.number = Stamps(OPENED_S), 0

    def age_s(self, late_s: float) -> float:
        """One more picture comes so late; how much older it is held to be than it is."""
        self.number += 1
        taken_s = OPENED_S + 1 + self.number * FRAME_S
        self.stamps.came(taken_s + late_s, self.number * FRAME_S)
        return taken_s - self.stamps.taken_s

    def settle(self) -> None:
        for _ in range(round(SETTLE_S / FRAME_S) + 10):
            self.age_s(0.0)


def test_what_comes_at_its_own_pace_was_taken_as_it_came() -> None:
    stream = Stream()
    assert stream.age_s(0.0) == pytest.approx(1 + FRAME_S), "it may have been kept since the opening"
    stream.settle()
    assert stream.age_s(0.0) == pytest.approx(0, abs=0.001)


@pytest.mark.parametrize("late_s", [0.3, 2.0, 6.0])
def test_what_lay_unread_is_as_old_as_it_lay(late_s: float) -> None:
    stream = Stream()
    stream.settle()
    assert stream.age_s(late_s) == pytest.approx(0, abs=0.01)
    for _ in range(round(60 / FRAME_S)):
        assert stream.age_s(late_s) == pytest.approx(0, abs=0.02), "also after a minute of it"


def test_a_reader_that_never_keeps_up_never_takes_a_picture_for_newer_than_it_is() -> None:
    stream = Stream()
    assert min(stream.age_s(2 + number * FRAME_S / 2) for number in range(1_000)) >= 0


def test_times_that_begin_anew_make_no_picture_newer() -> None:
    stream = Stream()
    stream.settle()
    before_s = stream.stamps.taken_s
    stream.stamps.came(before_s + 3, 0.04)
    assert stream.stamps.taken_s == pytest.approx(before_s)
    stream.stamps.came(before_s + 3.04, 0.08)
    assert stream.stamps.taken_s == pytest.approx(before_s + 0.04)


def test_a_picture_without_a_time_may_have_lain_for_long() -> None:
    stamps = Stamps(OPENED_S)
    stamps.came(OPENED_S + 1, 0.0)
    assert stamps.taken_s == OPENED_S
    stamps.came(OPENED_S + 60, 0.0)
    assert stamps.taken_s == OPENED_S + 60 - UNDATED_S
