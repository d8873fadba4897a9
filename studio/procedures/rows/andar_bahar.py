"""The irregularities that are Andar Bahar's own; the house rows follow where nothing is said here.

Every card lies open and belongs to a side by the order it was drawn in, which the shoe knows: while none of the
joker's rank has come a mistake between the sides tells nobody anything. Once one has, the deal is over, and the phase
is the result.
"""

from __future__ import annotations

from studio.procedures.condition import Is, IsNot, phase
from studio.procedures.row import Approval, ProcedureRow

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "AB1", ("wrong_order", "misplaced_card", "wrong_count"),
        "a side was left out or got two cards, and no card of the joker's rank has come",
        (phase("dealing"), IsNot("read", False)), "move_card",
        "No card of the joker's rank has come: put the cards right in the order drawn, and deal on.",
    ),
    ProcedureRow(
        "AB1", ("extra_card",), "a card was drawn too soon, and none of the joker's rank has come",
        (phase("dealing"),), "card_is_next_card",
        "No card of the joker's rank has come: the card drawn too soon is the next one, in the order drawn.",
    ),
    ProcedureRow(
        "AB2", ("wrong_order", "misplaced_card", "wrong_count"),
        "the same, and a card of the joker's rank has come", (phase("result"), IsNot("read", False)), "move_card",
        "The first card of the joker's rank in the order drawn wins: the cards are put right in that order.",
        approval=Approval.PIT_BOSS,
    ),
    ProcedureRow(
        "AB3", ("extra_card",), "after the first card of the joker's rank", (phase("result"),), "card_to_discard",
        "A card dealt after the first of the joker's rank has no effect: lay it in the discard.",
    ),
    ProcedureRow(
        "AB4", ("shoe_empty", "fouled_deck"), "the deck is short or over, or holds a card twice", (), "void_round",
        "The deck is short or over, or holds a card twice: void the round, every bet goes back, and replace the deck.",
        afterwards=("replace_deck",),
    ),
    ProcedureRow(
        "AB5", ("dropped_card",), "a card is missing and nobody identified it",
        (phase("betting", "dealing", "result"), Is("identified", False)), "void_round",
        "A card is missing and nobody identified it: void the round, every bet goes back.",
    ),
)  # fmt: skip
