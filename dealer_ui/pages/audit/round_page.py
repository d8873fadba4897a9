"""What the page of a past round shows beside its felt: who read each card, how it ended, who did what, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from dealer_ui.felt.face import Face, face
from dealer_ui.floor.house import House, device_roles
from dealer_ui.pages.audit.search import called
from dealer_ui.past import coded
from dealer_ui.past.change import ChangeWords
from dealer_ui.words.language import Language
from studio.games.blackjack import BLACKJACK
from studio.games.ofc import KEY as OFC
from studio.journal.extract.round_sum import BettorSum
from studio.tables.event.situation import AnySituation
from studio.views.shape import Deal, PastRound, Reading, Ruled, VouchView

EYES: Final = ("shoe", "camera")


@dataclass(frozen=True, slots=True)
class ReadBy:
    """One reader of a card: `eye` is shoe, camera or person; `words` say who it was and what of it."""

    eye: str
    words: str
    override: bool = False
    over: bool = False
    """It had read another card, and people said so."""


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card with its readers; `was` are the faces that were wrong. Without a face it was never revealed."""

    place: int
    face: Face | None
    was: tuple[Face, ...]
    readers: tuple[ReadBy, ...]
    evidence: str

    @property
    def changed(self) -> bool:
        return bool(self.was) or any(one.override for one in self.readers)


@dataclass(frozen=True, slots=True)
class AuditHand:
    """One hand of a result: `how` is win, lose, tie…, `words` its name, `money` what a seat takes."""

    box: str
    faces: tuple[Face, ...]
    how: str
    words: str
    money: str = ""


@dataclass(frozen=True, slots=True)
class RoundWords:
    """Says what a past round holds, in one language, with people by their names."""

    house: House
    language: Language
    round: PastRound

    def who(self, id: str) -> str:
        """A person's name, or what a device is at the table."""
        if none := coded.person(self.language, id):
            return none
        role = device_roles(self.house, self.round.table).get(id, id)
        name = called(self.house, id)
        return name if name != id else self.language.either(f"device.{role}", id)

    def people(self, ruled: Ruled) -> str:
        """Who ruled, and who agreed."""
        both = " + ".join(self.who(id) for id in (ruled.by, ruled.approved_by) if id)
        return both or "–"

    def change(self, told: AnySituation) -> str:
        """What was before, or is after."""
        return ChangeWords(self.language).say(told)

    def reason(self, code: str) -> str:
        return coded.word(self.language, "reason_code", code) or code

    def cards(self, deal: Deal) -> Mapping[str, Sequence[ReadCard]]:
        """The cards of a deal by box, in the order of the felt."""
        found: dict[str, list[ReadCard]] = {box.key: [] for box in deal.felt.boxes}
        vouched = {(box.key, one.place): one.vouch for box in deal.felt.boxes for one in box.places}
        for reading in deal.readings:
            vouch = vouched.get((reading.zone, reading.place))
            found.setdefault(reading.zone, []).append(self._card(reading, vouch))
        return {box: cards for box, cards in found.items() if cards}

    def _card(self, reading: Reading, vouch: VouchView | None) -> ReadCard:
        return ReadCard(
            reading.place,
            face(reading.face) if reading.face else None,
            tuple(face(text) for text, _ in reading.was),
            tuple(self._readers(reading, vouch)),
            reading.evidence,
        )

    def _readers(self, reading: Reading, vouch: VouchView | None) -> Iterator[ReadBy]:
        say, ruling = self.language.say, vouch.ruling if vouch else ""
        if reading.source in EYES:
            over = reading.source == "shoe" and bool(ruling) and vouch is not None and not vouch.shoe
            yield ReadBy(reading.source, say(f"device.{reading.source}"), over=over)
        elif reading.source:
            yield ReadBy("person", say("round.by_hand"), override=True)
        if reading.confirmed_by == "camera":
            sure = f" {self.language.percent(100 * reading.confidence)}" if reading.confidence else ""
            yield ReadBy("camera", say("device.camera") + sure)
        elif reading.confirmed_by and not ruling:
            yield ReadBy("person", say("round.confirmed_by", name=self.who(reading.confirmed_by)), override=True)
        if any(source == "correction" for _, source in reading.was):
            yield ReadBy("person", say("round.corrected"), override=True)
        if vouch is not None and ruling:
            yield ReadBy("person", self._vouched(vouch), override=True)
        for ruled in reading.rulings:
            if ruled.ruling != ruling:
                said = say("round.ruled_by", what=say(f"ruling.{ruled.ruling}"), name=self.people(ruled))
                yield ReadBy("person", said, override=ruled.ruling not in ("continue", "confirm"))

    def _vouched(self, vouch: VouchView) -> str:
        """Who said what the card is, as under the felt of the table."""
        name, second = self.who(vouch.by_name), self.who(vouch.second_name) if vouch.second_name else ""
        if vouch.ruling == "continue":
            return self.language.say("felt.from_picture", name=name)
        return self.language.say("felt.overridden" if second else "felt.settled", name=name, second=second)

    def bettor(self, one: BettorSum) -> str:
        """Who bet, and where that one sits."""
        seats = self.round.felt.room.seats if self.round.felt.room else ()
        seat = next((seat.seat for seat in seats if (seat.operator, seat.bettor) == (one.operator, one.bettor)), "")
        name = f"{one.bettor} ({one.operator})"
        return f"{self.language.seats([seat])} · {name}" if seat else name

    def hands(self, outcome: Mapping[str, Any] | None) -> Sequence[AuditHand]:
        """A result, hand by hand; of a poker table, seat by seat."""
        if not outcome:
            return ()
        if "seats" in outcome:
            return [self._seat(seat, told) for seat, told in outcome["seats"].items()]
        return [self._hand(box, told) for box, told in outcome.items() if isinstance(told, Mapping) and "cards" in told]

    def _hand(self, box: str, told: Mapping[str, Any]) -> AuditHand:
        return AuditHand(box, _faces(told["cards"]), str(told.get("result", "")), self._name(told))

    def _name(self, told: Mapping[str, Any]) -> str:
        """What a hand is called; in English a poker hand by all its ranks."""
        if self.round.config.game == BLACKJACK.key:
            return str(told.get("points", ""))
        keys = [f"{family}.{told.get('class', '')}" for family in ("poker", "hand")]
        known = next((key for key in keys if self.language.knows(key)), "")
        return self.language.say(known) if known and self.language.tag != "en" else str(told.get("name", ""))

    def _seat(self, seat: str, told: Mapping[str, Any]) -> AuditHand:
        currency = self.round.config.currency
        put, takes = (self.language.money(told.get(key, 0), currency) for key in ("paid", "takes"))
        words = "" if self.round.config.game == OFC else self._bettor(seat)
        return AuditHand(seat, _faces(told.get("cards", ())), "", words, f"{put} → {takes}")

    def _bettor(self, seat: str) -> str:
        room = self.round.felt.room
        return next((one.bettor for one in room.seats if one.seat == seat), "") if room else ""


def _faces(cards: Sequence[str]) -> tuple[Face, ...]:
    return tuple(face(card) for card in cards)
