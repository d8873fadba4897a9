"""Finds one recorded round and plays it again as lines to be read aloud."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from studio.errors import BadInputError
from studio.journal import Reader, Row
from studio.money import format_minor
from studio.proof.telling.event import Catalogue, Narrator
from studio.proof.telling.hand import tell_seats
from studio.proof.telling.place import place_name
from studio.rounds import Awaiting, Finished
from studio.rulebook.hand_terms import HAND
from studio.rulebook.script import Turn
from studio.rulebook.shoe_terms import house_rules
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.state.round import Stage
from studio.tables.state.table import TableState, awaited
from studio.views.past_round import RoundFold, config_at

NOT_TOLD = frozenset({"LineBytes", "LineIdled"})
"""Raw bytes of a line, sealed, and counts of heartbeats: they are counted, not read aloud."""


@dataclass(frozen=True, slots=True)
class FoundRound:
    """One round in the journal, and the configuration of its table when it was dealt."""

    id: str
    at_ms: int
    started: e.RoundStarted
    config: TableConfig


def find_round(reader: Reader, asked: str, table: str | None = None) -> FoundRound:
    """The round of that id, or of that number at a table; `BadInputError` says what to name instead."""
    found = []
    for row in reader.events(table=table, kinds=("RoundStarted",)):
        recorded = read_body(row.body)
        if isinstance(recorded.event, e.RoundStarted) and asked in (recorded.round, str(recorded.event.number)):
            found.append((row, recorded, recorded.event))
    if not found:
        where = f" at table {table}" if table else ""
        raise BadInputError(f"There is no round '{asked}'{where} here: name its id, or its number with --table.")
    if len(found) > 1:
        tables = ", ".join(recorded.table for _, recorded, _ in found)
        raise BadInputError(f"There is a round {asked} at more than one table ({tables}): name one with --table.")
    [(row, recorded, started)] = found
    return FoundRound(started.round, row.at_ms, started, config_at(reader, recorded.table, row.seq))


def tell_round(
    reader: Reader, found: FoundRound, words: Catalogue, names: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The round line by line: what was seen, what happened, who did it, what was paid, and how it ended."""
    narrator = Narrator(found.config, words, _published(reader, found.id), names)
    yield from _heading(found)
    unread, clock = 0, ""
    fold = RoundFold(found.config)
    for row in reader.events(round=found.id):
        event = read_body(row.body).event
        fold.take(event, row.at_ms, row.seq)
        if row.kind in NOT_TOLD:
            unread += row.kind == "LineBytes"
            continue
        told = _time(row)
        for sentence in narrator.tell(event, _turn(fold.state)):
            yield f"{told if told != clock else '':12}  {sentence}".rstrip()
            clock = told
    yield from _ending(reader, found, fold.state, words)
    if fold.resettled is not None:
        yield _resettled(fold.resettled, found.config.currency)
    if unread:
        yield f"{unread} readings of raw line bytes, sealed, are in the record and not told here."


def _heading(found: FoundRound) -> Iterator[str]:
    options = house_rules(found.started.rules).items()
    rules = ", ".join(f"{name} {_YES_NO[value] if isinstance(value, bool) else value}" for name, value in options)
    yield f"Round {found.id}"
    day = datetime.fromtimestamp(found.at_ms / 1000, tz=UTC).strftime("%Y-%m-%d")
    yield f"{found.config.title} ({found.config.key}), {found.started.game}, rulebook version {found.started.version}"
    yield f"Dealt on {day}; times are UTC"
    if rules:
        yield f"House options: {rules}"
    if HAND in found.started.rules:
        yield from tell_seats(found.started.rules[HAND], found.config.currency)
    yield ""


_YES_NO = {True: "yes", False: "no"}


def _turn(state: TableState) -> str:
    """The box that is to choose now, if one is."""
    now = awaited(state)
    return now.step.box if now is not None and isinstance(now.step, Turn) else ""


def _ending(reader: Reader, found: FoundRound, state: TableState, words: Catalogue) -> Iterator[str]:
    yield ""
    yield from _transfers(reader, found, words)
    yield _standing(state, found.config.currency, sum(1 for _ in reader.bets(found.id)))


def _transfers(reader: Reader, found: FoundRound, words: Catalogue) -> Iterator[str]:
    counts: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for transfer in reader.transfers(found.id):
        counts[transfer.kind] += 1
        sums[transfer.kind] += transfer.amount_minor
    if not counts:
        yield "No money moved."
    for kind, count in counts.items():
        amount = format_minor(sums[kind], found.config.currency)
        said = words.moved(kind)
        yield f"{said[:1].upper()}{said[1:]}: {count} {'transfer' if count == 1 else 'transfers'}, {amount}."


def _standing(state: TableState, currency: str, bets: int) -> str:
    """How the round stands; `bets`: all that were reserved for it, raises too."""
    round = state.round
    assert round is not None
    if round.stage is Stage.SETTLED and state.game.peers is not None:
        return "The hand is settled: every seat has what it takes."
    if round.stage is Stage.SETTLED:
        won_minor = round.paid.stake_minor - round.paid.returns_minor
        side = "won" if won_minor >= 0 else "lost"
        return f"The round is settled: {_bets(bets)}, and the house {side} {format_minor(abs(won_minor), currency)}."
    if round.stage is Stage.VOIDED:
        row = f" under row {round.void.row}" if round.void.row else ""
        if state.game.peers is not None:
            return f"The hand is void{row}: every chip that was put in went back."
        return f"The round is void{row}: {_bets(bets)}, and every stake went back."
    if round.stage is not Stage.DEALING and state.game.peers is not None:
        return f"The hand is still being paid: {round.paid.bets} of what the seats put in are done."
    if round.stage is not Stage.DEALING:
        return f"The round is still being paid: {round.paid.bets} of {_bets(bets)} are done."
    match round.deal.standing:
        case Finished():
            return "The round is still open: every card is dealt and the result is not declared."
        case Awaiting() if now := awaited(state):
            return f"The round is still open: it awaits {_step(now)}."
    return "The round is still open: its cards do not fit the script as they stand."


def _resettled(told: e.RoundResettled, currency: str) -> str:
    """What the last correction made of the round."""
    if told.void:
        return f"A correction made it void after all, revision {told.revision}: every stake went back."
    hands = (
        f"{box} {hand['result']}"
        for box, hand in told.outcome.items()
        if isinstance(hand, Mapping) and "result" in hand
    )
    returned = format_minor(told.returns_minor, currency)
    return f"It was corrected, revision {told.revision}: {returned} is returned in all; {', '.join(hands)}."


def _step(now: Awaiting) -> str:
    match now.step:
        case object(box=box):
            return place_name(str(box), now.place)
        case _:
            return {"Burn": "a burn card", "OpenBets": "the bets"}.get(type(now.step).__name__, "the next step")


def _bets(count: int) -> str:
    return {0: "no bet", 1: "1 bet"}.get(count, f"{count} bets")


def _published(reader: Reader, round: str) -> dict[str, bytes]:
    """The keys published in the round, by the id of the sealed card they open."""
    keys: dict[str, bytes] = {}
    for row in reader.events(round=round, kinds=("CardDealt",)):
        event = read_body(row.body).event
        if isinstance(event, e.FactStood) and (key := getattr(event.fact, "key", None)) is not None:
            keys[event.fact.card.id] = key  # type: ignore[union-attr]
    return keys


def _time(row: Row) -> str:
    return datetime.fromtimestamp(row.at_ms / 1000, tz=UTC).strftime("%H:%M:%S.%f")[:-3]
