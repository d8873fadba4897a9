"""The limits on what the house may lose in one round, at a table: each bet answered by itself, and told again by the
journal."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from blackjack_bench import boxes
from holdem_table import holdem
from table_bench import BURNS, CONFIG, DEAL, Bench, bench

from studio.cards import DECK
from studio.games import find_game
from studio.journal import Unit
from studio.money import Answer, Offer, Rates, Transfer, bettor_account, operator_account
from studio.proof.audit.round.course import ExposureAudit
from studio.proof.audit.wrong import WrongError
from studio.tables import command as c
from studio.tables.books.exposure import Exposed
from studio.tables.config import OperatorLimit
from studio.tables.event import table as e

MOST = 10_000
OWN = {"north": OperatorLimit(bets_most=3, exposure_most_minor=5_000), "*": OperatorLimit(bets_most=1)}


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench(CONFIG, exposure_most_minor=MOST) as found:
        yield betting(found)


def betting(table: Bench) -> Bench:
    for bettor in ("ann", "bob"):
        table.deposit(1_000_000, bettor)
    table.open().start()
    table.do(c.OpenBetting)
    return table


def offer(id: str, bet: str = "player1_win", stake_minor: int = 1_000, bettor: str = "ann", **other: str) -> Offer:
    return Offer("", other.get("operator", "north"), id, bettor, "", "", bet, stake_minor, other.get("currency", "EUR"))


def told(table: Bench, *offers: Offer) -> list[str]:
    return [answer.key or answer.status for answer in placed(table, *offers)]


def placed(table: Bench, *offers: Offer) -> tuple[Answer, ...]:
    return table.table.place_bets(offers, table.now)


def test_a_batch_is_taken_up_to_the_limit_and_each_further_bet_is_told_what_still_has_room(table: Bench) -> None:
    answers = placed(table, offer("a", stake_minor=6_000), offer("b", stake_minor=4_001), offer("c", stake_minor=4_000))
    assert [answer.key or answer.status for answer in answers] == ["accepted", "table_exposure", "accepted"]
    assert answers[1].sentence == (
        "With this stake the house could lose more than 100.00 EUR in this round, the most this table may. A stake of "
        "40.00 EUR on player1_win still has room: lower the stake, or bet in the next round."
    )
    [last] = placed(table, offer("d", stake_minor=100))
    assert last.key == "table_exposure"
    assert last.sentence.endswith(
        "No further stake on player1_win has room: choose another bet, or bet in the next round."
    )
    assert table.table.book.exposed.most_minor == MOST
    assert table.table.book.exposed.refused == 2


def test_many_bettors_on_one_line_are_cut_off_at_the_limit_whoever_they_are(table: Bench) -> None:
    crowd = [f"b{at}" for at in range(20)]
    for bettor in crowd:
        table.deposit(100, bettor)
    answers = told(table, *(offer(f"of-{bettor}", "player1_tie", 100, bettor) for bettor in crowd))
    assert answers == ["accepted"] * 12 + ["table_exposure"] * 8


def test_a_bet_against_those_that_stand_makes_room(table: Bench) -> None:
    assert told(table, offer("a", stake_minor=10_000), offer("b", stake_minor=100)) == ["accepted", "table_exposure"]
    assert told(table, offer("l", "player1_lose", 5_000, "bob")) == ["accepted"]
    assert table.table.book.exposed.most_minor == 5_000
    assert told(table, offer("c", stake_minor=5_000)) == ["accepted"]


def test_a_bet_that_its_purse_may_not_cover_makes_no_room_for_the_next(table: Bench) -> None:
    """Were it counted, the next would stand alone beyond the limit once the writer refuses it."""
    table.deposit(100, "poor")
    poor, more = offer("p", "player1_lose", 10_000, "poor"), offer("b", stake_minor=5_000, bettor="bob")
    assert told(table, poor, offer("a", stake_minor=10_000), more) == [
        "insufficient_balance",
        "accepted",
        "table_exposure",
    ]


def test_a_bet_sent_again_is_a_duplicate_however_full_the_round_is(table: Bench) -> None:
    full = offer("a", stake_minor=10_000)
    assert told(table, full) == ["accepted"]
    assert told(table, full, offer("b", stake_minor=100)) == ["duplicate", "table_exposure"]


def test_the_next_round_begins_with_all_of_the_room(table: Bench) -> None:
    assert told(table, offer("a", stake_minor=10_000)) == ["accepted"]
    table.wait(15)
    table.deal(*DEAL)
    table.finish()
    table.start([card for card in DECK if card not in (*BURNS, *DEAL)][:4])
    table.do(c.OpenBetting)
    assert told(table, offer("b", stake_minor=10_000)) == ["accepted"]


def test_a_restart_in_the_window_knows_what_is_used(table: Bench) -> None:
    assert told(table, offer("a", stake_minor=6_000), offer("b", "player1_lose", 1_000)) == ["accepted"] * 2
    again = table.restarted()
    assert again.book.exposed.most_minor == table.table.book.exposed.most_minor == 5_000
    assert again.book.exposed.most_minor_of("north") == 5_000
    table.table = again
    assert told(table, offer("c", stake_minor=5_001), offer("d", stake_minor=5_000)) == ["table_exposure", "accepted"]


def test_an_operator_has_limits_of_his_own_and_who_has_none_those_for_everyone() -> None:
    with bench(CONFIG, exposure_most_minor=MOST, operator_limits=OWN) as table:
        betting(table)
        answers = placed(
            table, offer("a", stake_minor=5_000), offer("b", stake_minor=100), offer("c", "player2_win", 1000)
        )
        assert [answer.key or answer.status for answer in answers] == ["accepted", *["operator_exposure"] * 2]
        assert "your bettors could win more than 50.00 EUR in this round" in answers[1].sentence
        assert told(table, offer("l", "player1_lose", 100), offer("m", "player1_lose", 100)) == ["accepted"] * 2
        [more] = placed(table, offer("n", "player1_lose", 100))
        assert (more.key, more.sentence) == (
            "operator_bets",
            "You have placed 3 bets in this round, the most you may at this table: place it in the next one.",
        )
        assert told(table, offer("s", operator="south"), offer("t", operator="south")) == [
            "insufficient_balance", "operator_bets",
        ]  # fmt: skip


def test_an_operators_bets_count_those_the_house_places_beside_them() -> None:
    with bench(CONFIG, game="ultimate_holdem", operator_limits={"*": OperatorLimit(bets_most=3)}) as table:
        table.deposit(1_000_000)
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        assert told(table, offer("a", "ante", 100), offer("b", "ante", 100, "bob")) == ["accepted", "operator_bets"]
        assert told(table, offer("t", "trips", 100)) == ["accepted"]


def test_a_raise_is_never_refused_for_it() -> None:
    """An ante of 10.00 may cost 505 times as much; the limit is just that."""
    limits = {"exposure_most_minor": 505_000, "operator_limits": {"north": OperatorLimit(exposure_most_minor=505_000)}}
    with holdem("ultimate_holdem", "As Kd Ah Kc 2s 3d 7h 9c Jd", **limits) as found:
        found.staked({"ann": {"ante": 1_000}})
        assert told_full(found.table) == 505_000
        found.open()
        assert found.decide("ann", "play_4x").status == "accepted"
        assert told_full(found.table) == 505_000
        found.table.wait(15)
        found.deal()
        for _ in range(2):
            found.decided()
        found.finish()


def test_a_split_a_double_and_insurance_are_never_refused_for_it() -> None:
    with boxes(exposure_most_minor=4_000) as table:
        table.bet_on({"1:main": 1_000})
        assert told(table, offer("x", "2:main", 100)) == ["table_exposure"]
        table.no_more_bets().cards("8s As 8h")
        table.offered("1 insurance")
        table.chosen("1 split").cards("3d").chosen("1a double").cards("Ts 2d").chosen("1b double").cards("9h")
        assert table.table.book.exposed.most_minor == 4_000
        assert sum(bet.stake_minor for bet in table.table.book.bets) == 4_500
        table.cards("Kd")
        table.finish()


def told_full(table: Bench) -> int:
    assert table.table.book.exposed.most_minor == table.table.book.exposed.most_minor_of("north")
    return table.table.book.exposed.most_minor


def test_a_stake_of_another_currency_counts_as_what_it_is_worth_rounded_up() -> None:
    rates = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})
    with bench(CONFIG, exposure_most_minor=MOST, currencies=("JPY",), rates=rates) as table:
        betting(table)
        purse = bettor_account("north", "jun")
        given = Transfer("", "yen", "deposit", operator_account("north"), purse, 100_000, "JPY")
        table.writer.commit(Unit(transfers=(given,)))
        answers = placed(table, offer("a", stake_minor=20_000, bettor="jun", currency="JPY"))
        assert "A stake of 16391 JPY on player1_win still has room" in answers[0].sentence
        assert told(table, offer("b", stake_minor=16_391, bettor="jun", currency="JPY")) == ["accepted"]


def test_at_a_table_without_a_limit_nothing_is_refused() -> None:
    with bench(CONFIG) as table:
        betting(table)
        assert told(table, *(offer(f"n{at}", "banker_pair_plus", 10_000) for at in range(10))) == ["accepted"] * 10
        assert table.table.book.exposed.most_minor == 4_000_000


STARTED = e.RoundStarted(
    round="r1", number=1, game="three_knights", version=1, rules={"six": "six_pays_half"}, dealer="d1"
)


def bet(key: str, stake_minor: int, operator: str = "north") -> e.PlacedBet:
    return e.PlacedBet(
        bet_id=f"{operator}/{key}{stake_minor}", operator=operator, client_id=key, bettor="ann", bet=key,
        stake_minor=stake_minor, currency="EUR",
    )  # fmt: skip


def test_a_round_of_rules_that_are_none_any_more_is_read_and_measures_nothing() -> None:
    """A journal is folded from its first row: an option that a later rulebook dropped must not stop the table."""
    exposed = Exposed.of(find_game("three_knights"), {"six": "even", "an_option_of_old": 1}, None)
    exposed.add([bet("player1_win", 9_000)])
    assert (exposed.most_minor, exposed.most_minor_of("north")) == (0, 0)


@pytest.mark.parametrize(
    ("bets", "limits"),
    [
        pytest.param([bet("player1_win", 10_001)], {"exposure_most_minor": MOST}, id="beyond the table's"),
        pytest.param([bet("player1_win", 5_001)], {"operator_limits": OWN}, id="beyond the operator's"),
        pytest.param([bet("player1_lose", 100)] * 4, {"operator_limits": OWN}, id="too many of the operator's"),
        pytest.param([bet("player1_lose", 1, "south")] * 2, {"operator_limits": OWN}, id="too many of another's"),
    ],
)  # fmt: skip
def test_verify_finds_bets_beyond_a_limit(bets: list[e.PlacedBet], limits: dict[str, object]) -> None:
    config = msgspec.structs.replace(CONFIG, **limits)
    with pytest.raises(WrongError):
        ExposureAudit(STARTED, find_game("three_knights")).place(bets, config, 7)


def test_verify_allows_what_makes_nothing_worse_where_a_limit_was_lowered() -> None:
    audit = ExposureAudit(STARTED, find_game("three_knights"))
    audit.place([bet("player1_win", 9_000)], msgspec.structs.replace(CONFIG, exposure_most_minor=MOST), 7)
    lowered = msgspec.structs.replace(CONFIG, exposure_most_minor=1_000)
    audit.place([bet("player1_lose", 500)], lowered, 8)
    with pytest.raises(WrongError):
        audit.place([bet("player2_win", 500)], lowered, 9)
