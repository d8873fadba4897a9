"""The irregularities of the poker room: PK for the betting games, OF for Open-Face Chinese first."""

from __future__ import annotations

from studio.procedures.condition import AtLeast, CardsKnown, Is, IsNot, Not, Unknown, all_of, any_of, phase
from studio.procedures.row import PIT_DECIDES, ProcedureRow

_FIRST_OR_SECOND = any_of(
    all_of(AtLeast("card_number", 1), Not(AtLeast("card_number", 3))),
    all_of(Unknown("card_number"), CardsKnown(1, 2)),
)
_NOT_AFTER_ACTION = IsNot("action", True)
"""After substantial action no card of the deal is put right any more [PK4]."""

_FLOP = any_of(Is("board", "flop"), all_of(Unknown("board"), AtLeast("board_cards", 1), Not(AtLeast("board_cards", 4))))
_TURN = any_of(Is("board", "turn"), all_of(Unknown("board"), Is("board_cards", 4)))
_RIVER = any_of(Is("board", "river"), all_of(Unknown("board"), AtLeast("board_cards", 5)))
_FOUR_CARD_FLOP = any_of(Is("board", "flop"), all_of(Unknown("board"), AtLeast("board_cards", 4)))

BETTING: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "PK1", ("exposed_card",), "the first or second card of the deal, or two down cards or more",
        (any_of(AtLeast("count", 2), _FIRST_OR_SECOND), _NOT_AFTER_ACTION), "reshuffle_and_redeal",
        "Misdeal: shuffle and deal the same hand again, with the same seats and the same blinds.",
    ),
    ProcedureRow(
        "PK1", ("misplaced_card",), "a card to a wrong seat, or a seat skipped",
        (Is("action", False), Unknown("board")), "reshuffle_and_redeal",
        "Misdeal: a card went to a wrong seat or a seat was skipped. Shuffle and deal the same hand again, "
        "with the same seats and the same blinds.",
    ),
    ProcedureRow(
        "PK1", ("boxed_card",), "two boxed cards", (AtLeast("count", 2),), "reshuffle_and_redeal",
        "Misdeal: two cards lay face up in the deck. Shuffle and deal the same hand again, with the same seats "
        "and the same blinds.",
    ),
    ProcedureRow(
        "PK2", ("exposed_card",), "a later single down card", (Is("count", 1), _NOT_AFTER_ACTION), "card_is_next_burn",
        "One down card was seen: deal on, replace it by the top card after the deal. The exposed card is the burn.",
    ),
    ProcedureRow(
        "PK3", ("extra_card",), "one, to the button", (Is("count", 1), Not(_FOUR_CARD_FLOP), IsNot("moment", "last")),
        "card_is_next_burn",
        "One card too many went to the button: it goes back to the stub and is used as the burn.",
    ),
    ProcedureRow(
        "PK3", ("extra_card",), "two or more", (AtLeast("count", 2), Not(_FOUR_CARD_FLOP)), "reshuffle_and_redeal",
        "Misdeal: two cards too many or more. Shuffle and deal the same hand again, with the same seats "
        "and the same blinds.",
    ),
    ProcedureRow(
        "PK4", ("misdeal_claimed",), "after substantial action (two actions with chips, or three of any kind)",
        (Is("action", True),), "continue",
        "There was substantial action: the hand goes on.",
    ),
    ProcedureRow(
        "PK13", ("misdeal_claimed",), "before substantial action", (), PIT_DECIDES,
        "There was no substantial action yet: the pit boss has the hand dealt again, lets it go on, or voids it.",
        options=("reshuffle_and_redeal", "continue", "void_round"),
    ),
    ProcedureRow(
        "PK5", ("boxed_card",), "one", (Is("count", 1),), "card_to_discard",
        "The boxed card counts as a piece of paper: lay it in the discard, the next card replaces it.",
    ),
    ProcedureRow(
        "PK6", ("fouled_deck",), "any time", (), "void_round",
        "The deck is fouled: the hand stops, every bet goes back, and the deck is replaced.",
        afterwards=("replace_deck",),
    ),
    ProcedureRow(
        "PK7", ("extra_card",), "a flop with four cards", (_FOUR_CARD_FLOP,), "reshuffle",
        "The flop has four cards: shuffle them back and deal the flop again, without a new burn.",
    ),
    ProcedureRow(
        "PK8", ("early_card",), "a premature flop", (_FLOP,), "reshuffle",
        "The flop came too early: its cards go back to the stub, which is shuffled. The burn stays; no new burn.",
    ),
    ProcedureRow(
        "PK9", ("early_card",), "a premature turn", (_TURN,), "reshuffle",
        "The turn came too early: set it aside. After the betting, burn one; the next card is the turn. "
        "The set-aside card is shuffled back, and the river is dealt without a burn.",
    ),
    ProcedureRow(
        "PK10", ("early_card",), "a premature river", (_RIVER,), "reshuffle",
        "The river came too early: shuffle it back and deal the river.",
    ),
    ProcedureRow(
        "PK11", ("burn_error",), "a missed or double burn, found before action, nothing exposed",
        (Is("action", False), IsNot("revealed", True)), "move_card",
        "The burn was missed or doubled, nobody has acted and nothing was seen: put it right.",
    ),
    ProcedureRow(
        "PK11", ("burn_error",), "a missed or double burn, found after action", (Is("action", True),), "continue",
        "The burn was missed or doubled and there was action: the board stands.",
    ),
    ProcedureRow(
        "PK12", ("misplaced_card",), "a card of the board in a wrong place of it; the next card is not yet dealt",
        (Not(Unknown("board")), Is("next_dealt", False)), "move_card",
        "A card of the board lies in a wrong place and no further card was dealt: put it in its place.",
    ),
    ProcedureRow(
        "PK12", ("misplaced_card",), "a card of the board in a wrong place of it, later", (Not(Unknown("board")),),
        PIT_DECIDES,
        "A card of the board lies in a wrong place, and position follows the order read: the pit boss puts the cards "
        "right, lets them lie, or voids the hand.",
        options=("move_card", "continue", "void_round"),
    ),
    ProcedureRow(
        "PK14", ("shoe_empty",), "at a burn, or while seats bet or show; in the deal HG12",
        (phase("burning", "deciding", "revealing"),), "void_round",
        "The shoe is empty in the hand: no hand needs a whole deck, so cards are missing. The hand stops, every bet "
        "goes back, and the deck is replaced.",
        afterwards=("replace_deck",),
    ),
)  # fmt: skip

_OF_BURN_OR_BOARD = frozenset({"PK2", "PK7", "PK8", "PK9", "PK10", "PK11", "PK12"})

ANY_HAND: tuple[ProcedureRow, ...] = tuple(
    row for row in BETTING if row.id not in _OF_BURN_OR_BOARD and row.ruling != "card_is_next_burn"
)
"""Those of a hand without burn and board: Open-Face Chinese has neither."""

OPEN_FACE: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "OF1", ("timed_out",), "away before seeing a card", (any_of(Is("revealed", False), CardsKnown(0, 0)),),
        "continue",
        "The bettor was away before seeing a card: his hand is dead and costs three points to each other.",
    ),
    ProcedureRow(
        "OF2", ("timed_out",), "later, one row only is open", (Is("rows_open", 1),), "continue",
        "One row only is open: the cards go there, and the hand is not fouled for the time-out.",
    ),
    ProcedureRow(
        "OF2", ("timed_out",), "later", (), "continue",
        "The bettor was too late: his hand is fouled.",
    ),
    ProcedureRow(
        "OF3", ("exposed_card",), "an unseen card, before the street is placed",
        (IsNot("next_dealt", True), phase("dealing", "deciding")), "card_to_discard",
        "An unseen card was exposed before the street was placed: it is dead, the next card replaces it.",
    ),
    ProcedureRow(
        "OF3", ("exposed_card",), "a card that is given up, while a street is laid", (phase("revealing"),), "continue",
        "A card that was given up was seen: it stays out of the hand, which goes on.",
    ),
    ProcedureRow(
        "OF4", ("misplaced_card",), "a set card in another place", (phase("deciding", "revealing", "result"),),
        "move_card",
        "A card that was set lies in another place than its seat has set it to: lay it where it was set.",
    ),
)  # fmt: skip
