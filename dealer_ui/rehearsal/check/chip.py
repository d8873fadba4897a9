"""Counts the chips of a simulated poker table once more: buy-ins, hands, and who takes what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from dealer_ui.rehearsal.opinions import Dealt
from dealer_ui.rehearsal.opinions.open_face import open_face
from dealer_ui.rehearsal.opinions.poker_room import NOTHING, Cut, takes
from studio.money import Transfer, bettor_account
from studio.rounds import AnyFact
from studio.rulebook.hand_terms import HAND
from studio.tables.event import table as e
from studio.tables.state.room import Player, stack_purse

_BUY: Final = "buy_in"
_CASH: Final = "cash_out"


class ChipCheck:
    """Follows who sits where and with whose money; `due` says what the bets of a finished hand are due."""

    def __init__(self, table: str, game: str, currency: str) -> None:
        self._table, self._game, self._currency = table, game, currency
        self._sitting: dict[str, tuple[str, str]] = {}
        self._seats: tuple[str, ...] = ()
        self._unit_minor = 0
        """What a point is worth, in a game of points."""
        self._cut: Cut = NOTHING

    def take(self, event: e.AnyEvent) -> Iterator[Transfer]:
        """Follow one event; gives what it must have moved between a bettor's purse and his stack."""
        match event:
            case e.RoundStarted(rules=rules):
                self._seats = tuple(rules.get(HAND, {}).get("seats", ()))
                self._unit_minor = int(rules.get("unit", 0))
                self._cut = Fraction(str(rules.get("rake_percent", 0))), int(rules.get("rake_cap", 0))
            case e.SeatTaken(seat=seat, operator=operator, bettor=bettor, stack_minor=amount):
                self._sitting[seat] = operator, bettor
                yield self._moved(_BUY, seat, amount)
            case e.ChipsBought(seat=seat, amount_minor=amount):
                yield self._moved(_BUY, seat, amount)
            case e.SeatLeft(seat=seat, stack_minor=amount):
                if amount:
                    yield self._moved(_CASH, seat, amount)
                del self._sitting[seat]

    def due(self, bets: Iterable[e.PlacedBet], facts: Sequence[AnyFact]) -> Mapping[str, int]:
        """By bet, in minor units; what a seat takes lies on its first bet."""
        placed = list(bets)
        paid = {seat: sum(bet.stake_minor for bet in placed if bet.bet == seat) for seat in self._seats}
        dealt = Dealt.of(facts)
        if self._unit_minor:
            left = dict(open_face(self._seats, paid, self._unit_minor, dealt))
        else:
            left = dict(takes(self._game, self._seats, paid, dealt, self._cut))
        return {bet.bet_id: left.pop(bet.bet, 0) for bet in placed}

    def compare(self, players: Mapping[str, Player], balances: Mapping[str, int]) -> Iterator[str]:
        """Hold what the table believes of its stacks against the ledger."""
        for seat, player in players.items():
            held = balances[self._stack(player.operator, player.bettor)]
            if held != player.behind_minor:
                yield f"{seat} has {player.behind_minor} in front of it; the ledger has {held}."

    def _moved(self, kind: str, seat: str, amount_minor: int) -> Transfer:
        operator, bettor = self._sitting[seat]
        purse, stack = bettor_account(operator, bettor), self._stack(operator, bettor)
        debit, credit = (purse, stack) if kind == _BUY else (stack, purse)
        return Transfer("", "", kind, debit, credit, amount_minor, self._currency)

    def _stack(self, operator: str, bettor: str) -> str:
        return bettor_account(operator, stack_purse(bettor, self._table))
