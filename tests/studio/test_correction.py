"""A settled round is corrected: asked by one, approved by another, and only what differs moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from table_bench import DEAL, PIT, PIT_TOO, Bench, bench

from studio.cards import Card
from studio.money import Transfer
from studio.rounds import CardReplaced, HandsExchanged
from studio.tables import command as c
from studio.tables import event as e
from studio.tables.dossier import Dossier
from studio.tables.filing import read_dossier
from studio.tables.weighing import Weighed, weigh

BETS = (("player1_win", 1000), ("player2_win", 2000), ("player3_win", 500))


@pytest.fixture
def settled() -> Iterator[Bench]:
    """Player 1 ties with the Banker's nine, Player 2 loses with a two, Player 3 with a six."""
    with bench() as table:
        yield dealt(table)


def dealt(table: Bench, deal: Sequence[Card] = DEAL, bets: Sequence[tuple[str, int]] = BETS) -> Bench:
    table.open()
    table.deposit(10_000)
    table.start().betting(*bets).deal(*deal)
    table.finish()
    return table


def dossier(table: Bench, round: str = "") -> Dossier:
    with table.store.reader() as reader:
        return read_dossier(reader, table.config, round or table.round.id)


def card_of(found: Dossier, box: str, place: int) -> str:
    return found.round.cards[box, place].card.id


def replaced(table: Bench, box: str, place: int, face: str) -> CardReplaced:
    return CardReplaced(id=card_of(dossier(table), box, place), face=Card.parse(face), source="manual")


def previewed(table: Bench, *facts: e.Righting, void: bool = False) -> Weighed:
    return weigh(dossier(table), facts, void=void)


def ask(table: Bench, *facts: e.Righting, void: bool = False, **given: object) -> None:
    usual: dict[str, object] = {
        "dossier": dossier(table), "facts": facts, "void": void, "reason_code": "dealer_error", "words": "Misread.",
    }  # fmt: skip
    table.do(c.AskCorrection, table.pin(PIT), **{**usual, **given})


def approve(table: Bench, **given: object) -> None:
    asked = table.state.correction
    assert asked is not None
    usual: dict[str, object] = {"correction": asked.id, "dossier": dossier(table)}
    table.do(c.ApproveCorrection, table.pin(PIT_TOO), **{**usual, **given})


def correct(table: Bench, *facts: e.Righting, void: bool = False) -> None:
    ask(table, *facts, void=void)
    approve(table)
    table.pay()
    assert table.state.correction is None


def moved(table: Bench, revision: int) -> list[Transfer]:
    with table.store.reader() as reader:
        return [one for one in reader.transfers(dossier(table).round.id) if one.revision == revision]


def test_only_the_bets_whose_return_changed_move(settled: Bench) -> None:
    before = settled.balance()
    correct(settled, replaced(settled, "player3", 3, "As"))
    transfers = moved(settled, 1)
    assert transfers
    assert {one.kind for one in transfers} <= {"reverse_return", "return"}
    assert settled.balance() - before == sum(
        one.amount_minor if one.kind == "return" else -one.amount_minor for one in transfers
    )


def test_the_preview_is_what_then_moves(settled: Bench) -> None:
    fact = replaced(settled, "banker", 3, "Th")
    with pytest.raises(Exception, match="more often"):
        previewed(settled, fact)
    fact = replaced(settled, "banker", 3, "2d")
    [told] = previewed(settled, fact).sums
    before = settled.balance()
    correct(settled, fact)
    assert settled.balance() - before == told.out_minor - told.back_minor
    assert (told.operator, told.currency, told.bettors) == ("north", "EUR", 1)


def test_voided_after_the_settlement_every_stake_goes_back(settled: Bench) -> None:
    correct(settled, void=True)
    assert settled.balance() == 10_000
    assert settled.house() == 0
    assert settled.rows("ExceptionRecorded")[-1].act == "void_settled_round"  # type: ignore[union-attr]


def test_swapped_hands_are_paid_the_other_way_round(settled: Bench) -> None:
    before = dossier(settled).round.outcome
    correct(settled, HandsExchanged(a="player1", b="player3"))
    [done] = settled.rows("RoundResettled")
    assert isinstance(done, e.RoundResettled)
    assert before is not None
    assert done.outcome["player1"]["result"] == before["player3"]["result"]
    assert done.outcome["player3"]["result"] == before["player1"]["result"]


def test_corrected_and_corrected_back_nothing_has_changed(settled: Bench) -> None:
    before = settled.balance(), settled.house()
    correct(settled, replaced(settled, "banker", 3, "2d"))
    correct(settled, replaced(settled, "banker", 3, "9d"))
    assert (settled.balance(), settled.house()) == before
    assert settled.state.revisions == {settled.round.id: 2}
