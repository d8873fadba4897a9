"""`studio settle`: rounds as JSON lines in, outcomes and payouts out."""

from __future__ import annotations

import json as jsonlib
import sys
from codecs import BOM_UTF8
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click
import msgspec
from rich.table import Table

from studio.cards import Card, parse_cards
from studio.cli.drawn_table import print_table
from studio.errors import BadInputError
from studio.games import find_game
from studio.games.ofc import KEY as OFC
from studio.money import AMOUNT_MINOR_MAX
from studio.rulebook import open_face
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules
from studio.settlement import PlacedBet, pot_shares, settle_bets
from studio.settlement.combination import clash_of

_SHOWN: Final = ("cards", "name", "result")
"""What a person is shown of each hand; `--json` has all of it."""


_POT: Final = "first5_pot"


class BettorLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    bets: dict[str, int]
    folded: bool = False


class SettleLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of input; what `cards` looks like is the game's affair."""

    game: str
    cards: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    bettors: tuple[BettorLine, ...] = ()


@dataclass(frozen=True, slots=True)
class SettledRound:
    game: str
    title: str
    outcome: dict[str, Any]
    payouts: tuple[dict[str, Any], ...]


@click.command("settle")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, each at once.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Settle rounds read as JSON lines from the standard input.

    A line names the game, the cards of every box and the bets, in minor units:

    \b
    {"game": "three_knights",
     "cards": {"player1": ["Js", "3h", "6d"], "player2": [...], "player3": [...], "banker": [...]},
     "bettors": [{"id": "ann", "bets": {"player1_tie": 1000}}]}

    A line that cannot be settled is answered with an error, the others go on, and the exit code is 1.
    """
    show_round: Callable[[SettledRound], None] = _print_json if as_json else _print_table
    show_error: Callable[[str], None] = _print_json_error if as_json else _print_error
    bad = 0
    if sys.stdin is None:
        raise BadInputError("The standard input is closed: give the rounds there, a line each.")
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if number == 1:
            line = line.removeprefix(BOM_UTF8)
        if not line.strip():
            continue
        try:
            show_round(settle_line(line))
        except BadInputError as error:
            bad += 1
            show_error(f"Line {number}: {error}")
    ctx.exit(1 if bad else 0)


def settle_line(line: bytes) -> SettledRound:
    """Settle one line of input; `BadInputError` says what in it cannot be used."""
    asked = _read(line)
    if asked.game == OFC:
        return _open_face(asked)
    game = find_game(asked.game)
    rules = game.options.check(asked.rules)
    if rules.get(_POT, 0) > AMOUNT_MINOR_MAX:
        raise BadInputError(f"The house option {_POT} is too high: write 10^15 minor units at most.")
    deal = game.deal.read(asked.cards) if game.deal.read else read_hands(game, rules, asked.cards)
    outcome = game.deal.outcome(rules, deal)
    bets = list(_put_out(game, rules, outcome, _bets(game, asked.bettors)))
    _require_taken(game, asked.bettors)
    payouts = tuple(
        {"id": each.account, "bet": each.bet, "stake": each.stake_minor, "returns": each.returns_minor}
        for each in settle_bets(game, rules, outcome, bets, pot_shares(game, rules, outcome, bets))
    )
    return SettledRound(game.key, game.title, game.deal.describe(outcome), payouts)


def _open_face(asked: SettleLine) -> SettledRound:
    """Points between seats; nobody bets with the house."""
    if asked.bettors:
        raise BadInputError(f"{open_face.TITLE} has no bets with the house: leave out the bettors.")
    score = open_face.settle(asked.cards, asked.rules)
    return SettledRound(OFC, open_face.TITLE, open_face.describe_score(score), ())


def read_hands(game: Game, rules: Rules, cards: Mapping[str, Any]) -> Hands:
    """The cards of each box, from a list of cards or one string; no card oftener than the decks hold it."""
    hands = {box: _read_hand(box, given) for box, given in cards.items()}
    decks = game.shoe.under(rules).decks
    seen = Counter(card for hand in hands.values() for card in hand)
    for card, times in seen.items():
        if times > decks:
            most = "once" if decks == 1 else f"{decks} times"
            raise BadInputError(f"The card {card} is given {times} times: {game.title} holds it {most}.")
    return hands


def _read(line: bytes) -> SettleLine:
    try:
        return msgspec.json.decode(line, type=SettleLine)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        raise BadInputError(f"This is not a round written as one JSON object: {error}.") from None


def _read_hand(box: str, given: object) -> tuple[Card, ...]:
    match given:
        case str():
            return parse_cards(given)
        case list() if all(isinstance(card, str) for card in given):
            return tuple(Card.parse(card) for card in given)
    raise BadInputError(f'The cards of {box} cannot be read: write a list such as ["As", "Td", "2c"].')


def _bets(game: Game, bettors: tuple[BettorLine, ...]) -> Iterator[PlacedBet]:
    for number, bettor in enumerate(bettors):
        for bet, stake_minor in bettor.bets.items():
            if bet not in game.betting.bets:
                raise BadInputError(f"{game.title} has no bet '{bet}': it has {', '.join(game.betting.bets)}.")
            if stake_minor > AMOUNT_MINOR_MAX:
                raise BadInputError(f"The stake of {bettor.id} on {bet} is too high: stake 10^15 minor units at most.")
            if stake_minor <= 0:
                raise BadInputError(
                    f"The stake of {bettor.id} on {bet} is {stake_minor}: stake at least one minor unit."
                )
            yield PlacedBet(f"{number}/{bet}", bet, bettor.id, stake_minor, "fold" if bettor.folded else "")


def _require_taken(game: Game, bettors: Iterable[BettorLine]) -> None:
    """`BadInputError` where no table would have taken all that one bettor has, in however many parts he is given."""
    bets: dict[str, set[str]] = defaultdict(set)
    folds: dict[str, set[bool]] = defaultdict(set)
    for bettor in bettors:
        bets[bettor.id].update(bettor.bets)
        folds[bettor.id].add(bettor.folded)
    for id, own in bets.items():
        if len(folds[id]) > 1:
            raise BadInputError(f"The bettor {id} is given twice, once as folded and once not: say which.")
        if clash := clash_of(game, sorted(own, key=game.betting.bets.index), folded=True in folds[id]):
            raise BadInputError(f"These bets of {id} cannot stand. {clash}")


def _put_out(game: Game, rules: Rules, outcome: Any, bets: Iterable[PlacedBet]) -> Iterator[PlacedBet]:
    """The bets with their whole stakes, where decisions of a box added to the first one; each one is decided."""
    decided: dict[str, Collection[str]] = {}
    for bet in bets:
        if bet.conduct not in decided:
            decided[bet.conduct] = game.payment.returns(rules, outcome, bet.conduct).keys()
        if bet.bet not in decided[bet.conduct]:
            decides = ", ".join(decided[bet.conduct]) or "no bet"
            raise BadInputError(f"The bet {bet.bet} is not decided by this deal: it decides {decides}.")
        times = game.payment.put_out(outcome, bet.bet) if game.payment.put_out else 1
        yield msgspec.structs.replace(bet, stake_minor=bet.stake_minor * times) if times > 1 else bet


def _print_json(settled: SettledRound) -> None:
    _print_line({"game": settled.game, "outcome": settled.outcome, "payouts": settled.payouts})


def _print_json_error(sentence: str) -> None:
    _print_line({"error": sentence})


def _print_line(value: dict[str, Any]) -> None:
    click.echo(jsonlib.dumps(value))


def _print_table(settled: SettledRound) -> None:
    """The deal box by box, then what each bet gave back, in minor units."""
    if "points" in settled.outcome:
        print_table(_points(settled))
        return
    deal = Table("box", *_SHOWN, title=settled.title, title_justify="left")
    for box, said in settled.outcome.items():
        if isinstance(said, Mapping):
            deal.add_row(box, *(_words(said.get(key, "")) for key in _SHOWN))
    print_table(deal)
    money = Table("bettor", "bet", title="Payouts in minor units", title_justify="left")
    money.add_column("stake", justify="right")
    money.add_column("returns", justify="right")
    for each in settled.payouts:
        money.add_row(each["id"], each["bet"], str(each["stake"]), str(each["returns"]))
    print_table(money)


def _points(settled: SettledRound) -> Table:
    """Seat by seat: the rows, and what the seat won or lost in points."""
    table = Table("seat", *open_face.ROWS, title=settled.title, title_justify="left")
    table.add_column("points", justify="right")
    for seat, said in settled.outcome["seats"].items():
        rows = (f"{_words(said[row]['cards'])} {said[row]['name']}" for row in open_face.ROWS)
        fouled = " fouled" if said["fouled"] else ""
        table.add_row(seat + fouled, *rows, str(settled.outcome["points"][seat]))
    return table


def _words(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else str(value)


def _print_error(sentence: str) -> None:
    click.echo(sentence, err=True)
