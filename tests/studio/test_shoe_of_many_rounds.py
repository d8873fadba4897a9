"""A shoe of several decks is dealt through many rounds: opened once, a card as often as it has decks, then cut."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from table_bench import CONFIG, Bench
from test_audit_boxes import told_otherwise

from studio import ports
from studio.cards import Card, SealedCard
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.rulebook.shoe_terms import is_new_shoe
from studio.tables import command as c
from studio.tables.event import table as e


def opened() -> Bench:
    """An open Dragon Tiger table with eight decks in its shoe."""
    proof = msgspec.structs.replace(CONFIG.proof, highest_bet="dragon")
    return Bench(msgspec.structs.replace(CONFIG, game="dragon_tiger", proof=proof)).open()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = opened()
    yield made
    made.check()
    made.close()


def round(bench: Bench, cards: str, *, burned: str = "") -> None:
    bench.start([Card.parse(burned)] if burned else [])
    bench.betting()
    bench.deal(*cards.split())
    bench.finish()


def begun(bench: Bench) -> list[bool]:
    return [is_new_shoe(row.rules) for row in bench.rows("RoundStarted") if isinstance(row, e.RoundStarted)]


def test_the_first_round_of_a_shoe_burns_a_card_and_no_other_does(bench: Bench) -> None:
    round(bench, "Ks 2c", burned="9h")
    round(bench, "3s 2c")
    assert bench.state.deck is not None
    assert (bench.state.deck.rounds, bench.state.deck.drawn) == (2, 5)
    bench.load("shoe-2")
    round(bench, "Ks 2c", burned="9h")
    assert begun(bench) == [True, False, True]
    audit(steps(bench.store.connection))


def test_a_table_started_again_goes_on_with_its_shoe(bench: Bench) -> None:
    round(bench, "Ks 2c", burned="9h")
    bench.restart()
    bench.links()
    round(bench, "3s 2c")
    assert begun(bench) == [True, False]
    assert bench.state.deck is not None
    assert (bench.state.deck.rounds, bench.state.deck.drawn) == (2, 5)
    audit(steps(bench.store.connection))


def test_a_burned_card_is_not_opened_for_the_count_while_it_could_make_no_foul(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight decks hold each card eight times: one that nobody saw does not matter before seven like it were seen."""
    opened: list[str] = []
    open_card = SealedCard.card
    monkeypatch.setattr(SealedCard, "card", lambda card: opened.append(card.id) or open_card(card))
    bench.start([])
    burned = bench.draw("9h")
    bench.lay("burn", 1)
    opened.clear()
    bench.betting()
    bench.deal("Ks", "2c")
    bench.finish()
    assert burned not in opened
    assert len(opened) >= 2


def test_a_card_comes_out_as_often_as_there_are_decks_and_once_more_is_a_foul(bench: Bench) -> None:
    for n in range(4):
        round(bench, "Ks Ks", burned="" if n else "9h")
    assert bench.open_kinds() == []
    bench.start([]).betting()
    bench.draw("Ks")
    bench.lay("dragon", 1, "Ks")
    assert bench.open_kinds() == ["fouled_deck"]


def test_the_shuffler_verifies_the_shoe_whole_or_not_at_all(bench: Bench) -> None:
    bench.verify_deck("shoe-2", count=415)
    assert bench.state.approved == ()
    bench.verify_deck("shoe-2")
    assert bench.state.approved == ("shoe-2",)


def test_the_round_of_the_cut_card_is_finished_and_the_next_one_waits_for_a_new_shoe(bench: Bench) -> None:
    bench.start([Card.parse("9h")]).betting()  # [DT-3]
    bench.deal("Ks")
    bench.say(ports.CutCardOut(device=bench.config.shoe, at_ms=bench.now))
    bench.deal("2c")
    bench.finish()
    assert bench.refused(c.StartRound) == "shoe_short"
    bench.load("shoe-2")
    round(bench, "Ks 2c", burned="9h")
    assert begun(bench) == [True, True]


@pytest.mark.parametrize(
    ("rounds", "old", "new"),
    [
        pytest.param(1, '"tie":"12"', '"new_shoe":true,"tie":"12"', id="not-the-first"),
        pytest.param(0, '"new_shoe":true', '"new_shoe":false', id="the-first"),
    ],
)
def test_verify_finds_a_round_that_was_begun_as_if_from_another_shoe(rounds: int, old: str, new: str) -> None:
    bench = opened()
    for _ in range(rounds):
        round(bench, "Ks 2c", burned="9h")
    bench.tamper = told_otherwise("RoundStarted", old, new)
    bench.do(c.StartRound)
    with pytest.raises(WrongError, match="the first from its shoe"):
        audit(steps(bench.store.connection))
    bench.close()
