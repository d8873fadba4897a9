"""A card drawn while the table was held: the screen shows its place as taken, so that nobody discards it."""

from __future__ import annotations

from table_bench import CONFIG, DEAL, PIT, Bench, bench

from studio.tables import command as c
from studio.views import view_table
from studio.views.shape import CardView


def place(table: Bench, box: str, number: int) -> CardView:
    view = view_table(table.state, table.table.book, 1)
    [found] = [one for one in view.boxes if one.key == box]
    return found.places[number - 1]


def test_the_place_of_a_card_drawn_while_held_is_owed_and_shows_no_face() -> None:
    with bench(CONFIG) as table:
        table.deposit()
        table.open().start().betting(("player1_win", 1000)).deal(DEAL[0])
        table.do(c.FreezeTable)
        table.draw(DEAL[1])
        assert (place(table, "player2", 1).state, place(table, "player2", 1).face) == ("shoe", None)
        assert place(table, "player3", 1).state == "awaited"
        table.lay("player2", 1, DEAL[1])
        assert (place(table, "player2", 1).state, place(table, "player2", 1).face) == ("shoe", None)
        table.do(c.ReleaseTable, table.pin(PIT), reason_code="seen", words="As we saw it.")
        assert (place(table, "player2", 1).state, place(table, "player2", 1).face) == ("confirmed", str(DEAL[1]))


def test_a_burn_card_drawn_while_held_stays_sealed() -> None:
    with bench(CONFIG) as table:
        table.open().do(c.StartRound)
        table.do(c.FreezeTable)
        table.draw("As")
        assert (place(table, "burn", 1).state, place(table, "burn", 1).face) == ("sealed_owed", None)
