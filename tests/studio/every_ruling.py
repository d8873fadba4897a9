"""One typical round of each game, moment by moment, and whatever may be reported and ruled at such a moment.

`decide` is asked alone, without disk or thread, so an error of our own is the error itself and no frozen table.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec
from blackjack_bench import Boxes
from open_face_bench import OpenFaceBench
from poker_bench import PokerBench
from table_bench import CONFIG, DEALER, PIT, PIT_TOO, UP, Bench

from studio.cards import DECK, Card
from studio.errors import RefusedError
from studio.games import find_game
from studio.procedures import KINDS
from studio.rounds import CardDealt, play
from studio.rulebook.script import Burn, Deal, Decide, OpenBets, Reveal, Rules, Turn
from studio.spoken import Slot
from studio.tables import command as c
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.decide import decide
from studio.tables.declaration import Command
from studio.tables.state.incident import Incident
from studio.tables.state.table import TableState, awaited
from studio.views import view_table

TOLD = ((), (("count", "1"),), (("count", "2"), ("drawn", "yes")))
REASON = {"reason_code": "seen", "words": "As we saw it."}
BETS = {
    "three_knights": ("player1_win",), "three_card_poker": ("ante",), "ultimate_holdem": ("ante",),
    "holdem_bonus": ("ante",), "kkclash": ("shark",), "blackjack": ("3:main", "3:perfect_pair", "5:main"),
    "dragon_tiger": ("dragon", "tie"), "baccarat": ("player", "tie"), "casino_holdem": ("ante", "aa_bonus"),
    "andar_bahar": ("andar", "bahar"),
}  # fmt: skip
FIRST_OUT = {"blackjack": ("8h", "7c", "6d", "8s", "9s")}
"""Box 3 is dealt a pair, which it splits."""


# --- a round ------------------------------------------------------------------------------------------------


class Round:
    """A round of `game` from its start until its cards are cleared away; `states` are its moments."""

    def __init__(self, game: str) -> None:
        self.bench = _bench(game)
        self.states: list[TableState] = []
        given = [Card.parse(card) for card in FIRST_OUT.get(game, ())]
        self.deck = [*given, *(card for card in DECK if card not in given)]
        with_seats = isinstance(self.bench, PokerBench)
        self.bench.table._table._publish = lambda state, book, seq: self._note(state)
        try:
            self._play_seats() if with_seats else self._play_house()
            self.bench.check()
        finally:
            self.bench.close()

    def _note(self, state: TableState) -> None:
        """A moment is where the deal stands; of the looks of a camera on it, the last."""
        if (round := state.round) is None:
            return
        moment = (len(round.deal.facts), round.stage, round.window.closes_at_ms is not None, state.deck is None)
        if self.states and self._moment == moment:
            self.states.pop()
        self._moment = moment
        self.states.append(state)

    def _play_seats(self) -> None:
        bench = self.bench
        assert isinstance(bench, PokerBench)
        bench.hand()
        if isinstance(bench, OpenFaceBench):
            bench.play_out()
        else:
            bench.acts("raise 300")
            while isinstance(getattr(awaited(bench.state), "step", None), Turn):
                options = bench.turn.options
                bench.acts(next(one for one in ("check", "call", "show", *options) if one in options))
        bench.end_hand()

    def _play_house(self) -> None:
        bench = self.bench
        bench.do(c.StartRound)
        while (now := awaited(bench.state)) is not None:
            match now.step:
                case OpenBets():
                    bench.do(c.OpenBetting)
                    assert all(bench.bet(bet, 1000).status == "accepted" for bet in BETS[bench.config.game])
                    bench.wait(15)
                case Decide():
                    bench.do(c.OpenBetting)
                    bench.wait(15)
                case Turn(box=box, options=options):
                    assert isinstance(bench, Boxes)
                    bench.chosen(f"{box} {'split' if 'split' in options else 'stand'}")
                case Reveal(box=box):
                    self._turn_up(box)
                case Burn() | Deal() as step:
                    card, slot = self.deck.pop(0), bench.next_slot()
                    bench.draw(card)
                    bench.lay(*slot, card if isinstance(step, Deal) and step.face is UP else None)
        bench.finish()

    def _turn_up(self, box: str) -> None:
        for (zone, place), fact in sorted(self.bench.round.deal.cards.items()):
            if zone == box:
                self.bench.lay(zone, place, fact.card.card())


def started(game: str) -> Rules:
    """The rules of a round that has begun, its seats and stacks among them."""
    bench = _bench(game)
    try:
        bench.do(c.StartRound)
        return bench.round.rules
    finally:
        bench.close()


def _bench(game: str) -> Bench:
    if find_game(game).peers is not None:
        made = (
            OpenFaceBench("ann bob")
            if game == "ofc"
            else PokerBench(config=TableConfig(key="p1", title="Table", game=game))
        )
        return made.open()
    config = msgspec.structs.replace(CONFIG, game=game, window_s=15.0)
    bench = Boxes(config) if game == "blackjack" else Bench(config)
    bench.deposit()
    return bench.open()


# --- at a moment --------------------------------------------------------------------------------------------


def told(state: TableState, command: Command | c.Tick, at_ms: int) -> TableState | None:
    """The table after this; None where it is refused, in a sentence that a person can act on."""
    try:
        return decide(state, command, at_ms).after
    except RefusedError as refused:
        if refused.key == "our_error" or not refused.sentence.endswith("."):
            raise AssertionError(refused) from refused
        return None
    except Exception as error:
        error.add_note(f"by {command}")
        raise


def reported(state: TableState, at_ms: int, *, briefly: bool) -> Iterator[tuple[str, TableState]]:
    """Every kind, of nothing and of a card of each sort; of those that come to the same incident, one. `briefly`: with
    nothing more told of it.
    """
    known = set()
    for kind, (box, place), found in itertools.product(KINDS, slots(state), TOLD[:1] if briefly else TOLD):
        for actor in (DEALER, PIT):
            report = c.ReportIncident(actor=actor, kind=kind.key, circumstances=found, box=box, place=place)
            after = told(state, report, at_ms)
            if after is not None and (new := after.incidents.open[-1:]) and (same := _without_id(new[0])) not in known:
                known.add(same)
                yield f"{kind.key} of {box} {place} {found} by {actor.name}", after
                break


def _without_id(one: Incident) -> tuple[object, ...]:
    return (
        one.kind,
        one.ruling.row,
        one.ruling.ruling,
        one.ruling.options,
        one.scene.cards,
        one.scene.box,
        one.scene.place,
        one.ruling.arguments,
        one.ruling.afterwards,
    )


def slots(state: TableState) -> list[Slot]:
    """No place; a card of each sort, closed, open and mucked, in each sort of zone; and a place that is bare."""
    assert state.round is not None
    found: dict[object, Slot] = {"none": ("", 0)}
    for slot, fact in sorted(state.round.deal.cards.items()):
        zone = slot[0].rpartition("_")[2].rstrip("0123456789")
        sort = zone, isinstance(fact, CardDealt) and fact.face is not None, slot[0] in state.round.deal.mucked
        found.setdefault(sort, slot)
        found[sort, "last"] = slot
    first = next(iter(state.game.felt.zones))
    found["bare"] = (first, state.game.felt.zones[first])
    return list(dict.fromkeys(found.values()))


def ruled(state: TableState, at_ms: int) -> Iterator[tuple[str, TableState]]:
    """Every way that is offered, by the pit, with a second person where it takes two."""
    for incident in state.incidents.open:
        for ruling in dict.fromkeys((*incident.ruling.options, incident.ruling.ruling)):
            for arguments in _arguments(state, incident, ruling):
                given = {"incident": incident.id, "ruling": ruling, "arguments": arguments, **REASON}
                after = told(state, c.RuleIncident(actor=PIT.with_pin(at_ms), **given), at_ms)
                after = after and _approved(after, incident.id, at_ms)
                if after is not None:
                    yield f"{incident.ruling.row} {ruling} {arguments}", after


def _approved(state: TableState, id: str, at_ms: int) -> TableState | None:
    incident = state.incident(id)
    if incident is None or incident.asked is None:
        return state
    approval = c.ApproveRuling(actor=PIT_TOO.with_pin(at_ms), incident=id, asked=incident.asked.mark)
    return told(state, approval, at_ms)


def _arguments(state: TableState, incident: Incident, ruling: str) -> list[tuple[str, ...]]:
    assert state.round is not None
    match ruling:
        case "manual":
            open_cards = (
                one.face for one in state.round.deal.cards.values() if isinstance(one, CardDealt) and one.face
            )
            return [(), ("As",), ("7d",), *((str(face),) for face in itertools.islice(open_cards, 1))]
        case "swap_hands":
            return [incident.ruling.arguments, *itertools.islice(itertools.permutations(state.game.felt.boxes, 2), 4)]
        case "void_hand":
            return [incident.ruling.arguments, *((box,) for box in state.round.stakes.boxes[:2]), ("no such box",)]
    return [incident.ruling.arguments]


def need_sound(state: TableState, before: TableState, at_ms: int, *, screens: bool) -> None:
    """The deal stands where its facts put it, the table goes on with the clock, and its `screens` can be drawn."""
    round, was = state.round, before.round
    assert round is not None
    assert was is not None
    if round.deal.facts is not was.deal.facts:
        assert round.deal.standing == play(state.game.deal.script(round.rules), round.deal.facts)
    if screens:
        view_table(state, Book(), 1)
    told(state, c.Tick(), at_ms + 60_000)
    if round.live:
        told(state, c.DeclareResult(actor=DEALER), at_ms)
