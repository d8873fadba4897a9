"""Players inside a simulated night: they sit down, buy chips and play straight at the table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.person.at_table import AtTable
from dealer_ui.rehearsal.person.punter import OPERATOR, deposit_of
from dealer_ui.rehearsal.poker.setting import set_street
from dealer_ui.rehearsal.poker.sight import sight_of, street_of
from dealer_ui.rehearsal.poker.temperament import TEMPERAMENTS, Temperament, choose, happens
from studio.errors import StorageError
from studio.games import find_game
from studio.money import Answer, Transfer
from studio.rulebook.script import Turn
from studio.tables.config import TableConfig
from studio.tables.event.table import Decision
from studio.tables.state.room import Player, SeatRequest
from studio.tables.state.table import TableState, awaited

DEPOSIT_MINOR: Final = 10**9
TRIALS: Final = 6
"""What a quick look at a hand is worth; a night has thousands."""

_ASK_MS: Final = 700
_THINK_MS: Final = (150, 1_200)
_LEAVES: Final = 20
_WRONG: Final = 40
_AGAIN: Final = 60


Act = tuple[str, int, tuple[str, ...]]
"""An option, what it bets or raises to, and where the cards of a street go."""


@dataclass(slots=True)
class Guest:
    """One bettor. `due_ms`: when he says what he has chosen for the turn named in `turn`."""

    name: str
    mind: Temperament
    turn: object = None
    choice: Act | None = None
    due_ms: int = 0
    said: list[Decision] = field(default_factory=list)


class Guests:
    """A few players of every temperament; now and then one says what he may not, or says it twice."""

    def __init__(self, config: TableConfig, count: int, rng: random.Random) -> None:
        minds = list(TEMPERAMENTS.values())
        self.answers: Counter[str] = Counter()
        self._config = config
        self._rng = rng
        self._guests = [Guest(f"b{number}", minds[number % len(minds)]) for number in range(count)]
        self._serial = 0
        self._asked_at_ms = 0
        self._hand = ""
        self._called_away = ("", "")  # the guest, and the hand

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(guest.name for guest in self._guests)

    def deposits(self) -> tuple[Transfer, ...]:
        return tuple(deposit_of(guest.name, DEPOSIT_MINOR, self._config.currency) for guest in self._guests)

    def step(self, runtime: AtTable, now_ms: int) -> None:
        """Whose turn it is thinks, then acts; between the turns seats are taken, left and filled."""
        self._act(runtime, now_ms)
        if now_ms - self._asked_at_ms >= _ASK_MS:
            self._asked_at_ms = now_ms
            self._ask(runtime, list(self._wishes(runtime)), now_ms)

    def shout(self, runtime: AtTable, now_ms: int) -> None:
        """Everybody acts at once, in turn or not, for any seat, to any amount; and what was said is said again."""
        seats = find_game(self._config.game).betting.bets
        options = ("fold", "check", "call", "raise", "bet", "show", "muck", "no_such_option")
        wild = [
            self._decision(
                guest.name, self._rng.choice(seats), (self._rng.choice(options), self._rng.choice((0, 150)), ())
            )
            for guest in self._guests
        ]
        own = self._turn(runtime)
        self._decide(runtime, [one for one in wild if own is None or one.box != own.box], now_ms)
        self._decide(runtime, [one for guest in self._guests for one in guest.said], now_ms)

    def crowd(self, runtime: AtTable, now_ms: int, count: int) -> None:
        """Let `count` strangers ask for a seat at once; they have no purse, and some seats are taken."""
        seats = find_game(self._config.game).betting.bets
        asked = [
            self._request("sit", f"stranger{n}", self._rng.choice(seats), self._rng.choice((1, 5_000, 10**8)))
            for n in range(count)
        ]
        self._ask(runtime, asked, now_ms)

    def call_away(self, name: str, hand: str) -> None:
        """Keep this guest from looking at his cards and from acting in this hand. Only one guest at a time is called
        away.
        """
        self._called_away = name, hand

    # --- at his turn -----------------------------------------------------------------------------------

    def _act(self, runtime: AtTable, now_ms: int) -> None:
        turn = self._turn(runtime)
        guest = self._owner(runtime, turn.box) if turn is not None else None
        round = runtime.state.round
        if turn is None or guest is None or round is None:
            return
        at = (round.id, round.deal.attempt, len(round.deal.facts))
        if guest.turn != at:
            guest.turn, guest.due_ms = at, now_ms + self._rng.randint(*_THINK_MS)
            guest.choice = _think(guest.mind, runtime.state, turn, self._rng)
        if guest.choice is None or now_ms < guest.due_ms or self._called_away == (guest.name, round.id):
            return
        said = [self._decision(guest.name, turn.box, guest.choice)]
        if happens(_WRONG, self._rng):
            said.insert(0, self._decision(guest.name, turn.box, ("raise", 1, ())))
        if happens(_AGAIN, self._rng):
            said.append(said[-1])
        guest.said, guest.due_ms = said, now_ms + _ASK_MS
        self._decide(runtime, said, now_ms)

    def _turn(self, runtime: AtTable) -> Turn | None:
        """The turn that is open; None while the table is held or the dealer is at work."""
        now, round = awaited(runtime.state), runtime.state.round
        if now is None or round is None or round.window.closes_at_ms is None or runtime.state.held:
            return None
        return now.step if isinstance(now.step, Turn) else None

    def _owner(self, runtime: AtTable, seat: str) -> Guest | None:
        player = runtime.state.room.players.get(seat)
        return next((one for one in self._guests if player is not None and one.name == player.bettor), None)

    def _decision(self, name: str, seat: str, choice: Act) -> Decision:
        self._serial += 1
        option, to_minor, rows = choice
        id = f"c{self._serial}"
        return Decision(
            operator=OPERATOR, bettor=name, option=option, client_id=id, box=seat, to_minor=to_minor, rows=rows
        )

    def _decide(self, runtime: AtTable, said: Sequence[Decision], now_ms: int) -> None:
        try:
            self.answers.update(_said(runtime.take_decisions(said, now_ms)))
        except StorageError:
            self.answers["storage"] += 1

    # --- between the turns -----------------------------------------------------------------------------

    def _wishes(self, runtime: AtTable) -> Iterator[SeatRequest]:
        """What the guests ask of the seats: some want a seat, some buy chips, some look at their cards, leave or come
        back.
        """
        room, round = runtime.state.room, runtime.state.round
        new_hand = round is not None and round.id != self._hand
        self._hand = round.id if round is not None else ""
        looks = (peers := runtime.state.game.peers) is not None and peers.looks
        wanting = sum(one.wants_cards for one in room.players.values())
        for guest in self._guests:
            seat = room.seat_of(OPERATOR, guest.name)
            if not seat:
                yield from self._sitting(runtime, guest)
            elif seat not in room.dealt_in:
                yield from self._resting(guest, room.players[seat], few=wanting < 2)
            elif looks and not (
                seat in room.seen or guest.mind.silent or self._called_away == (guest.name, self._hand)
            ):
                yield self._request("look", guest.name)
            elif new_hand and happens(guest.mind.away, self._rng):
                yield self._request("leave" if happens(100, self._rng) else "away", guest.name)

    def _sitting(self, runtime: AtTable, guest: Guest) -> Iterator[SeatRequest]:
        free = [seat for seat in find_game(self._config.game).betting.bets if seat not in runtime.state.room.players]
        rules = runtime.state.game.options.check(runtime.state.config.rules)
        if free:
            amount = self._rng.randint(rules["buy_in_least"], rules["buy_in_most"])
            yield self._request("sit", guest.name, self._rng.choice(free), amount)

    def _resting(self, guest: Guest, player: Player, *, few: bool) -> Iterator[SeatRequest]:
        if player.leaving:
            return
        if not player.stack_minor:
            yield self._request("buy", guest.name, amount_minor=self._rng.randint(4_000, 20_000))
        elif player.away and (few or happens(guest.mind.back or 500, self._rng)):
            yield self._request("post" if happens(300, self._rng) else "back", guest.name)
        elif not few and happens(_LEAVES, self._rng):
            yield self._request("leave", guest.name)

    def _request(self, act: str, name: str, seat: str = "", amount_minor: int = 0) -> SeatRequest:
        self._serial += 1
        return SeatRequest(act, OPERATOR, name, f"s{self._serial}", seat, amount_minor)

    def _ask(self, runtime: AtTable, asked: Sequence[SeatRequest], now_ms: int) -> None:
        if not asked:
            return
        try:
            self.answers.update(_said(runtime.take_seats(asked, now_ms)))
        except StorageError:
            self.answers["storage"] += 1


def _said(answers: Sequence[Answer]) -> Iterator[str]:
    return (answer.key or answer.status for answer in answers)


def _think(mind: Temperament, state: TableState, turn: Turn, chance: random.Random) -> Act | None:
    """What he does at his turn, by what his seat may know."""
    if turn.placing is not None:
        rows = set_street(mind, *street_of(state, turn.box), turn.placing, chance)
        return None if rows is None else (turn.options[0], 0, rows)
    choice = choose(mind, sight_of(state, turn), chance, TRIALS)
    return None if choice is None else (*choice, ())
