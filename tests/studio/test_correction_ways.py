"""What a correction's pages say of a pot, and what they offer where the right cards make another deal."""

from __future__ import annotations

import pytest
from blackjack_bench import boxes
from correction_bench import correct, previewed, replaced
from holdem_table import holdem
from test_table_pot import GAME, NOTHING, POT, ROYAL, STAKES

from dealer_ui.pages.pit.correction_card import changed, lying
from dealer_ui.pages.pit.correction_form import read_wanted
from dealer_ui.pages.pit.correction_pot import pot_lines
from dealer_ui.pages.pit.correction_route import spoken
from dealer_ui.words.language import Languages
from studio.errors import RefusedError
from studio.games.blackjack import BLACKJACK
from studio.rounds import HandVoided
from studio.tables.correction.preview import other_ways, weigh
from studio.views import view_table

ENGLISH = Languages().speak("en")


@pytest.mark.parametrize(
    ("deal", "face", "lines"),
    [
        (ROYAL, "2d", ["The win of the pot main is taken back: €1,002.28 go into it again (it holds €500.00 now)"]),
        (ROYAL, "", ["The win of the pot main is taken back", "The round’s contribution leaves the pot main: €2.28"]),
        (NOTHING, "", ["The round’s contribution leaves the pot main: €2.28; the house bears €0.00."]),
        (NOTHING, "5s", []),
    ],
    ids=["not-won", "won-and-void", "void", "nothing"],
)
def test_the_preview_says_what_becomes_of_the_pot(deal: str, face: str, lines: list[str]) -> None:
    with holdem(GAME, deal, pot=POT) as round:
        round.staked(STAKES).decided(ann="fold").decided().decided().finish()
        table, dossier = round.table, round.table.dossier()
        facts = (replaced(table, "board", 3, face),) if face else ()
        with table.store.reader() as reader:
            said = pot_lines(ENGLISH, reader, dossier, weigh(dossier, facts, void=not facts))
        assert len(said) == len(lines)
        assert all(is_said.startswith(begins) for is_said, begins in zip(said, lines, strict=True))


def test_the_preview_says_what_the_house_makes_up() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        round.staked(STAKES).decided(ann="fold").decided().decided().finish()
        table, dossier = round.table, round.table.dossier()
        royal = {("player", 1): "As", ("board", 2): "Js", ("board", 3): "Ts"}
        facts = tuple(replaced(table, *slot, face) for slot, face in royal.items())
        with table.store.reader() as reader:
            [said] = pot_lines(ENGLISH, reader, dossier, weigh(dossier, facts, void=False))
        assert "by 2 bettors with €501.14 each" in said
        assert "the house makes up €0.00, and it begins anew with €500.00" in said


def test_the_form_of_a_way_that_is_left_asks_for_that_way() -> None:
    with boxes() as table:
        table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
        table.cards("Th 9s 7c 9h 8s").chosen("3 stand", "5 stand").cards("Tc").finish()
        dossier = table.dossier()
        card = dossier.round.deal.cards["3", 2].card.id
        with pytest.raises(RefusedError) as refused:
            previewed(table, *read_wanted({f"card.{card}": "Ah"}, BLACKJACK).facts)
        assert refused.value.key == "misfit"
        hand = read_wanted({f"card.{card}": "Ah", "hand": "3"}, BLACKJACK)
        assert isinstance(hand.facts[-1], HandVoided)
        paid = read_wanted({f"card.{card}": "Ah", "hand": "3", "void": "pay_dealt"}, BLACKJACK)
        assert (paid.void, paid.pays, len(paid.facts)) == (True, "pay_dealt", 1)
        assert read_wanted({f"card.{card}": "Ah", "void": "1"}, BLACKJACK).facts == ()
        ways = other_ways(dossier, hand.facts[:1])
        assert [way.weighed.digest for way in ways] == [
            weigh(dossier, hand.facts, void=False).digest, weigh(dossier, paid.facts, void=True, pays=paid.pays).digest
        ]  # fmt: skip
        assert spoken(ENGLISH, ways[0].weighed.readings)[1] == "Box 3, card 2 A♥, Box 3 Void"
        assert spoken(ENGLISH, ways[1].weighed.readings)[1] == "Box 3, card 2 A♥, Void · dealt blackjacks are paid"


def test_the_second_person_sees_each_card_as_both_eyes_have_it() -> None:
    with boxes() as table:
        table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
        table.cards("Th 9s 7c 9h 8s").chosen("3 stand", "5 stand").cards("Tc").finish()
        fact, dossier = replaced(table, "3", 1, "2h"), table.dossier()
        with table.store.reader() as reader:
            [one] = changed(lying(reader, dossier), (fact,))
        assert (one.box, one.place, one.text, one.source) == ("3", 1, "Th", "shoe")
        assert one.shall is not None
        assert one.picture


def test_a_table_whose_last_round_has_a_void_hand_is_shown() -> None:
    with boxes() as table:
        table.bet_on({"3:main": 1_000, "5:main": 2_000}).no_more_bets()
        table.cards("Th 9s 7c 9h 8s").chosen("3 stand", "5 stand").cards("Tc").finish()
        correct(table, *read_wanted({"hand": "3"}, BLACKJACK).facts)
        assert view_table(table.state, table.table.book, table.table.seq).round.stage == "settled"
