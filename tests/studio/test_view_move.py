"""A card that has to be put right is told as one act of the hands, by its name once it is open."""

from __future__ import annotations

from table_bench import CONFIG, DEAL, PIT, Bench, bench

from studio.spoken import Places
from studio.views import view_table
from studio.views.shape import Words


def act(table: Bench) -> Words:
    return view_table(table.state, table.table.book, 1).now.act


def betting(table: Bench) -> Bench:
    table.deposit()
    return table.open().start().betting(("player1_win", 1000))


def test_an_open_card_is_named_with_the_place_it_goes_to_and_not_the_one_it_is_missed_in() -> None:
    with bench(CONFIG) as table:
        betting(table).draw(DEAL[0])
        table.lay("player2", 1, DEAL[0])
        table.rule("move_card", PIT)
        assert act(table) == Words(
            "act.carry_out.move_card.named", {"card": DEAL[0].sign, "box": "box.player1", "place": 1}
        )
        table.lift("player2", 1)
        assert act(table).values["card"] == DEAL[0].sign
        table.lay("player1", 1, DEAL[0])
        assert act(table).key == "act.deal"


def test_a_card_that_lies_beside_the_places_is_named_too() -> None:
    with bench(CONFIG) as table:
        betting(table).draw(DEAL[0])
        table.report("misplaced_card")
        table.rule("move_card", PIT)
        assert act(table).values == {"card": DEAL[0].sign, "box": "box.player1", "place": 1}


def test_two_cards_that_lie_in_each_others_places_are_exchanged() -> None:
    with bench(CONFIG) as table:
        betting(table).deal(*DEAL[:2])
        table.report("misplaced_card")
        for box in ("player1", "player2"):
            table.lift(box, 1)
        table.lay("player1", 1, DEAL[1])
        table.lay("player2", 1, DEAL[0])
        table.rule("move_card", PIT)
        assert act(table) == Words("act.carry_out.move_card.exchange", {"card": DEAL[0].sign, "other": DEAL[1].sign})


def test_a_burn_that_is_laid_back_is_meant_by_its_place_and_an_open_card_by_its_name() -> None:
    with bench(CONFIG) as table:
        betting(table).deal(*DEAL[:2])
        table.clear()
        table.wait(3)
        table.rule("relay_from_discard", PIT)
        told: list[Words] = []
        for slot, card in [*((("burn", at), None) for at in range(1, 5)), (("player1", 1), DEAL[0])]:
            told.append(act(table))
            table.lay(*slot, card)
        told.append(act(table))
    back = "act.carry_out.relay_from_discard"
    assert told == [
        *(Words(back, {"places": Places((("burn", at),))}) for at in range(1, 5)),
        Words(f"{back}.named", {"card": DEAL[0].sign, "box": "box.player1", "place": 1}),
        Words(f"{back}.named", {"card": DEAL[1].sign, "box": "box.player2", "place": 1}),
    ]
