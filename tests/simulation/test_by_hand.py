"""A poker hand dealt by a person at the demo's page of hands, from the first card to the last pot."""

from __future__ import annotations

import pytest
from by_hand import ByHand

ROOMS = {"nlh": (2, 9), "short_deck": (2, 9), "plo": (2, 9), "ofc": (2, 3)}


@pytest.mark.parametrize(("game", "seats"), [(game, seats) for game, both in ROOMS.items() for seats in both])
def test_a_hand_is_dealt_by_hand_to_its_end_and_nothing_departs_from_procedure(game: str, seats: int) -> None:
    table = ByHand(game, seats)
    try:
        table.play_until(seats)
        assert table.told.incidents == []
    finally:
        table.close()
