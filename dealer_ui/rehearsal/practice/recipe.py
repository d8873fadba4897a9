"""How every incident is made on purpose at the demo: which moment, which hands, which fault.

A recipe is data, and says by what a game is, not by its name, where it is practised. The hands' page tells it,
`docs/practising.md` is written from it, and a test plays each at a simulated table with the same hands and the same
faults, and holds it to the kind and the row it promises.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dealer_ui.rehearsal.practice.step import Break, Deal, Err, GoOn, Lay, PitSays, Restart, Say, Step
from studio.games import HOUSE_GAMES
from studio.games.holdem import BOARD
from studio.games.rulebook import Game
from studio.procedures import Row, procedures_of


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
PLAIN: Final = _but(*TK, *KC, *BJ)
"""Those that have the rows of the house and none of their own."""
ALIKE: Final = _where(lambda game: game.owned is None)
"""Those whose deal is the same whoever bets on what."""
UNASKED: Final = _where(lambda game: not game.decisions.raised)
ASKED: Final = _where(lambda game: game.key in PLAIN and game.key not in UNASKED)
"""Plain games whose bettors decide while cards lie face down."""
STREETS: Final = _where(lambda game: game.key in ASKED and BOARD in game.felt.boxes)
"""Asking games that deal on after a decision."""
ONE_DECK: Final = _where(lambda game: game.shoe.decks == 1)
MANY_DECKS: Final = _but(*ONE_DECK)
SHUFFLED: Final = _where(lambda game: game.shoe.rounds_per_shuffle is not None)
"""Those whose shuffler has a deck ready every few rounds, and not once a day."""
TWO_CARDS: Final = _where(lambda game: sum(game.felt.boxes.values()) <= 2)
"""Those whose deal is over with the second card: in the middle of it, one lies."""
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


def row_for(practice: Practice, game: str) -> Row:
    """The very row of the procedures that a recipe ends in."""
    return [row for row in procedures_of(game).rows if row.id == practice.row][practice.branch]


def made_by(fault: str, game: str) -> Practice | None:
    """The recipe that begins with this fault at a table of this game: `<machine>.<fault>`; None where none does."""
    return next((one for one in practices_of(game) if one.steps[0] == Break(fault)), None)


def practices_of(game: str) -> tuple[Practice, ...]:
    """What can be practised at a table of this game."""
    return tuple(one for one in PRACTICES if game in one.games)


_CARDS: Final[tuple[Practice, ...]] = (
    Practice("TK2", "burn_error", TK, "burning", (Err("burn_face_up"), Say("burn_error"))),
    Practice("TK3", "burn_error", TK, "dealing", (Deal(4), Say("burn_error"))),
    Practice("TK4", "exposed_card", TK, "bets", (Err("expose"),)),
    Practice("TK4", "exposed_card", TK, "bets", (Err("draw_early"),), "drawn"),
    Practice("TK5", "exposed_card", TK, "between", (Say("exposed_card"),)),
    Practice("TK6", "extra_card", TK, "dealt", (Err("extra_card"),)),
    Practice("TK7", "dropped_card", TK, "dealt", (Err("drop"),)),
    Practice("TK8", "dropped_card", TK, "dealing", (Deal(), Err("drop"))),
    Practice("TK8", "dropped_card", TK, "dealing", (Deal(), Err("take_away")), "take_away"),
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
    Practice("HG1", "early_card", _but(*KC), "bets", (Lay("down"),)),
    Practice("HG1", "early_card", BURNING, "burned", (Err("one_burn_more"),), "burn"),
    Practice("HG1", "early_card", _but(*KC), "bets", (Lay("down", "unread"),), "unread", branch=1),
    Practice("HG2", "exposed_card", PLAIN, "bets", (Err("draw_early"),)),
    Practice("HG3", "exposed_card", ASKED, "down", (Err("face_up"),)),
    Practice("HG3", "exposed_card", ASKED, "deciding", (Err("flash"),), "flash"),
    Practice("HG4", "misplaced_card", _but(*TK, *BJ), "dealing", (Err("beside"),)),
    Practice("HG4", "misplaced_card", _but(*TK, *BJ, *TWO_CARDS), "dealing", (Deal(), Err("shift")), "shift"),
    Practice("HG5", "misplaced_card", _but(*TK, *BJ), "dealing", (Say("misplaced_card", "true"),)),
    Practice("HG5", "wrong_order", PLAIN, "dealing", (Say("wrong_order"),)),
    Practice("HG6", "extra_card", UNASKED, "dealing", (Say("extra_card", "false"),)),
    Practice("HG6", "extra_card", ASKED, "deciding", (Lay("down"),), "deciding"),
    Practice("HG6b", "extra_card", STREETS, "deciding", (Lay("up"),), branch=1),
    Practice("HG6b", "extra_card", ASKED, "dealt", (Say("extra_card", "true"),), "last"),
    Practice("HG7", "wrong_count", ALIKE, "dealing", (Say("wrong_count", "false"),)),
    Practice("HG7", "wrong_count", BJ, "turn", (Say("wrong_count", "false", "many"),), "many"),
    Practice("HG8", "wrong_count", ALIKE, "dealing", (Say("wrong_count", "true"),)),
    Practice("HG8", "wrong_count", BJ, "turn", (Say("wrong_count", "true", "many"),), "many"),
    Practice("HG9", "boxed_card", ALIKE, "dealing", (Deal(), Say("boxed_card", "drawn"))),
    Practice("HG9", "boxed_card", ALIKE, "dealing", (Say("boxed_card", "shoe"),), "shoe"),
    Practice("HG10", "boxed_card", ALIKE, "card", (Say("boxed_card", "2"),)),
    Practice("HG11", "fouled_deck", ONE_DECK, "late", (Err("slip_in"), Deal())),
    Practice("HG11", "fouled_deck", MANY_DECKS, "dealing", (Say("fouled_deck"),), "reported"),
    Practice("HG12", "shoe_empty", ALIKE, "dealing", (Err("empty_shoe"), Say("shoe_empty"))),
    Practice("HG13", "unread_card", EVERY, "dealing", (Err("unreadable"),)),
    Practice("HG13", "unread_card", EVERY, "dealing", (Err("past_reader"),), "past_reader"),
    Practice("HG13", "unread_card", EVERY, "dealing", (Break("shoe.unread_card"), Deal()), "fault"),
    Practice("HG13", "unread_card", EVERY, "dealing", (Break("shoe.wrong_baud"), Deal()), "wrong_baud"),
    Practice("HG14", "unread_card", ALIKE, "dealing", (Lay("down", "unread"),)),
    Practice("HG15", "card_mismatch", EVERY, "dealing", (Err("switched"),)),
    Practice(
        "HG16",
        "dropped_card",
        _but(*TK, *TWO_CARDS),
        "dealing",
        (Err("fumble"), Say("dropped_card", "false")),
        branch=1,
    ),
    Practice("HG16", "dropped_card", TWO_CARDS, "first_card", (Err("fumble"), Say("dropped_card", "false")), branch=1),
    Practice("HG16", "dropped_card", _but(*TK, *TWO_CARDS), "dealing", (Deal(), Err("drop")), "identified"),
    Practice("HG16", "dropped_card", TWO_CARDS, "dealing", (Err("drop"),), "drop_the_first"),
    Practice("HG16", "dropped_card", PLAIN[:1], "dealing", (Deal(), Err("take_away")), "take_away"),
    Practice("HG17", "cleared_early", EVERY, "dealing", (Deal(), Err("clear_early"))),
    Practice("HG18", "shuffler_jam", _but(*TK), "between", (Break("shuffler.jam"),)),
    Practice("HG19", "shuffler_jam", _but(*TK), "dealing", (Break("shuffler.jam"),), branch=1),
    Practice("HG19", "shuffler_jam", _but(*TK), "dealing", (Say("shuffler_jam", "false"),), "harmless"),
    Practice("HG20", "prize_lost", _but(*TK, *BJ), "dealing", (PitSays("prize_lost"),)),
    Practice("HG21", "camera_unsure", EVERY, "dealing", (Err("hand_over"),)),
    Practice("HG21", "camera_unsure", TK, "dealing", (Err("face_down"),), "face_down"),
)

_BLACKJACK: Final[tuple[Practice, ...]] = (
    Practice("BJ1", "boxed_card", BJ, "dealing", (Deal(), Say("boxed_card", "drawn"))),
    Practice("BJ1", "boxed_card", BJ, "dealing", (Say("boxed_card", "shoe"),), "shoe"),
    Practice("BJ2", "extra_card", BJ, "turn", (Lay("down"),)),
    Practice("BJ3", "extra_card", BJ, "turn", (Lay("up"),), branch=1),
    Practice("BJ4", "extra_card", BJ, "turn", (Say("extra_card", "refused", "boxes"),)),
    Practice("BJ5", "extra_card", BJ, "dealt", (Err("extra_card"),)),
    Practice("BJ6", "wrong_order", BJ, "first_card", (Say("wrong_order", variant="dealer"),)),
    Practice("BJ7", "wrong_count", BJ, "first_card", (Say("wrong_count", variant="none"),)),
    Practice("BJ8", "wrong_count", BJ, "dealing", (Say("wrong_count", variant="one"),)),
    Practice("BJ9", "misplaced_card", BJ, "first_card", (Err("wrong_box"),)),
    Practice("BJ9", "misplaced_card", BJ, "dealing", (Say("misplaced_card", "true"),), "later", branch=1),
    Practice("BJ10", "shoe_empty", BJ, "dealing", (Err("empty_shoe"), Say("shoe_empty"))),
    Practice("BJ11", "unread_card", BJ, "dealing", (Lay("down", "unread"),)),
    Practice("BJ12", "disconnected", BJ, "dealing", (PitSays("disconnected"),)),
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
    Practice("EV5", "conflicting_reread", EVERY, "dealing", (Break("shoe.conflicting_reread"), Deal())),
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

PRACTICES: Final[tuple[Practice, ...]] = (*_CARDS, *_BLACKJACK, *_EVERY_TABLE)
"""Those of cards first, then those of every table: the order of the page."""
