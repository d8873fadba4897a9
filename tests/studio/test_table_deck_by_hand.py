"""A deck counted by hand: where no shuffler verifies it, a pit boss answers for it [EV6]."""

from __future__ import annotations

from table_bench import DEALER, PIT, bench

from studio.tables import command as c


def test_a_deck_counted_by_a_pit_boss_may_be_loaded_and_his_words_are_kept() -> None:
    with bench() as table:
        table.links()
        table.do(c.OpenTable, table.pin(PIT), dealer=DEALER.id, dealer_name=DEALER.name)
        assert table.refused(c.LoadShoe) == "deck_unverified"
        table.do(c.VerifyDeck, table.pin(PIT), deck_id="red-12", words="52 cards, each once, red backs")
        table.do(c.LoadShoe)
        assert table.state.deck is not None
        assert table.state.deck.id == "red-12"


def test_nobody_but_a_pit_boss_with_his_pin_vouches_for_a_deck() -> None:
    with bench() as table:
        table.open()
        given = {"deck_id": "red-12", "words": "counted"}
        assert table.refused(c.VerifyDeck, table.pin(DEALER), **given) == "not_allowed"
        assert table.refused(c.VerifyDeck, PIT, **given) == "pin_needed"
        assert table.refused(c.VerifyDeck, table.pin(PIT), deck_id="red-12", words=" ") == "deck_unnamed"
