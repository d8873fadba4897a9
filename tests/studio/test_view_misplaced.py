"""A card that may lie where it lies: the screen shows where it belongs, and then where the next one goes."""

from __future__ import annotations

from table_bench import CONFIG, DEAL, PIT, Bench, bench

from studio.tables.state.round import Stage
from studio.views import TableView, view_table


def drawn(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, 1)


def awaited_places(view: TableView) -> list[tuple[str, int]]:
    return [(box.key, card.place) for box in view.boxes for card in box.places if card.state == "awaited"]


def test_the_next_card_goes_where_the_one_let_lie_has_left_room() -> None:
    with bench(CONFIG) as table:
        table.deposit()
        table.open().start().betting(("player1_win", 1000))
        table.draw(DEAL[0])
        table.lay("player2", 1, DEAL[0])
        [incident] = drawn(table).incidents.open
        assert (incident.where.box, incident.where.place) == ("player2", 1)
        assert (incident.where.due_box, incident.where.due_place) == ("player1", 1)
        table.rule("continue", PIT)
        assert awaited_places(drawn(table)) == [("player1", 1)]
        table.draw(DEAL[1])
        table.lay("player1", 1, DEAL[1])
        table.wait(5)
        assert table.state.incidents.open == ()
        assert awaited_places(drawn(table)) == [("player3", 1)]
        table.deal(*DEAL[2:]).finish()
        assert table.round.stage is Stage.SETTLED


def test_a_card_that_lies_right_belongs_nowhere_else() -> None:
    with bench(CONFIG) as table:
        table.open().start().betting()
        table.deal(DEAL[0])
        table.report("unread_card", slot=("player1", 1))
        assert [one.where.due_box for one in drawn(table).incidents.open] == [""]
