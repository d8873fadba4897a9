"""The only place for the game record: the rounds one bettor bet on, what came of them, and his bets there.

A voided round keeps its cards and bets and is marked. Only faces that the public has seen are in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from dealer_ui.api.bet import bet_line
from dealer_ui.api.port import OperatorsFloor
from studio.journal import BetStatus, Reader
from studio.rounds import AnyFact, CardDealt, corrected
from studio.tables import event as e
from studio.tables.record import read_body

_BETS_READ_MAX: Final = 20_000
_TOLD: Final = frozenset(
    {"RoundStarted", "RedealOrdered", "ResultDeclared", "RoundSettled", "RoundVoided", "RoundRefunded",
     "CardDealt", "CardReplaced", "CardMoved", "HandsSwapped", "CardRemoved"}
)  # fmt: skip


def read_record(floor: OperatorsFloor, operator: str, bettor: str, limit: int) -> list[dict[str, Any]]:
    """The latest rounds, newest first."""
    reader = floor.reader()
    rounds = _rounds(reader, operator, bettor, limit, len(floor.tables))
    return [_round_line(reader, round, rounds[round]) for round in list(rounds)[:limit]]


def _rounds(reader: Reader, operator: str, bettor: str, limit: int, tables: int) -> dict[str, list[BetStatus]]:
    """The bets of the latest rounds; read until those rounds are whole, though tables may interleave theirs."""
    count = 16 * limit
    while True:
        found = reader.bets_of(operator, bettor, count)
        rounds = _by_round(found)
        if len(found) < count or len(rounds) > limit + tables or count >= _BETS_READ_MAX:
            return rounds
        count *= 4


def _by_round(bets: Iterable[BetStatus]) -> dict[str, list[BetStatus]]:
    rounds: dict[str, list[BetStatus]] = {}
    for status in bets:
        rounds.setdefault(status.bet.round, []).append(status)
    return rounds


def _round_line(reader: Reader, round: str, bets: Sequence[BetStatus]) -> dict[str, Any]:
    """One round; its bets in the order they were placed."""
    return {
        "round": round,
        "table": bets[0].bet.table,
        **_course(reader, round),
        "stake": sum(status.bet.stake_minor for status in bets),
        "returns": sum(status.returned_minor for status in bets),
        "bets": [bet_line(status) for status in reversed(bets)],
    }


def _course(reader: Reader, round: str) -> dict[str, Any]:
    """What came of a round, folded from its events; `at_ms` is the newest of them."""
    said: dict[str, Any] = {
        "number": None, "at_ms": None, "status": "open", "voided": False, "void_row": None, "outcome": None,
    }  # fmt: skip
    facts: list[AnyFact] = []
    for row in reader.events(round=round, kinds=_TOLD):
        said["at_ms"] = row.at_ms
        match read_body(row.body).event:
            case e.RoundStarted(number=number):
                said["number"] = number
            case e.FactStood(fact=fact):
                facts.append(fact)
            case e.RedealOrdered():
                facts.clear()
            case e.ResultDeclared(outcome=outcome):
                said["outcome"] = outcome
            case e.RoundSettled():
                said["status"] = "settled"
            case e.RoundVoided(row=void_row):
                said |= {"status": "voided", "voided": True, "void_row": void_row, "outcome": None}
    return said | {"cards": _open_cards(facts)}


def _open_cards(facts: Sequence[AnyFact]) -> dict[str, list[str]]:
    """Box to the faces that lay open in it; a card still face down has none."""
    boxes: dict[str, dict[int, str]] = {}
    for fact in corrected(facts):
        if isinstance(fact, CardDealt) and fact.face is not None:
            boxes.setdefault(fact.box, {})[fact.place] = str(fact.face)
    return {box: [cards[place] for place in sorted(cards)] for box, cards in boxes.items()}
