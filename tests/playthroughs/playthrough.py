"""Rounds written down as plain text, replayed and compared line by line.

A line at the margin is done: it sets the table or adds a fact. An indented line is what the program said after it;
blank lines and lines that begin with `#` are for the reader.

    game three_knights            which rulebook
    rules six=even                its house options, where they are not the usual ones
    shoe new                      the round is the first one of a shoe
    bet ann player1_win 100       a bet that stands, in minor units
    decide ann play_2x            a bettor decides for himself, in the window that is open
    start                         the script begins
    burn 2c 3c                    cards to the burn zone
    close                         the window closes; who has decided nothing checks or folds
    close 1 3                     a window closes, and was taken for these boxes
    choose 1 double               a box makes its choice
    deal player1 Js, banker Qs    cards face up, each to the next place of its box
    down shark Js, king Qs        cards face down, each to the next place of its box
    reveal shark                  the down cards of a box are turned
    replace player1 1 Ks          a correction: the face at that place was read wrong
    move player2 1 player1 1      a correction: the card at the first place belongs to the second
    swap player1 player3          a correction: two whole hands were dealt to each other's place
    remove banker 4               a correction: the card does not count any more

Places are named as they stand after the corrections so far. To write a new one, put down what is done and run
`python tests/playthroughs/playthrough.py FILE`: it prints the file with what the program says. Then read that.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studio.cards import Card, Sealer
from studio.errors import BadInputError
from studio.games import find_game
from studio.ports import CardFace
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardBurned,
    CardDealt,
    CardMoved,
    CardRemoved,
    CardReplaced,
    Chose,
    Finished,
    HandsSwapped,
    Misfit,
    PlainFact,
    Revealed,
    WindowClosed,
    corrected,
    play,
)
from studio.rulebook.game import Game
from studio.rulebook.script import Burn, Deal, Decide, OpenBets, Reveal, Rules, Step, Turn
from studio.rulebook.shoe_terms import NEW_SHOE
from studio.settlement import PlacedBet, pot_shares, settle_bets


def replayed(text: str) -> list[str]:
    """The lines of a playthrough, with what the program says now in place of what it is written to say."""
    told: list[str] = []
    playthrough = Playthrough()
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(" "):
            continue
        told.append(line)
        if line and not line.startswith("#"):
            try:
                told.extend(f"  {said}" for said in playthrough.do(*line.split(maxsplit=1)))
            except (BadInputError, KeyError, TypeError, ValueError) as error:
                raise BadInputError(f"'{line}' cannot be played: {error!r}", where=f"line {number}") from error
    return told


class Playthrough:
    """One round as it stands: the facts so far, and the bets beside them."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._rules: Rules = {}
        self._bets: list[PlacedBet] = []
        self._facts: list[AnyFact] = []
        self._drawn: set[Card] = set()
        self._decided: set[str] = set()
        self._folded: set[str] = set()
        self._sealer = Sealer(random.Random(0).randbytes)

    def do(self, verb: str, rest: str = "") -> list[str]:
        """Do one line; answers what is said of it."""
        words = rest.split()
        match verb:
            case "game":
                self._game = find_game(rest)
                self._rules = self._game.options.defaults
                return []
            case "rules":
                self._rules = self._known.options.check(dict(map(_option, words)))
                return []
            case "shoe":
                self._rules = {**self._rules, NEW_SHOE: words == ["new"]}
                return []
            case "bet":
                bettor, bet, stake_minor = words
                for each in (
                    bet,
                    *(auto for auto, beside in self._known.betting.automatic.items() if beside == bet),
                ):
                    self._stake(bettor, each, int(stake_minor))
                return []
            case "decide":
                return self._decide(*words)
            case "start":
                return self._standing()
        self._facts.extend(self._fact(verb, words, rest))
        return self._standing()

    @property
    def _known(self) -> Game:
        if self._game is None:
            raise BadInputError("Name the game first.")
        return self._game

    def _fact(self, verb: str, words: list[str], rest: str) -> list[AnyFact]:
        match verb:
            case "burn":
                cards = [self._sealer.card(self._drawn_card(word)) for word in words]
                burned = sum(isinstance(fact, CardBurned) for fact in corrected(self._facts))
                return [CardBurned(card=card, place=burned + n) for n, card in enumerate(cards, start=1)]
            case "close":
                self._decide_by_default()
                return [WindowClosed(boxes=tuple(words))]
            case "choose":
                return [Chose(box=words[0], option=words[1])]
            case "deal":
                return self._dealt([each.split() for each in rest.split(",")], CardFace.UP)
            case "down":
                return self._dealt([each.split() for each in rest.split(",")], CardFace.DOWN)
            case "reveal":
                return [self._revealed(rest)]
            case "replace":
                box, place, face = words
                return [CardReplaced(id=self._id(box, place), face=Card.parse(face), source="manual")]
            case "move":
                box, place, to_box, to_place = words
                return [CardMoved(id=self._id(box, place), box=to_box, place=int(to_place))]
            case "swap":
                return [HandsSwapped(a=words[0], b=words[1])]
            case "remove":
                return [CardRemoved(id=self._id(words[0], words[1]))]
        raise BadInputError(f"There is no line '{verb}'.")

    def _stake(self, bettor: str, bet: str, stake_minor: int) -> None:
        self._bets.append(PlacedBet(f"b{len(self._bets) + 1}", bet, bettor, stake_minor))

    def _decide(self, bettor: str, option: str) -> list[str]:
        step, stakes = self._window(), self._stakes(bettor)
        if step is None or option not in step.options or bettor not in self._asked(step):
            raise BadInputError(f"{bettor} has no such decision to make.")
        self._decided.add(bettor)
        if option == "fold":
            self._folded.add(bettor)
        if raised := self._known.decisions.raise_of(option, stakes):
            self._stake(bettor, *raised)
            return [f"{bettor} stakes {raised[1]} on {raised[0]}"]
        return [f"{bettor} {option}s"]

    def _decide_by_default(self) -> None:
        """Who was asked and said nothing has decided too; then the next window may ask everybody."""
        step = self._window()
        if step and step.options:
            for bettor in self._asked(step):
                self._decide(bettor, step.default)
        self._decided.clear()

    def _window(self) -> Decide | None:
        match play(self._known.deal.script(self._rules), self._facts):
            case Awaiting(step=Decide() as step):
                return step
        return None

    def _asked(self, step: Decide) -> list[str]:
        bettors = dict.fromkeys(bet.account for bet in self._bets)
        asked = [each for each in bettors if self._known.decisions.asks(step, self._stakes(each))]
        return [each for each in asked if each not in self._decided | self._folded]

    def _stakes(self, bettor: str) -> dict[str, int]:
        return {bet.bet: bet.stake_minor for bet in self._bets if bet.account == bettor}

    def _dealt(self, deals: list[list[str]], lies: CardFace) -> list[AnyFact]:
        places = [fact.box for fact in corrected(self._facts) if isinstance(fact, CardDealt)]
        dealt: list[AnyFact] = []
        for box, text in deals:
            places.append(box)
            drawn = self._drawn_card(text)
            face = drawn if lies is CardFace.UP else None
            dealt.append(CardDealt(card=self._sealer.card(drawn), box=box, place=places.count(box), face=face))
        return dealt

    def _revealed(self, box: str) -> Revealed:
        lying = [fact for fact in corrected(self._facts) if isinstance(fact, CardDealt) and fact.box == box]
        down = [fact.card for fact in sorted(lying, key=lambda fact: fact.place) if fact.face is None]
        return Revealed(
            box=box, faces=tuple(card.card() for card in down), keys=tuple(card.publish_key() for card in down)
        )

    def _drawn_card(self, text: str) -> Card:
        card = Card.parse(text)
        if card in self._drawn and self._known.shoe.decks == 1:
            raise BadInputError(f"The one {card} of the deck is drawn already.")
        self._drawn.add(card)
        return card

    def _id(self, box: str, place: str) -> str:
        for fact in corrected(self._facts):
            if isinstance(fact, CardDealt) and (fact.box, fact.place) == (box, int(place)):
                return fact.card.id
        raise BadInputError(f"No card lies at {box}, place {place}.")

    def _standing(self) -> list[str]:
        game = self._known
        match play(game.deal.script(self._rules), self._facts):
            case Awaiting(step=Burn(count=count), done=done):
                return [f"awaits burn {done + 1} of {count}"]
            case Awaiting(step=step, place=place):
                return [f"awaits {_step(step)}{f', place {place}' if place else ''}"]
            case Misfit(at=at, awaited=awaited, got=got):
                return [f"misfit, fact {at + 1}: awaited {_step(awaited)}; got {_got(got)}"]
            case Finished(outcome=outcome):
                told = game.deal.describe(outcome)
                hands = [_told(key, said) for key, said in told.items()]
                bets = self._put_out(outcome)
                shares = pot_shares(game, self._rules, outcome, bets)
                paid = [
                    f"{each.account} {each.bet} {each.stake_minor} returns {each.returns_minor}"
                    for each in settle_bets(game, self._rules, outcome, bets, shares)
                ]
                return [*hands, *paid]

    def _put_out(self, outcome: Any) -> list[PlacedBet]:
        """The bets with their whole stakes, where choices of their box added to the first ones; who folded is told."""
        times = self._known.payment.put_out or (lambda outcome, bet: 1)
        return [
            PlacedBet(bet.id, bet.bet, bet.account, bet.stake_minor * times(outcome, bet.bet), self._conduct(bet))
            for bet in self._bets
        ]

    def _conduct(self, bet: PlacedBet) -> str:
        return "fold" if bet.account in self._folded else ""


def _option(word: str) -> tuple[str, str | int]:
    """A house option as it is configured: a number, or text, where `flush_35,straight_25` stands for a ladder."""
    name, value = word.split("=")
    return name, int(value) if value.isdigit() else re.sub(r"_(?=\d)", " ", value)


def _step(step: Step | None) -> str:
    match step:
        case None:
            return "nothing more"
        case Burn(count=count):
            return f"{count} burn cards"
        case OpenBets(window_s=window_s):
            return f"bets, {window_s} s"
        case Deal(box=box, face=face):
            return f"a card {face.value} at {box}"
        case Reveal(box=box):
            return f"the reveal of {box}"
        case Turn(box=box, options=options):
            return f"the choice of {box}: {', '.join(options)}"
        case Decide(window_s=window_s, options=options):
            return f"decisions, {window_s} s: {', '.join(options)}"
    raise BadInputError(f"No playthrough has words for {step} yet.")


def _got(fact: PlainFact) -> str:
    match fact:
        case CardDealt(box=box, place=place, face=face):
            return f"{face or 'a down card'} at {box}, place {place}"
        case CardBurned(place=place):
            return f"a burn card, place {place}"
        case WindowClosed():
            return "the end of a window"
        case Chose(box=box, option=option):
            return f"{option} at {box}"
        case Revealed(box=box):
            return f"the reveal of {box}"
    raise BadInputError(f"No playthrough has words for {fact} yet.")


def _told(key: str, said: object) -> str:
    """One line of an outcome: a hand with its cards, or anything else the game says of it."""
    match said:
        case {"cards": list(cards)}:
            name = ["=", said["name"]] if "name" in said else []
            words = [*cards, *name, *_lines(said), said.get("result", "")]
        case {"name": name}:
            words = [name, *(mark for mark, there in said.items() if there is True)]
        case list():
            words = said
        case _:
            words = [said]
    return " ".join([f"{key}:", *map(str, words)]).rstrip()


def _lines(said: Mapping[str, object]) -> list[str]:
    """What else there is to say of a hand: the lines of its side bets, whether it qualifies; at Baccarat its points."""
    if "natural" in said:
        return [f"({said['points']} points)", *([f"({said['pair']} pair)"] if said["pair"] else [])]
    lines = [f"({said[line]})" for line in ("pair_plus", "bonus", "first5") if said.get(line)]
    return [*lines, "qualifies"] if said.get("qualifies") else lines


if __name__ == "__main__":
    print("\n".join(replayed(Path(sys.argv[1]).read_text("utf-8"))))
