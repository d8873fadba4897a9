"""Corrections on the workbench: a round dealt and settled, then corrected by two people."""

from __future__ import annotations

from collections.abc import Sequence

from table_bench import DEAL, PIT, PIT_TOO, Bench

from studio.cards import Card
from studio.money import Transfer
from studio.rounds import CardReplaced
from studio.tables import command as c
from studio.tables.correction.preview import WeighedCorrection, weigh
from studio.tables.event import table as e

BETS = (("player1_win", 1000), ("player2_win", 2000), ("player3_win", 500))


def dealt(table: Bench, deal: Sequence[Card] = DEAL, bets: Sequence[tuple[str, int]] = BETS) -> Bench:
    table.open()
    table.deposit(10_000)
    table.start().betting(*bets).deal(*deal)
    table.finish()
    return table


def replaced(table: Bench, box: str, place: int, face: str, round: str = "") -> CardReplaced:
    cards = table.dossier(round).round.deal.cards
    return CardReplaced(id=cards[box, place].card.id, face=Card.parse(face), source="manual")


def previewed(table: Bench, *facts: e.Righting, void: bool = False) -> WeighedCorrection:
    return weigh(table.dossier(), facts, void=void)


def ask(table: Bench, *facts: e.Righting, void: bool = False, round: str = "", **given: object) -> None:
    usual: dict[str, object] = {
        "actor": table.pin(PIT), "dossier": table.dossier(round), "facts": facts, "void": void,
        "reason_code": "dealer_error", "words": "Misread.",
    }  # fmt: skip
    table.do(c.AskCorrection, **{**usual, **given})  # type: ignore[arg-type]


def approve(table: Bench, *, round: str = "", **given: object) -> None:
    asked = table.state.aftermath.corrections.current
    usual: dict[str, object] = {
        "actor": table.pin(PIT_TOO), "correction": asked.id if asked else "", "dossier": table.dossier(round),
    }  # fmt: skip
    table.do(c.ApproveCorrection, **{**usual, **given})  # type: ignore[arg-type]


def correct(table: Bench, *facts: e.Righting, void: bool = False) -> None:
    ask(table, *facts, void=void)
    approve(table)
    table.pay()
    assert table.state.aftermath.corrections.current is None


def moved(table: Bench, revision: int) -> list[Transfer]:
    with table.store.reader() as reader:
        return [one for one in reader.transfers(table.round.id) if one.revision == revision]
