"""When a picture was taken, by the times its own stream gives it: what lay unread is as old as it lay."""

from __future__ import annotations

import pytest

from devices.camera.source.stamp import DRIFT, SETTLE_S, UNDATED_S, Stamps

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
    assert stream.age_s(late_s) == pytest.approx(0, abs=late_s * DRIFT + 0.01)
    for _ in range(round(60 / FRAME_S)):
        assert stream.age_s(late_s) == pytest.approx(0, abs=70 * DRIFT + 0.01), "also after a minute of it"


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
    assert stamps.dated, "the times of many streams begin at 0"
    stamps.came(OPENED_S + 60, 0.0)
    assert stamps.taken_s == OPENED_S + 60 - UNDATED_S
    stamps.came(OPENED_S + 61, 0.0)
    assert not stamps.dated


@pytest.mark.parametrize("every_s", [0.2, 0.0667])
def test_times_made_up_at_a_quicker_pace_than_pictures_come_count_as_none(every_s: float) -> None:
    stamps = Stamps(OPENED_S)
    for number in range(1, 3_000):
        came_s = OPENED_S + number * every_s
        stamps.came(came_s, number * FRAME_S)
        assert came_s - UNDATED_S <= stamps.taken_s <= came_s
    assert not stamps.dated
    assert stamps.taken_s == pytest.approx(came_s - UNDATED_S)


def test_times_made_up_at_a_slower_pace_are_believed_no_further_than_a_buffer_holds() -> None:
    stamps = Stamps(OPENED_S)
    for number in range(1, 3_000):
        came_s = OPENED_S + number * FRAME_S / 1.5
        stamps.came(came_s, number * FRAME_S)
        ahead_s = number * FRAME_S / 3
        assert stamps.dated or ahead_s > UNDATED_S - FRAME_S
        assert not stamps.dated or ahead_s < UNDATED_S + FRAME_S
    assert stamps.taken_s == pytest.approx(came_s - UNDATED_S)


def test_thirty_pictures_a_second_that_are_a_thousandth_fewer_grow_no_older() -> None:
    stamps = Stamps(OPENED_S)
    for number in range(1, 120_000):
        came_s = OPENED_S + number * 1.001 / 30
        stamps.came(came_s, number / 30)
    assert came_s - stamps.taken_s < 0.1


def test_a_stream_that_was_far_behind_and_comes_up_is_dated_again() -> None:
    stream = Stream()
    stream.settle()
    stream.age_s(UNDATED_S + 5)
    assert not stream.stamps.dated
    assert stream.age_s(0.0) == pytest.approx(0, abs=0.01)
    assert stream.stamps.dated
