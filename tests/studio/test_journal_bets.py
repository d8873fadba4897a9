"""Bets and their money: placed once, reserved or refused, settled once, corrected by new rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from private_postgres import place_of

from studio.errors import InvariantError, RefusedError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.money import (
    Answer,
    Offer,
    Transfer,
    bettor_account,
    escrow_account,
    house_account,
    operator_account,
)
from studio.value import replace

ANN, BOB = bettor_account("north", "ann"), bettor_account("north", "bob")
NORTH = operator_account("north")
HOUSE, ESCROW = house_account("t1"), escrow_account("r1")


@pytest.fixture(params=["memory", "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store.open(place_of(request, tmp_path)) as store:
        yield store


@pytest.fixture
def writer(store: Store) -> Writer:
    writer = Writer(store)
    writer.commit(Unit(transfers=(deposit("d-ann", ANN, 1000), deposit("d-bob", BOB, 500))))
    return writer


@pytest.fixture
def reader(store: Store, writer: Writer) -> Reader:
    return store.reader()


def deposit(client_id: str, account: str, amount_minor: int, currency: str = "EUR") -> Transfer:
    return Transfer("", client_id, "deposit", NORTH, account, amount_minor, currency)


def withdraw(client_id: str, account: str, amount_minor: int) -> Transfer:
    return Transfer("", client_id, "withdraw", account, NORTH, amount_minor, "EUR")


def offer(client_id: str = "c1", bettor: str = "ann", stake_minor: int = 100, **changed: str) -> Offer:
    plain = Offer(f"bet-{client_id}", "north", client_id, bettor, "t1", "r1", "ante", stake_minor, "EUR")
    return replace(plain, **changed)


def place(writer: Writer, *offers: Offer) -> tuple[Answer, ...]:
    return writer.commit(Unit(offers=offers, entries_for_bets=placed)).answers


def placed(offers: Sequence[Offer]) -> Iterator[Entry]:
    names = ",".join(f'"{offer.bet_id}"' for offer in offers)
    yield Entry("BetsPlaced", 20, f'{{"bets":[{names}],"round":"r1","table":"t1"}}'.encode())


def post(bet: str = "bet-c1", amount_minor: int = 100, revision: int = 0) -> Transfer:
    return Transfer("r1", bet, "post", ESCROW, HOUSE, amount_minor, "EUR", revision)


def returned(bet: str = "bet-c1", amount_minor: int = 200, revision: int = 0) -> Transfer:
    return Transfer("r1", bet, "return", HOUSE, ANN, amount_minor, "EUR", revision)


def void(bet: str = "bet-c1", amount_minor: int = 100, revision: int = 0) -> Transfer:
    return Transfer("r1", bet, "void", ESCROW, ANN, amount_minor, "EUR", revision)


def move(writer: Writer, *transfers: Transfer) -> None:
    writer.commit(Unit(entries=(Entry("Moved", 30, b'{"round":"r1"}'),), transfers=transfers))


def test_an_accepted_bet_its_reserve_and_its_event_are_committed_together(writer: Writer, reader: Reader) -> None:
    assert place(writer, offer()) == (Answer("c1", "bet-c1", "accepted"),)
    assert list(reader.bets("r1")) == list(reader.pending("r1")) == [offer()]
    [reserve] = reader.transfers("r1")
    assert reserve == Transfer("r1", "bet-c1", "reserve", ANN, ESCROW, 100, "EUR")
    assert [row.body for row in reader.events(kinds=["BetsPlaced"])] == [
        b'{"bets":["bet-c1"],"round":"r1","table":"t1"}'
    ]
    assert (reader.balance(ANN), reader.balance(ESCROW)) == (900, 100)


def test_the_same_bet_sent_again_is_a_duplicate_and_moves_nothing(writer: Writer, reader: Reader) -> None:
    place(writer, offer())
    before = reader.head()
    assert place(writer, offer(bet_id="another")) == (Answer("c1", "bet-c1", "duplicate"),)
    assert (reader.balance(ANN), reader.head()) == (900, before)


def test_the_same_bet_twice_in_one_batch_is_one_bet(writer: Writer, reader: Reader) -> None:
    answers = place(writer, offer(), offer(bet_id="another"))
    assert [(answer.status, answer.bet_id) for answer in answers] == [("accepted", "bet-c1"), ("duplicate", "bet-c1")]
    assert reader.balance(ANN) == 900


def test_a_bet_sent_again_in_a_later_round_is_the_bet_it_was(writer: Writer, reader: Reader) -> None:
    [first] = place(writer, offer())
    [again] = place(writer, offer(round="r2"))
    assert (again.status, again.bet_id) == ("duplicate", first.bet_id)


@pytest.mark.parametrize(
    "changed",
    [{"bettor": "bob"}, {"table": "t2"}, {"bet": "tie"}, {"currency": "USD"}],
    ids=lambda changed: next(iter(changed)),
)
def test_a_client_id_names_one_bet_only(writer: Writer, reader: Reader, changed: dict[str, str]) -> None:
    place(writer, offer())
    [answer] = place(writer, offer(**changed))
    assert (answer.status, answer.key) == ("refused", "client_id_reused")
    assert reader.balance(ANN) == 900


def test_two_operators_may_use_the_same_client_id(writer: Writer) -> None:
    move(writer, Transfer("", "d", "deposit", operator_account("south"), bettor_account("south", "ann"), 500, "EUR"))
    answers = place(writer, offer(), offer(operator="south", bet_id="bet-south"))
    assert [answer.status for answer in answers] == ["accepted", "accepted"]


def test_a_bet_above_the_balance_is_refused_and_may_be_tried_again(writer: Writer, reader: Reader) -> None:
    [answer] = place(writer, offer(stake_minor=1001))
    assert (answer.status, answer.key) == ("refused", "insufficient_balance")
    assert answer.sentence == "The balance of ann is 10.00 EUR; this bet needs 10.01 EUR."
    assert reader.bet_status("north", "c1") is None
    move(writer, deposit("d2", ANN, 1))
    assert place(writer, offer(stake_minor=1001))[0].status == "accepted"


def test_bets_of_one_batch_share_one_purse(writer: Writer, reader: Reader) -> None:
    answers = place(writer, offer("c1", stake_minor=600), offer("c2", stake_minor=600), offer("c3", stake_minor=400))
    assert [answer.status for answer in answers] == ["accepted", "refused", "accepted"]
    assert reader.balance(ANN) == 0


def test_units_of_one_group_share_one_purse(writer: Writer, reader: Reader) -> None:
    futures = [writer.submit(Unit(offers=(offer(f"c{n}", stake_minor=400),))) for n in range(4)]
    assert writer.drain() == 4
    assert [future.result().answers[0].status for future in futures] == ["accepted", "accepted", "refused", "refused"]
    assert reader.balance(ANN) == 200


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        (offer(bettor="nobody"), "insufficient_balance"),
        (offer(currency="USD"), "currency_mismatch"),
        (offer(currency="dollars"), "currency_mismatch"),
        (offer(stake_minor=0), "bad_stake"),
        (offer(stake_minor=-5), "bad_stake"),
    ],
    ids=["unknown bettor", "other currency", "no currency", "nothing", "less than nothing"],
)
def test_an_offer_that_cannot_be_a_bet_is_refused(writer: Writer, reader: Reader, wanted: Offer, key: str) -> None:
    before = reader.head()
    [answer] = place(writer, wanted)
    assert (answer.status, answer.key) == ("refused", key)
    assert answer.sentence.endswith(".")
    assert reader.head() == before


def test_entries_for_bets_that_fail_take_the_bets_with_them(writer: Writer, reader: Reader) -> None:
    def fails(offers: Sequence[Offer]) -> Iterator[Entry]:
        raise RefusedError("too_late", "The bets are closed.")

    with pytest.raises(RefusedError, match="closed"):
        writer.commit(Unit(offers=(offer(),), entries_for_bets=fails))
    assert (reader.balance(ANN), list(reader.bets("r1"))) == (1000, [])


def test_a_lost_bet_is_posted_and_a_won_one_comes_back(writer: Writer, reader: Reader) -> None:
    place(writer, offer("c1"), offer("c2"))
    move(writer, post("bet-c1"), post("bet-c2"), returned("bet-c2"))
    lost, won = reader.bet_status("north", "c1"), reader.bet_status("north", "c2")
    assert lost is not None
    assert won is not None
    assert (lost.status, lost.returned_minor, won.status, won.returned_minor) == ("posted", 0, "posted", 200)
    assert (reader.balance(ANN), reader.balance(HOUSE), reader.balance(ESCROW)) == (1000, 0, 0)
    assert list(reader.pending("r1")) == []


def test_a_voided_bet_gives_its_stake_back(writer: Writer, reader: Reader) -> None:
    place(writer, offer())
    move(writer, void())
    status = reader.bet_status("north", "c1")
    assert status is not None
    assert (status.status, status.returned_minor, reader.balance(ANN)) == ("voided", 100, 1000)


def test_a_correction_reverses_and_posts_again_under_a_new_revision(writer: Writer, reader: Reader) -> None:
    place(writer, offer())
    move(writer, post(), returned(amount_minor=500))
    move(
        writer,
        Transfer("r1", "bet-c1", "reverse_post", HOUSE, ESCROW, 100, "EUR", 1),
        Transfer("r1", "bet-c1", "reverse_return", ANN, HOUSE, 500, "EUR", 1),
        post(revision=1),
        returned(amount_minor=200, revision=1),
    )
    status = reader.bet_status("north", "c1")
    assert status is not None
    assert (status.status, status.returned_minor, reader.balance(ANN)) == ("posted", 200, 1100)


@pytest.mark.parametrize(
    "twice",
    [(post(), post()), (post(), void()), (void(), void()), (post(), returned(), returned())],
    ids=["post post", "post void", "void void", "return return"],
)
def test_a_bet_is_posted_or_voided_once(writer: Writer, reader: Reader, twice: tuple[Transfer, ...]) -> None:
    place(writer, offer(), offer("c2"))
    with pytest.raises(InvariantError):
        move(writer, *twice)
    move(writer, twice[0])
    with pytest.raises(InvariantError):
        move(writer, *twice[1:])
    assert reader.ledger_head().seq == 5


def test_an_escrow_gives_no_more_than_it_holds(writer: Writer) -> None:
    place(writer, offer())
    with pytest.raises(InvariantError, match="escrow:r1"):
        move(writer, post(amount_minor=101))


@pytest.mark.parametrize(
    "wrong",
    [
        Transfer("r1", "b", "reserve", ANN, ESCROW, 1, "EUR"),
        Transfer("r1", "b", "gift", HOUSE, ANN, 1, "EUR"),
        Transfer("r1", "b", "return", HOUSE, ANN, 0, "EUR"),
        Transfer("r1", "b", "return", HOUSE, ANN, -1, "EUR"),
        Transfer("r1", "b", "return", HOUSE, ANN, 2**70, "EUR"),
        Transfer("r1", "b", "return", HOUSE, HOUSE, 1, "EUR"),
        Transfer("r1", "b", "return", HOUSE, ANN, 1, "USD"),
        Transfer("", "b", "return", HOUSE, ANN, 1, "EUR"),
        Transfer("r1", "b\nb", "return", HOUSE, ANN, 1, "EUR"),
        Transfer("r1", "b\ud800", "return", HOUSE, ANN, 1, "EUR"),
    ],
    ids="reserve kind nothing negative huge itself currency no-round line-break no-text".split(),  # noqa: SIM905
)
def test_a_transfer_that_cannot_be_is_our_own_wrong(writer: Writer, reader: Reader, wrong: Transfer) -> None:
    before = reader.ledger_head(), reader.head()
    with pytest.raises(InvariantError):
        move(writer, returned("other"), wrong)
    assert (reader.ledger_head(), reader.head()) == before
    assert reader.balance(ANN) == 1000


def test_a_deposit_sent_twice_moves_money_once(writer: Writer, reader: Reader) -> None:
    with pytest.raises(RefusedError) as same:
        move(writer, deposit("d-ann", ANN, 1000))
    with pytest.raises(RefusedError) as other:
        move(writer, deposit("d-ann", BOB, 1000))
    assert (same.value.key, other.value.key) == ("duplicate", "client_id_reused")
    assert reader.balance(ANN) == 1000


def test_a_deposit_is_written_with_its_own_time_and_never_before_the_newest_row(writer: Writer, store: Store) -> None:
    writer.commit(Unit(entries=(Entry("Tick", 1_000, b"{}"),)))
    for client_id, at_ms in (("later", 61_000), ("clock set back", 500), ("no time given", 0)):
        writer.commit(Unit(transfers=(deposit(client_id, ANN, 100),), at_ms=at_ms))
    for chain, times in (("journal", [1_000, 61_000, 61_000, 61_000]), ("ledger", [61_000, 61_000, 61_000])):
        assert [at_ms for (at_ms,) in store.connection.execute(f"SELECT at FROM {chain} WHERE at > 0")] == times


def test_a_withdrawal_takes_no_more_than_there_is(writer: Writer, reader: Reader) -> None:
    move(writer, withdraw("w1", ANN, 400))
    with pytest.raises(RefusedError) as short:
        move(writer, withdraw("w2", ANN, 601))
    assert short.value.key == "insufficient_balance"
    assert (reader.balance(ANN), reader.balance(NORTH)) == (600, -1100)


def test_a_deposit_in_another_currency_is_refused(writer: Writer) -> None:
    with pytest.raises(RefusedError) as caught:
        move(writer, deposit("d9", ANN, 5, "USD"))
    assert caught.value.key == "currency_mismatch"


def test_the_latest_bets_of_a_bettor_come_newest_first(writer: Writer, reader: Reader) -> None:
    place(writer, offer("c1"), offer("c2"), offer("c3", bettor="bob"), offer("c4"))
    assert [status.bet.client_id for status in reader.bets_of("north", "ann", limit=2)] == ["c4", "c2"]


def test_a_reader_half_way_through_a_round_is_not_disturbed_by_commits(writer: Writer, reader: Reader) -> None:
    place(writer, *(offer(f"c{n}", stake_minor=1) for n in range(700)))
    bets = reader.bets("r1")
    first = next(bets)
    with pytest.raises(InvariantError):
        move(writer, post(amount_minor=10_000))
    place(writer, offer("late", stake_minor=1))
    assert len([first, *bets]) >= 700


class Ledger(RuleBasedStateMachine):
    """Whatever is asked of it, money is conserved and nobody but house and operator owes."""

    def __init__(self) -> None:
        super().__init__()
        self.store = Store.open(":memory:")
        self.writer, self.reader = Writer(self.store), self.store.reader()
        self.count = 0

    def teardown(self) -> None:
        self.store.close()

    @rule(account=st.sampled_from([ANN, BOB]), amount_minor=st.integers(1, 300), out=st.booleans())
    def cash(self, account: str, amount_minor: int, out: bool) -> None:
        self.count += 1
        self.attempt((withdraw if out else deposit)(f"m{self.count}", account, amount_minor))

    @rule(
        stakes=st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["ann", "bob"]), st.integers(1, 200)), max_size=4)
    )
    def bet(self, stakes: list[tuple[int, str, int]]) -> None:
        place(self.writer, *(offer(f"c{client}", bettor, stake_minor) for client, bettor, stake_minor in stakes))

    @rule(bet=st.integers(1, 9), make=st.sampled_from([post, void, returned]), amount_minor=st.integers(1, 200))
    def settle(self, bet: int, make: object, amount_minor: int) -> None:
        assert callable(make)
        self.attempt(make(f"bet-c{bet}", amount_minor))

    def attempt(self, transfer: Transfer) -> None:
        with contextlib.suppress(InvariantError, RefusedError):
            move(self.writer, transfer)

    @invariant()
    def nobody_owes_and_nothing_is_lost(self) -> None:
        assert min(self.reader.balance(account) for account in (ANN, BOB, ESCROW)) >= 0
        assert sum(self.reader.balance(account) for account in (ANN, BOB, ESCROW, HOUSE, NORTH)) == 0


TestLedger = Ledger.TestCase
TestLedger.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)


def test_a_bet_that_the_house_places_beside_another_stands_or_falls_with_it(writer: Writer, reader: Reader) -> None:
    ante, blind = offer("c1", stake_minor=600), offer("c1/blind", stake_minor=600, bet="blind", beside="c1")
    refused = place(writer, ante, blind)
    assert [(one.status, one.key) for one in refused] == [("refused", "insufficient_balance")] * 2
    assert "12.00 EUR" in refused[0].sentence
    assert (reader.balance(ANN), list(reader.bets("r1"))) == (1000, [])
    small = tuple(replace(one, stake_minor=500) for one in (ante, blind))
    assert [one.status for one in place(writer, *small)] == ["accepted", "accepted"]
    assert [one.status for one in place(writer, *small)] == ["duplicate", "duplicate"]
    assert reader.balance(ANN) == 0
