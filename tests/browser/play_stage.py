"""Every game as a bettor's page shows it: while he bets, while he decides, and when it is paid.

The deal is the rulebook's own, played over a shuffled deck; the view is drawn by the studio's own views.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from api_fake_floor import NOW_MS
from play_house import PlayHouse

from dealer_ui.floor.bet_offer import BetOffer
from studio.cards import DECK, Card, SealedCard, Sealer, parse_cards
from studio.games import find_game
from studio.ports import CardFace
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardBurned,
    CardDealt,
    Chose,
    Finished,
    Revealed,
    Shuffled,
    WindowClosed,
)
from studio.rounds.play import begin
from studio.rulebook.script import Burn, Deal, Decide, OpenBets, Reveal, Shuffle, Turn
from studio.tables.books.book import Book
from studio.tables.config import Limit, TableConfig
from studio.tables.event.table import PlacedBet
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.identity import Devices
from studio.tables.state.pit import Seat
from studio.tables.state.round import Eyes, Round, RoundDeal, RoundStakes, RoundWindow, Stage, by_place
from studio.tables.state.shoe import Deck
from studio.tables.state.table import Moves, Status, TableState
from studio.value import replace
from studio.views import TableView, view_table
from studio.views.own import OwnPlay, own_play

TABLE: Final = "t1"
WHO: Final = ("north", "ann.k-7")
STAKE_MINOR: Final = 500
WINDOW_MS: Final = 90_000
"""Long enough for a page to be looked at, and as broad on its ring as a window is."""
FIRST: Final = {"blackjack": "Ah 8d 9c As Kh 8c 7s"}
"""A blackjack, a pair and sixteen against an ace: even money, insurance, a split."""
LINKS: Final = {"shoe": True, "shuffler": True, "camera": True}


@dataclass(frozen=True, slots=True)
class Scene:
    """What the table shows, what of it is this bettor's own, and once it is paid what each bet of his brought him."""

    view: TableView
    own: OwnPlay
    returns: Mapping[str, int] | None
    outcome: Mapping[str, Any]


def bets_of(key: str) -> tuple[str, ...]:
    """As many as one bettor may have out at once: where a game is dealt to boxes, his three."""
    game = find_game(key)
    if game.owned is not None:
        return tuple(f"{box}:{kind}" for box in (1, 4, 7) for kind in ("main", "perfect_pair"))
    own = (bet for bet in game.betting.bets if bet not in (*game.betting.automatic, *game.decisions.raised))
    order = game.betting.bets.index
    beside = {clash for rule in game.betting.exclusive for clash in sorted(rule, key=order)[1:]}
    return tuple(bet for bet in own if bet not in beside)


def scenes(key: str, bets: Sequence[str]) -> Mapping[str, Scene]:
    """`bets`, `decision` and `turn` where the game asks for them, and `result`; he has staked `bets`."""
    return dict(_scenes(key, bets))


def _scenes(key: str, bets: Sequence[str]) -> Iterator[tuple[str, Scene]]:
    found = list(_standings(key, bets))
    opened = next(facts for facts, now in found if isinstance(now, Awaiting) and isinstance(now.step, OpenBets))
    yield "bets", _scene(key, opened, bets, closes=True)
    for name, kind in (("decision", Decide), ("turn", Turn)):
        asked = [facts for facts, now in found if isinstance(now, Awaiting) and isinstance(now.step, kind)]
        if asked:
            yield name, _scene(key, asked[0], bets, closes=True)
    yield "result", _scene(key, found[-1][0], bets, closes=False)


def _standings(key: str, bets: Sequence[str]) -> Iterator[tuple[tuple[AnyFact, ...], object]]:
    """The facts of a round and what they leave awaited, one after the other; every box stands where it may."""
    game, dealing = find_game(key), _Dealing(Random(f"{key}/stage"), parse_cards(FIRST.get(key, "")))
    boxes = game.owned.boxes_of(dict.fromkeys(bets, STAKE_MINOR)) if game.owned else ()
    playing, _ = begin(game.deal.script(game.options.defaults), ())
    facts: list[AnyFact] = []
    now = playing.take(())
    while True:
        yield tuple(facts), now
        if not isinstance(now, Awaiting):
            assert isinstance(now, Finished), now
            return
        facts.append(dealing.answer(now, facts, boxes))
        now = playing.take(facts[-1:])


class _Dealing:
    def __init__(self, random: Random, first: Sequence[Card]) -> None:
        self._sealer, self._open = Sealer(random.randbytes), dict[str, Card]()
        self._deck = [card for card in DECK if card not in first]
        random.shuffle(self._deck)
        self._deck += reversed(first)

    def answer(self, now: Awaiting, facts: Sequence[AnyFact], boxes: tuple[str, ...]) -> AnyFact:
        match now.step:
            case Burn():
                return CardBurned(card=self._seal(), place=sum(isinstance(one, CardBurned) for one in facts) + 1)
            case Deal(box=box, face=CardFace.DOWN):
                return CardDealt(card=self._seal(), box=box, place=now.place)
            case Deal(box=box):
                card = self._seal()
                return CardDealt(card=card, box=box, place=now.place, face=self._open[card.id], key=card.publish_key())
            case Reveal(box=box):
                cards = [one.card for slot, one in sorted(by_place(facts).items()) if slot[0] == box]
                faces, keys = tuple(self._open[one.id] for one in cards), tuple(one.publish_key() for one in cards)
                return Revealed(box=box, faces=faces, keys=keys)
            case OpenBets():
                return WindowClosed(boxes=boxes)
            case Decide():
                return WindowClosed()
            case Turn(box=box, options=options):
                return Chose(box=box, option="stand" if "stand" in options else options[0])
            case Shuffle():
                return Shuffled()
        raise AssertionError(now.step)

    def _seal(self) -> SealedCard:
        face = self._deck.pop()
        card = self._sealer.card(face)
        self._open[card.id] = face
        return card


def _scene(key: str, facts: tuple[AnyFact, ...], bets: Sequence[str], *, closes: bool) -> Scene:
    game, id = find_game(key), f"{TABLE}-r1"
    book = Book(id)
    book.add([_bet(bet) for bet in bets])
    playing, _ = begin(game.deal.script(game.options.defaults), ())
    standing, dealt = playing.take(facts), by_place(facts)
    round = Round(
        id, 1, game.options.defaults, 1, "d1", RoundDeal(standing, facts=facts, cards=dealt),
        eyes=Eyes(confirmed=frozenset(one.card.id for one in dealt.values())),
        window=RoundWindow(NOW_MS + WINDOW_MS if closes else None), stakes=RoundStakes(
            1, STAKE_MINOR, boxes=game.owned.boxes_of(dict.fromkeys(bets, STAKE_MINOR)) if game.owned else ()
        ),
    )  # fmt: skip
    returns, told = None, dict[str, Any]()
    if isinstance(standing, Finished):
        told = dict(game.deal.describe(standing.outcome))
        round = replace(round, stage=Stage.SETTLED, outcome=told)
        brought = game.payment.returns(game.options.defaults, standing.outcome)
        returns = {bet: int(brought[bet] * STAKE_MINOR) for bet in bets}
    limits = {"*": Limit(least_minor=100, most_minor=100_000)}
    state = TableState(
        TableConfig(key=TABLE, title=game.title, game=key, limits=limits), status=Status.OPEN,
        seat=Seat("d1", "Dana"), devices=Devices(links=LINKS), moves=Moves(7), deck=Deck("D-7", 1, drawn=len(dealt)),
        round=round, felt=Felt(looks={slot: _seen(one) for slot, one in dealt.items()}),
    )  # fmt: skip
    return Scene(view_table(state, book, 41), own_play(state, book, *WHO), returns, told)


def _bet(bet: str) -> PlacedBet:
    return PlacedBet(
        bet_id=f"b-{bet}", operator=WHO[0], client_id=bet, bettor=WHO[1], bet=bet, stake_minor=STAKE_MINOR,
        currency="EUR",
    )  # fmt: skip


def _seen(fact: CardDealt | CardBurned) -> Seen:
    up = isinstance(fact, CardDealt) and fact.face is not None
    return Seen(CardFace.UP if up else CardFace.DOWN, None, NOW_MS)


def open_and_bet(house: PlayHouse, bets: Sequence[str]) -> None:
    """The table of the house takes bets, and these are his."""
    house.floor.open_bets(window_ms=WINDOW_MS)
    operator, bettor = WHO
    offers = [BetOffer(bet, bettor, bet, STAKE_MINOR) for bet in bets]
    assert {one.status for one in house.floor.place_bets(TABLE, operator, offers)} == {"accepted"}


def show(house: PlayHouse, scene: Scene) -> None:
    """The table of the house is now so, and what he has staked is paid if the scene is."""
    house.floor.own = scene.own
    if scene.returns is not None:
        house.floor.settle(scene.returns, scene.outcome)
    house.floor.show(
        **{name: getattr(scene.view, name) for name in scene.view.__slots__ if name not in ("seq", "table")}
    )
