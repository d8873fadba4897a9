"""A hand-made table of Open-Face Chinese in every state of a hand, drawn by the studio's own views.

`hand(sets=4)` is a hand in which four streets have been set; the boards it comes to are `BOARDS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from altered import altered
from fake_floor import NOW_MS, held, incident
from fake_poker import LINKS, SEALER, players

from studio.cards import DECK, Card, parse_cards
from studio.games import find_game
from studio.games.ofc_hand import FIRST_STREET, LATER_STREET, PLACE, SET_AT_ONCE
from studio.ports import CardFace
from studio.rounds import AnyFact, Awaiting, CardDealt, Chose, Finished, Laid, play
from studio.rounds.play import begin
from studio.rulebook.hand_terms import HAND
from studio.rulebook.placing import MUCK
from studio.rulebook.script import Deal, Lay, Turn
from studio.rulebook.seating import Sitting
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.state.felt import Felt, Seen
from studio.tables.state.identity import Devices
from studio.tables.state.pit import Seat
from studio.tables.state.room import Room
from studio.tables.state.round import Eyes, Round, RoundDeal, RoundWindow, Stage, by_place
from studio.tables.state.shoe import Deck
from studio.tables.state.table import Moves, Status, TableState
from studio.value import replace
from studio.views import TableView, view_table

TABLE = "ofc-1"
ID = f"{TABLE}-0000012"
LONG = 99
Boards = Mapping[str, Mapping[str, str]]

BOARDS: Boards = {
    "seat1": {"bottom": "Th Jh 4h 8h 9h", "middle": "Ks Kd 7s 7d 3h", "top": "Qh Qd 2c"},
    "seat2": {"bottom": "9s 9d 6c 5c 2h", "middle": "Ac Ad 4d 4c 8s", "top": "6h 6d 3d"},
    "seat3": {"bottom": "Tc Ts 7c 5h 4s", "middle": "5s 6s 8d Td 9c", "top": "3s 2s 7h"},
}
"""A flush that scoops and enters fantasy; one that fouls, two pair above a pair; one that has next to nothing."""


@dataclass(slots=True)
class Dealing:
    """One hand as it is dealt; so many streets are still set and laid, so many cards dealt."""

    rules: Mapping[str, Any]
    boards: Boards
    sets: int
    lays: int
    cards: int
    facts: list[AnyFact] = field(default_factory=list)
    open: dict[str, Card] = field(default_factory=dict)
    dealt: dict[str, int] = field(default_factory=dict)
    rows: dict[str, list[str]] = field(default_factory=dict)

    def run(self) -> tuple[AnyFact, ...]:
        playing, _ = begin(find_game("ofc").deal.script(self.rules), ())
        now = playing.take(())
        while isinstance(now, Awaiting) and self._goes_on(now):
            now = playing.take(self.facts[-1:])
        return tuple(self.facts)

    def _goes_on(self, now: Awaiting) -> bool:
        match now.step:
            case Deal(box=seat) if self.cards > 0:
                self.cards -= 1
                self.facts.append(CardDealt(card=self._next(seat), box=seat, place=now.place))
            case Turn(box=seat) if self.sets > 0:
                self.sets -= 1
                self.facts.append(Chose(box=seat, option=PLACE, rows=tuple(self.rows.pop(seat))))
            case Lay() if self.lays > 0:
                self.lays -= 1
                self.facts.append(self._laid(now.step))
            case _:
                return False
        return True

    def _next(self, seat: str) -> Any:
        """Of each later street the last card is the one given up; in fantasy, all after the thirteenth."""
        at = self.dealt.get(seat, 0)
        self.dealt[seat] = at + 1
        later = divmod(at - FIRST_STREET, LATER_STREET)
        gone = at >= SET_AT_ONCE if seat in self.rules[HAND]["fantasy"] else at >= FIRST_STREET and later[1] == 2
        placed = [(card, row) for row, text in self.boards[seat].items() for card in parse_cards(text)]
        used = {card for board in self.boards.values() for text in board.values() for card in parse_cards(text)}
        spare = [card for card in DECK if card not in used]
        number = at if seat in self.rules[HAND]["fantasy"] else at - max(0, later[0])
        face, row = (spare[len(self.open) % len(spare)], MUCK) if gone else placed[number]
        self.rows.setdefault(seat, []).append(row)
        card = SEALER.card(face)
        self.open[card.id] = face
        return card

    def _laid(self, lay: Lay) -> Laid:
        lying = by_place(self.facts)
        dealt = [lying[lay.box, place].card for place, _, _ in lay.to]
        faces, keys = tuple(self.open[one.id] for one in dealt), tuple(one.publish_key() for one in dealt)
        return Laid(box=lay.box, to=lay.to, faces=faces, keys=keys, away=lay.away)


def hand(
    *,
    sets: int = LONG,
    lays: int = LONG,
    cards: int = LONG,
    seats: str = "ann bob cy",
    boards: Boards = BOARDS,
    fantasy: Mapping[str, int] | None = None,
    rules: Mapping[str, Any] | None = None,
    **changes: Any,
) -> TableView:
    """A hand as far as that; `fantasy`: the seats that are in it and their cards. `changes` are those of its round."""
    game, sat = find_game("ofc"), players(*seats.split())
    made = dict(game.options.check(rules or {}))
    assert game.peers is not None
    sitting = [Sitting(seat, one.stack_minor, fantasy=(fantasy or {}).get(seat, 0)) for seat, one in sat.items()]
    made[HAND] = game.peers.terms(made, game.peers.next_hand(made, sitting, ""))
    facts = Dealing(made, boards, sets, lays, cards).run()
    standing, lying = play(game.deal.script(made), facts), by_place(facts)
    turn = isinstance(standing, Awaiting) and isinstance(standing.step, Turn)
    round = Round(
        ID, 12, made, 1, "dora", RoundDeal(standing, facts=facts, cards=lying),
        eyes=Eyes(confirmed=frozenset(one.card.id for one in lying.values())),
        window=RoundWindow(NOW_MS + 17_000 if turn else None),
    )  # fmt: skip
    if isinstance(standing, Finished) and "stage" in changes:
        round = replace(round, outcome=game.deal.describe(standing.outcome))
    paid = game.peers.posted(made)
    state = TableState(
        TableConfig(key=TABLE, title="Open-Face 1", game="ofc", rules=rules or {}), status=Status.OPEN,
        seat=Seat("dora", "Dora Deal"), devices=Devices(links=LINKS), moves=Moves(7),
        deck=Deck("D-0007", 3, drawn=len(lying)), round=replace(round, **changes),
        felt=Felt(looks={slot: _seen(one) for slot, one in lying.items()}),
        room=Room({seat: replace(one, in_minor=paid[seat]) for seat, one in sat.items()}, made[HAND]["seats"][-1],
                  tuple(made[HAND]["seats"])),
    )  # fmt: skip
    return view_table(state, Book(ID), 41)


def _seen(fact: Any) -> Seen:
    return Seen(CardFace.UP if fact.face is not None else CardFace.DOWN, None, NOW_MS)


def between(*bettors: str) -> TableView:
    """No hand yet."""
    state = TableState(
        TableConfig(key=TABLE, title="Open-Face 1", game="ofc"), status=Status.OPEN,
        seat=Seat("dora", "Dora Deal"), devices=Devices(links=LINKS), moves=Moves(7), deck=Deck("D-0007", 3),
        room=Room(players(*bettors)),
    )  # fmt: skip
    return view_table(state, Book(""), 41)


EXPOSED = incident(
    "exposed_card",
    where={"box": "seat2", "place": 2},
    row={
        "id": "OF3",
        "ruling": "leave",
        "approval": "dealer",
        "options": (),
        "text": "A card of a seat was seen by others: it stands.",
    },
    circumstances={},
)
PLAIN: Boards = {seat: BOARDS[other] for seat, other in (("seat1", "seat1"), ("seat2", "seat3"))}

STATES: dict[str, TableView] = {
    "before": between("ann", "bob"),
    "alone": between("ann"),
    "dealing": hand(cards=9),
    "first turn": hand(sets=0),
    "laying": hand(sets=1, lays=0),
    "third street": hand(sets=7, lays=7),
    "last street": hand(sets=14, lays=14),
    "fantasy": hand(sets=1, seats="ann bob cy", fantasy={"seat1": 17}),
    "points": hand(),
    "settled": hand(stage=Stage.SETTLED),
    "two seats": hand(boards=PLAIN, seats="ann bob", rules={"royalties": "usual"}),
    "held": altered(held(hand(sets=4, lays=4), EXPOSED), now={"why": None}),
}
