"""What a correction of a settled round comes to, before anybody agrees to it. Pure.

The same is shown to the person who asks, checked when the second one approves, moved chunk by chunk, and found again by
the audit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from studio.errors import RefusedError
from studio.rounds import (
    AnyFact,
    Awaiting,
    CardBurned,
    CardDealt,
    CardMoved,
    CardRemoved,
    CardReplaced,
    Finished,
    HandsExchanged,
    HandVoided,
    Misfit,
    Standing,
    play,
)
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.settlement import (
    CorrectionSum,
    Difference,
    differences,
    differences_digest,
    payouts_digest,
    sums_of,
)
from studio.spoken import Slot
from studio.tables.correction.due_return import Reckoned, reckoned, reckoned_void, touched_boxes
from studio.tables.correction.pot_claim import PotChange, pot_change
from studio.tables.event.correction import Righting
from studio.tables.event.situation import (
    CardOut,
    CardReads,
    HandsRead,
    MoneyMoved,
    MoneyPart,
    NoMoney,
    PotTurned,
    Reading,
    ReadingPart,
    Situation,
    Stands,
)
from studio.tables.past.dossier import Dossier
from studio.tables.state.box import zones_of
from studio.tables.state.round import Stage, by_place

VOID_FITS = "Void the round, or correct the other card too."


@dataclass(frozen=True, slots=True)
class WeighedCorrection:
    """A correction with all it changes. `said`: what the record had and shall have, open cards alone.

    `stake_minor`, `returns_minor` and `payouts` (a digest) are those of the whole round afterwards.
    """

    facts: tuple[Righting, ...]
    void: bool
    revision: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    differences: tuple[Difference, ...]
    sums: tuple[CorrectionSum, ...]
    digest: str
    stake_minor: int
    returns_minor: int
    payouts: str
    readings: tuple[Reading, Reading]
    pot: PotChange

    @property
    def said(self) -> tuple[Situation, Situation]:
        """Before and after, as the record keeps them."""
        return Situation(self.readings[0]), Situation(self.readings[1])


def weigh(dossier: Dossier, facts: Sequence[Righting], *, void: bool, pays: str = "") -> WeighedCorrection:
    """What the correction changes; `RefusedError` says why it cannot be made.

    A void that `pays` (`Game.paid_though_void`) leaves some bets paid, by the cards as `facts` read them.
    """
    _check_round(dossier)
    round = dossier.round
    readings = _readings(dossier, facts) if facts or not void else ((), ())
    before = _outcome(dossier, ())
    old = reckoned(dossier, round.deal.facts, before)
    every = (*round.deal.facts, *facts)
    if void:
        _check_pays(dossier, facts, pays)
        new = reckoned_void(dossier, every, old, pays)
        return _weighed(dossier, tuple(facts), (old, new), (before, None), _void(readings, pays))
    after = _outcome(dossier, facts)
    return _weighed(dossier, tuple(facts), (old, reckoned(dossier, every, after)), (before, after), readings)


def _weighed(
    dossier: Dossier,
    facts: tuple[Righting, ...],
    payouts: tuple[Reckoned, Reckoned],
    outcomes: tuple[Any, Any],
    readings: tuple[Reading, Reading],
) -> WeighedCorrection:
    (before, after), purse, describe = outcomes, dossier.purse, dossier.game.deal.describe
    found = differences(*payouts)
    left = [each for each in payouts[1] if each is not None]
    return WeighedCorrection(
        facts=facts,
        void=after is None,
        revision=dossier.revision + 1,
        before=describe(before),
        after={} if after is None else describe(after),
        differences=found,
        sums=sums_of(found, dossier.currency),
        digest=differences_digest(found),
        stake_minor=sum(purse.worth(each.stake_minor, each.currency) for each in left),
        returns_minor=sum(purse.worth(each.returns_minor, each.currency) for each in left),
        payouts=payouts_digest(left),
        readings=readings,
        pot=pot_change(dossier, before, after),
    )


def moved(weighed: WeighedCorrection) -> Iterator[MoneyPart]:
    """What the correction does in money: for each operator and currency how many bettors it concerns, what they give
    back and what they are paid; then the pot.
    """
    pot = _POT_TURNED.get(weighed.pot)
    for one in weighed.sums:
        yield MoneyMoved(one.operator, one.bettors, one.back_minor, one.out_minor, one.currency)
    if pot is not None:
        yield pot
    if not weighed.sums and pot is None:
        yield NoMoney()


_POT_TURNED = {
    PotChange.WON: PotTurned(won=True),
    PotChange.LOST: PotTurned(won=False),
    PotChange.LOST_VOID: PotTurned(won=False),
}


# --- what may be corrected --------------------------------------------------------------------------------


def _check_round(dossier: Dossier) -> None:
    stage = dossier.round.stage
    if dossier.void or stage in (Stage.VOIDED, Stage.VOIDING):
        raise RefusedError("round_void", "This round is void and its stakes went back; a void round stays void.")
    if stage is Stage.SETTLING:
        raise RefusedError("being_settled", "This round is being settled now; correct it when that is done.")
    if stage is not Stage.SETTLED:
        raise RefusedError("not_settled", "This round is still open; override the card at the table instead.")


def _check_pays(dossier: Dossier, facts: Sequence[Righting], pays: str) -> None:
    if pays and pays not in dossier.game.payment.paid_though_void:
        raise RefusedError("unknown_pays", f"Choose what is paid: {', '.join(dossier.game.payment.paid_though_void)}.")
    if facts and not pays:
        raise RefusedError("void_or_cards", "Correct cards, or void the round: a void round pays by no card.")
    _check_counts(dossier.game, dossier.round.rules, (*dossier.round.deal.facts, *facts))


def _void(readings: tuple[Reading, Reading], pays: str) -> tuple[Reading, Reading]:
    before, after = readings
    return before or (Stands(void=False),), (*after, Stands(void=True, pays=pays))


def _outcome(dossier: Dossier, facts: Sequence[Righting]) -> Any:
    game, every = dossier.game, (*dossier.round.deal.facts, *facts)
    if facts:
        _check_counts(game, dossier.round.rules, every)  # before it is played: no hand is read that holds a card twice
    standing = play(game.deal.script(dossier.round.rules), every)
    if not isinstance(standing, Finished):
        raise RefusedError("misfit", f"{_why(standing)} {VOID_FITS}")
    return standing.outcome


def _why(standing: Standing) -> str:
    match standing:
        case Misfit(awaited=None):
            return "With these cards the deal would have ended earlier, and cards lie there that it does not need."
        case Misfit() | Awaiting():
            return "With these cards the deal would have gone another way than it was dealt and decided."
    return "With these cards the deal does not end."


def _check_counts(game: Game, rules: Rules, facts: Sequence[AnyFact]) -> None:
    """No face lies there more often than the decks hold it; of down cards nothing is known."""
    faces = Counter(
        fact.face for fact in by_place(facts).values() if isinstance(fact, CardDealt) and fact.face is not None
    )
    twice = next((face for face, count in faces.items() if count > game.shoe.under(rules).decks), None)
    if twice is not None:
        raise RefusedError("card_twice", f"The {twice} would lie there more often than the deck holds it. {VOID_FITS}")


def _readings(dossier: Dossier, facts: Sequence[Righting]) -> tuple[Reading, Reading]:
    """The change, part by part; `RefusedError` where a fact names no open card, no box, or changes nothing."""
    if not facts:
        raise RefusedError("nothing_changed", "Say what is to be corrected: a card, two hands, or the whole round.")
    every: tuple[AnyFact, ...] = dossier.round.deal.facts
    before: list[ReadingPart] = []
    after: list[ReadingPart] = []
    for fact in facts:
        was, shall = _read(dossier, by_place(every), fact)
        before.append(was)
        after.append(shall)
        every = (*every, fact)
    return tuple(before), tuple(after)


def _read(
    dossier: Dossier, cards: Mapping[Slot, CardDealt | CardBurned], fact: Righting
) -> tuple[ReadingPart, ReadingPart]:
    zones = dossier.game.felt.zones
    match fact:
        case CardReplaced(id=id, face=face):
            (box, place), old = _card(cards, id)
            if old.face is None:
                raise RefusedError("face_down", "That card lay face down to the end; nobody may say what it was.")
            if old.face is face:
                raise RefusedError("nothing_changed", f"The record has the {face} at {box} {place} already.")
            return CardReads((box, place), old.face), CardReads((box, place), face)
        case CardRemoved(id=id):
            (box, place), old = _card(cards, id)
            return CardReads((box, place), old.face), CardOut((box, place))
        case CardMoved(id=id, box=to, place=there):
            (box, place), old = _card(cards, id)
            if not 1 <= there <= zones.get(to, 0) or (to, there) == (box, place):
                raise RefusedError("no_place", "Name another place of the felt that the card belongs to.")
            return CardReads((box, place), old.face), CardReads((to, there), old.face)
        case HandsExchanged(a=a, b=b):
            if a == b or a not in zones or b not in zones:
                raise RefusedError("two_boxes", "Name two different boxes whose hands are to be swapped.")
            return HandsRead(a, b, exchanged=False), HandsRead(a, b, exchanged=True)
        case HandVoided(box=box):
            if dossier.game.owned is None or fact.zones != zones_of(dossier.game, box) or not fact.zones:
                raise RefusedError("no_hand", "Name the box whose hand is void; elsewhere the round is voided.")
            if not any(slot[0] in fact.zones for slot in cards):
                raise RefusedError("no_hand", "There is no hand in that box; name a box that cards were dealt to.")
            return Stands(void=False, box=box), Stands(void=True, box=box)


def _card(cards: Mapping[Slot, CardDealt | CardBurned], id: str) -> tuple[Slot, CardDealt]:
    found = next(((slot, card) for slot, card in cards.items() if card.card.id == id), None)
    if found is None or not isinstance(found[1], CardDealt):
        raise RefusedError("no_card", "There is no such card in this round; choose one of those that were dealt.")
    return found[0], found[1]


def open_cards(dossier: Dossier) -> Iterator[tuple[Slot, CardDealt]]:
    """The cards of the round that a person may say something of, in the order of their boxes."""
    cards = by_place(dossier.round.deal.facts)
    for box, places in dossier.game.felt.zones.items():
        for place in range(1, places + 1):
            if isinstance(card := cards.get((box, place)), CardDealt) and card.face is not None:
                yield (box, place), card


__all__ = ["VOID_FITS", "WeighedCorrection", "moved", "open_cards", "weigh"]


@dataclass(frozen=True, slots=True)
class OtherWay:
    """Another way to correct a round: void the hands of these `boxes`, or the round where none are named. `weighed` is
    what that comes to in money.

    It is all that is left where the right cards would have made another deal: cards that were never drawn cannot be
    paid, and those that were drawn cannot be undone.
    """

    boxes: tuple[str, ...]
    pays: str
    weighed: WeighedCorrection


def other_ways(dossier: Dossier, facts: Sequence[Righting]) -> tuple[OtherWay, ...]:
    """The ways that can be gone with these cards, the smallest first; none in a game whose deal is always alike."""
    if dossier.game.owned is None:
        return ()
    return tuple(_ways(dossier, facts))


def _ways(dossier: Dossier, facts: Sequence[Righting]) -> Iterator[OtherWay]:
    boxes = tuple(sorted(touched_boxes(dossier, (*dossier.round.deal.facts, *facts))))
    if boxes and all(dossier.game.owned and dossier.game.owned.boxes_of([f"{box}:main"]) for box in boxes):
        voided = tuple(HandVoided(box=box, zones=zones_of(dossier.game, box)) for box in boxes)
        with suppress(RefusedError):  # without these hands the dealer would have drawn otherwise: the round is left
            yield OtherWay(boxes, "", weigh(dossier, (*facts, *voided), void=False))
    for pays in dossier.game.payment.paid_though_void:
        yield OtherWay((), pays, weigh(dossier, facts, void=True, pays=pays))
