"""The kinds of value in what the interface tells and is asked: each with what it means and how one looks."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, Field

TOLD: Final = ConfigDict(use_attribute_docstrings=True)
"""How the types of answers are read: the words under a field are its description."""
READ: Final = ConfigDict(extra="forbid", use_attribute_docstrings=True)
"""How a query is read; its values are texts, and `Whole` makes numbers of them."""
PLACE_MAX: Final = 10**18 - 1

Bettor = Annotated[str, Field(description="Your name for the bettor.", examples=["ann"])]
ClientId = Annotated[str, Field(description="The id of your own making that this came with.", examples=["n-1001"])]
BetId = Annotated[str, Field(description="The studio's id of the bet.", examples=["north/n-1001"])]
TableKey = Annotated[str, Field(description="The key of the table.", examples=["t1"])]
RoundId = Annotated[str, Field(description="The id of the round.", examples=["t1-0000017"])]
BetKey = Annotated[str, Field(description="The key of the bet.", examples=["player1_win"])]
GameKey = Annotated[str, Field(description="The key of the game.", examples=["three_knights"])]
Card = Annotated[str, Field(description="A card: its rank and its suit.", examples=["Ah"])]
CurrencyCode = Annotated[str, Field(description="A currency by ISO 4217.", examples=["EUR"])]
Amount = Annotated[int, Field(description="An amount in minor units.", examples=[500])]
Seq = Annotated[int, Field(description="The journal's number of what is told here.", examples=[4711])]
AtMs = Annotated[int, Field(description="A time in UTC milliseconds.", examples=[1_700_000_000_000])]
NowMs = Annotated[int, Field(description="The studio's own time, in UTC milliseconds.", examples=[1_700_000_001_250])]
Sentence = Annotated[str, Field(description="A sentence for people, in English.", examples=["Bets are closed."])]
Outcome = Annotated[dict[str, Any], Field(description="As the game describes it: see the page of the game.")]
InLanguages = Annotated[dict[str, str], Field(description="By language.", examples=[{"en": "…", "ja": "…", "id": "…"}])]


def one_of(*keys: str) -> Any:
    """That a text is one of these."""
    return Field(json_schema_extra={"enum": list(keys)}, examples=[keys[0]])


RoundStatus = Annotated[str, one_of("open", "settled", "voided")]


def _whole(text: object) -> int:
    if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 18:
        return int(text)
    raise ValueError


DIGITS: Final = BeforeValidator(_whole)
"""A number of a query is written in digits, and comes after the limits it keeps."""
Whole = Annotated[int, Field(ge=0, le=PLACE_MAX), DIGITS]
"""A whole number of a query, in digits."""
