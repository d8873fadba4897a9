"""Tables as full as they get: many seats, long names, great sums, an incident on top of another."""

from __future__ import annotations

from dataclasses import replace

import fake_blackjack as jack
import fake_open_face as ofc
import fake_poker as poker
from altered import altered
from fake_floor import BETTING, DEALING, DECLARED, IDLE, NOW_MS, FakeFloor, box, held, incident, results

from studio.games.kkclash import BETS as CLASH_BETS
from studio.tables.state.round import Stage
from studio.views.shape import PastView, PotView, TableView, Words

DEALER = "Maximiliana Oktaviani-Sumantri"
BETTORS = tuple(f"{name}-wijayakusuma" for name in poker.FULL)
TITLE = "Three Knights Grand Salon 12"
NAMES = (DEALER, TITLE, *BETTORS)
"""What people chose, and a screen may shorten."""
RICH_MINOR = 12_345_600
RICH = poker.players(*BETTORS, **dict.fromkeys(BETTORS, RICH_MINOR))
ALL_IN = (f"raise {RICH_MINOR}", "call", *["fold"] * 5, "call", "fold")
BLINDS = {"small_blind": 50_000, "big_blind": 100_000, "buy_in_least": 2_000_000, "buy_in_most": 100_000_000}
STAKES = {f"{seat}:main": 25_000_000 for seat in range(1, 8)} | {"3:perfect_pair": 500_000}

CLASH = altered(
    IDLE,
    game={"key": "kkclash", "title": "KKClash", "limits": dict.fromkeys(CLASH_BETS, (100, 100_000))},
    now={"phase": "dealing"},
    boxes=(
        box("shark", "Ah", "Kd", count=2),
        box("king", "Tc", "Td", count=2),
        box("board", "Tc", "4d", "Qs", count=5),
    ),
    past=PastView(("king", "shark") * 30 + ("draw",), {"draw": 12}),
)
ULTIMATE = altered(
    IDLE,
    game={
        "key": "ultimate_holdem",
        "title": "Ultimate Texas Hold'em",
        "limits": dict.fromkeys(("ante", "trips"), (100, 100_000)),
        "pot": PotView("first5", "EUR", 123_456_789),
    },
    now={"phase": "dealing"},
    boxes=(
        box("player", "Ah", "Kd", count=2),
        box("dealer", "*", "*", count=2),
        box("board", "Tc", "4d", "Qs", ">", count=5),
        box("burn", "*", "*", "*", count=3),
    ),
)
PAIR = altered(
    IDLE,
    game={
        "key": "three_card_poker",
        "title": "Three Card Poker",
        "limits": dict.fromkeys(("ante", "pair_plus"), (100, 100_000)),
    },
    now={"phase": "dealing"},
    boxes=(box("player", "Ah", "Kd", "Qc"), box("dealer", "*", "*", "*")),
)
MISPLACED = incident(
    "misplaced_card",
    where={"box": "player3", "place": 1, "due_box": "player2", "due_place": 2},
    row={
        "id": "TK2",
        "ruling": "replace_card",
        "approval": "dealer",
        "options": ("replace_card", "void_round"),
        "text": "A card at a wrong place goes where it belongs; where nobody can say, the round is void.",
    },
    circumstances={},
)
DOUBTED = incident(
    "card_mismatch",
    where={"box": "banker", "place": 3},
    row={
        "id": "HG20",
        "ruling": "accept_shoe",
        "options": ("accept_shoe", "accept_camera", "void_round"),
        "text": "Shoe and camera differ: the pit boss looks.",
    },
    circumstances={},
)
ASKED = altered(
    DOUBTED,
    asked={
        "ruling": "void_round",
        "by": "paul",
        "by_name": DEALER,
        "reason_code": "camera",
        "words": "The camera was touched while the card was laid",
        "until_ms": NOW_MS + 90_000,
        "mark": "m",
    },
)

TABLES: dict[str, TableView] = {
    "idle": altered(IDLE, title=TITLE, seat={"dealer_name": DEALER}, past={"results": results(40)}),
    "betting": altered(BETTING, devices={"camera_late": Words("camera.behind", {"seconds": 12, "percent": 40})}),
    "dealing": altered(DEALING, now={"pit_called_by": "dora"}, seat={"dealer_name": DEALER}),
    "declared": altered(DECLARED, past={"results": results(40)}),
    "frozen": altered(
        held(),
        now={"frozen_by": "petra"},
        title=TITLE,
        devices={"links": {"shoe": False, "shuffler": True, "camera": False}},
    ),
    "misplaced": held(DEALING, MISPLACED, DOUBTED),
    "asked": held(DEALING, ASKED, incident()),
    "clash": CLASH,
    "ultimate": ULTIMATE,
    "pair": PAIR,
    "jack-insuring": jack.jack(*jack.ACE, stakes={**STAKES, "5:insurance": 12_500_000}, open=True),
    "jack-split": jack.jack(*jack.SPLIT[:-1], stakes=STAKES, open=True),
    "jack-long": jack.jack(*jack.LAST, stakes=STAKES, open=True),
    "jack-result": altered(jack.settled(*jack.DRAWN, stakes=STAKES), past={"results": jack.past(30)}),
    "nlh-raised": poker.hand(
        "raise 300000", "fold", "fold", "call", room=RICH, rules=BLINDS, marks={"seat6": {"bank_since_ms": NOW_MS}}
    ),
    "nlh-all-in": poker.hand(*ALL_IN, room=RICH, rules=BLINDS),
    "nlh-settled": poker.hand(*ALL_IN, room=RICH, rules=BLINDS, stage=Stage.SETTLED),
    "nlh-held": altered(
        held(poker.hand("raise 300000", "call", room=RICH, rules=BLINDS), poker.MISLAID), now={"why": None}
    ),
    "plo": poker.hand("raise 300000", *["call"] * 8, game="plo", room=RICH, rules=BLINDS),
    "short": poker.STATES["short deck"],
    "ofc-street": ofc.hand(sets=14, lays=14, seats=" ".join(BETTORS[:3])),
    "ofc-fantasy": ofc.hand(sets=1, seats=" ".join(BETTORS[:3]), fantasy={"seat1": 17}),
    "ofc-points": ofc.hand(seats=" ".join(BETTORS[:3])),
    "ofc-held": altered(held(ofc.hand(sets=4, lays=4), ofc.EXPOSED), now={"why": None}),
}
"""By the key each stands under on one floor."""


def crowded(*keys: str) -> FakeFloor:
    return FakeFloor(*(replace(TABLES[key], table=key) for key in keys or TABLES))
