"""The camera over a whole hand of Open-Face Chinese, rendered: it says nothing wrong, and misses nothing."""

from __future__ import annotations

import pytest

from bench.open_face_watching import watch_hands


@pytest.mark.long
def test_every_card_of_a_hand_is_told_as_it_lies() -> None:
    watched = watch_hands(1, seed=2)
    assert (watched.wrong, watched.missed) == (0, 0)
    assert watched.told >= 3 * 13 + 2 * 17 + 17
    assert watched.unsure <= 1
