"""The irregularities of the house games from one deck; † rows (`every_game`) serve all games."""

from __future__ import annotations

from studio.procedures.condition import CARDS_OUT, AtLeast, Is, IsNot, Not, phase
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "HG1", ("early_card",), "betting, not revealed; the order read stays right after closing",
        (phase("betting"), Is("revealed", False), IsNot("read", False), IsNot("next_dealt", True)),
        "card_is_next_card",
        "The card came early and nobody saw it: it is the next card once betting is closed. "
        "Where the order read would not stay right, lay it in the discard.",
        options=("card_is_next_card", "card_to_discard"), every_game=True,
    ),
    ProcedureRow(
        "HG1", ("early_card",), "betting, not revealed; the order read would not stay right",
        (phase("betting"), Is("revealed", False)), "card_to_discard",
        "The card came early and the order read would not stay right: lay it in the discard.",
        every_game=True,
    ),
    ProcedureRow(
        "HG2", ("early_card", "exposed_card"), "betting, revealed", (phase("betting"), Is("revealed", True)),
        "void_round",
        "A card was seen while bets were being taken: void the round.",
    ),
    ProcedureRow(
        "HG3", ("exposed_card",), "dealing, deciding: a down card or a board card before its time",
        (phase("dealing", "deciding"),), "void_round",
        "A card was seen before its time: void the round.",
    ),
    ProcedureRow(
        "HG4", ("misplaced_card",), "the next card is not yet dealt", (Is("next_dealt", False),), "move_card",
        "No further card was dealt: put the card in its place.",
    ),
    ProcedureRow(
        "HG5", ("misplaced_card", "wrong_order"), "later; every card read in order", (IsNot("read", False),),
        PIT_DECIDES,
        "Every card was read in order, and position follows the order read: the pit boss puts the cards right "
        "or voids the round.",
        options=("move_card", "void_round"),
    ),
    ProcedureRow(
        "HG6", ("extra_card",), "not revealed", (Is("revealed", False),), "card_to_discard",
        "Nobody saw the extra card: lay it in the discard.",
        every_game=True,
    ),
    ProcedureRow(
        "HG6b", ("extra_card",), "revealed, after the last card", (Is("revealed", True), Is("moment", "last")),
        "continue",
        "The extra card came after the last one and tells nothing: lay it in the discard and go on.",
        every_game=True,
    ),
    ProcedureRow(
        "HG6b", ("extra_card",), "revealed, a future card is known", (Is("revealed", True), Is("moment", "street")),
        "void_round",
        "A future card is known: void the round.",
        every_game=True,
    ),
    ProcedureRow(
        "HG7", ("wrong_count",), "none revealed", (Is("revealed", False),), PIT_DECIDES,
        "A box has too many or too few cards and none was seen: the pit boss puts them right or voids the round.",
        options=("move_card", "void_round"), every_game=True,
    ),
    ProcedureRow(
        "HG8", ("wrong_count",), "revealed", (Is("revealed", True),), "void_round",
        "A box has too many or too few cards and some were seen: void the round.",
        afterwards=("pay_qualified",), every_game=True,
    ),
    ProcedureRow(
        "HG9", ("boxed_card",), "one card", (Is("count", 1),), "card_to_discard",
        "A card lay face up in the shoe: lay it in the discard and deal the next card.",
        every_game=True,
    ),
    ProcedureRow(
        "HG10", ("boxed_card",), "two cards or more", (AtLeast("count", 2),), "void_round",
        "Several cards lay face up in the shoe: void the round and replace the deck.",
        afterwards=("replace_deck",), every_game=True,
    ),
    ProcedureRow(
        "HG11", ("fouled_deck",), "a card seen more often than the shoe holds it, or of another back", (), "void_round",
        "The deck holds a card it cannot hold: void the round and replace the deck.",
        afterwards=("replace_deck",), every_game=True,
    ),
    ProcedureRow(
        "HG12", ("shoe_empty",), "dealing", (phase("dealing"),), "void_round",
        "The shoe ran out in the deal: void the round.",
        afterwards=("change_shoe",), every_game=True,
    ),
    ProcedureRow(
        "HG13", ("unread_card",), "face up on the felt and read by the camera with confidence",
        (Is("read", True), IsNot("revealed", False)), "continue",
        "The camera read the card with confidence: go on with the camera's reading, which is marked.",
        every_game=True,
    ),
    ProcedureRow(
        "HG14", ("unread_card",), "otherwise", (), "reread_all",
        "Neither eye read the card: two people have every card read again, from the first. "
        "If that fails, void the round.",
        options=("reread_all", "void_round"), approval=Approval.TWO_PEOPLE, every_game=True,
    ),
    ProcedureRow(
        "HG15", ("card_mismatch",), "any", (), PIT_DECIDES,
        "The shoe and the camera name different cards. The table is held: the pit boss looks at both pictures and "
        "takes the shoe's card, the camera's, one entered by two people, or voids the round.",
        options=("shoe", "camera", "manual", "void_round"), every_game=True,
    ),
    ProcedureRow(
        "HG16", ("dropped_card",), "dealing, identified", (phase("dealing"), Is("identified", True)), "reuse_card",
        "The card was identified before it left the view: pick it up and use it.",
        every_game=True,
    ),
    ProcedureRow(
        "HG16", ("dropped_card",), "dealing, not identified", (phase("dealing"),), "void_round",
        "Nobody identified the card before it left the view: void the round.",
        every_game=True,
    ),
    ProcedureRow(
        "HG17", ("cleared_early",), "the result is not settled", (Not(phase("settled")),), "relay_from_discard",
        "Cards were cleared too early: lay them out again from the discard, card by card against the order read. "
        "If that fails, void the round.",
        options=("relay_from_discard", "void_round"), every_game=True,
    ),
    ProcedureRow(
        "HG18", ("shuffler_jam",), "shuffling, no cards out", (Not(CARDS_OUT),), "replace_deck",
        "The shuffler jammed with no card on the felt: replace the deck. No round starts until a deck is verified.",
        afterwards=("verify_deck",), every_game=True,
    ),
    ProcedureRow(
        "HG19", ("shuffler_jam",), "cards out, the round not harmed", (Is("harmed", False),), "continue",
        "The shuffler jammed and the round is not harmed: go on.",
        every_game=True,
    ),
    ProcedureRow(
        "HG19", ("shuffler_jam",), "cards out, otherwise", (), PIT_DECIDES,
        "The shuffler jammed with cards on the felt: the pit boss voids the round or lets it go on.",
        options=("void_round", "continue"), every_game=True,
    ),
    ProcedureRow(
        "HG20", ("prize_lost",), "the round is cancelled while a bettor holds a First 5 prize", (), "void_round",
        "A First 5 prize was lost with the round: the round is void, and a case for manual compensation is opened.",
        afterwards=("compensate",),
    ),
    ProcedureRow(
        "HG21", ("camera_unsure",), "3 s after a shoe reading", (), "continue",
        "The camera does not confirm the card: square it, and deal on. There is no result until each card is confirmed "
        "by the camera, or by a pit boss from the picture; else void the round. "
        "A down card needs only to be seen face down in its zone.",
        options=("continue", "void_round"), every_game=True,
    ),
)  # fmt: skip

EVERY_GAME: tuple[ProcedureRow, ...] = tuple(row for row in ROWS if row.every_game)
"""The † rows."""
