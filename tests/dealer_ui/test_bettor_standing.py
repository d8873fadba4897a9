"""What an operator lays down for his bettor, and how he ends his play: at once, and what is in play is settled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from guide_stage import PokerRoom, UltimateHoldem
from open_port import OpenPort
from open_streams import KEY, OpenStream, opened
from running_studio import API_KEY, PIT, SOUTH_KEY, TABLE, House
from test_seamless_wallet import MONEY, Operator, checked, held, settled

from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk.operator_key import digest_of_key
from studio.journal import Reader
from studio.money import bettor_account
from studio.operators import BETTOR_KINDS, BettorTerms
from studio.proof.audit.database import verify
from studio.tables import command as c

PERSON, OTHER = "a" * 64, "b" * 64


def launch(house: House, bettor: str = "ann", key: str = API_KEY, **more: Any) -> Any:
    return house.post(f"/bettors/{bettor}/pages", {"table": TABLE, "plays": True, **more}, key)


def end(house: House, verb: str, bettor: str = "ann") -> dict[str, Any]:
    told = house.post(f"/bettors/{bettor}/{verb}", None)
    assert told.status_code == 200, told.text
    return dict(told.json)


def lift(house: House, bettor: str = "ann") -> None:
    headers = {"Authorization": f"Bearer {API_KEY}"}
    assert house.api.delete(f"/api/v1/bettors/{bettor}/blocked", headers=headers).status_code == 200


def bet(house: House, id: str, stake: int = 200, bet: str = "player1_win", **more: Any) -> str:
    """What becomes of it: its status, or why it is refused."""
    bets = [{"client_id": id, "bettor": "ann", "bet": bet, "stake": stake}]
    [line] = house.post(f"/tables/{TABLE}/bets", {"bets": bets, **more}).json["answers"]
    return str(line["reason"] or line["status"])


def error(told: Any) -> tuple[int, str]:
    return told.status_code, told.json["error"]["key"]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with House(tmp_path, window_s=600) as house:
        house.betting()
        yield house


# --- an end that counts at once ------------------------------------------------------------------------


@pytest.mark.parametrize(("verb", "why"), [("blocked", "bettor_blocked"), ("logout", "logged_out")])
def test_whoever_is_dismissed_stakes_nothing_more_and_what_he_has_in_play_is_paid(
    house: House, verb: str, why: str
) -> None:
    page = launch(house).json["page"]
    assert bet(house, "one") == "accepted"
    assert end(house, verb) == {
        "bettor": "ann", "blocked": verb == "blocked", "logged_out": True, "pages": 1, "seats": [],
        "terms": house.get("/bettors/ann/standing").json["terms"],
    }  # fmt: skip
    assert bet(house, "two") == why
    assert bet(house, "one") == "duplicate", "what was taken before is told as it was"
    assert house.api.get(page).status_code == 410
    assert house.view.bets.count == 1
    house.do(c.CloseBetting)
    house.deal_all()
    house.finish()
    assert house.get("/bets/one").json["status"] == "posted"
    house.studio.stop()
    assert verify(house.database).ok


def test_whoever_has_gone_plays_again_once_he_is_launched(house: House) -> None:
    end(house, "logout")
    assert bet(house, "one") == "logged_out"
    assert launch(house).status_code == 200
    assert bet(house, "one") == "accepted"


def test_whoever_is_blocked_is_launched_only_after_that_is_lifted(house: House) -> None:
    end(house, "blocked")
    assert error(launch(house)) == (409, "bettor_blocked")
    lift(house)
    assert bet(house, "one") == "logged_out", "the block ended his play"
    assert launch(house).status_code == 200
    assert bet(house, "one") == "accepted"


def test_one_operators_bettor_is_not_anothers(house: House) -> None:
    house.floor.bettors.block("south", "ann")
    house.floor.bettors.block("north", "anne")
    assert bet(house, "one") == "accepted"


def test_a_page_and_its_stream_end_at_once(house: House) -> None:
    page = launch(house).json["page"]
    port = OpenPort(house.studio.app)
    with closing(port), closing(OpenStream(port.number, f"{page}/stream")) as stream:
        stream.until(b"event: view")
        end(house, "logout")
        stream.end()


def test_it_outlives_the_studio(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        launch(house, terms={"most": 1_000, "jurisdiction": "MT"})
        end(house, "blocked")
    with House(tmp_path, seed=2) as house:
        told = house.get("/bettors/ann/standing").json
        assert (told["blocked"], told["terms"]["most"], told["terms"]["jurisdiction"]) == (True, 1_000, "MT")
        assert error(launch(house)) == (409, "bettor_blocked")
    found = verify(house.database)
    assert found.ok, found.first_wrong


def test_the_record_has_each_change_once(house: House) -> None:
    for _ in range(2):
        launch(house, terms={"most": 1_000})
    launch(house)
    end(house, "logout")
    end(house, "logout")
    launch(house)
    end(house, "blocked")
    end(house, "blocked")
    with Reader.open(house.database) as reader:
        rows = [json.loads(row.body)["bettor"] for row in reader.events(kinds=BETTOR_KINDS)]
    kinds = ["BettorLaunched", "BettorLoggedOut", "BettorLaunched", "BettorBlocked"]
    assert [row["kind"] for row in rows] == kinds
    assert rows[0]["terms"] == {"currency": "EUR", "most_minor": 1_000}


# --- through his own wallet ----------------------------------------------------------------------------


def test_a_stake_whose_bettor_is_blocked_while_his_wallet_is_asked_goes_back(tmp_path: Path) -> None:
    operator = Operator(tmp_path / "north", "hmac")
    with closing(operator), House(tmp_path, wallet=operator.section, window_s=600) as house:
        house.betting()
        assert launch(house, session="ann-s").status_code == 200
        teller = house.floor.tellers.of("north")
        assert teller is not None
        ask = teller.stakes.ask

        def blocked_meanwhile(stakes: Any, commit: Any) -> Any:
            end(house, "blocked")
            return ask(stakes, commit)

        teller.stakes.ask = blocked_meanwhile  # type: ignore[method-assign]
        assert bet(house, "one") == "bettor_blocked"
        assert house.view.bets.count == 0
        settled(house)
        assert operator.balance == MONEY
        assert held(house, bettor_account("north", "ann")) == 0
        checked(house)


def test_a_wallet_is_not_asked_for_a_stake_that_the_terms_refuse(tmp_path: Path) -> None:
    operator = Operator(tmp_path / "north", "hmac")
    with closing(operator), House(tmp_path, wallet=operator.section, window_s=600) as house:
        house.betting()
        launch(house, session="ann-s", terms={"most": 300})
        assert bet(house, "one", stake=200) == "accepted"
        assert bet(house, "two", stake=200) == "over_own_limit"
        assert operator.balance == MONEY - 200
        checked(house)


# --- terms ---------------------------------------------------------------------------------------------


def test_his_own_limits_count_all_his_stakes_on_a_bet(house: House) -> None:
    launch(house, terms={"least": 150, "most": 500})
    assert bet(house, "low", stake=149) == "below_own_limit"
    assert bet(house, "a", stake=300) == "accepted"
    assert bet(house, "b", stake=201) == "over_own_limit"
    assert bet(house, "a", stake=300) == "duplicate"
    assert bet(house, "c", stake=200) == "accepted"
    assert bet(house, "d", stake=500, bet="player2_win") == "accepted", "another bet has its own"


def test_a_batch_is_counted_in_its_order(house: House) -> None:
    launch(house, terms={"most": 500})
    bets = [{"client_id": f"b{at}", "bettor": "ann", "bet": "player1_win", "stake": 300} for at in range(2)]
    bets.append({"client_id": "b2", "bettor": "ann", "bet": "player1_win", "stake": 200})
    answers = house.post(f"/tables/{TABLE}/bets", {"bets": bets}).json["answers"]
    assert [one["reason"] or one["status"] for one in answers] == ["accepted", "over_own_limit", "accepted"]


def test_bets_he_may_not_make_are_refused(house: House) -> None:
    launch(house, terms={"bets": ["player1_win"]})
    assert bet(house, "a", bet="player2_win") == "bet_not_allowed"
    assert bet(house, "b") == "accepted"


def test_he_plays_in_the_currency_on_record(house: House) -> None:
    launch(house, terms={"currency": "EUR"})
    assert bet(house, "a") == "accepted"
    assert error(launch(house, terms={"currency": "JPY"})) == (409, "terms_contradict")
    assert error(launch(house, terms={"least": 500, "most": 100})) == (409, "terms_contradict")


def test_terms_hold_until_another_launch_brings_some(house: House) -> None:
    launch(house, terms={"most": 300})
    launch(house)
    assert bet(house, "a", stake=400) == "over_own_limit"
    launch(house, terms={})
    assert bet(house, "a", stake=400) == "accepted"


@pytest.mark.parametrize(
    "terms",
    [{"most": 0}, {"least": -1}, {"most": "5"}, {"person": "ann"}, {"jurisdiction": "Malta"}, {"check_min": 2_000},
     {"bets": "player1_win"}, {"bets": [""]}, {"more": 1}, 5],
    ids=json.dumps,
)  # fmt: skip
def test_terms_that_cannot_be_are_refused_whole(house: House, terms: object) -> None:
    status, key = error(launch(house, terms=terms))
    assert (status, key) in ((400, "bad_terms"), (400, "unknown_field"))
    assert house.floor.bettors.of("north", "ann").terms.most_minor == 0


def test_a_part_of_the_terms_that_is_none_is_named(house: House) -> None:
    said = launch(house, terms={"mots": 1}).get_json()["error"]["sentence"]
    assert said == "There is no field 'terms.mots' here: take it out, or correct its name."


# --- a person has one seat -----------------------------------------------------------------------------


def test_one_person_has_one_seat_at_a_table_whoever_brings_him(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh", window_s=600) as house:
        house.open()
        section = {name: OperatorSection(key_sha256=digest_of_key(key)) for name, key in KEYS.items()}
        house.floor.operator_desk.take_file(section)
        for name, bettor, person in (("north", "ann", PERSON), ("south", "anna", PERSON), ("south", "bob", OTHER)):
            key = KEYS[name]
            house.post(f"/bettors/{bettor}/deposits", {"client_id": f"d-{bettor}", "amount": 50_000}, key)
            assert launch(house, bettor, key, terms={"person": person}).status_code == 200
        assert sit(house, "north", "ann", "seat1") == "accepted"
        assert sit(house, "south", "anna", "seat2") == "same_person"
        assert sit(house, "south", "bob", "seat2") == "accepted"
        assert error(launch(house, "bob", SOUTH_KEY, terms={"person": PERSON})) == (409, "same_person")
        assert launch(house, "ann", terms={"person": PERSON}).status_code == 200, "he is himself"
        assert sit(house, "north", "ann", "", act="leave") == "accepted"
        assert sit(house, "south", "anna", "seat1", id="again") == "accepted"


def test_no_chips_are_bought_in_another_currency_than_his(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh", window_s=600) as house:
        house.open()
        house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 50_000})
        house.floor.bettors.launch("north", "ann", BettorTerms(currency="IDR"))
        assert sit(house, "north", "ann", "seat1") == "bettor_currency"
        assert launch(house, terms={"currency": "EUR"}).status_code == 200
        assert sit(house, "north", "ann", "seat1", id="again") == "accepted"


KEYS = {"north": API_KEY, "south": SOUTH_KEY}


def sit(house: House, operator: str, bettor: str, seat: str, act: str = "sit", id: str = "") -> str:
    asked = {"client_id": id or f"{act}-{bettor}", "bettor": bettor, "act": act, "seat": seat, "amount": 10_000}
    told = house.post(f"/tables/{TABLE}/seats", asked, KEYS[operator]).json
    return str(told["reason"] or told["status"])


def test_whoever_is_blocked_plays_his_hand_out_and_is_dealt_no_other(tmp_path: Path) -> None:
    with ExitStack() as stack:
        room = PokerRoom(tmp_path, stack)
        house = room.house
        room.seat_others()
        assert sit(house, "north", "ann", "seat3") == "accepted"
        room.deal()
        told = end(house, "blocked")
        assert told["seats"] == [TABLE]
        assert sit(house, "north", "ann", "", act="buy") == "bettor_blocked"
        room.choose("raise", to=300)
        assert house.view.bets.turn != "seat3", "what he has in play he may still play with"
        while house.view.now.act.key != "act.declare_result":
            room.choose("fold")
        house.finish()
        own = house.floor.own_seat(TABLE, "north", "ann")
        assert own is not None
        assert (own.away, own.stack_minor) == (True, 10_200), "he won the blinds"
        assert sit(house, "north", "ann", "", act="back") == "bettor_blocked"
        assert sit(house, "north", "ann", "", act="leave") == "accepted"
        assert house.get("/bettors/ann/balance").json["balance"] == 50_200


def test_whoever_is_in_no_hand_leaves_his_seat_with_his_chips(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh", window_s=600) as house:
        house.open()
        house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 50_000})
        assert sit(house, "north", "ann", "seat1") == "accepted"
        assert end(house, "blocked")["seats"] == [TABLE]
        assert house.floor.own_seat(TABLE, "north", "ann") is None
        assert house.get("/bettors/ann/balance").json["balance"] == 50_000


def test_the_seats_stream_of_whoever_is_logged_out_ends(tmp_path: Path) -> None:
    with House(tmp_path, game="nlh", window_s=600) as house, opened(house) as studio:
        house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 50_000})
        assert sit(house, "north", "ann", "seat1") == "accepted"
        stream = studio.stream(f"/api/v1/tables/{TABLE}/seats/ann/stream", KEY)
        stream.until(b"event: seat")
        end(house, "logout")
        stream.end()


def test_a_decision_that_stakes_is_refused_and_one_that_costs_nothing_is_taken(tmp_path: Path) -> None:
    with ExitStack() as stack:
        scene = UltimateHoldem(tmp_path, stack)
        house = scene.house
        scene.begin()
        house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 50_000})
        launch(house, terms={"decisions": ["check", "play_3x"]})
        assert bet(house, "one", bet="ante") == "accepted"
        scene.deal_until("act.decide")
        assert decide(house, "play_4x") == "decision_not_allowed"
        end(house, "blocked")
        assert decide(house, "play_3x") == "bettor_blocked"
        assert decide(house, "check") == "accepted"
        assert decide(house, "check") == "duplicate"


def test_a_decision_that_names_its_round_is_for_no_other_however_late_it_comes(tmp_path: Path) -> None:
    with ExitStack() as stack:
        scene = UltimateHoldem(tmp_path, stack)
        house = scene.house
        scene.begin()
        house.post("/bettors/ann/deposits", {"client_id": "d", "amount": 50_000})
        assert bet(house, "one", bet="ante") == "accepted"
        scene.deal_until("act.decide")
        assert decide(house, "check", round="t1-0000009") == "round_over"
        assert decide(house, "check", round=house.view.round.id) == "accepted"
        assert decide(house, "check", round=house.view.round.id) == "duplicate"
        assert decide(house, "check", round="t1-0000009") == "duplicate", "it is the same, whatever round it is sent in"


def decide(house: House, option: str, **more: str) -> str:
    told = {"client_id": f"c-{option}", "bettor": "ann", "option": option, **more}
    [line] = house.post(f"/tables/{TABLE}/decisions", {"decisions": [told]}).json["answers"]
    return str(line["reason"] or line["status"])


def test_a_frozen_table_changes_nothing_of_it(house: House) -> None:
    house.do(c.FreezeTable, PIT)
    end(house, "blocked")
    assert house.floor.bettors.of("north", "ann").blocked
