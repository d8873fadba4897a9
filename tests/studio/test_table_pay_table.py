"""A table deals on a proved pay table of at most 100 %, or on an administrator's word, and on no other."""

from __future__ import annotations

import msgspec
import pytest
from table_bench import CONFIG, DEALER, PIT, Bench

from studio.people import Actor
from studio.tables import command as c
from studio.tables.config import PayProof, TableConfig
from studio.tables.event import table as e
from studio.views import view_table

ADMIN = Actor("a1", "Aiko", frozenset({"admin"}))
UNPROVED = msgspec.structs.replace(CONFIG, proof=None)
GENEROUS = msgspec.structs.replace(
    CONFIG, proof=PayProof(certificate="c1", highest_bet="player1_win", highest_percent=103.25, over=("player1_win",))
)
EVEN = msgspec.structs.replace(CONFIG, proof=PayProof(certificate="c2", highest_bet="player1_win", highest_percent=100))
TROUBLES = pytest.mark.parametrize(
    ("config", "key"),
    [
        pytest.param(UNPROVED, "pay_table_unproved", id="never-proved"),
        pytest.param(GENEROUS, "pay_table_over", id="more-than-all"),
    ],
)


def opening(bench: Bench) -> str:
    return bench.refused(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)


def allow(bench: Bench, actor: Actor = ADMIN, reason: str = "drill", words: str = "A trial without money.") -> None:
    bench.do(c.AllowPayTable, bench.pin(actor), reason_code=reason, words=words)


@TROUBLES
def test_a_table_in_trouble_does_not_open(config: TableConfig, key: str) -> None:
    bench = Bench(config)
    bench.links()
    assert opening(bench) == key


@TROUBLES
def test_the_administrators_word_opens_it_and_is_kept_with_an_exception(config: TableConfig, key: str) -> None:
    bench = Bench(config)
    allow(bench)
    bench.open()
    assert bench.state.pit.terms.allowed_by == "Aiko"
    [allowed] = bench.rows("PayTableAllowed")
    [exception] = bench.rows("ExceptionRecorded")
    assert isinstance(allowed, e.PayTableAllowed)
    assert isinstance(exception, e.ExceptionRecorded)
    assert (allowed.by, allowed.why, allowed.reason_code, allowed.words) == (
        "a1", key, "drill", "A trial without money.",
    )  # fmt: skip
    assert (exception.act, exception.asked_by, exception.before) == ("allow_pay_table", "a1", allowed.said)


def test_all_comes_back_is_not_more_than_all() -> None:
    assert Bench(EVEN).open().state.status == "open"


@pytest.mark.parametrize(
    ("actor", "given", "key"),
    [
        pytest.param(PIT, {"reason_code": "drill", "words": "w"}, "not_allowed", id="no-administrator"),
        pytest.param(ADMIN, {"reason_code": "", "words": "w"}, "reason_needed", id="no-reason"),
        pytest.param(ADMIN, {"reason_code": "drill", "words": " "}, "reason_needed", id="no-words"),
    ],
)
def test_nobody_else_and_never_without_a_reason(actor: Actor, given: dict[str, str], key: str) -> None:
    bench = Bench(UNPROVED)
    assert bench.refused(c.AllowPayTable, bench.pin(actor), **given) == key


def test_it_takes_the_pin() -> None:
    bench = Bench(UNPROVED)
    assert bench.refused(c.AllowPayTable, ADMIN, reason_code="drill", words="w") == "pin_needed"


def test_what_needs_no_word_gets_none_and_one_word_is_enough() -> None:
    bench = Bench(CONFIG)
    assert bench.refused(c.AllowPayTable, bench.pin(ADMIN), reason_code="drill", words="w") == "pay_table_proved"
    bench = Bench(UNPROVED)
    allow(bench)
    assert bench.refused(c.AllowPayTable, bench.pin(ADMIN), reason_code="drill", words="w") == "pay_table_allowed"


def test_the_word_holds_over_a_restart_and_not_for_another_pay_table() -> None:
    bench = Bench(GENEROUS)
    allow(bench)
    bench.table.start(GENEROUS, bench.now)
    assert bench.state.pit.terms.allowed_by == "Aiko"
    bench.table.start(msgspec.structs.replace(GENEROUS, title="Another name"), bench.now)
    assert bench.state.pit.terms.allowed_by == "Aiko"
    bench.table.start(UNPROVED, bench.now)
    assert bench.state.pit.terms.allowed_by == ""
    assert opening(bench) == "pay_table_unproved"


def test_a_table_that_comes_back_open_with_an_unproved_pay_table_starts_no_round() -> None:
    bench = Bench(CONFIG).open()
    bench.table.start(UNPROVED, bench.now)
    assert bench.refused(c.StartRound) == "pay_table_unproved"


@pytest.mark.parametrize(
    ("config", "trouble", "highest"),
    [
        pytest.param(UNPROVED, "pay_table_unproved", None, id="never-proved"),
        pytest.param(GENEROUS, "pay_table_over", 103.25, id="more-than-all"),
        pytest.param(EVEN, "", 100, id="proved"),
    ],
)
def test_screens_are_told_what_was_proved(config: TableConfig, trouble: str, highest: float | None) -> None:
    bench = Bench(config)
    shown = view_table(bench.state, bench.table.book, bench.table.seq).game.pay_table
    assert (shown.trouble, shown.highest_percent, shown.allowed_by) == (trouble, highest, "")


def test_a_word_given_for_one_pay_table_allows_no_other() -> None:
    """Its form was drawn before the pit changed the table, and somebody typed in it meanwhile."""
    bench = Bench(UNPROVED)

    def mark() -> str:
        return view_table(bench.state, bench.table.book, bench.table.seq).game.mark

    before = mark()
    bench.do(
        c.ChangeTable, bench.pin(PIT), preset="changed", game="three_knights", rules={}, limits=CONFIG.limits,
        window_s=9.0, reason_code="other", words="Quiet.",
    )  # fmt: skip
    given = {"reason_code": "drill", "words": "A trial."}
    assert bench.refused(c.AllowPayTable, bench.pin(ADMIN), about=before, **given) == "moved_on"
    bench.do(c.AllowPayTable, bench.pin(ADMIN), about=mark(), **given)
    assert bench.state.pit.terms.allowed_by == "Aiko"
