"""The money of free bets: whatever comes of a bet and of its corrections, nothing is gained or lost but the win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from blackjack_bench import boxes
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_bench import CONFIG, Bench, bench
from test_correction_property import BETS, FREE, POLICIES, put_right

from studio.cards import Card
from studio.journal import Entry, Unit
from studio.money import Offer, Transfer, bettor_account, grant_account, promotion_account
from studio.operators import FreeBetsGranted, write_free_bets
from studio.settlement import (
    Payout,
    Purse,
    correcting,
    differences,
    resettling_transfers,
    settling_transfers,
    unsettling_transfers,
    voiding_transfers,
)
from studio.tables import command as c

ANN, GRANT, SPENT = (
    bettor_account("north", "ann"), grant_account("north", "ann", "welcome"), promotion_account("north", "ann"),
)  # fmt: skip
HOUSE = "house:tk1"
PURSE = Purse("r7", "tk1", "EUR")
STAKE = 100


def moved(transfers: Iterable[Transfer]) -> Counter[str]:
    """What every account has more or less after the transfers."""
    balance: Counter[str] = Counter()
    for each in transfers:
        assert each.amount_minor > 0
        balance[each.debit] -= each.amount_minor
        balance[each.credit] += each.amount_minor
    return Counter({account: amount for account, amount in balance.items() if amount})


def free(returns_minor: int) -> Payout:
    return Payout("b1", "player1_win", GRANT, STAKE, returns_minor)


@pytest.mark.parametrize(
    ("returns", "ends"),
    [
        (0, {HOUSE: STAKE}),
        (40, {HOUSE: 60, SPENT: 40}),
        (STAKE, {GRANT: STAKE}),
        (250, {HOUSE: -150, SPENT: STAKE, ANN: 150}),
    ],
    ids=["lost", "half back", "push", "won"],
)
def test_of_a_return_the_bettor_gets_what_is_more_than_the_stake(returns: int, ends: dict[str, int]) -> None:
    assert moved(settling_transfers((free(returns),), PURSE)) == Counter({"escrow:r7": -STAKE, **ends})


def test_a_void_gives_it_back_to_its_grant() -> None:
    assert moved(voiding_transfers((free(0),), PURSE)) == Counter({"escrow:r7": -STAKE, GRANT: STAKE})


@given(returns=st.lists(st.integers(0, 400), min_size=2, max_size=6), void=st.booleans())
def test_however_often_it_is_corrected_it_ends_where_the_last_result_would_have_put_it(
    returns: list[int], *, void: bool
) -> None:
    made = list(settling_transfers((free(returns[0]),), PURSE))
    for revision, (before, after) in enumerate(pairwise(returns), 1):
        made += resettling_transfers((free(before),), (free(after),), PURSE, revision)
    if void:
        made += unsettling_transfers((free(returns[-1]),), PURSE, len(returns))
        assert moved(made) == moved(voiding_transfers((free(0),), PURSE))
    else:
        assert moved(made) == moved(settling_transfers((free(returns[-1]),), PURSE))
    assert len({(one.bet, one.kind, one.revision) for one in made}) == len(made)


def test_a_purse_that_is_empty_is_asked_for_the_win_alone() -> None:
    [change] = differences((free(250),), (free(0),))
    transfers, [short] = correcting((change,), PURSE, 1, {}, lambda account, currency: 0)
    assert (short.account, short.amount_minor) == (ANN, 150)
    assert moved(transfers)[SPENT] == -STAKE


def granted(table: Bench, stake_minor: int, count: int) -> None:
    event = FreeBetsGranted(
        at_ms=table.now, operator="north", bettor="ann", grant="welcome", stake_minor=stake_minor, count=count,
        currency="EUR",
    )  # fmt: skip
    entry = Entry("FreeBetsGranted", event.at_ms, write_free_bets(event))
    table.writer.commit(Unit(entries=(entry,), transfers=(event.funded(),)))


def play(table: Bench, cards: Sequence[Card], bets: Sequence[tuple[str, bool]]) -> None:
    """A round with these bets of 700 each, those that are marked free of Ann's grant; all of it is audited."""
    table.open().deposit(50_000)
    granted(table, 700, len(bets))
    table.start().do(c.OpenBetting)
    offers = tuple(
        Offer("", "north", f"f{at}", "ann", "", "", bet, 700, "EUR", "welcome" if is_free else "")
        for at, (bet, is_free) in enumerate(bets)
    )
    answers = table.table.place_bets(offers, table.now)
    assert {answer.status for answer in answers} == {"accepted"}, answers
    table.wait(15)
    table.deal(*cards[:12])
    table.finish()


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[Card], list[tuple[str, bool]], list[object], str]:
    """Twelve cards, some bets, free and not, corrections one after another, and a policy."""
    cards = draw(st.permutations(FREE))
    bets = draw(st.lists(st.tuples(st.sampled_from(BETS), st.booleans()), min_size=1, max_size=5))
    swaps = st.lists(st.sampled_from(["player1", "player2", "player3", "banker"]), min_size=2, max_size=2, unique=True)
    change = st.one_of(st.tuples(st.integers(0, 11), st.integers(12, 40)), swaps.map(tuple), st.just("void"))
    return cards, bets, draw(st.lists(change, max_size=3)), draw(st.sampled_from(POLICIES))


def total(table: Bench) -> Counter[str]:
    """What is rightly Ann's, and what of the promotion is left."""
    with table.store.reader() as reader:
        own = sum(reader.balance(account, "EUR") for account in (ANN, "receivable:north:ann", "house:write_off/north"))
        return Counter(own=own, left=reader.balance(GRANT, "EUR"), spent=reader.balance(SPENT, "EUR"))


@pytest.mark.long
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(rounds())
def test_at_a_table_any_corrections_end_where_the_final_cards_would_have(
    found: tuple[list[Card], list[tuple[str, bool]], list[object], str],
) -> None:
    cards, bets, changes, policy = found
    with bench(CONFIG, claw_back={"north": policy}) as table:
        play(table, cards, bets)
        void = put_right(table, changes, cards)
        final = [fact.face for (box, _), fact in table.round.deal.cards.items() if box != "burn"]
        is_total = total(table)
        table.check()
    assert is_total["own"] >= 50_000 - 700 * sum(not is_free for _, is_free in bets)
    if void:
        assert is_total == Counter(own=50_000, left=700 * len(bets), spent=-700 * len(bets))
        return
    with bench() as other:
        play(other, [face for face in final if face is not None], bets)
        assert total(other) == is_total


def test_one_round_with_free_bets_of_every_kind() -> None:
    """The same with one deal, quickly."""
    with bench() as table:
        play(table, FREE[:12], [(bet, True) for bet in BETS[:6]])
        table.check()


@pytest.mark.parametrize(
    ("dealt", "choices", "rest", "own", "left"),
    [
        ("5h 6c 6h", ("3 double",), "Tc Ts 9d", 500 + 500, 0),
        ("5h Tc 6h", ("3 double",), "9c Ks", 0, 500),
    ],
    ids=["doubled and won", "doubled and even"],
)
def test_a_double_of_a_free_bet_is_the_bettors_own_money(
    dealt: str, choices: tuple[str, ...], rest: str, own: int, left: int
) -> None:
    with boxes() as table:
        granted(table, 500, 1)
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        offer = Offer("", "north", "f1", "ann", "", "", "3:main", 500, "EUR", "welcome")
        assert table.table.place_bets((offer,), table.now)[0].status == "accepted"
        assert table.balance() == 100_000
        table.no_more_bets().cards(dealt).chosen(*choices)
        assert table.balance() == 99_500, "the double is his own"
        table.cards(rest)
        table.finish()
        with table.store.reader() as reader:
            assert (table.balance() - 100_000, reader.balance(GRANT, "EUR")) == (own, left)
            first = next(one for one in reader.bets_of("north", "ann", 5) if one.bet.free)
            assert (first.status, first.returned_minor, first.free_again) == ("posted", own // 2, bool(left))
