"""A progressive pot at a table: fed once a round, won whole, shared alike, given back, and never out by a cent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

import msgspec
import pytest
from holdem_table import Holdem, holdem
from table_bench import CONFIG, PIT, Bench

from studio.errors import InvariantError
from studio.jackpot import PotTerms
from studio.journal import Balances, Entry, Receipt, Unit
from studio.journal.extract.walk import steps
from studio.money import Transfer, house_account, pot_account, pot_house_account, prize_account
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.event.record import kind_of, read_body, write_body
from studio.tables.fold.table import evolve
from studio.tables.state.round import Stage

GAME = "holdem_bonus"
POT = PotTerms(key="main", currency="EUR", seed_minor=100_000, reset_minor=50_000)

ROYAL = "As 2c Ks 3d Qs Js Ts 7h 4d"
NOTHING = "9c 2c Ks 3d Qs Jd 4s 7h 6d"
STAKES = {
    "ann": {"ante": 1_000, "first5": 101},
    "bob": {"ante": 1_000, "first5": 500},
    "cyd": {"ante": 1_000},
}
FED = 38 + 190


def balance(table: Bench, account: str) -> int:
    with table.store.reader() as reader:
        return reader.balance(account)


def pot(table: Bench) -> int:
    return balance(table, pot_account("main"))


def test_a_pot_is_seeded_once_by_the_house_when_the_first_table_comes_up() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        assert pot(round.table) == 100_000
        assert balance(round.table, pot_house_account("main")) == -100_000
        round.table.restart()
        Bench(msgspec.structs.replace(CONFIG, key="t2", game=GAME, pot=POT), beside=round.table)
        assert round.table.rows("PotSeeded") == [e.PotSeeded(pot="main", currency="EUR", amount_minor=100_000)]
        assert pot(round.table) == 100_000


def test_betting_closes_with_the_contribution_in_the_pot_before_any_card() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        round.staked(STAKES)
        kinds = round.table.kinds()
        assert kinds[kinds.index("PotFed") + 1] == "WindowClosed"
        assert round.table.rows("PotFed") == [e.PotFed(pot="main", currency="EUR", amount_minor=FED)]
        assert pot(round.table) == 100_000 + FED
        assert round.table.house() == -FED  # until the stakes are posted


def test_a_round_without_a_stake_on_the_pot_feeds_nothing() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        round.staked({"cyd": STAKES["cyd"]})
        assert round.table.rows("PotFed") == []


def test_a_round_that_is_dealt_again_feeds_its_pot_once() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        state = round.staked(STAKES).table.state
        again = evolve(state, e.RedealOrdered(row="PK1"), round.table.now).round
        assert again is not None
        assert again.pot is not None
        assert (again.deal.attempt, again.window.bets_in, again.pot.contribution(None)) == (2, True, None)


def test_a_royal_takes_the_whole_pot_and_every_bettor_on_it_has_the_same_share() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        round.staked(STAKES).decided(ann="fold").decided().decided().finish()
        table, won = round.table, 100_000 + FED
        assert table.rows("PotWon") == [
            e.PotWon(
                pot="main", currency="EUR", amount_minor=won, sharers=2, share_minor=won // 2, left_minor=0,
                reset_minor=50_000,
            )
        ]  # fmt: skip
        assert table.balance("ann") == 10_000 - 1_101 + won // 2
        assert table.balance("bob") == 10_000 - 1_500 + won // 2
        assert table.balance("cyd") == 10_000 - 1_000
        assert pot(table) == 50_000
        assert balance(table, prize_account(table.round.id)) == 0
        assert table.round.paid.returns_minor == won


def test_what_cannot_be_shared_alike_lies_in_the_pot_again() -> None:
    stakes = {name: {"ante": 1_000, "first5": 100} for name in ("ann", "bob", "cyd")}
    with holdem(GAME, ROYAL, pot=POT) as round:
        round.staked(stakes).decided().decided().decided().finish()
        won = 100_000 + 3 * 38
        assert pot(round.table) == 50_000 + won % 3
        assert round.table.balance("ann") == 10_000 - 1_100 + won // 3


def test_a_bettor_with_several_stakes_has_one_share() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = round.table
        table.deposit(10_000, "bob")
        round_bets = {"ann": {"ante": 1_000, "first5": 200}}
        table.deposit(10_000, "ann")
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        for bettor, bet, stake in (
            ("bob", "ante", 1_000), ("bob", "first5", 100), ("ann", "ante", 1_000), ("bob", "first5", 100),
            ("ann", "first5", round_bets["ann"]["first5"]),
        ):  # fmt: skip
            assert table.bet(bet, stake, bettor).status == "accepted"
        table.wait(15)
        round.deal().decided().decided().decided().finish()
        won = 100_000 + 38 + 38 + 76
        assert table.balance("ann") == 10_000 - 1_200 + won // 2
        assert table.balance("bob") == 10_000 - 1_200 + won // 2


def test_nobody_on_the_pot_leaves_it_where_it_is() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        round.staked({"cyd": STAKES["cyd"]}).decided().decided().decided().finish()
        assert round.table.rows("PotWon") == []
        assert pot(round.table) == 100_000


def test_at_a_table_without_a_pot_the_house_pays_the_fixed_prize() -> None:
    with holdem(GAME, ROYAL, rules={"first5_pot": 9_000}) as round:
        round.staked(STAKES).decided().decided().decided().finish()
        assert round.table.balance("ann") == 10_000 - 1_101 + 4_500


def void(table: Bench) -> None:
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()


def test_a_void_takes_the_contribution_out_of_the_pot_again() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        void(round.staked(STAKES).table)
        table = round.table
        assert table.rows("PotReturned") == [
            e.PotReturned(pot="main", currency="EUR", pot_minor=100_000 + FED, amount_minor=FED)
        ]
        assert table.round.stage is Stage.VOIDED
        assert pot(table) == 100_000
        assert table.house() == 0
        assert table.balance("ann") == table.balance("bob") == 10_000


def test_a_void_before_betting_closed_has_nothing_to_take_back() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = round.table
        table.deposit()
        table.open()
        table.do(c.StartRound)
        table.do(c.OpenBetting)
        table.bet("ante", 1_000)
        table.bet("first5", 100)
        void(table)
        assert table.rows("PotFed", "PotReturned") == []


def test_what_another_table_has_won_meanwhile_is_borne_by_the_house() -> None:
    poor = PotTerms(key="main", currency="EUR", seed_minor=0, reset_minor=0)
    with holdem(GAME, NOTHING, pot=poor) as round:
        round.staked(STAKES)
        other = Holdem(Bench(msgspec.structs.replace(CONFIG, key="t2", game=GAME, pot=poor), beside=round.table), ROYAL)
        other.staked({"dan": {"ante": 1_000, "first5": 100}}).decided().decided().decided().finish()
        assert other.table.balance("dan") == 10_000 - 1_100 + FED + 38
        void(round.table)
        assert round.table.rows("PotReturned") == [
            e.PotReturned(pot="main", currency="EUR", pot_minor=0, amount_minor=0, short_minor=FED)
        ]
        assert round.table.house() == -FED
        assert round.table.balance("ann") == 10_000


def test_a_kill_in_the_middle_of_the_prize_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.tables.payment.round_payment.CHUNK_BETS", 2)
    with holdem(GAME, ROYAL, pot=POT) as round:
        round.staked(STAKES).decided().decided().decided()
        table = round.table
        for place, card in enumerate(round._down, 1):
            table.lay("dealer", place, card)
        table.do(c.DeclareResult)
        paid = 0
        while table.table.pay(table.now):
            table.restart()
            paid += 1
        assert paid == 1 + 3
        assert len(table.rows("PotWon")) == 1
        assert table.balance("ann") == 10_000 - 1_101 + (100_000 + FED) // 2
        assert table.round.stage is Stage.SETTLED


# --- what an auditor must find --------------------------------------------------------------------------

Tamper = Callable[[Unit], Unit]


def told(kind: str, **changes: object) -> Tamper:
    """Every event of that kind says something else."""

    def entry(one: Entry) -> Entry:
        if one.kind != kind:
            return one
        recorded = read_body(one.body)
        event = msgspec.structs.replace(recorded.event, **changes)
        return Entry(kind_of(event), one.at_ms, write_body(recorded.table, recorded.round, event))

    def tamper(unit: Unit) -> Unit:
        inside = unit.with_balances
        if inside is None:
            return replace(unit, entries=tuple(map(entry, unit.entries)))

        def lying(balance: Balances) -> tuple[list[Entry], list[Transfer]]:
            entries, transfers = inside(balance)
            return [entry(one) for one in entries], list(transfers)

        return replace(unit, with_balances=lying)

    return tamper


def moved(kind: str, change: Callable[[Transfer], Transfer | None]) -> Tamper:
    """Every transfer of that kind is another, or is not there."""

    def all_of(transfers: object) -> list[Transfer]:
        kept = (change(one) if one.kind == kind else one for one in transfers)  # type: ignore[attr-defined]
        return [one for one in kept if one is not None]

    def tamper(unit: Unit) -> Unit:
        inside = unit.with_balances
        if inside is None:
            return replace(unit, transfers=tuple(all_of(unit.transfers)))

        def lying(balance: Balances) -> tuple[object, list[Transfer]]:
            entries, transfers = inside(balance)
            return entries, all_of(transfers)

        return replace(unit, with_balances=lying)  # type: ignore[arg-type]

    return tamper


def less(transfer: Transfer) -> Transfer:
    return msgspec.structs.replace(transfer, amount_minor=transfer.amount_minor - 1)


def both(*tampers: Tamper) -> Tamper:
    def tamper(unit: Unit) -> Unit:
        for one in tampers:
            unit = one(unit)
        return unit

    return tamper


LIES: dict[str, tuple[Tamper, str]] = {
    "a contribution told too small": (told("PotFed", amount_minor=FED - 1), "fed its pot"),
    "a contribution moved too small": (moved("feed", less), "is due a feed"),
    "a contribution too small in both": (
        both(told("PotFed", amount_minor=FED - 1), moved("feed", less)), "fed its pot"
    ),
    "a contribution never moved": (moved("feed", lambda transfer: None), "lacks the feed|is due a feed"),
    "a prize told too small": (told("PotWon", amount_minor=5), "did not win its pot as told"),
    "a prize told for fewer": (told("PotWon", sharers=1), "did not win its pot as told"),
    "a part of the pot left behind": (moved("claim", less), "would fall below zero|is due a claim"),
    "a pot that was not reset": (moved("reset", lambda transfer: None), "lacks the reset"),
    "a reset of another size": (
        both(told("PotWon", reset_minor=1), moved("reset", less)), "did not win its pot as told"
    ),
    "a share too small": (moved("share", less), "is due a share"),
    "a share to the house": (
        moved("share", lambda transfer: msgspec.structs.replace(transfer, credit=house_account("t1"))), "is due a share"
    ),
    "another seed": (told("PotSeeded", amount_minor=1), "was not seeded as the configuration says"),
    "a seed nobody told": (moved("seed", less), "another seed of the pot"),
}  # fmt: skip


@pytest.mark.parametrize(("tamper", "words"), LIES.values(), ids=LIES)
def test_a_lie_about_a_pot_is_found(tamper: Tamper, words: str) -> None:
    lie(tamper, words, ROYAL, lambda round: round.staked(STAKES).decided().decided().decided().finish())


VOID_LIES: dict[str, tuple[Tamper, str]] = {
    "a contribution that stayed": (moved("unfeed", lambda transfer: None), "lacks the unfeed|is due a unfeed"),
    "a contribution taken back short": (
        both(told("PotReturned", amount_minor=FED - 1, short_minor=1), moved("unfeed", less)), "did not leave the pot"
    ),
    "another pot told": (told("PotReturned", pot_minor=1), "did not leave the pot"),
}  # fmt: skip


@pytest.mark.parametrize(("tamper", "words"), VOID_LIES.values(), ids=VOID_LIES)
def test_a_lie_about_a_contribution_given_back_is_found(tamper: Tamper, words: str) -> None:
    lie(tamper, words, NOTHING, lambda round: void(round.staked(STAKES).table))


def lie(tamper: Tamper, words: str, deal: str, play: Callable[[Holdem], object], **changes: object) -> None:
    def play_and_audit() -> None:
        play(Holdem(table, deal))
        audit(steps(table.store.connection))

    with closing(Lying(tamper, **changes)) as table, pytest.raises((WrongError, InvariantError), match=words):
        play_and_audit()


class Lying(Bench):
    """A table whose every commit is tampered with, the first included."""

    def __init__(self, tamper: Tamper, **changes: object) -> None:
        self._lie = tamper
        super().__init__(msgspec.structs.replace(CONFIG, game=GAME, window_s=15.0, pot=POT, **changes))

    def _commit(self, unit: Unit) -> Receipt:
        return super()._commit(self._lie(unit))
