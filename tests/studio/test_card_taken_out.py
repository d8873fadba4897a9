"""A card that was shown with its hand cannot be taken out of the deal any more: the table says so and goes on."""

from __future__ import annotations

from open_face_bench import OpenFaceBench
from poker_bench import CHIPS, PokerBench
from table_bench import PIT, Bench

from studio.rounds import Laid
from studio.tables.state.round import Stage


def _is_void_after_a_refusal(bench: Bench) -> None:
    assert bench.refused_ruling("card_to_discard") == "hand_shown"
    assert not bench.state.pit.freeze.by
    bench.report("malfunction", PIT)
    bench.rule("void_round", PIT, kind="malfunction")
    if any(one.asked is not None for one in bench.state.incidents.open):
        bench.approve(kind="malfunction")
    bench.pay()
    assert bench.round.stage is Stage.VOIDED
    bench.check()


def test_a_hole_card_of_a_hand_that_was_shown() -> None:
    bench = PokerBench().open()
    bench.hand("Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc")
    bench.acts("raise 300", "call", "fold", "check", "bet 500", "call", "check", "check", "check", "check", "show")
    bench.report("boxed_card", slot=("seat1", 1), count="1")
    _is_void_after_a_refusal(bench)
    assert bench.stacks() == dict.fromkeys(bench.stacks(), CHIPS)
    bench.close()


def test_a_card_of_a_street_that_was_laid() -> None:
    bench = OpenFaceBench().open()
    bench.hand()
    bench.set("top", "middle", "bottom", "bottom", "bottom")
    assert any(isinstance(fact, Laid) for fact in bench.round.deal.facts)
    zone, place = next(slot for slot in sorted(bench.round.deal.cards) if "bottom" in slot[0])
    bench.report("boxed_card", slot=(zone, place), count="1")
    _is_void_after_a_refusal(bench)
    bench.close()
