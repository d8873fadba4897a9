"""What can happen to a bettor beside his play, and how it is written: `{"bettor": …}`.

All of it is his operator's word: under which terms he plays, that he is kept from playing, that he has gone.
"""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError


class BettorTerms(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an operator lays down for one bettor; what is left empty is not limited.

    `least_minor` and `most_minor`: of one bet and of all his stakes on one bet of a round, in `currency`, which is then
    his only one. `bets` and `decisions`: those he may make. `check_min`: after so many minutes of play he is asked
    whether he goes on. `person`: the hash of who he is, the same with every operator.
    """

    currency: str = ""
    jurisdiction: str = ""
    least_minor: int = 0
    most_minor: int = 0
    bets: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    check_min: int = 0
    person: str = ""


class BettorEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    operator: str
    bettor: str


class BettorLaunched(BettorEvent, frozen=True, kw_only=True, tag=True):
    """He plays under these terms from now on; written where they change, or where he had gone."""

    terms: BettorTerms


class BettorBlocked(BettorEvent, frozen=True, kw_only=True, tag=True):
    """He stakes nothing more; what he has in play stays in play."""


class BettorUnblocked(BettorEvent, frozen=True, kw_only=True, tag=True):
    """He may play again, once he is launched."""


class BettorLoggedOut(BettorEvent, frozen=True, kw_only=True, tag=True):
    """He stakes nothing more until he is launched again."""


AnyBettorEvent = BettorLaunched | BettorBlocked | BettorUnblocked | BettorLoggedOut

BETTOR_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyBettorEvent))
"""The journal's kinds that concern one bettor and his operator."""


class _Row(msgspec.Struct):
    bettor: AnyBettorEvent


_ROW: Final = msgspec.json.Decoder(_Row)


def write_bettor(event: AnyBettorEvent) -> bytes:
    return msgspec.json.encode(_Row(event))


def read_bettor(body: bytes) -> AnyBettorEvent:
    try:
        return _ROW.decode(body).bettor
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of a bettor: {error}") from error
