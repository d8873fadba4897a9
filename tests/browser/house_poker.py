"""Tables of hold'em and three cards against the house, as full as they get: all bets, a result, a long past."""

from __future__ import annotations

from typing import Any

from altered import altered
from fake_floor import DECLARED, NOW_MS, FakeFloor, box

from studio.games import find_game
from studio.journal.extract.winners import Winner
from studio.money import Rates
from studio.views.shape import BoxView, PotView, ResultView, TableView

WORDS = ("win", "lose", "tie", "lose", "win")
BOARD = ("Tc", "4d", "Qs", "7h", "2c")


def _past(count: int) -> tuple[ResultView, ...]:
    won: tuple[dict[str, Any], ...] = tuple({"player": {"result": WORDS[n % 5]}} for n in range(count))
    return tuple(ResultView(f"r-{n:07d}", n, NOW_MS - (count - n) * 60_000, False, one) for n, one in enumerate(won, 1))


def _table(key: str, *boxes: BoxView, **changes: Any) -> TableView:
    rules = find_game(key)
    shown = altered(
        DECLARED,
        table=key,
        title=rules.title,
        game={
            "key": key,
            "title": rules.title,
            "limits": dict.fromkeys(rules.betting.bets, (100, 100_000)),
            "rules": dict(rules.options.defaults),
        },
        boxes=boxes,
        past={"results": _past(40)},
    )
    return altered(shown, **changes)


def _holdem(key: str, **changes: Any) -> TableView:
    player = box("player", "Ah", "Qd", count=2, ranks_as="Pair of Queens", won="win")
    dealer = box("dealer", "Kh", "3d", count=2, ranks_as="King High")
    return _table(key, player, dealer, box("board", *BOARD, count=5), **changes)


ULTIMATE = _holdem("ultimate_holdem")
THREE_CARD = _table(
    "three_card_poker", box("player", "Ah", "Qd", "3c", ranks_as="Ace High", won="lose"),
    box("dealer", "9h", "9d", "3s", ranks_as="Pair of Nines"),
)  # fmt: skip
CASINO = _holdem("casino_holdem")
_BONUS = find_game("holdem_bonus").betting.bets
RATES = Rates(date="2026-01-31", worth={"EUR": "1", "IDR": "0.00006"})
BONUS = _holdem(
    "holdem_bonus",
    game={
        "pot": PotView("first5", "EUR", 123_456_789),
        "rates": RATES,
        "currencies": {"IDR": dict.fromkeys(_BONUS, (1_700_000, 1_700_000_000))},
    },
)
ABROAD = altered(
    ULTIMATE,
    table="abroad",
    game={"rates": RATES, "currencies": {"IDR": dict.fromkeys(ULTIMATE.game.limits, (1_700_000, 1_700_000_000))}},
)
TABLES = {one.table: one for one in (ULTIMATE, BONUS, THREE_CARD, CASINO, ABROAD)}


class FiveWinners:
    """As many as a display names."""

    def of(self, view: TableView) -> tuple[Winner, ...]:
        return tuple(Winner("north", name, "EUR", 12_345_600) for name in ("ann", "bob", "cy", "dan", "eve"))


def against_the_house(*, winners: bool = False) -> FakeFloor:
    floor = FakeFloor(*TABLES.values())
    if winners:
        floor.winners = FiveWinners()  # type: ignore[assignment]
    return floor
