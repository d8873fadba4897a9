"""A place of the felt and a box of places, and what people said of a card."""

from __future__ import annotations

from dataclasses import dataclass

from studio.views.shape.words import Words


@dataclass(frozen=True, slots=True)
class VouchView:
    """`shoe` and `camera`: whether that eye has the card as it counts. `ruling` is empty where nobody had to rule: the
    shoe read nothing, and the camera's reading counts.
    """

    ruling: str
    shoe: bool
    camera: bool
    by_name: str = ""
    second_name: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """One place on the felt.

    `state`: `empty` · `awaited` (the next card goes here) · `shoe` (read by the shoe, the camera owes its word;
    without a face while it waits for the held table to go on) · `confirmed` (both eyes) · `unsure` · `contradiction`
    · `unread` (the shoe could not read it) · `sealed` (face down, as it should be) · `sealed_owed` (face down, not yet
    seen by the camera).
    """

    place: int
    state: str
    face: str | None = None
    camera: str | None = None
    """What the camera says: `confirmed`, `unsure`, `down`, `none`, `hand`; never a face that is not due."""
    vouch: VouchView | None = None
    """People's word on it, where the two eyes did not settle it. Never for bettors."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """`title` is the catalogue key of the box; `ranks_as` the words of its hand once complete, `ranks_in` its class;
    `hand` what a whole row of Open-Face Chinese is, or the points of a hand while it is dealt.

    At Blackjack `points`, `soft` and `marks` say how the hand stands while it is played: see `views.blackjack`.
    """

    key: str
    title: str
    places: tuple[CardView, ...]
    ranks_as: str = ""
    won: str = ""
    ranks_in: str = ""
    points: int = 0
    soft: bool = False
    marks: tuple[str, ...] = ()
    hand: Words | None = None
