"""The irregularities that are KKClash's own; the house rows follow where nothing is said here.

The hole cards are dealt before betting, so a table says `bets_in=no` with an incident of that deal.
"""

from __future__ import annotations

from studio.procedures.condition import BETS_NOT_IN, AtLeast, Is, Not, Unknown, all_of, any_of, phase
from studio.procedures.row import PIT_DECIDES, ProcedureRow

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "KC1", ("exposed_card",), "a hole card before betting closes", (BETS_NOT_IN, Not(phase("shuffling"))),
        "void_round",
        "A hole card was seen before betting closed: void the round.",
    ),
    ProcedureRow(
        "KC2", ("wrong_order",), "before bets are in", (BETS_NOT_IN,), "move_card",
        "No bet is in yet: put the cards in order.",
    ),
    ProcedureRow(
        "KC3", ("wrong_order",), "later", (), PIT_DECIDES,
        "Cards were dealt in the wrong order: the pit boss voids the round or lets it go on.",
        options=("void_round", "continue"),
    ),
    ProcedureRow(
        "KC4", ("extra_card",), "a sixth board card",
        (
            any_of(
                AtLeast("board_cards", 5),
                all_of(Unknown("board_cards"), any_of(Is("moment", "last"), phase("revealing", "result", "settled"))),
            ),
        ),
        "card_to_discard",
        "A sixth board card has no effect: lay it in the discard.",
    ),
    ProcedureRow(
        "KC5", ("early_card",), "a board card while betting is open", (phase("betting"),), "void_round",
        "A board card was dealt while betting was open: void the round.",
    ),
)  # fmt: skip
