"""A row about one operator's wallet that cannot be read, as of a newer version: his alone stands still, loudly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import wait_until
from running_studio import House
from two_operators import MONEY, Pair, two_operators

from dealer_ui.floor.cause import causes_of
from dealer_ui.teller.followed_wallet import AGAIN_MS
from studio.journal import Entry, Unit
from studio.proof.audit.database import verify

OF_SOUTH = b'{"wallet":{"kind":"WalletTold","operator":"south","at_ms":1,"id":"x","word":"of_a_newer_version"}}'
OF_NOBODY = b'{"wallet":{"kind":"WalletTold","at_ms":1}}'
DOUBT = "wallet_doubt"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    with two_operators(tmp_path) as made:
        yield made


def write(house: House, body: bytes) -> None:
    house.floor.commit(Unit(entries=(Entry("WalletTold", house.floor.now_ms(), body),)))


def in_doubt(house: House) -> list[str]:
    """By the alarms of the pit."""
    return [one.about for one in causes_of(house.floor) if one.word == DOUBT]


def test_it_stops_its_operators_wallet_and_no_other(pair: Pair, tmp_path: Path) -> None:
    house = pair.house
    assert pair.bet("north", "n1") == "accepted"
    write(house, OF_SOUTH)
    wait_until(lambda: in_doubt(house) == ["south"])
    assert pair.bet("south", "s1") == "wallet_silent"
    assert pair.bet("north", "n2") == "accepted"
    pair.void()
    wait_until(lambda: pair.north.balance == MONEY)
    house.studio.stop()
    with House(tmp_path, wallet=pair.north.section, south=pair.south.section) as again:
        assert in_doubt(again) == ["south"], "a start stops no other wallet either"
        assert again.floor.tellers.of("north").desk.known  # type: ignore[union-attr]


def test_one_that_does_not_say_whose_it_is_stops_all_of_them(pair: Pair) -> None:
    write(pair.house, OF_NOBODY)
    wait_until(lambda: in_doubt(pair.house) == ["north", "south"])
    assert pair.bet("north", "n1") == "wallet_silent"


def test_a_wallet_in_doubt_is_folded_anew_and_asked_again_and_is_not_summed_up_before(pair: Pair) -> None:
    house, desk = pair.house, pair.teller("south").desk
    assert pair.bet("south", "s1") == "accepted"
    desk.doubt()
    assert pair.bet("south", "s2") == "wallet_silent"
    assert not desk.keep(), "whoever began with this sum would believe it"
    pair.later(AGAIN_MS)
    wait_until(lambda: desk.known)
    assert not in_doubt(house)
    assert pair.bet("south", "s3") == "accepted"
    pair.void()
    wait_until(lambda: pair.south.balance == MONEY)
    assert desk.keep()
    house.studio.stop()
    assert verify(str(house.database)).ok
