"""Whatever is corrected and in whichever order, the money ends where the last cards would have put it at once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from correction_bench import correct
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_bench import BURNS, CONFIG, Bench, bench

from studio.cards import DECK, Card
from studio.errors import RefusedError
from studio.games.three_knights import THREE_KNIGHTS
from studio.journal import Unit
from studio.money import Transfer, bettor_account, operator_account
from studio.rounds import CardReplaced, HandsExchanged

BETS = tuple(THREE_KNIGHTS.betting.bets)
POLICIES = ("allow_negative", "partial_and_receivable", "write_off")
FREE = [card for card in DECK if card not in BURNS]


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[Card], list[tuple[str, int]], list[object], str, int]:
    """Twelve cards, some bets, corrections one after another, a policy, and what is withdrawn before them."""
    cards = draw(st.permutations(FREE))
    bets = draw(st.lists(st.tuples(st.sampled_from(BETS), st.integers(100, 2_000)), min_size=1, max_size=4))
    swaps = st.lists(st.sampled_from(["player1", "player2", "player3", "banker"]), min_size=2, max_size=2, unique=True)
    change = st.one_of(st.tuples(st.integers(0, 11), st.integers(12, 40)), swaps.map(tuple), st.just("void"))
    return cards, bets, draw(st.lists(change, min_size=1, max_size=4)), draw(st.sampled_from(POLICIES)), draw(
        st.sampled_from([0, 100])
    )  # fmt: skip


def total(table: Bench) -> int:
    """What Ann has, what she owes and what was written off for her: the money that is rightly hers."""
    with table.store.reader() as reader:
        return (
            reader.balance(bettor_account("north", "ann"), "EUR")
            + reader.balance("receivable:north:ann", "EUR")
            + reader.balance("house:write_off/north", "EUR")
        )


def dealt(table: Bench, deal: Sequence[Card | str], bets: Sequence[tuple[str, int]]) -> Bench:
    table.open().deposit(50_000)
    table.start().betting(*bets).deal(*deal)
    table.finish()
    return table


def withdrawn(table: Bench, percent: int) -> int:
    amount_minor = table.balance() * percent // 100
    if amount_minor:
        account = bettor_account("north", "ann")
        out = Transfer("", "out", "withdraw", account, operator_account("north"), amount_minor, "EUR")
        table.writer.commit(Unit(transfers=(out,)))
    return amount_minor


def put_right(table: Bench, changes: Sequence[object], cards: Sequence[Card]) -> bool:
    """Carry the corrections out that are possible; whether the round is void in the end."""
    for change in changes:
        try:
            match change:
                case "void":
                    correct(table, void=True)
                    return True
                case (int(at), int(other)):
                    fact = [one for (box, _), one in table.round.deal.cards.items() if box != "burn"][at]
                    correct(table, CardReplaced(id=fact.card.id, face=cards[other % len(cards)], source="manual"))
                case (str(a), str(b)):
                    correct(table, HandsExchanged(a=a, b=b))
        except RefusedError as refused:
            assert refused.key in ("card_twice", "nothing_changed", "misfit")  # noqa: PT017
    return False


@pytest.mark.long
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds())
def test_any_corrections_end_where_the_final_cards_would_have(
    found: tuple[list[Card], list[tuple[str, int]], list[object], str, int],
) -> None:
    cards, bets, changes, policy, percent = found
    with bench(CONFIG, claw_back={"north": policy}) as table:
        dealt(table, cards[:12], bets)
        out = withdrawn(table, percent)
        void = put_right(table, changes, cards)
        final = [fact.face for (box, _), fact in table.round.deal.cards.items() if box != "burn"]  # type: ignore[union-attr]
        is_total = total(table) + out
    if void:
        assert is_total == 50_000
        return
    with bench() as other:
        assert total(dealt(other, [face for face in final if face is not None], bets)) == is_total
