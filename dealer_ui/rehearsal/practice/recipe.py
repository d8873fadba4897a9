"""How to cause every incident on purpose at the demo: at which moment, with which hands, by which fault.

A recipe is data. It says at which kind of game it is practised, not at which game by name. The hands' page shows it,
`docs/practising.md` is written from it, and a test carries each recipe out at a simulated table, with the same hands
and faults, and checks that it leads to the kind of incident and the row it promises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.practice.step import Break, DealStep, Err, GoOn, LayStep, PitSays, Restart, Say, Step
from studio.games import HOUSE_GAMES
from studio.procedures import ProcedureRow, procedures_of
from studio.rulebook.game import Game
from studio.rulebook.holdem import BOARD


def _ruled_by(series: str) -> tuple[str, ...]:
    """The games whose procedures have rows of that series."""
    return tuple(
        game.key for game in HOUSE_GAMES if any(row.id.startswith(series) for row in procedures_of(game.key).rows)
    )


def _where(fits: Callable[[Game], bool]) -> tuple[str, ...]:
    return tuple(game.key for game in HOUSE_GAMES if fits(game))


def _but(*others: str) -> tuple[str, ...]:
    return _where(lambda game: game.key not in others)


EVERY: Final = _but()
TK: Final = _ruled_by("TK")
KC: Final = _ruled_by("KC")
BJ: Final = _ruled_by("BJ")
AB: Final = _ruled_by("AB")
BC: Final = _ruled_by("BC")
THIRDS: Final = tuple(key for key in BC if any(row.id == "BC3" for row in procedures_of(key).rows))
"""Of those the ones whose hands may be due a third card."""
PLAIN: Final = _but(*TK, *KC, *BJ, *BC, *AB)
"""Those that have the rows of the house and none of their own."""
ALIKE: Final = _where(lambda game: game.owned is None)
"""Those whose deal is the same whoever bets on what."""
ALIKE_BUT_BC: Final = tuple(key for key in ALIKE if key not in BC)
UNASKED: Final = _where(lambda game: not game.decisions.raised)
UNASKED_BUT_BC: Final = tuple(key for key in UNASKED if key not in BC)
ASKED: Final = _where(lambda game: game.key in PLAIN and game.key not in UNASKED)
"""Plain games whose bettors decide while cards lie face down."""
STREETS: Final = _where(lambda game: game.key in ASKED and BOARD in game.felt.boxes)
"""Asking games that deal on after a decision."""
ONE_DECK: Final = _where(lambda game: game.shoe.decks == 1)
ONE_DECK_BUT_AB: Final = tuple(key for key in ONE_DECK if key not in AB)
MANY_DECKS: Final = _but(*ONE_DECK)
SHUFFLED: Final = _where(lambda game: game.shoe.rounds_per_shuffle is not None)
"""Those whose shuffler has a deck ready every few rounds, and not once a day."""
BURNING: Final = _where(lambda game: game.felt.burns > 0)


@dataclass(frozen=True, slots=True)
class Practice:
    """One incident and how to make it. `at` is the moment to begin, a key of `practice.at.<at>`.

    `name` tells two recipes for one row apart; `branch` is which of the rows under that id it is, from the top.
    """

    row: str
    kind: str
    games: tuple[str, ...]
    at: str
    steps: tuple[Step, ...]
    name: str = ""
    branch: int = 0

    @property
    def key(self) -> str:
        return f"{self.row}-{self.name or self.kind}"


def row_for(practice: Practice, game: str) -> ProcedureRow:
    """The very row of the procedures that a recipe ends in."""
    return [row for row in procedures_of(game).rows if row.id == practice.row][practice.branch]


def made_by(fault: str, game: str) -> Practice | None:
    """The recipe for this game whose first step is this fault (`<machine>.<fault>`); None when there is none."""
    return next((one for one in practices_of(game) if one.steps[0] == Break(fault)), None)


def practices_of(game: str) -> tuple[Practice, ...]:
    """What can be practised at a table of this game."""
    return tuple(one for one in PRACTICES if game in one.games)


_CARDS: Final[tuple[Practice, ...]] = (
    Practice("TK2", "burn_error", TK, "burning", (Err("burn_face_up"), Say("burn_error"))),
    Practice("TK3", "burn_error", TK, "dealing", (DealStep(4), Say("burn_error"))),
    Practice("TK4", "exposed_card", TK, "bets", (Err("expose"),)),
    Practice("TK4", "exposed_card", TK, "bets", (Err("draw_early"),), "drawn"),
    Practice("TK5", "exposed_card", TK, "between", (Say("exposed_card"),)),
    Practice("TK6", "extra_card", TK, "dealt", (Err("extra_card"),)),
    Practice("TK7", "dropped_card", TK, "dealt", (Err("drop"),)),
    Practice("TK8", "dropped_card", TK, "dealing", (DealStep(), Err("drop"))),
    Practice("TK8", "dropped_card", TK, "dealing", (DealStep(), Err("take_away")), "take_away"),
    Practice("TK9", "dropped_card", TK, "dealing", (Err("fumble"), Say("dropped_card", "false"))),
    Practice("TK10", "misplaced_card", TK, "bets", (Say("misplaced_card", "false"),)),
    Practice("TK11", "wrong_order", TK, "first_card", (Err("backwards"), Say("wrong_order", "reversed"))),
    Practice("TK12", "misplaced_card", TK, "dealing", (Err("wrong_box"),)),
    Practice("TK12", "misplaced_card", TK, "dealing", (Err("beside"),), "beside"),
    Practice("TK13", "shuffler_jam", TK, "dealing", (Break("shuffler.jam"),)),
    Practice("KC1", "exposed_card", KC, "down", (Err("face_up"),)),
    Practice("KC1", "exposed_card", KC, "bets", (Err("flash"),), "flash"),
    Practice("KC2", "wrong_order", KC, "down", (Say("wrong_order"),)),
    Practice("KC3", "wrong_order", KC, "dealing", (Say("wrong_order"),)),
    Practice("KC4", "extra_card", KC, "dealt", (Err("extra_card"),)),
    Practice("KC5", "early_card", KC, "bets", (Err("draw_early"),)),
    Practice("AB1", "misplaced_card", AB, "dealing", (Err("wrong_box"),)),
    Practice("AB1", "misplaced_card", AB, "dealing", (Err("beside"),), "beside"),
    Practice("AB1", "wrong_order", AB, "dealing", (Say("wrong_order"),)),
    Practice("AB1", "wrong_count", AB, "dealing", (Say("wrong_count", "true"),)),
    Practice("AB1", "extra_card", AB, "dealing", (Say("extra_card", "true"),), branch=1),
    Practice("AB2", "wrong_order", AB, "dealt", (Say("wrong_order"),)),
    Practice("AB3", "extra_card", AB, "dealt", (Err("extra_card"),)),
    Practice("AB4", "fouled_deck", AB, "dealing", (Err("slip_in"), DealStep())),
    Practice("AB4", "shoe_empty", AB, "dealing", (Err("empty_shoe"), Say("shoe_empty"))),
    Practice("AB5", "dropped_card", AB, "dealing", (Err("fumble"), Say("dropped_card", "false"))),
    Practice("HG1", "early_card", _but(*KC), "bets", (LayStep("down"),)),
    Practice("HG1", "early_card", BURNING, "burned", (Err("one_burn_more"),), "burn"),
    Practice("HG1", "early_card", _but(*KC), "bets", (LayStep("down", "unread"),), "unread", branch=1),
    Practice("HG2", "exposed_card", (*PLAIN, *AB), "bets", (Err("draw_early"),)),
    Practice("HG3", "exposed_card", ASKED, "down", (Err("face_up"),)),
    Practice("HG3", "exposed_card", ASKED, "deciding", (Err("flash"),), "flash"),
    Practice("HG4", "misplaced_card", _but(*TK, *BJ, *BC, *AB), "dealing", (Err("beside"),)),
    Practice("HG4", "misplaced_card", _but(*TK, *BJ, *BC, *AB), "dealing", (DealStep(), Err("shift")), "shift"),
    Practice("HG5", "misplaced_card", _but(*TK, *BJ, *BC, *AB), "dealing", (Say("misplaced_card", "true"),)),
    Practice("HG5", "wrong_order", PLAIN, "dealing", (Say("wrong_order"),)),
    Practice("HG6", "extra_card", UNASKED_BUT_BC, "dealing", (Say("extra_card", "false"),)),
    Practice("HG6", "extra_card", ASKED, "deciding", (LayStep("down"),), "deciding"),
    Practice("HG6b", "extra_card", STREETS, "deciding", (LayStep("up"),), branch=1),
    Practice("HG6b", "extra_card", ASKED, "dealt", (Say("extra_card", "true"),), "last"),
    Practice("HG7", "wrong_count", ALIKE, "dealing", (Say("wrong_count", "false"),)),
    Practice("HG7", "wrong_count", BJ, "turn", (Say("wrong_count", "false", "many"),), "many"),
    Practice("HG8", "wrong_count", ALIKE, "dealing", (Say("wrong_count", "true"),)),
    Practice("HG8", "wrong_count", BJ, "turn", (Say("wrong_count", "true", "many"),), "many"),
    Practice("HG9", "boxed_card", ALIKE_BUT_BC, "dealing", (DealStep(), Say("boxed_card", "drawn"))),
    Practice("HG9", "boxed_card", ALIKE_BUT_BC, "dealing", (Say("boxed_card", "shoe"),), "shoe"),
    Practice("HG10", "boxed_card", ALIKE_BUT_BC, "card", (Say("boxed_card", "2"),)),
    Practice("HG11", "fouled_deck", ONE_DECK_BUT_AB, "late", (Err("slip_in"), DealStep())),
    Practice("HG11", "fouled_deck", MANY_DECKS, "dealing", (Say("fouled_deck"),), "reported"),
    Practice(
        "HG12",
        "shoe_empty",
        tuple(key for key in ALIKE_BUT_BC if key not in AB),
        "dealing",
        (Err("empty_shoe"), Say("shoe_empty")),
    ),
    Practice("HG13", "unread_card", EVERY, "dealing", (Err("unreadable"),)),
    Practice("HG13", "unread_card", EVERY, "dealing", (Err("past_reader"),), "past_reader"),
    Practice("HG13", "unread_card", EVERY, "dealing", (Break("shoe.unread_card"), DealStep()), "fault"),
    Practice("HG13", "unread_card", EVERY, "dealing", (Break("shoe.wrong_baud"), DealStep()), "wrong_baud"),
    Practice("HG14", "unread_card", ALIKE, "dealing", (LayStep("down", "unread"),)),
    Practice("HG15", "card_mismatch", EVERY, "dealing", (Err("switched"),)),
    Practice(
        "HG16",
        "dropped_card",
        _but(*TK, *BC),
        "dealing",
        (Err("fumble"), Say("dropped_card", "false")),
        branch=1,
    ),
    Practice("HG16", "dropped_card", _but(*TK, *BC), "dealing", (DealStep(), Err("drop")), "identified"),
    Practice("HG16", "dropped_card", PLAIN[:1], "dealing", (DealStep(), Err("take_away")), "take_away"),
    Practice("HG17", "cleared_early", EVERY, "dealing", (DealStep(), Err("clear_early"))),
    Practice("HG18", "shuffler_jam", _but(*TK), "between", (Break("shuffler.jam"),)),
    Practice("HG19", "shuffler_jam", _but(*TK), "dealing", (Break("shuffler.jam"),), branch=1),
    Practice("HG19", "shuffler_jam", _but(*TK), "dealing", (Say("shuffler_jam", "false"),), "harmless"),
    Practice("HG20", "prize_lost", _but(*TK, *BJ), "dealing", (PitSays("prize_lost"),)),
    Practice("HG21", "camera_unsure", EVERY, "dealing", (Err("hand_over"),)),
    Practice("HG21", "camera_unsure", TK, "dealing", (Err("face_down"),), "face_down"),
)

_BLACKJACK: Final[tuple[Practice, ...]] = (
    Practice("BJ1", "boxed_card", BJ, "dealing", (DealStep(), Say("boxed_card", "drawn"))),
    Practice("BJ1", "boxed_card", BJ, "dealing", (Say("boxed_card", "shoe"),), "shoe"),
    Practice("BJ2", "extra_card", BJ, "turn", (LayStep("down"),)),
    Practice("BJ3", "extra_card", BJ, "turn", (LayStep("up"),), branch=1),
    Practice("BJ4", "extra_card", BJ, "turn", (Say("extra_card", "refused", "boxes"),)),
    Practice("BJ5", "extra_card", BJ, "dealt", (Err("extra_card"),)),
    Practice("BJ6", "wrong_order", BJ, "first_card", (Say("wrong_order", variant="dealer"),)),
    Practice("BJ7", "wrong_count", BJ, "first_card", (Say("wrong_count", variant="none"),)),
    Practice("BJ8", "wrong_count", BJ, "dealing", (Say("wrong_count", variant="one"),)),
    Practice("BJ9", "misplaced_card", BJ, "first_card", (Err("wrong_box"),)),
    Practice("BJ9", "misplaced_card", BJ, "dealing", (Say("misplaced_card", "true"),), "later", branch=1),
    Practice("BJ10", "shoe_empty", BJ, "dealing", (Err("empty_shoe"), Say("shoe_empty"))),
    Practice("BJ11", "unread_card", BJ, "dealing", (LayStep("down", "unread"),)),
    Practice("BJ12", "disconnected", BJ, "dealing", (PitSays("disconnected"),)),
)

_SHOE_OF_MANY_ROUNDS: Final[tuple[Practice, ...]] = (
    Practice("BC1", "boxed_card", BC, "dealing", (DealStep(), Say("boxed_card", "drawn"))),
    Practice("BC1", "boxed_card", BC, "dealing", (Say("boxed_card", "shoe"),), "shoe"),
    Practice("BC2", "extra_card", BC, "dealt", (Err("extra_card"),)),
    Practice("BC3", "extra_card", THIRDS, "dealt", (Say("extra_card", "for_player", "third"),)),
    Practice("BC3", "extra_card", THIRDS, "dealing", (Say("extra_card", "for_player", "third"),), "banker", branch=1),
    Practice("BC4", "extra_card", THIRDS, "dealt", (Say("extra_card", "for_banker", "third"),)),
    Practice("BC5", "misplaced_card", BC, "dealing", (Err("beside"),)),
    Practice("BC5", "misplaced_card", THIRDS, "dealing", (Err("wrong_box"),), "wrong_box"),
    Practice("BC5", "wrong_order", BC, "dealing", (Say("wrong_order"),)),
    Practice("BC6", "wrong_count", THIRDS, "dealing", (DealStep(3), Say("wrong_count", "false"))),
    Practice("BC7", "misdeal_claimed", BC, "dealing", (Say("misdeal_claimed"),)),
    Practice("BC7", "misdeal_claimed", BC, "settled", (Say("misdeal_claimed"),), "settled", branch=1),
    Practice("BC8", "shoe_empty", BC, "dealing", (Err("empty_shoe"), Say("shoe_empty"))),
    Practice("BC9", "dropped_card", BC, "dealing", (Err("drop"),)),
    Practice("BC9", "dropped_card", BC, "first_card", (Err("fumble"), Say("dropped_card", "false")), "lost", branch=1),
    Practice("BC10", "cut_card", BC, "dealing", (Say("cut_card", "other", "place"),)),
    Practice("BC10", "burn_error", BC, "burned", (Say("burn_error"),), branch=1),
    Practice("BC11", "exposed_card", BC, "bets", (Err("draw_early"),)),
    Practice("BC12", "exposed_card", THIRDS, "dealing", (Say("exposed_card"),)),
)

_EVERY_TABLE: Final[tuple[Practice, ...]] = (
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("shoe.unplug"),), "shoe"),
    Practice("EV1", "device_lost", EVERY, "bets", (Break("shuffler.unplug"),), "shuffler"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("shuffler.power"),), "power"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("camera.unplug"),), "camera"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("camera.dark"),), "dark"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("camera.moved"),), "moved"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("camera.unsharp"),), "unsharp"),
    Practice("EV1", "device_lost", EVERY, "dealing", (Break("camera.frozen"),), "frozen"),
    Practice("EV2", "shoe_error", EVERY, "dealing", (Break("shoe.overdraw"),), branch=1),
    Practice("EV2", "shoe_error", EVERY, "dealing", (Break("shoe.reverse_run"),), "reverse_run", branch=1),
    Practice("EV3", "cut_card", EVERY, "dealing", (Break("shoe.cut_card_mid_round"),)),
    Practice("EV4", "shoe_restart", EVERY, "dealing", (Break("shoe.start_without_cut_card"),)),
    Practice("EV5", "conflicting_reread", EVERY, "dealing", (Break("shoe.conflicting_reread"), DealStep())),
    Practice("EV6", "deck_unverified", SHUFFLED, "between", (Break("shuffler.deck_short"), GoOn())),
    Practice("EV6", "deck_unverified", SHUFFLED, "between", (Break("shuffler.deck_over"), GoOn()), "over"),
    Practice("EV6", "deck_unverified", SHUFFLED, "between", (Break("shuffler.deck_duplicate"), GoOn()), "duplicate"),
    Practice("EV6", "deck_unverified", SHUFFLED, "between", (Break("shuffler.deck_foreign"), GoOn()), "foreign"),
    Practice("EV6", "deck_unverified", EVERY, "dealing", (Break("shuffler.cover_open"),), "cover"),
    Practice("EV6", "deck_unverified", EVERY, "between", (Break("shuffler.double_feed"),), "double_feed"),
    Practice("EV6", "deck_unverified", EVERY, "between", (Break("shuffler.misread"),), "misread"),
    Practice("EV7", "restart", EVERY, "dealing", (Restart(),)),
    Practice("EV8", "video_lost", EVERY, "bets", (PitSays("video_lost"),)),
    Practice("EV8", "video_lost", EVERY, "dealing", (PitSays("video_lost"),), "later", branch=1),
    Practice("EV9", "disconnected", ALIKE, "dealing", (PitSays("disconnected"),)),
    Practice("EV10", "malfunction", EVERY, "dealing", (PitSays("malfunction"),)),
    Practice("EV11", "device_changed", EVERY, "dealing", (Break("shoe.other"),), "shoe"),
    Practice("EV11", "device_changed", EVERY, "dealing", (Break("shuffler.other"),), "shuffler"),
    Practice("EV12", "void_called", EVERY, "dealing", (PitSays("void_called"),)),
)

PRACTICES: Final[tuple[Practice, ...]] = (*_CARDS, *_BLACKJACK, *_SHOE_OF_MANY_ROUNDS, *_EVERY_TABLE)
"""Those of cards first, then those of every table: the order of the page."""
