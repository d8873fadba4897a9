"""What an operator is told of beside his wallet: rounds that came to an end; and how far he has heard of them.

What is owed to him stands nowhere but among the ends of rounds: it is all that came after what he has heard, table by
table. So a row of the journal is written when he has said yes, and none before.
"""

from __future__ import annotations

from typing import Final

import msgspec

from studio.errors import BadInputError


class RoundNotice(msgspec.Struct, frozen=True, kw_only=True, tag_field="call", tag="round"):
    """A round of his bettors has come to an end, at the table `game`, with row `seq` of the journal. Told again until
    he says yes. `generation`: how often it had come to one before."""

    game: str
    round: str
    generation: int
    seq: int

    @property
    def id(self) -> str:
        """An id that is the same each time this is told, so that whoever hears it twice knows."""
        return f"{self.round}:{self.generation}"


class Hearing(msgspec.Struct, frozen=True, kw_only=True):
    """How far an operator has heard: at each table up to that row; where a table is not among them, up to `since`."""

    since: int
    upto: dict[str, int] = {}

    def at(self, table: str) -> int:
        return self.upto.get(table, self.since)

    def heard(self, upto: dict[str, int]) -> Hearing:
        return Hearing(since=self.since, upto={**self.upto, **upto})


class RoundsHeard(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """An operator has said yes to every round at these tables, up to that row."""

    operator: str
    at_ms: int
    upto: dict[str, int]


class HearingsKept(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """How far each has heard, so that nobody need look further back. Who is not among them is told no more."""

    at_ms: int
    hearings: dict[str, Hearing]


AnyHearing = RoundsHeard | HearingsKept

HEARING_KINDS: Final = frozenset({"RoundsHeard", "HearingsKept"})


class _Row(msgspec.Struct):
    hearing: AnyHearing


_ROW: Final = msgspec.json.Decoder(_Row)


def write_hearing(event: AnyHearing) -> bytes:
    return msgspec.json.encode(_Row(event))


def read_hearing(body: bytes) -> AnyHearing:
    try:
        return _ROW.decode(body).hearing
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as what an operator has heard: {error}") from error
