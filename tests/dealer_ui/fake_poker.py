"""A hand-made table of the poker room in every state a hand goes through, drawn by the studio's own views.

`hand("raise 300", "fold")` deals a hand and lets the seats choose that in turn; burns and cards come as the script
awaits them. `hand(stop=4)` stops before the fourth card.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from typing import Any

from altered import altered
from fake_floor import NOW_MS, held, incident

from studio.cards import DECK, Card, SealedCard, Sealer, parse_cards
from studio.games import find_game
from studio.ports import CardFace
from studio.rounds import AnyFact, Awaiting, CardBurned, CardDealt, Chose, Finished, Revealed, play
from studio.rounds.play import begin
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Burn, Deal, Reveal, Turn
from studio.rulebook.seating import Sitting
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.identity import Devices
from studio.tables.state.pit import Seat
from studio.tables.state.room import Player, Room
from studio.tables.state.round import Eyes, Round, RoundDeal, RoundWindow, Stage, by_place
from studio.tables.state.shoe import Deck
from studio.tables.state.table import Moves, Status, TableState
from studio.value import replace
from studio.views import TableView, view_table
from studio.views.shape import PastView, ResultView

TABLE = "nlh-1"
LINKS = {"shoe": True, "shuffler": True, "camera": True}
SEALER = Sealer(random.Random(21).randbytes)
ID = f"{TABLE}-0000031"
CHIPS = 20_000
FULL = ("ann", "bob", "cy", "dee", "eve", "fay", "gil", "hana", "ichiro")
FIRST = parse_cards("Ah Kh Qh Jh Th 9h 8h 7h 6h As Kd Qd Jd Td 9d 8d 7d 6d 2c 3d 5h 8s 6c Jc 4s 2s")


def players(*bettors: str, **stacks: int) -> dict[str, Player]:
    """By seat, from the first on; `-` leaves one free."""
    return {
        f"seat{at}": Player("north", name, stacks.get(name, CHIPS), bank_ms=30_000)
        for at, name in enumerate(bettors, 1)
        if name != "-"
    }


def rules_of(game: str, room: Mapping[str, Player], rules: Mapping[str, Any]) -> dict[str, Any]:
    made = find_game(game)
    checked = dict(made.options.check(rules))
    assert made.peers is not None
    sitting = [Sitting(seat, one.stack_minor) for seat, one in sorted(room.items()) if one.wants_cards]
    return {**checked, HAND: made.peers.terms(checked, made.peers.next_hand(checked, sitting, ""))}


def deal(
    game: str, rules: Mapping[str, Any], choices: tuple[str, ...], stop: int = 99, turned: int = 99
) -> tuple[AnyFact, ...]:
    """Facts as long as somebody has chosen, fewer than `stop` cards are out, and `turned` hands turned up."""
    made, facts, left = find_game(game), list[AnyFact](), list(choices)
    small = [card for card in DECK if card.rank in "6789TJQKA"] if made.shoe.deck_cards < len(DECK) else list(DECK)
    deck = [*(card for card in FIRST if card in small), *(card for card in small if card not in FIRST)]
    playing, _ = begin(made.deal.script(rules), ())
    now = playing.take(())
    while isinstance(now, Awaiting):
        match now.step:
            case Turn(box=box):
                if not left:
                    break
                option, _, amount = left.pop(0).partition(" ")
                facts.append(
                    Chose(box=box, option=option.rstrip("!"), to_minor=int(amount or 0), by_default="!" in option)
                )
            case Reveal() if sum(isinstance(fact, Revealed) for fact in facts) >= turned:
                break
            case Reveal(box=box):
                cards = [one for slot, one in sorted(by_place(facts).items()) if slot[0] == box]
                faces = tuple(_OPEN[one.card.id] for one in cards)
                facts.append(Revealed(box=box, faces=faces, keys=tuple(one.card.publish_key() for one in cards)))
            case _ if len(deck) <= len(small) - stop:
                break
            case Burn():
                facts.append(
                    CardBurned(card=_seal(deck.pop(0)), place=sum(isinstance(f, CardBurned) for f in facts) + 1)
                )
            case Deal(box=box, face=CardFace.DOWN):
                facts.append(CardDealt(card=_seal(deck.pop(0)), box=box, place=now.place))
            case Deal(box=box):
                face = deck.pop(0)
                card = _seal(face)
                facts.append(CardDealt(card=card, box=box, place=now.place, face=face, key=card.publish_key()))
            case _:
                break
        now = playing.take(facts[-1:])
    return tuple(facts)


_OPEN: dict[str, Card] = {}


def _seal(face: Card) -> SealedCard:
    card = SEALER.card(face)
    _OPEN[card.id] = face
    return card


def hand(
    *choices: str,
    game: str = "nlh",
    room: Mapping[str, Player] | None = None,
    rules: dict[str, Any] | None = None,
    stop: int = 99,
    turned: int = 99,
    marks: Mapping[str, Mapping[str, Any]] | None = None,
    doubted: str = "",
    **changes: Any,
) -> TableView:
    """A hand in which this has been chosen; `marks` are changes of seats, `changes` those of its round; of the cards
    of the seat that is `doubted` the camera is not sure.
    """
    sat = players(*FULL) if room is None else room
    made = rules_of(game, sat, rules or {})
    facts = deal(game, made, choices, stop, turned)
    standing = play(find_game(game).deal.script(made), facts)
    cards = by_place(facts)
    confirmed = frozenset(fact.card.id for fact in cards.values())
    seats = made[HAND]["seats"]
    turn = isinstance(standing, Awaiting) and isinstance(standing.step, Turn)
    doubts = {fact.card.id: "unsure" for (zone, _), fact in cards.items() if zone == doubted}
    round = Round(
        ID, 31, made, 1, "dora", RoundDeal(standing, facts=facts, cards=cards),
        eyes=Eyes(confirmed=confirmed - set(doubts), doubts=doubts),
        window=RoundWindow(NOW_MS + 17_000 if turn else None),
    )  # fmt: skip
    if isinstance(standing, Finished):
        round = replace(round, outcome=find_game(game).deal.describe(standing.outcome) if "stage" in changes else None)
    taken = {seat: replace(one, **(marks or {}).get(seat, {})) for seat, one in sat.items()}
    state = TableState(
        TableConfig(key=TABLE, title="Hold'em 1", game=game, rules=rules or {}), status=Status.OPEN,
        seat=Seat("dora", "Dora Deal"), devices=Devices(links=LINKS), moves=Moves(7),
        deck=Deck("D-0007", 3, drawn=len(cards)), round=replace(round, **changes),
        felt=Felt(looks={slot: _seen(fact) for slot, fact in cards.items()}),
        room=Room(taken, seats[-1], tuple(seats)),
    )  # fmt: skip
    return view_table(state, Book(ID), 41, PastView(results=past()))


def _seen(fact: CardDealt | CardBurned) -> Seen:
    open_ = isinstance(fact, CardDealt) and fact.face is not None
    return Seen(CardFace.UP if open_ else CardFace.DOWN, None, NOW_MS)


def between(*bettors: str) -> TableView:
    """No hand yet."""
    state = TableState(
        TableConfig(key=TABLE, title="Hold'em 1", game="nlh"), status=Status.OPEN,
        seat=Seat("dora", "Dora Deal"), devices=Devices(links=LINKS), moves=Moves(7), deck=Deck("D-0007", 3),
        room=Room(players(*bettors)),
    )  # fmt: skip
    return view_table(state, Book(""), 41)


@functools.cache
def past(count: int = 5) -> tuple[ResultView, ...]:
    """Finished hands as the game describes them, a void one among them."""
    rules = rules_of("nlh", players(*FULL), {})
    ends = (("raise 300", *["fold"] * 8), ("raise 300", "call", *["fold"] * 7, *["check"] * 6, "show", "show"))
    told = []
    for end in ends:
        standing = play(find_game("nlh").deal.script(rules), deal("nlh", rules, end))
        assert isinstance(standing, Finished), standing
        told.append(find_game("nlh").deal.describe(standing.outcome))
    return tuple(
        ResultView(f"{TABLE}-{n:07d}", n, NOW_MS - (count - n) * 60_000, n % 5 == 4, {} if n % 5 == 4 else told[n % 2])
        for n in range(1, count + 1)
    )


# --- the states of a hand -------------------------------------------------------------------------------

DEEP = players("ann", "bob", "cy", "-", "eve", "fay", "-", "hana", "ichiro", ann=800, bob=2_500)
UNEVEN = players("ann", "bob", "cy", "-", "eve", "fay", "-", "hana", "ichiro", ann=2_500, fay=800)
ALL_IN = ("raise 20000", "call", "fold", "fold", "call", "call", "fold")
SHOWN = ("raise 300", "call", *["fold"] * 7)

MISLAID = incident(
    "misplaced_card",
    where={"box": "seat6", "place": 1, "due_box": "seat5", "due_place": 2},
    row={
        "id": "PK1",
        "ruling": "reshuffle_and_redeal",
        "approval": "pit_boss",
        "options": (),
        "text": "A card to a wrong seat, or a seat skipped: a misdeal. Shuffle and deal again; button and blinds stay.",
    },
    circumstances={"action": False},
)

STATES: dict[str, TableView] = {
    "before": between("ann", "bob", "-", "dee"),
    "alone": between("ann"),
    "dealing": hand(stop=12),
    "first turn": hand(),
    "raised": hand("raise 300", "fold", "fold", "call", marks={"seat6": {"bank_since_ms": NOW_MS}}),
    "flop due": hand(*SHOWN, stop=18),
    "flop": hand(*SHOWN),
    "river bet": hand(*SHOWN, "check", "bet 600", "call", "check", "check", "bet 1500"),
    "turn up": hand(*ALL_IN, turned=1, room=DEEP),
    "split": hand(*ALL_IN, room=DEEP),
    "side pots": hand(*ALL_IN, room=UNEVEN),
    "muck or show": hand(*SHOWN, *["check"] * 6, turned=1),
    "push": hand(*SHOWN, *["check"] * 6, "show", "show"),
    "settled": hand(*SHOWN, *["check"] * 6, "show", "show", stage=Stage.SETTLED),
    "held": altered(held(hand("raise 300", "call", "fold"), MISLAID), now={"why": None}),
    "omaha": hand("raise 300", "call", "fold", "fold", "call", "fold", "fold", "fold", "call", game="plo"),
    "short deck": hand("call", "call", "fold", game="short_deck", room=players("ann", "bob", "cy", "dee", "eve")),
}
