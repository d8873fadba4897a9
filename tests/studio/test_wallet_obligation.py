"""What is owed to a wallet is told until it says yes, in order; a wallet that is silent is left alone for a while."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from wallet_call import CANCEL, CREDIT

from studio.errors import InvariantError, RefusedError
from studio.wallets.answer import WalletOutcome, Word
from studio.wallets.breaker import FIRST_OPEN_MS, OPEN_MS_MOST, UNKNOWN_MOST, Breaker
from studio.wallets.call import Cancel, Credit
from studio.wallets.obligation import (
    ALARMS_MS,
    WAIT_MS_MOST,
    Case,
    DebtStanding,
    Obligations,
    Owable,
    alarm_level,
    wait_ms,
)

MINUTE_MS, DAY_MS = ALARMS_MS[0], ALARMS_MS[2]


def cancel(id: str, bettor: str = "ann") -> Cancel:
    return msgspec.structs.replace(CANCEL, id=id, bettor=bettor)


def credit(id: str, bettor: str = "ann") -> Credit:
    return msgspec.structs.replace(CREDIT, id=id, bettor=bettor)


def owing(*calls: Owable, at_ms: int = 0) -> Obligations:
    owed = Obligations()
    for step, call in enumerate(calls):
        assert owed.owe(call, at_ms + step)
    return owed


def ids(calls: Sequence[Owable]) -> list[str]:
    return [call.id for call in calls]


# --- telling ------------------------------------------------------------------------------------------


def test_of_one_bettor_the_oldest_goes_first_and_alone() -> None:
    owed = owing(cancel("1"), credit("2"), credit("3", "bob"))
    assert ids(owed.due(10)) == ["1", "3"]
    assert owed.heard("1", Word.OK, 10, 0.0) is WalletOutcome.ACCEPTED
    assert ids(owed.due(10)) == ["2", "3"]


def test_a_host_whose_clock_is_behind_changes_no_order_of_one_bettor() -> None:
    owed = owing(cancel("1"), at_ms=1_000)
    owed.owe(credit("3", "bob"), 950)
    owed.owe(credit("2"), 900)
    assert ids([one.call for one in owed.all()]) == ["3", "1", "2"]


@pytest.mark.parametrize("word", [Word.TEMPORARY, Word.BLOCKED, Word.SIGNATURE, Word.CONFLICT])
def test_what_got_no_yes_is_told_again_and_nothing_of_its_bettor_before_it(word: Word) -> None:
    owed = owing(credit("1"), credit("2"))
    assert owed.heard("1", word, 100, 1.0) is not WalletOutcome.ACCEPTED
    assert ids(owed.due(100 + wait_ms(1, 1.0) - 1)) == []
    assert ids(owed.due(100 + wait_ms(1, 1.0))) == ["1"]


@pytest.mark.parametrize("word", [Word.OK, Word.DUPLICATE_OK, Word.UNKNOWN_TRANSACTION, Word.AFTER_CANCEL])
def test_a_cancel_of_what_was_never_seen_is_done(word: Word) -> None:
    owed = owing(cancel("1"))
    owed.heard("1", word, 1, 0.0)
    assert len(owed) == 0


def test_the_same_call_is_owed_once_and_another_under_its_id_is_our_own_wrong() -> None:
    owed = owing(credit("1"))
    assert not owed.owe(credit("1"), 5)
    with pytest.raises(InvariantError, match="already names another"):
        owed.owe(msgspec.structs.replace(credit("1"), amount_minor=1), 5)
    assert len(owed) == 1


def test_an_answer_to_what_is_no_longer_owed_changes_nothing() -> None:
    owed = owing(credit("1"))
    assert owed.heard("0", Word.TEMPORARY, 1, 0.0) is WalletOutcome.ACCEPTED
    assert ids(owed.due(1)) == ["1"]


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_a_wait_is_within_half_and_the_whole_of_what_it_may_be(tries: int, chance: float) -> None:
    assert 500 <= wait_ms(tries, chance) <= WAIT_MS_MOST
    assert wait_ms(tries, 0.0) <= wait_ms(tries, chance) <= wait_ms(tries, 1.0) == 2 * wait_ms(tries, 0.0)
    assert wait_ms(tries, chance) <= wait_ms(tries + 1, 1.0)


WORDS = st.sampled_from([Word.TEMPORARY, Word.BLOCKED, Word.CONFLICT, Word.OK, Word.UNKNOWN_TRANSACTION])


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from("abc")), max_size=12),
    st.lists(WORDS, max_size=40),
    st.floats(0, 1, exclude_max=True),
)
def test_whatever_a_wallet_says_each_call_gets_its_yes_in_the_order_of_its_bettor(
    kinds: list[tuple[bool, str]], said: list[Word], chance: float
) -> None:
    calls = [(cancel if undo else credit)(str(n), bettor) for n, (undo, bettor) in enumerate(kinds)]
    owed, done, now_ms = owing(*calls), list[Owable](), 100
    words = iter(said)
    for _ in range(len(said) + len(calls) + 1):
        for call in owed.due(now_ms):
            if owed.heard(call.id, next(words, Word.OK), now_ms, chance) is WalletOutcome.ACCEPTED:
                done.append(call)
        now_ms += WAIT_MS_MOST
    assert len(owed) == 0
    assert sorted(ids(done), key=int) == ids(calls)
    for bettor in "abc":
        assert [call for call in done if call.bettor == bettor] == [call for call in calls if call.bettor == bettor]


# --- alarms, and people -------------------------------------------------------------------------------


def test_the_oldest_thing_owed_is_what_the_alarm_is_about() -> None:
    owed = owing(credit("1", "bob"), credit("2"), at_ms=1_000)
    assert [alarm_level(owed.standing(1_000 + age_ms).age_ms(1_000 + age_ms)) for age_ms in (0, *ALARMS_MS)] == [
        0,
        1,
        2,
        3,
    ]
    assert Obligations().standing(DAY_MS).age_ms(DAY_MS) == 0


def test_what_is_a_day_old_or_refused_is_for_people_and_told_on() -> None:
    owed = owing(credit("1"), credit("2", "bob"))
    assert owed.for_people(DAY_MS - 1) == []
    owed.heard("2", Word.BLOCKED, 10, 0.0)
    assert [one.call.id for one in owed.for_people(10)] == ["2"]
    assert [one.call.id for one in owed.for_people(DAY_MS)] == ["1", "2"]
    assert ids(owed.due(DAY_MS)) == ["1", "2"]


def test_a_no_stays_for_people_though_the_wallet_is_silent_afterwards() -> None:
    owed = owing(credit("1"))
    owed.heard("1", Word.BLOCKED, 10, 0.0)
    owed.heard("1", Word.TEMPORARY, 20_000, 0.0)
    [one] = owed.for_people(20_000)
    assert (one.last, one.tries) == (Word.BLOCKED, 2)


def test_how_much_is_owed_is_told_with_its_oldest_and_what_is_for_people() -> None:
    assert Obligations().standing(DAY_MS) == DebtStanding()
    owed = owing(credit("1"), credit("2", "bob"), cancel("3", "eve"), at_ms=5)
    assert owed.standing(MINUTE_MS) == DebtStanding(3, 5, 0, 5)
    owed.heard("1", Word.BLOCKED, 10, 0.0)
    here = frozenset({CREDIT.game})
    assert owed.standing(MINUTE_MS) == DebtStanding(3, 5, 1, 6, here)
    assert owed.standing(6 + DAY_MS) == DebtStanding(3, 5, 2, 7, here)
    assert owed.standing(DAY_MS * 2) == DebtStanding(3, 5, 3, 0, here)


@pytest.mark.parametrize("case", Case)
def test_a_person_who_found_out_closes_it_and_the_next_is_told(case: Case) -> None:
    owed = owing(cancel("1"), credit("2"))
    assert owed.close("1", case, DAY_MS).call.id == "1"
    assert ids(owed.due(DAY_MS)) == ["2"]


REFUSALS = {
    "it is done": (cancel("1"), "0", Case.GIVEN, DAY_MS, "not_owed"),
    "it is told still": (cancel("1"), "1", Case.GIVEN, DAY_MS - 1, "told_still"),
    "a return takes nothing": (credit("1"), "1", Case.TAKEN, DAY_MS, "not_taken"),
}


@pytest.mark.parametrize(("call", "id", "case", "now_ms", "key"), REFUSALS.values(), ids=REFUSALS)
def test_nobody_closes_what_is_not_his_to_close(call: Owable, id: str, case: Case, now_ms: int, key: str) -> None:
    owed = owing(call)
    with pytest.raises(RefusedError) as refused:
        owed.close(id, case, now_ms)
    assert refused.value.key == key
    assert len(owed) == 1


# --- the breaker --------------------------------------------------------------------------------------


def opened(at_ms: int = 1_000) -> Breaker:
    breaker = Breaker()
    for _ in range(UNKNOWN_MOST):
        assert breaker.may_ask(at_ms)
        breaker.heard(WalletOutcome.UNKNOWN, at_ms, at_ms)
    assert breaker.is_open
    return breaker


@pytest.mark.parametrize("alive", [WalletOutcome.ACCEPTED, WalletOutcome.REFUSED])
def test_a_wallet_that_says_anything_is_alive(alive: WalletOutcome) -> None:
    breaker = Breaker()
    for _ in range(UNKNOWN_MOST - 1):
        breaker.heard(WalletOutcome.UNKNOWN, 0, 0)
    breaker.heard(alive, 0, 0)
    breaker.heard(WalletOutcome.UNKNOWN, 0, 0)
    assert not breaker.is_open


def test_an_open_breaker_lets_one_call_through_after_a_while() -> None:
    breaker = opened(1_000)
    then_ms = 1_000 + FIRST_OPEN_MS
    assert [breaker.may_ask(at_ms) for at_ms in (1_000, then_ms - 1, then_ms, then_ms, then_ms + 1)] == [
        False, False, True, False, False,
    ]  # fmt: skip
    breaker.heard(WalletOutcome.REFUSED, then_ms, then_ms + 1)
    assert not breaker.is_open
    assert breaker.may_ask(then_ms + 1)


def test_whoever_tried_and_never_told_keeps_nobody_out_for_ever() -> None:
    breaker = opened(0)
    assert breaker.may_ask(FIRST_OPEN_MS)
    assert breaker.may_ask(2 * FIRST_OPEN_MS)


def test_a_wallet_that_stays_silent_is_tried_ever_more_rarely() -> None:
    breaker, now_ms, waits = opened(0), 0, list[int]()
    for _ in range(6):
        asked_ms = now_ms
        while not breaker.may_ask(now_ms):
            now_ms += 1_000
        waits.append(now_ms - asked_ms)
        breaker.heard(WalletOutcome.UNKNOWN, now_ms, now_ms)
    assert waits == [5_000, 10_000, 20_000, 40_000, OPEN_MS_MOST, OPEN_MS_MOST]


def test_calls_that_were_under_way_when_it_opened_do_not_lengthen_it() -> None:
    breaker = opened(1_000)
    for _ in range(UNKNOWN_MOST):
        breaker.heard(WalletOutcome.UNKNOWN, 900, 1_500)
    assert breaker.may_ask(1_000 + FIRST_OPEN_MS)
