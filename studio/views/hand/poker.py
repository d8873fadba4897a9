"""A betting hand of the poker room as it is seen and called: street, pots, choices.

No card is read here but those of the board, and of these only how many there are; `showdown` reads open hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from studio.rounds import AnyFact, Chose, Finished, Revealed, play
from studio.rounds.play import STAKING
from studio.rulebook.game import PeerRules
from studio.rulebook.hand_look import HandLook
from studio.rulebook.hand_terms import BOARD, HAND, HandOutcome
from studio.rulebook.script import Turn
from studio.spoken import Amount, Seats
from studio.tables.state.round import Round, Stage
from studio.tables.state.table import TableState, awaited
from studio.views.shape import ChoiceView, PotShare, Words

STREETS: Final = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
"""By how many cards lie on the board."""

_KEPT_MAX: Final = 64
_kept: dict[str, tuple[tuple[AnyFact, ...], Mapping[str, Any], HandLook]] = {}
"""How the open hands stood when they were last looked at: a screen is drawn ten times between two facts."""


@dataclass(frozen=True, slots=True)
class HandNow:
    """The open hand of a table, or the one whose cards still lie there; empty where there is none.

    `won_minor` is what a seat takes of the pots, `back_minor` its bet that nobody called; `paid`: that is done.
    """

    street: str = ""
    front_minor: Mapping[str, int] = field(default_factory=dict)
    behind_minor: Mapping[str, int] = field(default_factory=dict)
    all_in: frozenset[str] = frozenset()
    pots: tuple[PotShare, ...] = ()
    choices: tuple[ChoiceView, ...] = ()
    won_minor: Mapping[str, int] = field(default_factory=dict)
    back_minor: Mapping[str, int] = field(default_factory=dict)
    paid: bool = False

    @property
    def in_play_minor(self) -> int:
        if self.paid:
            return 0
        return sum(self.front_minor.values()) + sum(pot.amount_minor + pot.rake_minor for pot in self.pots)


def hand_of(state: TableState) -> HandNow:
    round, peers = state.round, state.game.peers
    if round is None or peers is None or peers.watched is None or HAND not in round.rules:
        return HandNow()
    if isinstance(round.deal.standing, Finished):
        return _ended(round, round.deal.standing.outcome)
    if not round.live:
        return HandNow()
    look = _look(round, peers)
    return HandNow(
        street=_street(round),
        front_minor=look.front_minor,
        behind_minor=look.behind_minor,
        all_in=look.all_in,
        pots=tuple(PotShare(pot.amount_minor, pot.seats) for pot in look.pots),
        choices=_choices(state),
    )


def _ended(round: Round, outcome: HandOutcome) -> HandNow:
    """What was won lies in the pots until it is paid; a bet that nobody called is back already."""
    if round.stage in (Stage.VOIDING, Stage.VOIDED):
        return HandNow()
    won = {
        seat: sum(amount for pot in outcome.pots for at, amount in pot.winners if at == seat) for seat in outcome.seats
    }
    behind = {seat: stack - won[seat] for seat, stack in zip(outcome.seats, outcome.stacks, strict=True)}
    return HandNow(
        street=_street(round),
        behind_minor={} if round.over else behind,
        pots=tuple(PotShare(pot.amount_minor, (), pot.winners, pot.rake_minor) for pot in outcome.pots),
        won_minor={seat: amount for seat, amount in won.items() if amount},
        back_minor={seat: takes - won[seat] for seat, takes in outcome.takes.items()},
        paid=round.over,
    )


def _look(round: Round, peers: PeerRules) -> HandLook:
    """What the hand looks like now, worked out once for each state of its facts: their tuple is only ever replaced,
    never changed, so the same tuple means the same hand.
    """
    kept = _kept.get(round.id)
    if kept is not None and kept[0] is round.deal.facts and kept[1] is round.rules:
        return kept[2]
    assert peers.watched is not None
    watched = peers.watched(round.rules)
    play(watched.script, round.deal.facts)
    look = watched.look()
    _kept[round.id] = (round.deal.facts, round.rules, look)
    for old in tuple(_kept)[:-_KEPT_MAX]:
        _kept.pop(old, None)
    return look


def _street(round: Round) -> str:
    return STREETS.get(sum(zone == BOARD for zone, _ in round.deal.cards), "flop")


def _choices(state: TableState) -> tuple[ChoiceView, ...]:
    now = awaited(state)
    if now is None or not isinstance(now.step, Turn):
        return ()
    turn = now.step
    return tuple(
        ChoiceView(option, to_minor=turn.to_minor)
        if option in STAKING
        else ChoiceView(option, turn.owed_minor if option == "call" else 0)
        for option in turn.options
    )


# --- what the dealer says -----------------------------------------------------------------------------------


def spoken(hand: HandNow, currency: str) -> tuple[Words, ...]:
    """The pots as the dealer says them; once the hand is over, who gets each."""
    if hand.won_minor:
        return tuple(_push(pot, currency) for pot in hand.pots)
    if not hand.pots:
        return ()
    if len(hand.pots) == 1:
        return (Words("spoken.pot", {"money": Amount(hand.pots[0].amount_minor, currency)}),)
    main, *sides = hand.pots
    return (
        Words("spoken.main_pot", {"money": Amount(main.amount_minor, currency)}),
        *(
            Words(
                "spoken.side_pot",
                {"money": Amount(pot.amount_minor, currency), "seats": Seats(tuple(sorted(pot.seats)))},
            )
            for pot in sides
        ),
    )


def _push(pot: PotShare, currency: str) -> Words:
    seats = sorted(seat for seat, _ in pot.winners)
    key = "spoken.push" if len(seats) == 1 else "spoken.split"
    return Words(key, {"money": Amount(pot.amount_minor, currency), "seats": Seats(tuple(seats))})


def said(state: TableState, shown: Mapping[str, Words]) -> Words | None:
    """What the last seat chose or shows, as the dealer repeats it, until the next thing happens."""
    round, peers = state.round, state.game.peers
    if round is None or peers is None or peers.watched is None or not round.live or state.held or not round.deal.plain:
        return None
    last = round.deal.plain[-1]
    if isinstance(last, Revealed) and last.box in shown:
        return Words("spoken.holds", {"box": f"box.{last.box}"}, {"hand": shown[last.box]})
    if not isinstance(last, Chose):
        return None
    money = Amount(last.to_minor, state.config.currency)
    all_in = not isinstance(round.deal.standing, Finished) and last.box in _look(round, peers).all_in
    key = "said.all_in" if all_in and last.to_minor else f"said.{last.option}"
    return Words(f"{key}.default" if last.by_default else key, {"box": f"box.{last.box}", "money": money})
