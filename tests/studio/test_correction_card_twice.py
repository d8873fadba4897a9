"""A correction to a card that lies there already is refused with a sentence, in games that read poker hands too."""

from __future__ import annotations

from table_bench import CONFIG, DOWN, PIT, UP, bench

from studio.cards import Card, parse_cards
from studio.rounds import CardReplaced
from studio.tables import command as c

HOLES = parse_cards("Ks 7d Kh 2c")
BOARD = parse_cards("Kd 9s 9c 4h 3d")


def test_a_board_card_that_another_board_card_is_already_is_refused_and_nothing_is_frozen() -> None:
    with bench(CONFIG, game="kkclash", window_s=15.0) as table:
        table.deposit()
        table.open()
        table.do(c.StartRound)
        for card in HOLES:
            slot = table.next_slot()
            table.draw(card)
            table.lay(*slot, face=DOWN)
        table.betting(("shark", 1000)).deal(*BOARD)
        for box, own in (("shark", HOLES[::2]), ("king", HOLES[1::2])):
            for place, card in enumerate(own, 1):
                table.lay(box, place, card, UP)
        table.finish()
        dossier = table.dossier()
        twice = CardReplaced(id=dossier.round.deal.cards["board", 2].card.id, face=Card.parse("9c"), source="manual")
        asked = {"dossier": dossier, "facts": (twice,), "reason_code": "seen", "words": "Misread."}
        assert table.refused(c.AskCorrection, table.pin(PIT), **asked) == "card_twice"
        assert table.state.pit.freeze.by == ""
