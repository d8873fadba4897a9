"""Sealed cards on the workbench: listed by where they lay, asked for by one person and opened by another."""

from __future__ import annotations

from table_bench import PIT, PIT_TOO, Bench

from studio.tables import command as c
from studio.tables.correction.finished_round import read_sealed_round
from studio.tables.event import table as e
from studio.tables.past.sealed_round import SealedPlace, SealedRound


def sealed(table: Bench, round: str = "") -> SealedRound:
    with table.store.reader() as reader:
        return read_sealed_round(reader, table.config.key, round or table.round.id)


def at(table: Bench, zone: str, place: int, round: str = "") -> SealedPlace:
    [found] = [one for one in sealed(table, round).cards if (one.zone, one.place) == (zone, place)]
    return found


def asking(table: Bench, zone: str, place: int, round: str = "") -> dict[str, object]:
    """What the floor hands over when this card is asked for: the round's record, and the key that is kept."""
    return asking_card(table, at(table, zone, place, round).card.id, round)


def asking_card(table: Bench, card: str, round: str = "") -> dict[str, object]:
    return {
        "actor": table.pin(PIT), "sealed": sealed(table, round), "card": card, "reason_code": "complaint",
        "words": "The bettor says it was an ace.", "key": table.store.keyring.lookup(card),
    }  # fmt: skip


def approving(table: Bench) -> dict[str, object]:
    asked = table.state.aftermath.unsealings.asked
    assert asked is not None
    found = sealed(table, asked.round)
    return {
        "actor": table.pin(PIT_TOO), "unsealing": asked.id, "sealed": found,
        "key": table.store.keyring.lookup(asked.card),
    }  # fmt: skip


def unseal(table: Bench, zone: str, place: int, round: str = "") -> e.CardUnsealed:
    """The whole way, both people."""
    table.do(c.AskUnsealing, **asking(table, zone, place, round))  # type: ignore[arg-type]
    table.do(c.ApproveUnsealing, **approving(table))  # type: ignore[arg-type]
    opened = table.rows("CardUnsealed")[-1]
    assert isinstance(opened, e.CardUnsealed)
    return opened
