"""The outcomes in short on display and bettor's page: each line is what a round like it is settled as, and no round is
settled otherwise."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from console_visitor import Visitor, app_over
from fake_floor import IDLE, FakeFloor
from test_display_poker import table

from dealer_ui.public.outcome_table import OutcomeTable, cases_of, dealt, main_bets, outcome_table
from dealer_ui.words.language import LANGUAGES, Languages, read_catalogue
from studio.cards import DECK, Card
from studio.games import GAMES, find_game
from studio.pay_tables.case import FOLD
from studio.rulebook.game import Game
from studio.rulebook.pay_ladder import read_ladder
from studio.settlement.payout import PlacedBet, settle_bets

STAKE_MINOR = 200
CASES = {game.key: cases_of(game) for game in GAMES if cases_of(game)}
ENGLISH = Languages().speak("en")


def shown(game: str, **rules: str) -> OutcomeTable:
    found = outcome_table(game, rules)
    assert found is not None
    return found


def settled(game: Game, rules: Mapping[str, Any], hands: Mapping[str, Any], conduct: str) -> dict[str, int]:
    """What each main bet that was staked is paid."""
    staked = [bet for bet in main_bets(game) if not (conduct == FOLD and bet in game.decisions.raised)]
    bets = [PlacedBet(bet, bet, "bettor:north:ann", STAKE_MINOR, conduct) for bet in staked]
    outcome = game.deal.outcome(rules, hands)
    return {paid.bet: paid.returns_minor for paid in settle_bets(game, rules, outcome, bets)}


def minor(cell: str) -> int:
    """What a stake comes back as where a cell says this."""
    if cell in ("lost", "back"):
        return {"lost": 0, "back": STAKE_MINOR}[cell]
    gain, for_each = cell.split(":")
    return STAKE_MINOR + int(STAKE_MINOR * Fraction(int(gain), int(for_each)))


@pytest.mark.parametrize(
    ("game", "place"), [(game, at) for game in CASES for at in range(len(CASES[game]))],
    ids=lambda value: str(value),
)  # fmt: skip
def test_a_line_is_what_its_round_is_settled_as(game: str, place: int) -> None:
    made, case = find_game(game), CASES[game][place]
    paid = [settled(made, made.options.defaults, dealt(made, deal), case.conduct) for deal in case.deals]
    for row in shown(game).rows:
        for bet in row.bets:
            cell, told = row.cells[place], {one[bet] for one in paid if bet in one}
            if cell == "":
                assert told == set()
            elif cell == "ladder":
                assert len(told) > 1
            else:
                assert told == {minor(cell)}


def which(game: str, outcome: Any, conduct: str) -> str:
    """The line a finished round belongs to, read off what its outcome says of itself."""
    made, result = find_game(game), outcome.result
    said = made.deal.describe(outcome)
    qualifies = said["dealer"].get("qualifies")
    if conduct == FOLD:
        return "folded"
    if game in ("three_card_poker", "casino_holdem"):
        found = {"win": "won_qualified", "tie": "tied_qualified", "lose": "lost_qualified"}
        return found[result] if qualifies else "unqualified"
    if result == "tie":
        return "tied"
    if game == "holdem_bonus":
        high = said["player"]["class"] in ("high_card", "pair", "two_pair", "three_of_a_kind")
        return "lost" if result == "lose" else "won_lower" if high else "won_straight"
    return f"{'won' if result == 'win' else 'lost'}_{'qualified' if qualifies else 'unqualified'}"


def random_deal(game: Game, rng: random.Random) -> dict[str, tuple[Card, ...]]:
    cards, hands = rng.sample(DECK, game.shoe.cards_per_round), {}
    for box, count in game.felt.boxes.items():
        hands[box], cards = tuple(cards[:count]), cards[count:]
    return hands


@pytest.mark.parametrize("game", CASES)
def test_no_round_is_settled_otherwise_than_its_line_says(game: str) -> None:
    made, rng, told = find_game(game), random.Random(3), shown(game)
    rungs = read_ladder(made.options.defaults["ante_bonus"]) if told.bonus else {}
    met = set()
    drawn = [(random_deal(made, rng), FOLD if at % 9 == 0 else "") for at in range(2_000)]
    for hands, conduct in drawn + [(dealt(made, deal), case.conduct) for case in CASES[game] for deal in case.deals]:
        outcome = made.deal.outcome(made.options.defaults, hands)
        when = which(game, outcome, conduct)
        met.add(when)
        bonus = int(STAKE_MINOR * rungs.get(outcome.category, 0)) if rungs and not conduct else 0
        paid = settled(made, made.options.defaults, hands, conduct)
        for row in told.rows:
            cell = row.cells[told.cases.index(when)]
            for bet in row.bets:
                if cell not in ("", "ladder"):
                    assert paid[bet] == minor(cell) + (bonus if bet == "ante" else 0), (when, bet, hands)
    assert met == set(told.cases)


def test_ultimate_holdem_is_told_as_its_page_tells_it() -> None:
    told = shown("ultimate_holdem")
    won, lost = "won_qualified won_unqualified", "lost_qualified lost_unqualified folded"
    assert told.cases == (*won.split(), "tied", *lost.split())
    assert {row.bets: " ".join(cell or "–" for cell in row.cells) for row in told.rows} == {
        ("ante",): "1:1 back back lost back lost",
        ("blind",): "ladder ladder back lost lost lost",
        ("play",): "1:1 1:1 back lost lost –",
    }
    assert told.bonus == ""


def test_holdem_bonus_is_told_as_its_page_tells_it() -> None:
    assert {row.bets: " ".join(cell or "–" for cell in row.cells) for row in shown("holdem_bonus").rows} == {
        ("ante",): "1:1 back back lost lost",
        ("flop", "turn", "river"): "1:1 1:1 back lost –",
    }


def test_three_card_poker_is_told_as_its_page_tells_it() -> None:
    told = shown("three_card_poker")
    assert {row.bets: " ".join(cell or "–" for cell in row.cells) for row in told.rows} == {
        ("ante",): "1:1 1:1 back lost lost",
        ("play",): "back 1:1 back lost –",
    }
    assert told.bonus == "straight"


def test_casino_holdem_is_told_as_its_page_tells_it() -> None:
    told = shown("casino_holdem")
    assert told.cases == ("won_qualified", "unqualified", "tied_qualified", "lost_qualified", "folded")
    assert {row.bets: " ".join(cell or "–" for cell in row.cells) for row in told.rows} == {
        ("ante",): "ladder ladder back lost lost",
        ("call",): "1:1 back back lost –",
    }


def test_a_blind_that_a_table_pays_otherwise_is_told_as_that_table_pays_it() -> None:
    plain = shown("ultimate_holdem", blind="straight 1")
    assert next(row for row in plain.rows if "blind" in row.bets).cells[0] == "back"


def test_a_game_without_such_a_table_has_none() -> None:
    for game in GAMES:
        assert (outcome_table(game.key, game.options.defaults) is None) == (game.key not in CASES)
    assert 'class="panel outcomes"' not in Visitor(app_over(FakeFloor(IDLE))).page("/display/knights1")


@pytest.mark.parametrize("tag", LANGUAGES)
@pytest.mark.parametrize("game", CASES)
def test_the_display_tells_every_case_in_every_language(game: str, tag: str) -> None:
    language = Languages().speak(tag)
    page = Visitor(app_over(FakeFloor(table(game)))).page(f"/display/p1?language={tag}")
    told = page[page.index('class="panel outcomes"') :]
    for case in CASES[game]:
        assert f"outcomes.{case.when}" in read_catalogue(tag)
        assert f'<th scope="col">{language.say(f"outcomes.{case.when}")}</th>' in told
    for row in shown(game).rows:
        assert " · ".join(language.say(f"bet.{bet}") for bet in row.bets) in told
