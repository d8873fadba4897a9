"""A deal gone on with stands as one played from its first card, whatever was corrected, or tried and dropped."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from every_ruling import started
from open_face_deal import random_rows

from studio.cards import DECK, Card, Sealer
from studio.games import GAMES, find_game
from studio.ports import CardFace
from studio.rounds import (
    AnyFact,
    Awaiting,
    BurnRuled,
    CardBurned,
    CardDealt,
    CardMoved,
    CardPostponed,
    CardRemoved,
    CardReplaced,
    CardReturned,
    Chose,
    HandsExchanged,
    HandsSwapped,
    HandVoided,
    Laid,
    Revealed,
    Shuffled,
    WindowClosed,
    corrected,
    play,
    play_on,
)
from studio.rulebook.script import Burn, Deal, Decide, Lay, OpenBets, Reveal, Shuffle, Step, Turn
from studio.tables.state.box import zones_of
from studio.tables.state.round import by_place

FACTS_MOST = 90
ROUNDS = {"quick": 3, "long": 20}
SEATS = ("nlh", "short_deck", "plo")
"""One hand is enough of these where it is to be quick: their engine takes its time."""


class Dealt:
    """A deal as the fold keeps it: `facts`, and the standing that `play_on` gave for them."""

    def __init__(self, game: str, seed: int) -> None:
        self.rng = random.Random(f"{game} {seed}")
        self.game, self.rules = find_game(game), started(game)
        self.sealer = Sealer(self.rng.randbytes)
        self.facts: tuple[AnyFact, ...] = ()
        self.standing: Any = play(self.script(), ())
        self.went_on = self.corrections = 0

    def script(self) -> Any:
        return self.game.deal.script(self.rules)

    def go_on(self) -> None:
        """One fact more, after others that were tried and dropped; what does not fit is dropped, too."""
        facts, standing = self.facts, self.standing
        tried = [self.fact() for _ in range(self.rng.choice((0, 0, 0, 1, 2)))]
        fact = self.fact()
        for one in (*tried, fact):
            self.facts, self.standing = self._told(facts, standing, one)
        assert play_on(standing, facts, fact, self.script)[1] == self.standing
        if not isinstance(self.standing, Awaiting) and self.rng.random() < 0.9:
            self.facts, self.standing = facts, standing

    def _told(self, facts: tuple[AnyFact, ...], standing: Any, fact: AnyFact) -> tuple[tuple[AnyFact, ...], Any]:
        after, stands = play_on(standing, facts, fact, self._again)
        self.went_on += 1
        self.corrections += corrected(after) != after
        assert after == (*facts, fact)
        assert stands == play(self.script(), after)
        return after, stands

    def _again(self) -> Any:
        self.went_on -= 1
        return self.script()

    # --- what happens ---------------------------------------------------------------------------------------

    def card(self) -> Card:
        """One that no fact has named yet: a hand is of different cards."""
        named = {fact.card.card() for fact in self.facts if isinstance(fact, CardDealt | CardBurned)}
        named |= {fact.face for fact in self.facts if isinstance(fact, CardReplaced)}
        short = self.game.shoe.deck_cards < len(DECK)
        left = [card for card in DECK if card not in named and not (short and card.rank in "2345")]
        return self.rng.choice(left or DECK)

    def fact(self) -> AnyFact:
        if self.facts and self.rng.random() < 0.12:
            return self._correction()
        return self._due(self.standing.step)

    def _due(self, step: Step) -> AnyFact:
        rng, lying = self.rng, by_place(self.facts)
        match step:
            case Deal(box=box, face=face):
                sealed, up = self.sealer.card(self.card()), face is CardFace.UP
                shown = {"face": sealed.card(), "key": sealed.publish_key()} if up else {}
                return CardDealt(card=sealed, box=box, place=self.standing.place, **shown)
            case Burn():
                return CardBurned(card=self.sealer.card(self.card()), place=self.standing.done + 1)
            case OpenBets() | Decide():
                return WindowClosed(boxes=("3", "5", "6") if self.game.owned and isinstance(step, OpenBets) else ())
            case Turn(box=box, options=options, placing=placing, to_minor=to_minor):
                rows = random_rows(placing, rng) if placing is not None else ()
                option = rng.choice([one for one in options if one != "fold" or rng.random() < 0.3] or options)
                staked = rng.choice(to_minor) if to_minor and option in ("bet", "raise") else 0
                return Chose(box=box, option=option, rows=rows, to_minor=staked)
            case Reveal(box=box):
                faces = tuple(one.card.card() for slot, one in sorted(lying.items()) if slot[0] == box)
                return Revealed(box=box, faces=faces, keys=(bytes(32),) * len(faces))
            case Lay(box=box, to=to, away=away):
                laid = tuple(lying[box, place].card.card() for place, _, _ in to)
                return Laid(box=box, to=to, away=away, faces=laid, keys=(bytes(32),) * len(laid))
            case Shuffle():
                return Shuffled()

    def _correction(self) -> AnyFact:
        rng = self.rng
        ids = [one.card.id for one in self.facts if isinstance(one, CardDealt | CardBurned)] or ["no card"]
        id, face, (a, b) = rng.choice(ids), self.card(), rng.sample(list(self.game.felt.boxes), 2)
        place = rng.randint(1, max(self.game.felt.boxes[a], 1))
        step, seats = self.standing.step, self.game.peers.seats if self.game.peers else self.game.felt.boxes
        late = (
            (step.box, self.standing.place) if isinstance(step, Deal) and step.box in seats else (next(iter(seats)), 1)
        )
        made: Sequence[AnyFact] = (
            CardReplaced(id=id, face=face, source="manual"),
            CardMoved(id=id, box=a, place=place),
            HandsSwapped(a=a, b=b),
            HandsExchanged(a=a, b=b),
            CardRemoved(id=id),
            CardReturned(id=id),
            CardPostponed(box=late[0], place=late[1]),
            HandVoided(box=a, zones=zones_of(self.game, a)),
            BurnRuled(number=rng.randint(1, 3), cards=rng.randint(0, 2), shuffled=rng.random() < 0.5),
        )
        return rng.choice(made)


@pytest.mark.parametrize(
    ("game", "rounds"),
    [
        *((game.key, 1 if game.key in SEATS else ROUNDS["quick"]) for game in GAMES),
        *(pytest.param(game.key, ROUNDS["long"], marks=pytest.mark.long) for game in GAMES),
    ],
)
def test_a_deal_gone_on_with_stands_as_one_played_from_its_first_card(game: str, rounds: int) -> None:
    went_on = corrections = 0
    for seed in range(rounds):
        dealt = Dealt(game, seed)
        for _ in range(FACTS_MOST):
            if not isinstance(dealt.standing, Awaiting):
                break
            dealt.go_on()
        went_on, corrections = went_on + dealt.went_on, corrections + dealt.corrections
    assert went_on > min(5, find_game(game).shoe.cards_per_round + 1) * rounds
    assert corrections > rounds
