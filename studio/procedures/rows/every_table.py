"""The irregularities of every table, whatever is dealt there: devices, links, the program itself."""

from __future__ import annotations

from studio.procedures.condition import BETS_NOT_IN, Is
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow

ROWS: tuple[ProcedureRow, ...] = (
    ProcedureRow(
        "EV1", ("device_lost",), "shoe, shuffler or camera link lost", (), "continue",
        "The link to a device is lost and the table is held. It goes on only when the link is back and the cards "
        "on the felt agree with the record.",
    ),
    ProcedureRow(
        "EV2", ("shoe_error",), "an error code the device's configuration expects", (Is("expected", True),), "continue",
        "The shoe reported an error its configuration expects: told and journalled, the table is not held.",
        approval=Approval.NONE,
    ),
    ProcedureRow(
        "EV2", ("shoe_error",), "an error code raised", (), "continue",
        "The shoe reports an error and the table is held until the shoe clears it and a person names a reason.",
    ),
    ProcedureRow(
        "EV3", ("cut_card",), "the cut card is out", (), "continue",
        "The cut card is out: finish this round. No new round starts on this shoe; change it.",
        afterwards=("change_shoe",),
    ),
    ProcedureRow(
        "EV4", ("shoe_restart",), "a start-up report without a cut card", (), "continue",
        "The shoe started anew without a cut card: this is no shoe change, go on.",
    ),
    ProcedureRow(
        "EV5", ("conflicting_reread",), "another card for one already accepted", (), PIT_DECIDES,
        "A card already accepted was read as another one. The first reading stays and the table is held: the pit boss "
        "takes the shoe's card, the camera's, one entered by two people, or voids the round.",
        options=("shoe", "camera", "manual", "void_round"),
    ),
    ProcedureRow(
        "EV6", ("deck_unverified",), "the shuffler's count is wrong, or there was no verification", (), PIT_DECIDES,
        "The deck is not verified, and no round starts: the pit boss has it shuffled and verified again, "
        "or replaced.",
        options=("reshuffle", "replace_deck"), afterwards=("verify_deck",),
    ),
    ProcedureRow(
        "EV7", ("restart",), "the program restarted in mid-round", (), PIT_DECIDES,
        "The program was started again. The table is held with the round as it stood and nothing is guessed: "
        "the pit boss compares the felt with the record, then lets the round go on or voids it.",
        options=("continue", "void_round"),
    ),
    ProcedureRow(
        "EV8", ("video_lost",), "before betting closed", (BETS_NOT_IN,), "void_round",
        "The bettors lost the picture before betting closed: void the round.",
    ),
    ProcedureRow(
        "EV8", ("video_lost",), "after betting closed", (), "continue",
        "The bettors lost the picture after betting closed: go on, the readings stand.",
    ),
    ProcedureRow(
        "EV9", ("disconnected",), "a bettor", (), "continue",
        "A bettor lost the connection: bets stand.",
    ),
    ProcedureRow(
        "EV10", ("malfunction",), "any", (), "void_round",
        "A malfunction voids all pays and plays: void the round.",
    ),
    ProcedureRow(
        "EV11", ("device_changed",), "a device came back as another, or without its proof", (), "accept_device",
        "What answers is not proved to be the device that was there, and the table is held. Put the table's own device "
        "back, or a pit boss looks at the one that stands there and accepts it with a reason.",
    ),
    ProcedureRow(
        "EV12", ("void_called",), "the pit calls the round void", (), PIT_DECIDES,
        "The pit calls the round void. It is void once the people this takes have agreed; else the pit boss lets it "
        "go on.",
        options=("void_round", "continue"),
    ),
)  # fmt: skip
