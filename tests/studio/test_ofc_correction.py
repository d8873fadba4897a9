"""A settled hand of Open-Face Chinese, corrected: a card that was read wrong, and a hand that is void after all."""

from __future__ import annotations

import pytest
from correction_bench import correct, replaced
from open_face_bench import OpenFaceBench

from studio.cards import DECK
from studio.errors import RefusedError
from studio.rounds import CardDealt, HandsExchanged, Laid, corrected
from studio.tables.event import table as e


def played() -> OpenFaceBench:
    bench = OpenFaceBench("ann bob", seed=6).open()
    bench.hand()
    bench.play_out()
    bench.end_hand()
    return bench


def test_a_card_read_wrong_in_a_row_is_put_right_and_the_points_with_it() -> None:
    bench = played()
    seen = {fact.card.card() for fact in bench.round.deal.cards.values() if isinstance(fact, CardDealt)}
    spare = next(card for card in DECK if card not in seen and card in bench.deck)
    wrong = bench.round.deal.cards["seat2_bottom", 1]
    righting = replaced(bench, "seat2_bottom", 1, str(spare))
    assert righting.id == wrong.card.id
    told = [
        face for fact in corrected([*bench.round.deal.facts, righting]) if isinstance(fact, Laid) for face in fact.faces
    ]
    assert spare in told
    correct(bench, righting)
    [resettled] = bench.rows("RoundResettled")
    assert isinstance(resettled, e.RoundResettled)
    assert str(spare) in resettled.outcome["seats"]["seat2"]["bottom"]["cards"]
    bench.check()
    bench.close()


def test_two_seats_are_not_exchanged_once_their_cards_are_laid() -> None:
    bench = played()
    with pytest.raises(RefusedError) as found:
        correct(bench, HandsExchanged(a="seat1", b="seat2"))
    assert found.value.sentence.endswith(".")
    bench.check()
    bench.close()
