"""What an operator may credit his bettors with: so much at once, and so much in all their purses together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dealer_ui.config.file import OperatorSection, StudioConfig, TableSection
from dealer_ui.config.operator import CreditLimits
from dealer_ui.desk.wallet import PurseDesk
from studio.errors import StorageError
from studio.journal import Store, Unit, Writer
from studio.money import Answer, Offer, Rates, Transfer, bettor_account, escrow_account, house_account

RATES = Rates(date="2026-01-31", worth={"EUR": "1", "JPY": "0.0061"})


class Bank:
    """A wallet of two operators: North may credit 100.00 at once and 250.00 in all, South as good as anything."""

    def __init__(self) -> None:
        self.store = Store.open(":memory:")
        self.writer = Writer(self.store)
        self.credit = {
            "north": CreditLimits(10_000, 25_000, "EUR", RATES),
            "south": CreditLimits(10**15, 10**15, "EUR", RATES),
        }
        self.wallet = PurseDesk(
            lambda unit: self.writer.commit(unit).last_seq, lambda: 1, "EUR", lambda name: self.credit[name]
        )
        self._sent = 0

    def move(
        self,
        kind: str,
        amount_minor: int,
        bettor: str = "ann",
        operator: str = "north",
        currency: str = "",
        id: str = "",
    ) -> Answer:
        self._sent += 1
        return self.wallet.move(kind, operator, bettor, id or f"m{self._sent}", amount_minor, currency)

    def told(self, kind: str, amount_minor: int, bettor: str = "ann", **other: str) -> str:
        answer = self.move(kind, amount_minor, bettor, **other)
        return answer.key or answer.status

    def held(self, operator: str = "north") -> dict[str, int]:
        with self.store.reader() as reader:
            return reader.purses_of(operator)

    def kept(self, operator: str = "north") -> dict[str, int]:
        """As the writer has it, which counted once and followed every unit since."""
        return dict(self.writer._purses.of(self.store.connection, operator))


@pytest.fixture
def bank() -> Iterator[Bank]:
    found = Bank()
    yield found
    found.writer.close()
    found.store.close()


def test_a_single_deposit_has_a_most(bank: Bank) -> None:
    answer = bank.move("deposit", 10_001)
    assert (answer.status, answer.key) == ("refused", "deposit_limit")
    assert answer.sentence == (
        "A single deposit is worth 100.00 EUR at most: make a smaller one, or have that limit raised."
    )
    assert bank.held() == {}
    assert bank.told("deposit", 10_000) == "accepted"


def test_all_purses_together_have_a_most_however_many_bettors_there_are(bank: Bank) -> None:
    assert [bank.told("deposit", 10_000, bettor) for bettor in ("ann", "bob", "cid")] == [
        "accepted", "accepted", "credit_limit",
    ]  # fmt: skip
    assert bank.move("deposit", 5_001, "dot").sentence == (
        "Your bettors' purses hold 200.00 EUR of the 250.00 EUR they may hold together: deposit 50.00 EUR at most now, "
        "withdraw from some of them, or have that limit raised."
    )
    assert bank.told("deposit", 5_000, "dot") == "accepted"
    assert bank.told("withdraw", 4_000, "ann") == "accepted"
    assert bank.told("deposit", 4_001, "eve") == "credit_limit"
    assert bank.told("deposit", 4_000, "eve") == "accepted"
    assert bank.told("deposit", 10_000, "zoe", operator="south") == "accepted", "another operator has limits of his own"


def test_a_deposit_sent_again_is_a_duplicate_whatever_the_limits_are_by_now(bank: Bank) -> None:
    assert bank.told("deposit", 10_000, id="d1") == "accepted"
    bank.credit["north"] = CreditLimits(1, 1, "EUR", RATES)
    assert bank.told("deposit", 10_000, id="d1") == "duplicate"
    assert bank.told("deposit", 9_999, id="d1") == "client_id_reused"
    assert bank.told("withdraw", 10_000) == "accepted"


def test_another_currency_counts_as_what_it_is_worth(bank: Bank) -> None:
    assert bank.told("deposit", 16_396, "jun", currency="JPY") == "deposit_limit"
    assert [bank.told("deposit", 16_300, "jun", currency="JPY") for _ in range(3)] == ["accepted"] * 2 + [
        "credit_limit"
    ]
    assert bank.held() == {"JPY": 32_600}
    assert bank.told("deposit", 10_000) == "credit_limit"


def test_a_purse_in_a_currency_without_a_rate_any_more_stops_nobody(bank: Bank) -> None:
    assert bank.told("deposit", 16_000, "jun", currency="JPY") == "accepted"
    bank.credit["north"] = CreditLimits(10_000, 25_000, "EUR")
    assert bank.told("deposit", 10_000) == "accepted"


def test_what_the_writer_keeps_is_what_a_count_of_the_purses_says(bank: Bank) -> None:
    """Wins, stakes, refusals and a disk that failed: it is never counted again, and never differs."""
    bank.told("deposit", 10_000)
    assert bank.kept() == bank.held() == {"EUR": 10_000}
    bet = Offer("b1", "north", "c1", "ann", "t1", "r1", "ante", 1_000, "EUR")
    bank.writer.commit(Unit(offers=(bet,)))
    assert bank.kept() == bank.held() == {"EUR": 9_000}
    post = Transfer("r1", "b1", "post", escrow_account("r1"), house_account("t1"), 1_000, "EUR")
    won = Transfer("r1", "b1", "return", house_account("t1"), bettor_account("north", "ann"), 7_000, "EUR")
    bank.writer.commit(Unit(transfers=(post, won)))
    assert bank.told("withdraw", 99_000) == "insufficient_balance"
    assert bank.told("deposit", 9_001) == "credit_limit"
    assert bank.kept() == bank.held() == {"EUR": 16_000}


def test_what_a_failing_disk_did_not_keep_counts_for_nothing(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank.told("deposit", 10_000)

    def full(keys: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as failing:
        failing.setattr(bank.writer._keyring, "append", full)
        with pytest.raises(StorageError):
            bank.move("deposit", 5_000)
    assert bank.kept() == bank.held() == {"EUR": 10_000}


def test_the_configuration_says_what_each_operator_may_and_what_one_without_a_section() -> None:
    table = TableSection(key="t1", title="T", game="three_knights")
    own = OperatorSection(key_sha256="0" * 64, deposit_most_minor=500, credit_most_minor=900)
    config = StudioConfig(tables=(table,), operators={"north": own})
    assert config.credit_of("north") == CreditLimits(500, 900, "EUR")
    assert config.credit_of("added") == CreditLimits(100_000_000, 10_000_000_000, "EUR")
