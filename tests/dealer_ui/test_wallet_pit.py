"""The pit sees each operator's wallet, is told when one is silent or owed for long, and closes what needs a person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import wait_until
from running_studio import TABLE, House, impatient
from sample import sampled
from sealed_search import sign_up
from test_seamless_wallet import play_out, void_settled
from two_operators import DAY_MS, MONEY, Pair, signed_in, two_operators

from dealer_ui.floor.cause import causes_of
from dealer_ui.pages.shift.matter import matters_of
from dealer_ui.teller.look import looks
from studio.money import bettor_account, receivable_account, suspense_account
from studio.proof.audit.database import verify
from studio.reports import ReportAsked, cut
from studio.reports.exception import acts
from studio.reports.record.standing import standings
from studio.wallets.call import Adjust
from studio.wallets.obligation import Debt, Owed
from studio.wallets.record import Movement

PURSE = bettor_account("south", "bob-12")
SUSPENSE = suspense_account("south")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    with two_operators(tmp_path) as pair:
        sign_up(pair.house)
        yield pair


def held(house: House, account: str) -> int:
    return house.floor.reader().balance(account, "EUR")


def alarms(house: House) -> list[tuple[str, str]]:
    """The alarms about wallets that stand, in their order."""
    return [(one.word, one.about) for one in house.floor.pit.book.alarms.values() if one.word.startswith("wallet")]


def close(house: House, id: str, case: str, **given: str) -> Any:
    client, headers = signed_in(house, "pit_boss")
    told = {"act": "close_owed", "operator": "south", "movement": id, "case": case, "words": "Seen with Sven.",
            "pin": "730162", **given}  # fmt: skip
    return client.post("/pit/act", json=told, headers=headers)


def checked(house: House) -> None:
    house.studio.stop()
    found = verify(house.database)
    assert found.ok, found.first_wrong


@pytest.mark.long
def test_a_dead_wallet_is_one_alarm_and_the_other_operator_plays_on(pair: Pair) -> None:
    house = pair.house
    pair.south.faults.switch(on=("down",))
    told = [pair.bet("south", f"s{number}") for number in range(8)]
    assert set(told) == {"wallet_unknown", "wallet_silent"}
    assert pair.bet("north", "n1") == "accepted"
    wait_until(lambda: alarms(house) == [("wallet", "south")])
    north, south = looks(house.floor.tellers, house.floor.reader())
    assert (north.state, north.owed.count, dict(north.suspense)) == ("up", 0, {})
    assert (south.state, south.owed.count, south.suspense["EUR"]) == ("down", south.owed.count, held(house, SUSPENSE))
    assert south.owed.count >= 1
    assert south.pulse.changed_ms > 0
    assert south.pulse.unknown_lately >= south.pulse.lately - 1, "his balance was asked at the launch, too"
    client, _ = signed_in(house, "auditor")
    page = client.get("/pit/wallets").text
    assert 'class="wallet up" id="wallet-north"' in page
    assert 'class="wallet down" id="wallet-south"' in page
    assert [(one.what, one.about) for one in matters_of(house.floor) if one.what == "wallet"] == [
        ("wallet", f"south ({south.owed.count})")
    ]
    pair.south.faults.switch(off=("down",))
    wait_until(lambda: not alarms(house))
    assert (held(house, SUSPENSE), pair.south.balance, pair.north.balance) == (0, MONEY, MONEY - 200)
    assert not causes_of(house.floor) or all("wallet" not in one.word for one in causes_of(house.floor))
    checked(house)


def test_what_is_owed_for_long_is_told_of_louder_and_at_last_is_for_people(pair: Pair) -> None:
    house, minute_ms = pair.house, 60_000
    pair.south.faults.switch(on=("nonsense",))
    assert pair.bet("south", "s1") == "wallet_unknown"
    now = [one.word for one in causes_of(house.floor) if one.word.startswith("wallet")]
    assert now in ([], ["wallet"])
    for passed_ms, word in ((2 * minute_ms, "wallet"), (16 * minute_ms, "wallet_late"), (DAY_MS, "wallet_people")):
        pair.later(passed_ms)
        wait_until(lambda word=word: word in [one for one, _ in alarms(house)])  # type: ignore[misc]
    assert len([one for one, _ in alarms(house) if one == "wallet_people"]) == 1
    checked(house)


def test_a_person_closes_what_a_wallet_refuses_and_the_round_tells_it(pair: Pair, tmp_path: Path) -> None:
    house = pair.house
    assert pair.bet("south", "s1") == "accepted"
    pair.south.faults.switch(on=("wrong_signature",))
    round = house.view.round.id
    pair.void()
    id = pair.refused("south")
    wait_until(lambda: alarms(house) == [("wallet_people", "south")])
    assert held(house, PURSE) == 200
    auditor, headers = signed_in(house, "auditor")
    denied = auditor.post("/pit/act", json={"act": "close_owed", "operator": "south", "movement": id}, headers=headers)
    assert denied.status_code == 403
    for given, key in (
        ({"pin": ""}, "pin_needed"), ({"words": " "}, "finding_needed"), ({"operator": "west"}, "no_wallet"),
        ({"movement": "another"}, "not_owed"),
    ):  # fmt: skip
        wait_until(lambda given=given, key=key: refusal(house, id, given) == key)  # type: ignore[misc]
    assert refusal(house, id, {"case": "perhaps"}) == "case_needed"
    assert held(house, PURSE) == 200
    wait_until(lambda: close(house, id, "taken").status_code == 200)
    assert close(house, id, "taken").status_code == 200, "the same tap again is the same act"
    assert refusal(house, id, {"case": "given"}) == "closed_already"
    assert (held(house, PURSE), pair.teller("south").desk.owed()) == (0, [])
    kinds = house.floor.reader().read("SELECT kind FROM ledger WHERE bet = ?", (id,))
    assert kinds == [("wallet_cancel",)]
    wait_until(lambda: not alarms(house))
    page = signed_in(house, "auditor")[0].get(f"/pit/{TABLE}/round/{round}").text
    assert "Petra" in page[page.index(f'id="closed-{id}"') :]
    assert "Seen with Sven." in page
    assert "Seen with Sven." in auditor.get("/pit/wallets").text
    reader = house.floor.reader()
    asked = ReportAsked(reader, cut(reader, None, None))
    [act] = [one for one in acts(asked, standings(asked)) if one.what == "WalletClosed"]
    assert (act.people, act.table, act.round, act.words) == (("p1",), TABLE, round, "Seen with Sven.")
    found = auditor.get("/audit?what=events&kind=acts").text
    assert "Petra closed what the wallet of south was owed (taken): Seen with Sven." in found
    checked(house)
    with House(tmp_path, wallet=pair.north.section, south=pair.south.section) as again:
        page = signed_in(again, "auditor")[0].get(f"/pit/{TABLE}/round/{round}").text
        assert f'id="closed-{id}"' in page


def refusal(house: House, id: str, given: dict[str, str]) -> str:
    told = close(house, given.pop("movement", id), given.pop("case", "taken"), **given)
    return str(told.json.get("key", ""))


@pytest.mark.parametrize("case", sampled(["taken", "given", "nothing_seen"], "taken"))
def test_each_case_of_a_stake_in_suspense_empties_it(pair: Pair, case: str) -> None:
    house = pair.house
    pair.south.faults.switch(on=("silent_after",))
    with impatient(house, "south"):
        assert pair.bet("south", "s1") == "wallet_unknown"
    pair.south.faults.switch(on=("wrong_signature",), off=("silent_after",))
    id = pair.refused("south")
    assert held(house, SUSPENSE) == 200
    wait_until(lambda: close(house, id, case).status_code == 200)
    assert (held(house, SUSPENSE), pair.teller("south").desk.owed()) == (0, [])
    checked(house)


@pytest.mark.parametrize("case", ["taken", "nothing_seen"])
def test_what_a_correction_takes_is_recovered_or_stays_owed_by_its_bettor(pair: Pair, case: str) -> None:
    house, receivable = pair.house, receivable_account(PURSE)
    for bet in ("player1_win", "player1_lose", "player2_win", "player2_lose"):
        assert pair.bet("south", bet, bet=bet) == "accepted"
    play_out(house)
    desk = pair.teller("south").desk
    wait_until(lambda: not held(house, PURSE) and not desk.owed())
    pair.south.faults.switch(on=("wrong_signature",))
    void_settled(house)
    taken_minor = -held(house, receivable)
    assert taken_minor > 0, "somebody had won"
    closed = 0
    wait_until(lambda: len(desk.owed()) >= 2)
    while desk.owed():
        [(owed, movement)] = wait_for(desk.for_people)
        found = case if isinstance(movement.call, Adjust) else "given"
        wait_until(lambda id=owed.call.id, found=found: close(house, id, found).status_code == 200)  # type: ignore[misc]
        closed += 1
    assert closed >= 2, "a stake that was lost goes back, too"
    assert held(house, PURSE) == 0
    assert held(house, receivable) == (0 if case == "taken" else -taken_minor)
    checked(house)


def wait_for(look: Callable[[], list[tuple[Owed[Debt], Movement]]]) -> list[tuple[Owed[Debt], Movement]]:
    """Of one bettor the oldest alone is told, and refused; then it is for people."""
    wait_until(lambda: len(look()) == 1)
    return look()


def test_nobody_closes_what_the_wallet_is_being_told_of_at_that_moment(pair: Pair) -> None:
    house = pair.house
    assert pair.bet("south", "s1") == "accepted"
    pair.south.faults.switch(on=("wrong_signature",))
    pair.void()
    id = pair.refused("south")
    pair.south.faults.switch(on=("slow",), off=("wrong_signature",))
    wait_until(lambda: refusal(house, id, {"pin": ""}) == "told_now")
    pair.south.faults.switch(off=("slow",))
    wait_until(lambda: not pair.teller("south").desk.owed())
    assert refusal(house, id, {}) == "not_owed", "it was a yes after all"
    assert pair.south.balance == MONEY
    checked(house)


def test_a_monitoring_system_is_told_of_each_wallet(pair: Pair) -> None:
    from prometheus_client import CollectorRegistry, generate_latest

    from dealer_ui.assembly.operator_metrics import WalletCollector

    house = pair.house
    assert pair.bet("north", "n1") == "accepted"
    pair.south.faults.switch(on=("down",))
    for number in range(6):
        pair.bet("south", f"s{number}")
    registry = CollectorRegistry()
    registry.register(WalletCollector(lambda: looks(house.floor.tellers, house.floor.reader()), house.floor.now_ms))
    text = generate_latest(registry).decode()
    for line in (
        'studio_wallet_up{operator="north"} 1.0', 'studio_wallet_up{operator="south"} 0.0',
        'studio_wallet_owed{operator="north"} 0.0', 'studio_wallet_unknown_total{operator="north"} 0.0',
        'studio_wallet_ms{operator="south",quantile="0.99"}', 'studio_wallet_for_people{operator="south"} 0.0',
        'studio_wallet_suspense_minor{currency="EUR",operator="south"}',
    ):  # fmt: skip
        assert line in text
