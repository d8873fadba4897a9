"""The irregularities of Blackjack, in the order of the printed table."""

from __future__ import annotations

from studio.procedures.condition import AtLeast, Below, Is, IsNot, Not, SomeBoxHas, Unknown, all_of, any_of, phase
from studio.procedures.row import PIT_DECIDES, ProcedureRow

_GAME_OVER = phase("result", "settled")
_DEALER_DREW_ON_17 = any_of(AtLeast("dealer_total", 17), all_of(Unknown("dealer_total"), _GAME_OVER))
_DRAWN_IN_ERROR = (IsNot("refused", True), Not(_DEALER_DREW_ON_17))
_FIRST_TWO_DEALT = (Not(SomeBoxHas(0)), Not(SomeBoxHas(1)), Not(Below("dealer_cards", 1)))

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "BJ1", ("boxed_card",), "face up in the shoe", (), "card_to_discard",
        "A card lay face up in the shoe: lay it in the discard.",
    ),
    ProcedureRow(
        "BJ2", ("extra_card",), "drawn in error, not exposed", (Is("revealed", False), *_DRAWN_IN_ERROR),
        "card_is_next_card",
        "The card was drawn in error and nobody saw it: it is the next card.",
    ),
    ProcedureRow(
        "BJ3", ("extra_card",), "drawn in error and exposed, after the first two cards; nobody needs another card",
        (Is("revealed", True), Is("moment", "last"), *_FIRST_TWO_DEALT, *_DRAWN_IN_ERROR), "card_is_next_burn",
        "The card was seen and neither a box nor the dealer needs one: it is the next burn.",
    ),
    ProcedureRow(
        "BJ3", ("extra_card",), "drawn in error and exposed, after the first two cards",
        (Is("revealed", True), *_FIRST_TWO_DEALT, *_DRAWN_IN_ERROR), "card_is_next_card",
        "The card was seen: it goes to the next box, or to the dealer, that needs one. "
        "Where nobody needs one it is the next burn.",
        options=("card_is_next_card", "card_is_next_burn"),
    ),
    ProcedureRow(
        "BJ4", ("extra_card",), "a box refused a card and gets one", (Is("refused", True),), "card_is_next_card",
        "The box had refused the card: it passes on to the next box, or to the dealer, that needs one. "
        "The box that refused gets no more.",
        options=("card_is_next_card", "card_is_next_burn"),
    ),
    ProcedureRow(
        "BJ5", ("extra_card",), "the dealer draws on 17 or more", (_DEALER_DREW_ON_17,), "card_to_discard",
        "The dealer drew on 17 or more: lay the card in the discard.",
    ),
    ProcedureRow(
        "BJ6", ("wrong_order",), "the dealer missed his own card in the deal",
        (phase("dealing"), Not(AtLeast("dealer_cards", 1)), Unknown("pattern")), "continue",
        "The dealer missed his own card: finish the boxes, then give it.",
        afterwards=("give_later",),
    ),
    ProcedureRow(
        "BJ7", ("wrong_count",), "a box with a bet got no card", (any_of(SomeBoxHas(0), Is("count", 0)),), "void_hand",
        "A box with a bet got no card: void that hand.",
    ),
    ProcedureRow(
        "BJ8", ("wrong_count",), "a box got one card", (any_of(SomeBoxHas(1), Is("count", 1)),), "continue",
        "A box got one card only: give it its second card after all the others.",
        afterwards=("give_later",),
    ),
    ProcedureRow(
        "BJ9", ("misplaced_card",), "a card to a box without a bet, nothing dealt after it", (Is("next_dealt", False),),
        "card_is_next_card",
        "The box has no bet and nothing was dealt after the card: it passes on.",
    ),
    ProcedureRow(
        "BJ9", ("misplaced_card",), "a card to a box without a bet, otherwise", (), PIT_DECIDES,
        "The box has no bet and cards were dealt after this one: the pit boss moves the card or voids the round.",
        options=("move_card", "void_round"),
    ),
    ProcedureRow(
        "BJ10", ("shoe_empty",), "any", (), "reshuffle",
        "The shoe ran out: shuffle the discards and finish the round.",
    ),
    ProcedureRow(
        "BJ11", ("unread_card",), "it changes a result",
        (any_of(Is("harmed", True), all_of(Unknown("harmed"), IsNot("read", True))),), "reread_all",
        "A card that changes a result was not read: every card is read again, from the first. "
        "If that fails, void the round; a dealt blackjack is paid.",
        options=("reread_all", "void_round"), afterwards=("pay_dealt",),
    ),
    ProcedureRow(
        "BJ12", ("disconnected",), "a bettor", (), "continue",
        "The bettor is gone: bets stand. The hand stands above 16, below that basic strategy plays it.",
    ),
)  # fmt: skip
