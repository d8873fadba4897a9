"""A corrected round that won its pot and ought not to have, or the other way round: no cent is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import msgspec
import pytest
from correction_bench import approve, ask, correct, previewed, replaced
from holdem_table import Holdem, holdem
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from table_bench import CONFIG, Bench
from test_correction_audit import forged, moved, with_fields
from test_table_pot import FED, GAME, NOTHING, POT, ROYAL, STAKES, balance, pot

from studio.errors import InvariantError
from studio.jackpot import PotTerms
from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.money import (
    Transfer,
    bettor_account,
    operator_account,
    pot_house_account,
    prize_account,
    receivable_account,
)
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.reports import ReportAsked, ReportChoice, cut, find_kind
from studio.reports.record.ledger_sum import bet_sums
from studio.rounds import CardReplaced
from studio.settlement import Short
from studio.tables import command as c
from studio.tables.correction.pot_claim import PotChange
from studio.tables.event import table as e

WON = 100_000 + FED
SHARE = WON // 2


def finished(round: Holdem) -> Holdem:
    round.staked(STAKES).decided(ann="fold").decided().decided().finish()
    return round


def no_royal(round: Holdem) -> tuple[CardReplaced, ...]:
    return (replaced(round.table, "board", 3, "2d"),)


def royal(round: Holdem) -> tuple[CardReplaced, ...]:
    """Of NOTHING: the cards that a royal flush lacks."""
    faces = {("player", 1): "As", ("board", 2): "Js", ("board", 3): "Ts"}
    return tuple(replaced(round.table, *slot, face) for slot, face in faces.items())


def withdraw(table: Bench, bettor: str, amount_minor: int) -> None:
    out = Transfer(
        "", f"out-{table.state.aftermath.corrections.count}-{bettor}", "withdraw", bettor_account("north", bettor),
        operator_account("north"), amount_minor, "EUR",
    )  # fmt: skip
    table.writer.commit(Unit(transfers=(out,)))


def test_a_royal_that_was_none_gives_the_pot_back_what_it_paid() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        assert previewed(table, *no_royal(round)).pot is PotChange.LOST
        ann, bob = table.balance("ann"), table.balance("bob")
        correct(table, *no_royal(round))
        assert table.balance("ann") == ann - SHARE
        assert table.balance("bob") == bob - SHARE
        assert pot(table) == WON
        assert balance(table, prize_account(table.round.id)) == 0
        assert balance(table, pot_house_account("main")) == -100_000  # the seed; what it began anew with came back
        [told] = table.rows("PotClaimUndone")
        assert told == e.PotClaimUndone(
            round=table.round.id, revision=1, pot="main", currency="EUR", pot_minor=50_000, to_pot_minor=WON,
            made_up_minor=0, reset_back_minor=50_000,
        )  # fmt: skip


def test_a_bet_may_lose_its_share_and_win_by_its_pay_table() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        ann = table.balance("ann")
        correct(table, replaced(table, "board", 3, "Td"))
        assert table.balance("ann") == ann - SHARE + 101 * 30  # a straight
        assert pot(table) == WON


def test_what_a_purse_does_not_cover_is_owed_and_the_pot_is_whole() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        left = table.balance("ann") - SHARE + 600
        withdraw(table, "ann", left)
        correct(table, *no_royal(round))
        assert (table.balance("ann"), balance(table, receivable_account("bettor:north:ann"))) == (0, -600)
        assert pot(table) == WON
        [short] = [one for told in table.rows("BetsResettled") for one in told.shorts]  # type: ignore[union-attr]
        assert isinstance(short, Short)
        assert (short.amount_minor, short.policy) == (600, "partial_and_receivable")


def test_a_won_round_that_is_void_after_all_has_nobody_out_of_pocket() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        assert previewed(table, void=True).pot is PotChange.LOST_VOID
        correct(table, void=True)
        assert [table.balance(bettor) for bettor in STAKES] == [10_000] * 3
        assert (pot(table), table.house()) == (100_000, 0)
        assert [told.pot_minor for told in table.rows("PotTakenBack")] == [WON]  # type: ignore[union-attr]


def test_a_royal_that_was_not_seen_is_paid_what_lay_in_the_pot_then() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        assert previewed(table, *royal(round)).pot is PotChange.WON
        ann = table.balance("ann")
        correct(table, *royal(round))
        assert table.balance("ann") == ann + SHARE
        assert pot(table) == 50_000
        [told] = table.rows("PotClaimedLate")
        assert told == e.PotClaimedLate(
            round=table.round.id, revision=1, pot="main", currency="EUR", then_minor=WON, pot_minor=WON, sharers=2,
            share_minor=SHARE, from_pot_minor=WON, made_up_minor=0, reset_minor=50_000,
        )  # fmt: skip


def other_table(beside: Bench, terms: PotTerms = POT) -> Bench:
    config = msgspec.structs.replace(CONFIG, key="t2", game=GAME, pot=terms, window_s=15.0)
    return Bench(config, beside=beside)


def plays(table: Bench, deal: str) -> None:
    """Dan alone, with ten on the pot."""
    Holdem(table, deal).staked({"dan": {"ante": 1_000, "first5": 1_000}}).decided().decided().decided().finish()


def test_the_house_makes_up_what_another_round_has_won_meanwhile() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        plays(other_table(table), ROYAL)
        assert pot(table) == 50_000
        ann = table.balance("ann")
        correct(table, *royal(round))
        assert table.balance("ann") == ann + SHARE
        [told] = table.rows("PotClaimedLate")
        assert isinstance(told, e.PotClaimedLate)
        assert (told.then_minor, told.pot_minor, told.from_pot_minor, told.made_up_minor) == (
            WON, 50_000, 50_000, WON - 50_000
        )  # fmt: skip
        assert pot(table) == 50_000
        house = balance(table, pot_house_account("main"))
        correct(table, replaced(table, "player", 1, "8c"))
        assert table.balance("ann") == ann
        assert pot(table) == 50_000
        assert balance(table, pot_house_account("main")) == house + WON - 50_000 + 50_000


def test_a_contribution_of_later_rounds_stays_in_the_pot() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        plays(other_table(table), NOTHING)
        correct(table, *royal(round))
        assert pot(table) == 50_000 + 380


@pytest.mark.parametrize("deal", [NOTHING, ROYAL], ids=["won-late", "taken-back"])
@pytest.mark.parametrize("void", [False, True], ids=["cards", "void"])
def test_killed_at_every_step_it_comes_out_the_same(monkeypatch: pytest.MonkeyPatch, deal: str, void: bool) -> None:
    monkeypatch.setattr("studio.tables.correction.resettlement.CHUNK_BETS", 1)
    with holdem(GAME, deal, pot=POT) as round:
        table = finished(round).table
        ask(table, *(() if void else royal(round) if deal == NOTHING else no_royal(round)), void=void)
        approve(table)
        while table.table.pay(table.now):
            table.restart()
            audit(steps(table.store.connection))  # a correction in the middle is no error
        assert table.state.aftermath.corrections.current is None
        assert pot(table) == (100_000 if void else 50_000 if deal == NOTHING else WON)
        assert balance(table, prize_account(table.round.id)) == 0
        assert len(table.rows("PotClaimedLate", "PotClaimUndone")) == (0 if void and deal == NOTHING else 1)


def test_corrected_back_and_forth_the_round_pays_the_same_share_each_time() -> None:
    with holdem(GAME, ROYAL, pot=POT) as round:
        table = finished(round).table
        first = table.balance("ann"), table.balance("bob"), pot(table)
        correct(table, *no_royal(round))
        correct(table, replaced(table, "board", 3, "Ts"))
        assert (table.balance("ann"), table.balance("bob"), pot(table)) == first
        correct(table, *no_royal(round))
        assert pot(table) == WON
        assert table.state.aftermath.corrections.revisions == {table.round.id: 3}


def test_bettors_of_other_currencies_give_back_exactly_what_they_got() -> None:
    from test_table_currencies import IN_EUROS, OURS, own, staked

    with holdem(GAME, ROYAL, pot=POT, **OURS) as round:
        staked(round).decided().decided().decided().finish()
        table, bettors = round.table, ("ann", "jun", "sam")
        first = [own(table, bettor) for bettor in bettors], pot(table)
        correct(table, replaced(table, "board", 3, "2d"))
        assert pot(table) == 100_000 + IN_EUROS
        correct(table, replaced(table, "board", 3, "Ts"))
        assert ([own(table, bettor) for bettor in bettors], pot(table)) == first
        correct(table, void=True)
        assert ([own(table, bettor) for bettor in bettors], pot(table)) == ([100_000] * 3, 100_000)
        exchanged = table.store.connection.execute(
            "SELECT sum(abs(amount)) FROM balance WHERE account LIKE 'house:exchange/%'"
        )
        assert exchanged.fetchone() == (0,)


def test_the_close_of_day_agrees_and_knows_every_kind_of_it() -> None:
    with holdem(GAME, NOTHING, pot=POT) as round:
        table = finished(round).table
        plays(other_table(table), ROYAL)
        correct(table, *royal(round))
        correct(table, replaced(table, "player", 1, "8c"))
        with table.store.reader() as reader:
            asked = ReportAsked(reader, cut(reader, None, None), ReportChoice())
            report = find_kind("closing").make(asked)
            assert not report.loud
            columns = {column.key for name in ("operators", "pots") for column in report.sheet(name).columns}
            assert "other" not in columns  # it stands there only where something moved that has no name
            [first5] = [one for one in bet_sums(reader, asked.period) if one.bet == "first5" and one.table == "t1"]
            assert (first5.stake_minor, first5.returns_minor) == (601, 0)
            assert [reader.status(bet).returned_minor for bet in reader.bets(table.round.id)] == [0] * 5


# --- in any order ------------------------------------------------------------------------------------------

NEARLY = "As 2c Ks 3d Qs Js 2d 7h 4d"
RESET = 50_000
DANS = 380
ACTS = ("royal", "none", "void", "other feeds", "other wins", "withdraw", "deposit", "restart")


class Counted:
    """The pot by hand: what lies in it, what the house has put in for it, and what the round has out of it."""

    def __init__(self, *, won: bool) -> None:
        self.taken = (WON, 0) if won else None
        self.pot, self.house = (RESET, -150_000) if won else (WON, -100_000)
        self.void = False
        self.outside = 30_000

    @property
    def due(self) -> int:
        """What is rightly the bettors': all folded, and nothing but the pot pays."""
        won = 2 * SHARE if self.taken else 0
        return self.outside if self.void else self.outside - 3_601 + won

    def win(self) -> None:
        from_pot = min(WON, self.pot)
        self.taken = from_pot, WON - from_pot
        self.pot += RESET - from_pot
        self.house -= RESET + WON - from_pot

    def lose(self) -> None:
        from_pot, made_up = self.taken or (0, 0)
        self.pot += from_pot
        back = min(RESET, self.pot) if self.taken else 0
        self.pot, self.house, self.taken = self.pot - back, self.house + made_up + back, None

    def end(self) -> None:
        self.lose()
        self.pot -= min(FED, self.pot)
        self.void = True

    def dan(self, *, wins: bool) -> None:
        self.pot, self.house = (RESET, self.house - RESET) if wins else (self.pot + DANS, self.house)


def carry_out(act: str, number: int, own: Counted, table: Bench, other: Bench) -> None:
    match act:
        case "royal" if not own.void and not own.taken:
            correct(table, replaced(table, "board", 3, "Ts"))
            own.win()
        case "none" if not own.void and own.taken:
            correct(table, replaced(table, "board", 3, "2d"))
            own.lose()
        case "void" if not own.void:
            correct(table, void=True)
            own.end()
        case "other feeds" | "other wins":
            wins = act == "other wins"
            again(other, f"other-{number}", ROYAL if wins else NOTHING)
            own.dan(wins=wins)
        case "withdraw" if amount := max(table.balance("ann"), 0):
            out = Transfer("", f"w{number}", "withdraw", "bettor:north:ann", "operator:north", amount, "EUR")
            table.writer.commit(Unit(transfers=(out,)))
            own.outside -= amount
        case "deposit":
            table.deposit(700, "cyd")
            own.outside += 700
        case "restart":
            table.restart()


def again(other: Bench, deck: str, deal: str) -> None:
    """One more round at the other table, Dan alone on the pot."""
    other.load(deck)
    other.do(c.StartRound)
    other.do(c.OpenBetting)
    other.deposit(2_000, "dan")
    for bet in ("ante", "first5"):
        assert other.bet(bet, 1_000, "dan").status == "accepted"
    other.wait(15)
    Holdem(other, deal).deal().decided().decided().decided().finish()


def rightly(table: Bench) -> int:
    """What these three have, what they owe, and what was written off for them."""
    held = sum(balance(table, f"{sort}:north:{who}") for sort in ("bettor", "receivable") for who in STAKES)
    return held + balance(table, "house:write_off/north")


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    acts=st.lists(st.sampled_from(ACTS), min_size=1, max_size=7),
    policy=st.sampled_from(["allow_negative", "partial_and_receivable", "write_off"]),
    won=st.booleans(),
)
def test_no_sequence_loses_or_doubles_a_cent(acts: list[str], policy: str, won: bool) -> None:
    with holdem(GAME, ROYAL if won else NEARLY, pot=POT, claw_back={"north": policy}) as round:
        table, own = finished(round).table, Counted(won=won)
        other = other_table(table)
        other.open()
        for number, act in enumerate(acts):
            carry_out(act, number, own, table, other)
            assert (pot(table), balance(table, pot_house_account("main"))) == (own.pot, own.house), act
            assert rightly(table) == own.due, act
            assert balance(table, prize_account(table.round.id)) == 0


# --- what an auditor must find ------------------------------------------------------------------------------

LIES = {
    "another-pot-then": forged(e.PotClaimedLate, with_fields(then_minor=1)),
    "less-made-up": forged(e.PotClaimedLate, with_fields(made_up_minor=5)),
    "another-pot-now": forged(e.PotClaimedLate, with_fields(pot_minor=5)),
    "a-claim-from-nowhere": moved(lambda found: [one for one in found if one.kind != "reset"]),
    "a-share-twice": moved(
        lambda found: (*found, *(msgspec.structs.replace(one, bet="x") for one in found if one.kind == "share"))
    ),
}
LIES_BACK = {
    "less-to-the-pot": forged(e.PotClaimUndone, with_fields(to_pot_minor=5)),
    "the-new-start-kept": forged(e.PotClaimUndone, with_fields(reset_back_minor=0, short_minor=50_000)),
    "a-new-start-that-stayed": moved(lambda found: [one for one in found if one.kind != "unreset"]),
    "a-share-less-back": moved(
        lambda found: [
            msgspec.structs.replace(one, amount_minor=one.amount_minor - 1) if one.kind == "unclaim" else one
            for one in found
        ]
    ),
}
EVERY_LIE = [(NOTHING, lie) for lie in LIES.values()] + [(ROYAL, lie) for lie in LIES_BACK.values()]


@pytest.mark.parametrize(("deal", "tamper"), EVERY_LIE, ids=[*LIES, *LIES_BACK])
def test_a_lie_about_a_corrected_pot_is_found(deal: str, tamper: Callable[[Unit], Unit]) -> None:
    config = msgspec.structs.replace(CONFIG, game=GAME, window_s=15.0, pot=POT)
    with closing(Bench(config)) as table:
        round = finished(Holdem(table, deal))
        ask(table, *(royal(round) if deal == NOTHING else no_royal(round)))
        approve(table)
        table.tamper = tamper

        def pay_and_audit() -> None:
            while table.state.aftermath.corrections.current is not None and table.table.pay(table.now):
                table.now += 1
            audit(steps(table.store.connection))

        with pytest.raises((WrongError, InvariantError)):
            pay_and_audit()
