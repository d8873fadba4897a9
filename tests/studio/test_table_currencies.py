"""A table in euros where bettors bring yen and dollars: each bets and is paid in his own, and not a unit is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import msgspec
import pytest
from holdem_table import Holdem, holdem
from table_bench import PIT, Bench
from test_table_pot import GAME, NOTHING, POT, ROYAL, balance, lie, moved, told, void

from studio.journal import Unit
from studio.money import Offer, Rates, Transfer, bettor_account, exchange_account, operator_account
from studio.tables import command as c
from studio.tables.config import Limit
from studio.tables.event import table as e
from studio.views import view_table

RATES = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061", "USD": "0.92"})
OURS = {"rates": RATES, "currencies": ("JPY", "USD")}
STAKES: Mapping[str, tuple[str, int, int]] = {
    "ann": ("EUR", 1_000, 101), "jun": ("JPY", 2_000, 1_001), "sam": ("USD", 1_100, 333),
}  # fmt: skip
"""Currency, ante and First 5."""

FED = {"EUR": 38, "JPY": 380, "USD": 126}
IN_EUROS = 38 + 231 + 115  # 380 yen are 2.318 EUR, 1.26 dollars 1.1592 EUR


def deposit(table: Bench, bettor: str, currency: str, amount_minor: int = 100_000) -> None:
    transfer = Transfer(
        "", f"money-{bettor}", "deposit", operator_account("north"), bettor_account("north", bettor), amount_minor,
        currency,
    )  # fmt: skip
    table.writer.commit(Unit(transfers=(transfer,)))


def bet(table: Bench, bettor: str, key: str, stake_minor: int, currency: str) -> str:
    offer = Offer("", "north", f"{bettor}-{key}-{stake_minor}", bettor, "", "", key, stake_minor, currency)
    [answer] = table.table.place_bets((offer,), table.now)
    return answer.key or answer.status


def staked(round: Holdem) -> Holdem:
    table = round.table
    table.open()
    table.do(c.StartRound)
    table.do(c.OpenBetting)
    for bettor, (currency, ante, first5) in STAKES.items():
        deposit(table, bettor, currency)
        assert bet(table, bettor, "ante", ante, currency) == "accepted"
        assert bet(table, bettor, "first5", first5, currency) == "accepted"
    table.wait(15)
    return round.deal()


@pytest.fixture
def lost() -> Iterator[Holdem]:
    with holdem(GAME, NOTHING, pot=POT, **OURS) as round:
        yield staked(round)


@pytest.fixture
def royal() -> Iterator[Holdem]:
    with holdem(GAME, ROYAL, pot=POT, **OURS) as round:
        yield staked(round)


def own(table: Bench, bettor: str) -> int:
    return balance(table, bettor_account("north", bettor))


def test_a_round_counts_its_sums_in_the_tables_own_currency(lost: Holdem) -> None:
    table = lost.table
    worth = 1_101 + 1_220 + 610 + 1_012 + 306
    assert table.round.stakes.stake_minor == worth
    assert table.round.rates == RATES
    lost.decided(jun="flop").decided().decided().finish()
    assert table.rows("RoundSettled")[0].stake_minor == worth + 2_440


def test_the_raise_of_a_decision_is_in_the_bettors_currency(lost: Holdem) -> None:
    lost.decided(jun="flop", sam="flop")
    placed = [one for row in lost.table.rows("DecisionsTaken") for one in row.bets]
    assert {(one.bettor, one.stake_minor, one.currency, one.worth_minor) for one in placed} == {
        ("jun", 4_000, "JPY", 2_440), ("sam", 2_200, "USD", 2_024),
    }  # fmt: skip


def test_everybody_is_paid_in_his_own_currency_and_every_currency_sums_to_zero(royal: Holdem) -> None:
    royal.decided(ann="flop", jun="flop", sam="flop").decided().decided().finish()
    table = royal.table
    share = (100_000 + IN_EUROS) // 3
    assert own(table, "ann") == 100_000 - 1_101 + 1_000 + 2_000 + 2_000 + share - 2_000 + 1_000
    assert own(table, "jun") == 100_000 - 2_000 - 1_001 - 4_000 + 4_000 + 8_000 + RATES.convert(share, "EUR", "JPY")
    assert own(table, "sam") == 100_000 - 1_100 - 333 - 2_200 + 2_200 + 4_400 + RATES.convert(share, "EUR", "USD")
    rows = table.store.connection.execute("SELECT currency, sum(amount) FROM balance GROUP BY currency")
    assert dict(rows) == {"EUR": 0, "JPY": 0, "USD": 0}


def test_contributions_are_changed_into_the_pots_currency_and_back(lost: Holdem) -> None:
    table = lost.table
    assert table.rows("PotFed") == [
        e.PotFed(pot="main", currency="EUR", amount_minor=IN_EUROS, parts={"JPY": (380, 231), "USD": (126, 115)})
    ]
    assert balance(table, "pot:main") == 100_000 + IN_EUROS
    with table.store.reader() as reader:
        assert reader.balance(exchange_account("EUR", "JPY"), "JPY") == 380
        assert reader.balance(exchange_account("EUR", "JPY"), "EUR") == -231
    void(table)
    assert balance(table, "pot:main") == 100_000
    assert [own(table, bettor) for bettor in STAKES] == [100_000] * 3
    rows = table.store.connection.execute("SELECT sum(abs(amount)) FROM balance WHERE account LIKE 'house:%/%/%'")
    assert rows.fetchone() == (0,)


def test_a_lost_prize_is_told_and_paid_in_each_bettors_currency(royal: Holdem) -> None:
    royal.decided()
    table = royal.table
    void(table)
    [case] = table.state.aftermath.cases
    share = (100_000 + IN_EUROS) // 3
    prizes = [share, RATES.convert(share, "EUR", "JPY"), RATES.convert(share, "EUR", "USD")]
    assert [claim.prize_minor for claim in case.claims] == prizes
    table.do(
        c.DecideCompensation, table.pin(PIT), case=case.id, pays="each", amount_minor=610, reason_code="other",
        words="A dinner.",
    )  # fmt: skip
    table.pay()
    assert [own(table, bettor) - 100_000 for bettor in STAKES] == [610, 1_000, 663]
    assert table.rows("CompensationPaid")[0].amount_minor == 610 + 610 + 609


def test_limits_are_the_tables_own_in_two_figures_of_the_other_currency() -> None:
    with holdem(GAME, NOTHING, **OURS) as round:
        table = round.table
        assert view_table(table.state, table.table.book, 1).game.currencies["JPY"]["ante"] == (170, 160_000)
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        deposit(table, "jun", "JPY", 1_000_000)
        assert bet(table, "jun", "ante", 169, "JPY") == "below_limit"
        assert bet(table, "jun", "ante", 170, "JPY") == "accepted"
        assert bet(table, "jun", "ante", 160_000, "JPY") == "over_limit"
        assert bet(table, "jun", "ante", 500, "GBP") == "currency"
        assert bet(table, "jun", "ante", 500, "EUR") == "currency_mismatch"


LIES = {
    "another worth": (
        lambda unit: replace(unit, entries_for_bets=None) if unit.entries_for_bets is None else _cheaper(unit),
        "is not worth what was told",
    ),
    "a part of a contribution": (told("PotFed", parts={"JPY": (380, 231), "USD": (126, 114)}), "fed its pot"),
    "an exchange at another rate": (
        moved("exchange", lambda one: msgspec.structs.replace(one, amount_minor=one.amount_minor - 1)),
        "due a exchange",
    ),
    "other rates": (told("RoundStarted", rates=None), "at other rates"),
}  # fmt: skip


def _cheaper(unit: Unit) -> Unit:
    told_by = unit.entries_for_bets
    assert told_by is not None

    def lying(accepted):  # type: ignore[no-untyped-def]
        for entry in told_by(accepted):
            yield replace(entry, body=entry.body.replace(b'"worth_minor":1220', b'"worth_minor":1219'))

    return replace(unit, entries_for_bets=lying)


@pytest.mark.parametrize(("tamper", "words"), LIES.values(), ids=LIES)
def test_a_lie_about_another_currency_is_found(tamper: object, words: str) -> None:
    lie(tamper, words, ROYAL, lambda round: staked(round).decided().decided().decided().finish(), **OURS)  # type: ignore[arg-type]


def test_a_table_with_one_stake_for_everybody_takes_one_in_every_currency() -> None:
    limits = {"*": Limit(least_minor=10_000, most_minor=10_000)}
    with holdem(GAME, NOTHING, pot=POT, **OURS, limits=limits) as round:
        table = round.table
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        deposit(table, "jun", "JPY")
        assert [bet(table, "jun", "ante", stake, "JPY") for stake in (16_999, 17_001)] == ["below_limit", "over_limit"]
        assert bet(table, "jun", "ante", 17_000, "JPY") == "accepted"
