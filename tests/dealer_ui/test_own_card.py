"""A process that somebody has taken over asks a host for keys of sealed cards: it gets those of hands that are over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from api_fake_floor import FakeFloor
from test_api_hands import play

from dealer_ui.wire.call import OWN_KEY
from dealer_ui.wire.host_end import HostEnd
from dealer_ui.wire.message import Ask, pack, read_told
from tests.studio.dealt_hand import DealtHand

GAME = "nlh"


@pytest.fixture
def floor() -> Iterator[FakeFloor]:
    floor = FakeFloor()
    yield floor
    floor.close()


def keys(floor: FakeFloor, dealt: DealtHand, bettor: str, round: str) -> dict[str, int]:
    """How many keys a web node gets of each seat's cards, when it asks for this bettor."""
    end = HostEnd(None, floor, "run-1")  # type: ignore[arg-type]  # nothing is said on a wire

    def key(card: str) -> bytes | None:
        given = OWN_KEY.pack(("north", bettor, round, card))
        told = read_told(end.answer(pack(Ask("ask-1", "run-1", OWN_KEY.name, given))))
        return OWN_KEY.unpack_answer(told.of)

    return {seat: sum(key(card.id) is not None for card in cards) for seat, cards in dealt.sealed.items()}


def test_of_a_hand_that_is_over_a_player_has_the_keys_of_his_own_cards_alone(floor: FakeFloor) -> None:
    dealt = play(floor, GAME, seed=1)
    first, *others = dealt.terms.seats
    found = keys(floor, dealt, "ann", f"{GAME}-1-1")
    assert found[first] == len(dealt.sealed[first]) > 0
    assert {found[seat] for seat in others} == {0}
    assert set(keys(floor, dealt, "bob", f"{GAME}-1-1").values()) == {0}


@pytest.mark.parametrize("end", ["open", "voided"])
def test_of_a_hand_that_is_played_still_no_other_process_has_a_key(floor: FakeFloor, end: str) -> None:
    dealt = play(floor, GAME, seed=1, end=end)
    assert set(keys(floor, dealt, "ann", f"{GAME}-1-1").values()) == {0}
