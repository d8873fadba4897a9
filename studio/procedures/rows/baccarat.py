"""The irregularities of Baccarat and Dragon Tiger, in the order of the printed table."""

from __future__ import annotations

from studio.procedures.condition import AtLeast, Is, IsNot, Not, SomeBoxHas, Unknown, all_of, any_of, phase
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow

_SETTLED = phase("settled")
_SEEN = Is("revealed", True)
_FOR_THE_PLAYER = any_of(Is("drawn_for", "player"), all_of(Unknown("drawn_for"), AtLeast("player_cards", 3)))

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "BC1", ("boxed_card",), "face up in the shoe", (), "card_to_discard",
        "A card lay face up in the shoe and is not used: lay it in the discard. The next card takes its place.",
    ),
    ProcedureRow(
        "BC2", ("extra_card",), "drawn and not seen", (Is("revealed", False),), "card_is_next_card",
        "Nobody saw the extra card: it is the next card, after the last one the first of the next round. Push it back "
        "into the shoe; that the shoe reads it again is expected.",
    ),
    ProcedureRow(
        "BC3", ("extra_card",), "a third card for the Player who may not draw, seen; the Banker stands",
        (_SEEN, _FOR_THE_PLAYER, Is("moment", "last")), "card_to_discard",
        "The Player may not draw and the card was seen. The Banker does not need it: it is burned.",
    ),
    ProcedureRow(
        "BC3", ("extra_card",), "a third card for the Player who may not draw, seen; the Banker must draw",
        (_SEEN, _FOR_THE_PLAYER), "card_is_next_card",
        "The Player may not draw and the card was seen: it is the Banker's third card. Where the Banker stands it is "
        "burned.",
        options=("card_is_next_card", "card_to_discard"),
    ),
    ProcedureRow(
        "BC4", ("extra_card",), "a third card for the Banker who may not draw, seen", (_SEEN,), "card_to_discard",
        "No further card was due and this one was seen: it is burned.",
    ),
    ProcedureRow(
        "BC5", ("misplaced_card", "wrong_order"), "before the result is declared", (Not(_SETTLED),), "move_card",
        "The cards lie in the wrong hand: put them right in the order drawn, which the shoe knows. "
        "Both eyes confirm it.",
    ),
    ProcedureRow(
        "BC6", ("wrong_count",), "a third card was not drawn, the result is not declared",
        (any_of(SomeBoxHas(2), Is("count", 2)), IsNot("moment", "last"), Not(_SETTLED)), "continue",
        "A third card that is due was not drawn: it is drawn now.",
    ),
    ProcedureRow(
        "BC7", ("misdeal_claimed",), "a wrong result, found before it is settled", (Not(_SETTLED),), "reread_all",
        "The result is said to be wrong: every card is read again from the first, and the result is computed anew.",
        options=("reread_all", "void_round"),
    ),
    ProcedureRow(
        "BC7", ("misdeal_claimed",), "a wrong result, found after it was settled", (), "continue",
        "The round is settled and its result is said to be wrong: two people correct it on the page of the round.",
        approval=Approval.TWO_PEOPLE,
    ),
    ProcedureRow(
        "BC8", ("shoe_empty",), "empty, or too few cards to finish", (), "void_round",
        "The shoe cannot finish the round: void it, and change the shoe.",
        afterwards=("change_shoe",),
    ),
    ProcedureRow(
        "BC9", ("dropped_card",), "its identity and place are known to both eyes", (Is("identified", True),),
        "reuse_card",
        "Both eyes know the card and its place: lay it there again.",
    ),
    ProcedureRow(
        "BC9", ("dropped_card",), "not known, or off the table and not identified", (), "void_round",
        "Nobody can say which card it was: void the round.",
    ),
    ProcedureRow(
        "BC10", ("cut_card",), "in the wrong place, or with no card behind it", (Is("pattern", "other"),), PIT_DECIDES,
        "The cut card does not lie where it belongs: the pit boss lets the round go on or has a new shoe opened.",
        options=("continue", "void_shoe"),
    ),
    ProcedureRow(
        "BC10", ("burn_error",), "the burn is not what the first card asked", (), PIT_DECIDES,
        "More or fewer cards were burned than the first card asked: the pit boss lets the round go on or has a new "
        "shoe opened.",
        options=("continue", "void_shoe"),
    ),
    ProcedureRow(
        "BC11", ("exposed_card", "early_card"), "before bets are closed, seen", (phase("betting"), _SEEN), "void_round",
        "The first card came out and was seen before bets were closed: void the round; the card is burned.",
    ),
    ProcedureRow(
        "BC12", ("exposed_card",), "squeeze: turned before its turn", (phase("dealing", "revealing"),), "continue",
        "A card was turned before its turn: the turn stands.",
    ),
)  # fmt: skip

_OF_THIRD_CARDS = frozenset({"BC3", "BC4", "BC6", "BC12"})

DRAGON_TIGER: tuple[ProcedureRow, ...] = tuple(row for row in ROWS if row.id not in _OF_THIRD_CARDS)
"""Those of a deal without third cards, and without a squeeze."""
