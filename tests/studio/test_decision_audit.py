"""What the audit says of stakes and decisions that the rules of Ultimate Texas Hold'em do not allow."""

from __future__ import annotations

import pytest

from studio.cards import Sealer, parse_cards
from studio.games import find_game
from studio.proof.audit.round.decision import DecisionAudit
from studio.proof.audit.wrong import WrongError
from studio.rounds import AnyFact, CardDealt, WindowClosed
from studio.tables.event import table as e
from studio.tables.state.conduct import Conduct

GAME = find_game("ultimate_holdem")
RULES = GAME.options.check({})
SEALER = Sealer(lambda count: bytes(count))


def bet(key: str, stake_minor: int = 100, id: str = "") -> e.PlacedBet:
    id = id or key
    return e.PlacedBet(
        bet_id=f"north/{id}", operator="north", client_id=id, bettor="ann", bet=key, stake_minor=stake_minor,
        currency="EUR",
    )  # fmt: skip


def holes() -> list[AnyFact]:
    """The facts up to the first window of decisions."""
    cards = zip(("player", "dealer") * 2, (1, 1, 2, 2), parse_cards("As Kd Ah Kc"), strict=True)
    dealt = [
        CardDealt(card=SEALER.card(card), box=box, place=place, face=card if box == "player" else None)
        for box, place, card in cards
    ]
    return [WindowClosed(), *dealt]


def audit(*bets: e.PlacedBet) -> DecisionAudit:
    conduct = Conduct()
    conduct.bet(bets)
    return DecisionAudit("r1", GAME, RULES, conduct)


def said(option: str, id: str = "d1") -> e.Decision:
    return e.Decision(operator="north", bettor="ann", option=option, client_id=id)


PLACED = {
    "an ante without its blind": (bet("ante"),),
    "a blind of another stake": (bet("ante"), bet("blind", 99)),
    "a raise": (bet("ante"), bet("blind"), bet("play", 400)),
    "trips alone": (bet("trips"),),
}


@pytest.mark.parametrize("bets", PLACED.values(), ids=PLACED)
def test_bets_that_cannot_be_are_found(bets: tuple[e.PlacedBet, ...]) -> None:
    with pytest.raises(WrongError):
        audit(*bets).check_placed(bets, 7)


ANTE = (bet("ante"), bet("blind"))

DECIDED = {
    "an option of another window": (ANTE, (said("play_1x"),), (bet("play", 100, "d1"),)),
    "nobody's": ((), (said("check"),), ()),
    "twice": (ANTE, (said("check"), said("check", "d2")), ()),
    "raised before": ((*ANTE, bet("play", 300)), (said("check"),), ()),
    "a raise without its stake": (ANTE, (said("play_4x"),), ()),
    "a raise of another stake": (ANTE, (said("play_4x"),), (bet("play", 300, "d1"),)),
    "a stake under another id": (ANTE, (said("play_4x"),), (bet("play", 400, "d2"),)),
    "a check that stakes": (ANTE, (said("check"),), (bet("play", 400, "d1"),)),
}


@pytest.mark.parametrize(("before", "decisions", "bets"), DECIDED.values(), ids=DECIDED)
def test_decisions_that_cannot_be_are_found(
    before: tuple[e.PlacedBet, ...], decisions: tuple[e.Decision, ...], bets: tuple[e.PlacedBet, ...]
) -> None:
    with pytest.raises(WrongError):
        audit(*before).check_decided(e.DecisionsTaken(decisions=decisions, bets=bets), holes(), 7)


def test_a_decision_before_its_window_and_a_window_with_another_end_are_found() -> None:
    with pytest.raises(WrongError, match="Nobody had anything to decide"):
        audit(*ANTE).check_decided(e.DecisionsTaken(decisions=(said("check"),)), holes()[:-1], 7)
    for options, default in ((("play_2x", "check"), "check"), (("play_4x", "play_3x", "check"), "fold")):
        with pytest.raises(WrongError, match="ended as another one"):
            audit(*ANTE).check_closed(e.DecisionsClosed(options=options, by_default=default), holes(), 7)


def test_what_the_rules_have_passes() -> None:
    sound = audit(*ANTE, bet("trips"))
    sound.check_placed((*ANTE, bet("trips")), 7)
    sound.check_decided(e.DecisionsTaken(decisions=(said("play_4x"),), bets=(bet("play", 400, "d1"),)), holes(), 7)
    sound.check_closed(e.DecisionsClosed(options=("play_4x", "play_3x", "check"), by_default="check"), holes(), 7)
