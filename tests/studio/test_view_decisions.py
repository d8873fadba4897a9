"""How many are asked while a decision is open, and how many of them have decided."""

from __future__ import annotations

from blackjack_bench import boxes
from table_bench import CONFIG, DOWN, UP, Bench, bench

from studio.cards import parse_cards
from studio.tables import command as c
from studio.tables.event.table import Decision
from studio.views import BetsView, view_table


def drawn(table: Bench) -> BetsView:
    return view_table(table.state, table.table.book, 1).bets


def decide(table: Bench, option: str, bettor: str) -> None:
    choice = Decision(operator="north", bettor=bettor, option=option, client_id=f"{bettor}-{option}")
    [answer] = table.table.take_decisions((choice,), table.now)
    assert answer.status == "accepted"


def test_bettors_who_are_asked_are_counted_and_those_who_have_answered() -> None:
    with bench(CONFIG, game="three_card_poker", window_s=15.0) as table:
        for bettor in ("ann", "bob", "cleo"):
            table.deposit(10_000, bettor=bettor)
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        for bettor in ("ann", "bob", "cleo"):
            assert table.bet("ante", 1000, bettor=bettor).status == "accepted"
        table.wait(15)
        for own, dealers in zip(parse_cards("Ks Kd 4h"), parse_cards("Qs 9d 5c"), strict=True):
            for card, face in ((own, UP), (dealers, DOWN)):
                slot = table.next_slot()
                table.draw(card)
                table.lay(*slot, card if face is UP else None, face)
        assert (drawn(table).asked, drawn(table).decided) == (0, 0)
        table.do(c.OpenBetting)
        assert (drawn(table).asked, drawn(table).decided) == (3, 0)
        decide(table, "play", "ann")
        decide(table, "fold", "bob")
        assert (drawn(table).asked, drawn(table).decided) == (3, 2)
        table.wait(15)
        assert (drawn(table).asked, drawn(table).decided) == (0, 0)
        for place, card in enumerate(parse_cards("Qs 9d 5c"), 1):
            table.lay("dealer", place, card, UP)
        table.finish()


def test_at_blackjack_the_boxes_are_asked() -> None:
    with boxes() as table:
        table.bet_on({"2:main": 1000, "5:main": 1000}).no_more_bets().cards("9h 8h As 9c 8c")
        table.do(c.OpenBetting)
        assert (drawn(table).asked, drawn(table).decided, drawn(table).turn) == (2, 0, "")
        table.choose("2", "insurance")
        assert (drawn(table).asked, drawn(table).decided) == (2, 1)
        marks = {box.key: box.marks for box in view_table(table.state, table.table.book, 1).boxes if box.marks}
        assert marks == {"2": ("bet", "insured"), "5": ("bet",)}
        table.wait(15)
        assert (drawn(table).turn, drawn(table).asked) == ("2", 1)
        table.chosen("2 stand", "5 stand").cards("Kd")
        table.finish()
