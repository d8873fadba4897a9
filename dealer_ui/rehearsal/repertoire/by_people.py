"""What the pit, the bettors and whoever stands at the table do wrong, and what befalls the program."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.repertoire.wrong import ANY_KIND, Doer, Wrong


def _person(key: str, what: str, *kinds: str) -> Wrong:
    return Wrong(key, Doer.PEOPLE, kinds, what)


def _program(key: str, what: str, *kinds: str) -> Wrong:
    return Wrong(key, Doer.PROGRAM, kinds, what)


SAID: Final[tuple[Wrong, ...]] = (
    _person("false_report", "Somebody reports an incident, and nothing has happened.", *ANY_KIND),
    _person("burn_doubted", "Somebody says that a burn was wrong.", "burn_error"),
    _person("misdeal_claimed", "Somebody says that the deal was wrong.", "misdeal_claimed"),
    _person("video_lost", "The pit says that bettors have lost the picture.", "video_lost"),
    _person("malfunction", "The pit says that something of the studio's own fails.", "malfunction"),
    _person("disconnected", "The pit says that a bettor has lost the connection.", "disconnected"),
    _person("freeze", "Somebody freezes the table."),
    _person("call_pit", "Somebody calls the pit."),
)
DONE: Final[tuple[Wrong, ...]] = (
    _person("override", "Two people enter a card by hand, as it lies or as it does not.", "card_mismatch"),
    _person("abandoned_request", "Somebody asks for a second person, and none comes in time.", "card_mismatch"),
    _person("approves_himself", "Whoever asked approves himself, and the dealer tries to.", "card_mismatch"),
    _person("table_paused", "The pit pauses the table."),
    _person("table_closed", "The pit closes the table."),
    _person("dealer_changed", "The dealer changes."),
    _person("shoe_withdrawn", "The pit takes the shoe out of play."),
    _person("buttons_too_early", "Buttons are pressed when they are not due, on a screen that has not followed."),
    _person("late_bets", "Bets come when no window is open."),
    _person("crowd", "More bets come than one transaction settles."),
    _person("decisions", "Decisions come late, twice, out of turn, or for another's bet."),
    _person("away", "A bettor whose turn it is, or who has not looked, is away.", "timed_out"),
    _person("shoe_order", "A technician sends the shoe a command while it deals."),
)
BEFALLS: Final[tuple[Wrong, ...]] = (
    _program("restart", "The program dies, and comes up again on the same database.", "restart", "device_lost"),
    _program("disk_full", "The disk takes nothing more for a while."),
    _program("clock_back", "The clock of the machine is set back."),
)
