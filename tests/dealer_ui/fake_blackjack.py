"""A hand-made Blackjack table in every state a round goes through, drawn by the studio's own views.

`3 8h` is a card to box 3, `3 split` its choice, `3 stand!` one by default, `took 13` who took insurance or even money.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fake_floor import NOW_MS

from studio.cards import Card, Sealer
from studio.games.blackjack import BLACKJACK, describe
from studio.ports import CardFace
from studio.rounds import AnyFact, CardDealt, Chose, Finished, Misfit, WindowClosed, play
from studio.spoken import Slot
from studio.tables.books.book import Book
from studio.tables.config import Limit, TableConfig
from studio.tables.event.table import PlacedBet
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.identity import Devices
from studio.tables.state.pit import Seat
from studio.tables.state.round import Eyes, Round, RoundDeal, RoundStakes, RoundWindow, Stage
from studio.tables.state.shoe import Deck
from studio.tables.state.table import Moves, Status, TableState
from studio.value import replace
from studio.views import TableView, view_table
from studio.views.shape import ResultView

TABLE = "jack1"
CONFIG = TableConfig(
    key=TABLE, title="Blackjack 1", game="blackjack", limits={"*": Limit(least_minor=500, most_minor=50_000)}
)
LINKS = {"shoe": True, "shuffler": True, "camera": True}
SEALER = Sealer(random.Random(21).randbytes)
STAKES: Mapping[str, int] = {
    "1:main": 5_000, "2:main": 1_000, "3:main": 25_000, "3:perfect_pair": 500, "4:main": 5_000, "5:main": 2_500,
    "6:main": 10_000, "7:main": 500,
}  # fmt: skip
ID = f"{TABLE}-0000031"


def _facts(told: tuple[str, ...], boxes: tuple[str, ...]) -> tuple[AnyFact, ...]:
    facts: list[AnyFact] = [WindowClosed(boxes=boxes)] if told else []
    places: dict[str, int] = {}
    for one in told:
        zone, what = one.split()
        if zone == "took":
            facts.append(WindowClosed(boxes=tuple(what.replace("-", ""))))
        elif len(what) == 2:
            card, face = SEALER.card(Card.parse(what)), Card.parse(what)
            places[zone] = places.get(zone, 0) + 1
            facts.append(CardDealt(card=card, box=zone, place=places[zone], face=face, key=card.publish_key()))
        else:
            facts.append(Chose(box=zone, option=what.rstrip("!"), by_default=what.endswith("!")))
    return tuple(facts)


def jack(*told: str, stakes: Mapping[str, int] = STAKES, open: bool = False, **changes: Any) -> TableView:
    """A round in which this has happened; `open`: the window of what is awaited now runs. The newest card is owed."""
    boxes = BLACKJACK.owned.boxes_of(stakes) if BLACKJACK.owned else ()
    facts = _facts(told, boxes)
    standing = play(BLACKJACK.deal.script(BLACKJACK.options.defaults), facts)
    assert not isinstance(standing, Misfit), standing
    dealt: dict[Slot, Any] = {(fact.box, fact.place): fact for fact in facts if isinstance(fact, CardDealt)}
    confirmed = frozenset(fact.card.id for fact in dealt.values())
    book = Book(ID)
    book.add([_bet(bet, stake_minor) for bet, stake_minor in stakes.items()])
    round = Round(
        ID, 31, BLACKJACK.options.defaults, 1, "dora", RoundDeal(standing, facts=facts, cards=dealt),
        eyes=Eyes(confirmed=confirmed), window=RoundWindow(NOW_MS + 11_000 if open else None),
        stakes=RoundStakes(len(stakes), sum(stakes.values())),
    )  # fmt: skip
    state = TableState(
        CONFIG, status=Status.OPEN, seat=Seat("dora", "Dora Deal"), devices=Devices(links=LINKS),
        moves=Moves(7), deck=Deck("D-0007", 3, drawn=len(dealt)), round=replace(round, **changes),
        felt=Felt(looks={slot: Seen(CardFace.UP, None, NOW_MS) for slot in dealt}),
    )  # fmt: skip
    return view_table(state, book, 41)


def _bet(bet: str, stake_minor: int) -> PlacedBet:
    return PlacedBet(
        bet_id=f"b-{bet}", operator="north", client_id=bet, bettor=f"bettor-{bet[0]}", bet=bet,
        stake_minor=stake_minor, currency="EUR",
    )  # fmt: skip


def settled(*told: str, stakes: Mapping[str, int] = STAKES) -> TableView:
    """The round, paid out."""
    boxes = BLACKJACK.owned.boxes_of(stakes) if BLACKJACK.owned else ()
    standing = play(BLACKJACK.deal.script(BLACKJACK.options.defaults), _facts(told, boxes))
    assert isinstance(standing, Finished)
    return jack(*told, stakes=stakes, stage=Stage.SETTLED, outcome=describe(standing.outcome))


# --- the states of a round ------------------------------------------------------------------------------

FIRST = ("1 Kh", "2 5c", "3 8h", "4 As", "5 9d", "6 Td", "7 2c", "dealer 6s")
SECOND = ("1 6d", "2 6h", "3 8d", "4 Jc", "5 7s", "6 Th", "7 3c")
ACE = (*FIRST[:-1], "dealer Ad", *SECOND)
DEALT = (*FIRST, *SECOND)
HIT = (*DEALT, "1 hit")
SPLIT = (*HIT, "1 5s", "2 double", "2 Qd", "3 split", "3a 3c", "3a double", "3a Ks", "3b Tc", "3b stand")
BUSTED = (*SPLIT, "5 hit", "5 Kd", "6 surrender")
LAST = (*BUSTED, "7 hit", "7 4h", "7 hit", "7 2d", "7 hit", "7 Ac", "7 hit", "7 3h")
DRAWING = (*LAST, "7 stand!")
DRAWN = (*DRAWING, "dealer 9h", "dealer 3s")

OPENING = jack(stakes={"2:main": 1_000, "5:main": 25_000}, open=True)
AWAITED = jack(*FIRST[:5])
INSURING = jack(*ACE, stakes={**STAKES, "5:insurance": 1_250}, open=True)
TURN = jack(*DEALT, open=True)
CHOSEN = jack(*HIT)
TURN_ROW = jack(*SPLIT[:-1], open=True)
LONG_HAND = jack(*LAST, open=True)
DEALER_DRAWS = jack(*DRAWING)
FINISHED = jack(*DRAWN)
RESULT = settled(*DRAWN)

STATES: Mapping[str, TableView] = {
    "bets open": OPENING, "dealing": AWAITED, "insurance": INSURING, "turn": TURN, "chosen": CHOSEN, "split": TURN_ROW,
    "long hand": LONG_HAND, "dealer draws": DEALER_DRAWS, "finished": FINISHED, "result": RESULT,
}  # fmt: skip


def past(count: int) -> tuple[ResultView, ...]:
    """Finished rounds, a void one among them."""
    ends = (DRAWN, (*DEALT, "1 stand", "2 stand", "3 stand", "5 stand", "6 stand", "7 stand", "dealer Td", "dealer Kc"))
    told = [settled(*one).round.outcome or {} for one in ends]
    return tuple(
        ResultView(f"{TABLE}-{n:07d}", n, NOW_MS - (count - n) * 60_000, n % 9 == 8, {} if n % 9 == 8 else told[n % 2])
        for n in range(1, count + 1)
    )
