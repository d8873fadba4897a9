"""A whole studio tells two operators of their rounds: pulled and pushed alike, corrected, void, through a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from patience import wait_until
from round_receiver import Receiver
from running_studio import API_KEY, PIT, SOUTH_KEY, TABLE, House
from sealed_search import sign_up
from test_seamless_wallet import play_out, void_settled
from two_operators import DAY_MS, signed_in

from dealer_ui.config.operator import WebhookSection
from dealer_ui.pages.shift.matter import matters_of
from dealer_ui.teller.look import round_looks
from studio.proof.audit.database import verify
from studio.tables import command as c

BETTORS = {"north": ("ann", API_KEY), "south": ("kim", SOUTH_KEY)}
Receivers = dict[str, Receiver]


@pytest.fixture
def receivers() -> Iterator[Receivers]:
    made = {operator: Receiver() for operator in BETTORS}
    yield made
    for receiver in made.values():
        receiver.close()


def opened(folder: Path, receivers: Receivers) -> House:
    secret = folder / "secret"
    secret.write_bytes(b"a secret of many bytes")
    hooks = {
        operator: WebhookSection(address=receiver.address, key_file=str(secret) if operator == "north" else "")
        for operator, receiver in receivers.items()
    }
    return House(folder, window_s=600, hooks=hooks)


def betting(house: House, *operators: str) -> None:
    """The table takes bets, and these operators' bettors have one each."""
    house.open()
    house.burn()
    house.do(c.OpenBetting)
    for operator in operators:
        bettor, key = BETTORS[operator]
        house.post(f"/bettors/{bettor}/deposits", {"client_id": "d-1", "amount": 100_000}, key)
        bet = {"client_id": f"{house.view.round.id}-b", "bettor": bettor, "bet": "player1_win", "stake": 200}
        [answer] = house.post(f"/tables/{TABLE}/bets", {"bets": [bet]}, key).json["answers"]
        assert answer["status"] == "accepted", answer


def pulled(house: House, operator: str, after: int | None = None) -> list[dict[str, Any]]:
    where = "" if after is None else f"?after={after}"
    headers = {"Authorization": f"Bearer {BETTORS[operator][1]}"}
    told = house.api.get(f"/api/v1/rounds{where}", headers=headers)
    assert told.status_code == 200, told.text
    return list(told.json["rounds"])


def pushed(receivers: Receivers, operator: str) -> list[dict[str, Any]]:
    return [heard.round for heard in receivers[operator].heard]


def test_a_round_is_pushed_to_each_operator_as_he_pulls_it_and_again_when_it_is_void_after_all(
    tmp_path: Path, receivers: Receivers
) -> None:
    with opened(tmp_path, receivers) as house:
        betting(house, "north", "south")
        play_out(house)
        for operator, (bettor, _) in BETTORS.items():
            wait_until(lambda operator=operator: len(pushed(receivers, operator)) == 1)  # type: ignore[misc]
            [told] = pulled(house, operator)
            assert pushed(receivers, operator) == [told]
            assert [bet["bettor"] for bet in told["bets"]] == [bettor]
            assert (told["status"], told["generation"], told["game"]) == ("settled", 0, "three_knights")
            burns = [card for card in told["cards"] if card["box"] == "burn"]
            assert [(one["state"], one["card"], one["read_by"]) for one in burns] == [("sealed", None, "shoe")] * 4
            dealt = [card for card in told["cards"] if card["box"] != "burn"]
            assert len(dealt) == 12
            assert {(one["state"], one["read_by"], one["confirmed_by"]) for one in dealt} == {
                ("open", "shoe", "camera")
            }
        kinds = {operator: receivers[operator].heard[0].signature.partition(",")[0] for operator in BETTORS}
        assert kinds == {"north": "v1", "south": "v1a"}, "with his secret, or by the studio's own key"
        void_settled(house)
        wait_until(lambda: all(len(pushed(receivers, operator)) == 2 for operator in BETTORS))
        for operator in BETTORS:
            first, second = pulled(house, operator)
            assert pushed(receivers, operator) == [first, second]
            assert (second["generation"], second["status"], second["outcome"]) == (1, "voided", None)
            assert [bet["returns"] for bet in second["bets"]] == [200]
            assert pulled(house, operator, first["cursor"]) == [second]
    found = verify(tmp_path / "studio.db")
    assert found.ok, found.first_wrong


def test_after_a_restart_the_cursor_goes_on_and_what_was_not_told_is_told(tmp_path: Path, receivers: Receivers) -> None:
    receivers["north"].does = lambda heard: "error"
    with opened(tmp_path, receivers) as house:
        betting(house, "north")
        house.do(c.FreezeTable)
        house.do(c.VoidRound, PIT, reason_code="machine")
        house.until(lambda view: view.round.stage == "voided")
        [told] = pulled(house, "north")
        assert (told["status"], told["void"]["row"]) == ("voided", told["void"]["row"])
        wait_until(lambda: bool(receivers["north"].heard))
    receivers["north"].does = lambda heard: "ok"
    heard = len(receivers["north"].heard)
    with opened(tmp_path, receivers) as house:
        wait_until(lambda: len(receivers["north"].heard) == heard + 1)
        assert pulled(house, "north") == [told]
        assert pulled(house, "north", told["cursor"]) == []
        assert pulled(house, "south") == []
    ids = {one.id for one in receivers["north"].heard}
    assert ids == {told["id"]}
    with opened(tmp_path, receivers) as house:
        assert pulled(house, "north") == [told]
    assert len(receivers["north"].heard) == heard + 1, "he has heard of it"
    assert receivers["south"].heard == []


def alarms(house: House) -> list[str]:
    return [one.word for one in house.floor.pit.book.alarms.values() if one.word.startswith("webhook")]


@pytest.mark.long
def test_the_pit_sees_who_is_not_told_and_hears_of_it_louder_and_louder(tmp_path: Path, receivers: Receivers) -> None:
    receivers["north"].does = lambda heard: "slow"
    with opened(tmp_path, receivers) as house:
        sign_up(house)
        betting(house, "north", "south")
        play_out(house)
        wait_until(lambda: bool(receivers["north"].heard))
        client, _ = signed_in(house, "auditor")
        wait_until(lambda: 'id="rounds-north"' in client.get("/pit/wallets").text)
        now_ms = house.studio.clock.now_ms
        for passed_ms, word in ((61_000, "webhook"), (16 * 60_000, "webhook_late"), (DAY_MS + 60_000, "webhook_day")):
            house.floor.use_clock(lambda passed_ms=passed_ms: now_ms() + passed_ms)  # type: ignore[misc]
            wait_until(lambda word=word: word in alarms(house))  # type: ignore[misc]
        assert [one.about for one in matters_of(house.floor) if one.what == "webhook"] == ["north"]
        receivers["north"].release.set()
        wait_until(lambda: not [teller for teller in house.floor.tellers.rounds or () if teller.desk.standing().count])
        wait_until(lambda: not alarms(house))


def test_a_monitoring_system_is_told_who_hears_of_his_rounds(tmp_path: Path, receivers: Receivers) -> None:
    from prometheus_client import CollectorRegistry, generate_latest

    from dealer_ui.assembly.operator_metrics import RoundCollector

    receivers["north"].does = lambda heard: "error"
    with opened(tmp_path, receivers) as house:
        betting(house, "north", "south")
        play_out(house)
        wait_until(lambda: all(receiver.heard for receiver in receivers.values()))
        floor, registry = house.floor, CollectorRegistry()
        registry.register(RoundCollector(lambda: round_looks(floor.tellers, floor.reader()), floor.now_ms))

        def told() -> str:
            return generate_latest(registry).decode()

        for line in (
            'studio_webhook_up{operator="north"} 1.0', 'studio_webhook_unheard{operator="north"} 1.0',
            'studio_webhook_unheard{operator="south"} 0.0', 'studio_webhook_failed_total{operator="south"} 0.0',
            'studio_webhook_oldest_seconds{operator="south"} 0.0', 'studio_webhook_calls_total{operator="north"}',
        ):  # fmt: skip
            wait_until(lambda line=line: line in told())  # type: ignore[misc]
