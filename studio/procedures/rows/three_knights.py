"""The irregularities of Three Knights, in the order of the printed table.

TK12 is the catch-all: it is tried after the † rows of the house, which serve this game too.
"""

from __future__ import annotations

from studio.procedures.condition import BETS_NOT_IN, Below, Is, phase
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow

TK1 = ProcedureRow(
    "TK1", (), "every hand", (), "continue",
    "Normal: four cards are burned before every hand.",
    approval=Approval.NONE,
)  # fmt: skip

ROWS: tuple[ProcedureRow, ...] = (
    TK1,
    ProcedureRow(
        "TK2", ("burn_error",), "found before Player 1's second card", (Below("player1_cards", 2),),
        "reshuffle_and_redeal",
        "The burn was wrong and Player 1 has no second card yet: shuffle all cards and deal the same round again. "
        "Bets stand.",
    ),
    ProcedureRow(
        "TK3", ("burn_error",), "found later", (), PIT_DECIDES,
        "The burn was wrong and was not found before Player 1's second card: the pit boss voids the round "
        "or lets it go on.",
        options=("void_round", "continue"),
    ),
    ProcedureRow(
        "TK4", ("exposed_card",), "betting", (phase("betting"),), "void_round",
        "A card was exposed while bets were being taken: void the round.",
    ),
    ProcedureRow(
        "TK5", ("exposed_card",), "shuffling", (phase("shuffling"),), PIT_DECIDES,
        "A card was exposed in the shuffle: the pit boss goes on, shuffles again or replaces the deck, "
        "by how many cards were seen and how.",
        options=("continue", "reshuffle", "replace_deck"),
    ),
    ProcedureRow(
        "TK6", ("extra_card",), "after the last card", (phase("result", "settled"),), "continue",
        "A card drawn after the last one has no effect on the result: lay it in the discard.",
    ),
    ProcedureRow(
        "TK7", ("dropped_card",), "shuffling, burning, scooping",
        (phase("shuffling", "burning", "result", "settled"),), "reuse_card",
        "A card that fell while shuffling, burning or scooping is picked up and used again.",
    ),
    ProcedureRow(
        "TK8", ("dropped_card",), "dealing, identified before it left the view",
        (phase("dealing"), Is("identified", True)), "reuse_card",
        "The card was identified before it left the view: pick it up and use it.",
    ),
    ProcedureRow(
        "TK9", ("dropped_card",), "dealing, not identified", (phase("dealing"), Is("identified", False)), "void_round",
        "Nobody identified the card before it left the view: void the round. The shoe goes on, without a shuffle.",
    ),
    ProcedureRow(
        "TK10", ("wrong_order", "misplaced_card"), "before bets are in", (BETS_NOT_IN,), "move_card",
        "No bet is in yet: put the cards in order.",
    ),
    ProcedureRow(
        "TK11", ("wrong_order",), "later; the whole hand went Player 3, 2, 1, Banker", (Is("pattern", "reversed"),),
        "swap_hands",
        "The whole hand was dealt Player 3, 2, 1, Banker: Player 1 and Player 3 change places. "
        "The pit boss may void the round instead.",
        options=("swap_hands", "void_round"), arguments=("player1", "player3"),
    ),
    ProcedureRow(
        "TK13", ("shuffler_jam",), "any", (), PIT_DECIDES,
        "A card is stuck in the shuffler: the pit boss voids the round, lets it go on or replaces the deck. "
        "The deck is verified before it deals again.",
        options=("void_round", "continue", "replace_deck"), afterwards=("verify_deck",),
    ),
)  # fmt: skip

CATCH_ALLS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "TK12", ("wrong_order", "wrong_count", "misplaced_card"), "where nothing above says more", (), PIT_DECIDES,
        "Cards lie wrong: the pit boss voids the round, lets it go on or puts the cards right.",
        options=("void_round", "continue", "move_card"),
    ),
)  # fmt: skip
