"""Follows every card out of a simulated shoe to its end, and looks for faces where none is due."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from studio.cards import SealedCard
from studio.ports import ShoeDrewCard
from studio.rounds import CardBurned, CardDealt, CardRemoved, CardReplaced, CardReturned, Laid, Revealed
from studio.tables.event import table as e

_FACE: Final = re.compile(rb"""(?<=["\s=])[2-9TJQKA][cdhs](?=["\s,;:.])""")
_CAMERA_WORD: Final = re.compile(rb'"is":"CameraSays","face":"[2-9TJQKA][cdhs]"')
"""What the camera says of an open card may be any card at all: it may be wrong."""
_MAY_SHOW: Final = frozenset(
    {
        "CardDealt",
        "CardReplaced",
        "Revealed",
        "Laid",
        "Shuffled",
        "ResultDeclared",
        "RulingAsked",
        "IncidentRuled",
        "ExceptionRecorded",
    }
)
"""Kinds of event that carry the faces of open cards."""

KeyLookup = Callable[[str], bytes | None]


class CardCheck:
    """Every card the shoe gave to a deal is burned, dealt, or set aside and then disposed of; none of it twice."""

    def __init__(self, shoe: str, after_cut: int = 0) -> None:
        self._shoe, self._after_cut = shoe, after_cut
        self._open = self._loaded = self._live = False
        self._last: int | None = None
        """How many rounds may still begin from a shoe whose cut card is out."""
        self._drawn: SealedCard | None = None
        """The card that came out last and of which no event has told yet."""
        self._aside: dict[str, str] = {}
        self._done: dict[str, str] = {}

    def take(self, event: e.AnyEvent) -> Iterator[str]:
        """Follow one event; gives a sentence for each thing that is wrong."""
        match event:
            case e.ObservationRecorded(observation=seen):
                yield from self._settle_last()
                if isinstance(seen, ShoeDrewCard) and seen.device == self._shoe and not seen.resent and self._deals():
                    self._drawn = seen.card
            case e.FactStood(fact=CardBurned(card=card) | CardDealt(card=card) as fact):
                yield from self._stand(card.id, type(fact).__name__)
            case e.FactStood(fact=CardRemoved(id=id) | CardReturned(id=id)):
                self._done.pop(id, None)  # a ruling took it out of the deal: it goes elsewhere now
            case e.CardSetAside(card=card):
                yield from self._put_aside(card.id)
            case e.CardDisposed(id=id, to=to):
                if id not in self._aside:
                    yield f"Card {id} went to {to} and had never been set aside."
                self._aside[id] = to
            case _:
                yield from self._follow(event)

    def _follow(self, event: e.AnyEvent) -> Iterator[str]:
        match event:
            case e.TableOpened():
                self._open = True
            case e.TableClosed():
                self._open = False
            case e.ShoeLoaded():
                self._loaded, self._last = True, None
            case e.ShoeWithdrawn():
                self._loaded = False
            case e.CutCardCame(at_once=True):
                self._last = 0
            case e.CutCardCame() if self._last is None:
                self._last = self._after_cut
            case e.RoundStarted():
                self._live = True
                self._last = self._last - 1 if self._last else self._last
                yield from self._new_round()
            case e.RedealOrdered():
                self._done.clear()
            case e.ResultDeclared() | e.RoundVoided():
                self._live = False

    def _deals(self) -> bool:
        """Whether a card out of the shoe counts for anything; else its reading is evidence only [EV3]."""
        return self._open and self._loaded and (self._live or self._last != 0)

    def _settle_last(self) -> Iterator[str]:
        if self._drawn is not None:
            yield f"Card {self._drawn.id} came out of the shoe and nothing was told of it."
            self._drawn = None

    def _stand(self, id: str, end: str) -> Iterator[str]:
        if id in self._done:
            yield f"Card {id} counts twice: {self._done[id]}, then {end}."
        if self._aside.get(id, "dealt") != "dealt":
            yield f"Card {id} was set aside and counts all the same."
        self._done[id] = end
        self._tell(id)

    def _put_aside(self, id: str) -> Iterator[str]:
        if id in self._done or id in self._aside:
            yield f"Card {id} was set aside and is somewhere else already."
        self._aside[id] = ""
        self._tell(id)

    def _tell(self, id: str) -> None:
        if self._drawn is not None and self._drawn.id == id:
            self._drawn = None

    def _new_round(self) -> Iterator[str]:
        for id, to in self._aside.items():
            if not to:
                yield f"Card {id} was set aside and never disposed of."
        self._aside = {id: to for id, to in self._aside.items() if to in ("next", "next_burn", "shoe")}
        self._done.clear()


class FaceCheck:
    """No row of the journal shows a face that is not due: what is burned, set aside or dealt face down stays sealed."""

    def __init__(self, lookup: KeyLookup) -> None:
        self._lookup = lookup
        self._sealed: dict[str, SealedCard] = {}
        self._shown: set[bytes] = set()
        self._down: dict[str, list[str]] = {}
        """The ids of the down cards of each box."""

    def take(self, event: e.AnyEvent, kind: str, body: bytes) -> Iterator[str]:
        match event:
            case e.RoundStarted():
                self._sealed.clear()
                self._shown.clear()
                self._down.clear()
            case e.FactStood(fact=CardBurned(card=card)) | e.CardSetAside(card=card):
                self._sealed[card.id] = card
            case e.FactStood(fact=CardDealt(card=card, face=face)) if face is not None:
                self._sealed.pop(card.id, None)
                self._shown.add(str(face).encode())
            case e.FactStood(fact=CardDealt(card=card, box=box)):
                self._sealed[card.id] = card
                self._down.setdefault(box, []).append(card.id)
            case e.FactStood(fact=CardRemoved(id=removed)):
                self._down = {box: [id for id in down if id != removed] for box, down in self._down.items()}
            case e.FactStood(fact=Revealed(box=box, faces=faces)):
                for id in self._down.pop(box, ()):
                    self._sealed.pop(id, None)
                self._shown.update(str(face).encode() for face in faces)
            case e.FactStood(fact=Laid(faces=faces)):
                self._shown.update(str(face).encode() for face in faces)
            case e.FactStood(fact=CardReplaced(face=face)):
                self._shown.add(str(face).encode())
            case e.RulingAsked(arguments=arguments) | e.IncidentRuled(arguments=arguments):
                self._shown.update(argument.encode() for argument in arguments)  # what people say they see
        told = set(_FACE.findall(_CAMERA_WORD.sub(b"", body)))
        if told and kind not in _MAY_SHOW:
            yield f"A {kind} shows the face {min(told).decode()}."
        elif told - self._shown:
            yield from self._hidden(kind, told - self._shown)

    def _hidden(self, kind: str, told: set[bytes]) -> Iterator[str]:
        """Faces named that no open card of the round has: wrong when a sealed one does."""
        for id, card in self._sealed.items():
            key = self._lookup(id)
            if key is not None and str(card.with_key(key).card()).encode() in told:
                yield f"A {kind} shows the face of {id}, which lies sealed."
