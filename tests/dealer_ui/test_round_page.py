"""The page of a round: one for pit, audit and complaints, told to people, with the raw log folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing

import pytest
from flask.testing import FlaskClient
from running_studio import BURNS, DEAL, PIT, TABLE, House

from dealer_ui.frame.template import EVERYWHERE, templates
from dealer_ui.rehearsal.night import Night, NightOptions
from dealer_ui.words.language import Languages
from studio.games import GAMES
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.tables import command as c
from studio.views.past_round import config_at, read_past_round

FELT = templates(Languages().speak("en"), EVERYWHERE).from_string(
    "{% from 'felt.html' import felt %}{{ felt(view, say) }}"
)
SIGN = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One settled round of Ann's, about which she complained."""
    with House(tmp_path_factory.mktemp("round")) as found:
        found.floor.staff.add(NewStaff("a1", "3001", "Aya", ("auditor",), Pin("590427")))
        found.floor.staff.add(NewStaff("x9", "1009", "Didi", ("dealer",), Pin("4826")))
        found.betting()
        found.bet("one", stake=1_000)
        found.do(c.CloseBetting)
        found.deal_all()
        found.finish()
        asked = {"client_id": "c1", "round": found.view.round.id, "words": "My jack was a queen."}
        assert found.post("/bettors/ann/complaints", asked).status_code in (200, 201), asked
        yield found


def signed_in(house: House, badge: str, pin: str) -> FlaskClient:
    client = house.studio.app.test_client()
    client.post("/sign-in", data={"badge": badge, "pin": pin}, headers={"Origin": "http://localhost"})
    return client


def page(house: House, badge: str, pin: str, more: str = "?language=en") -> str:
    answer = signed_in(house, badge, pin).get(f"/pit/{TABLE}/round/{house.view.round.id}{more}")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def told(html: str) -> str:
    """What stands outside the folded log."""
    return re.sub(r"<details class=\"raw-log\".*?</details>", "", html, flags=re.S)


@pytest.mark.parametrize(("badge", "pin"), [("2001", "730162"), ("3001", "590427")], ids=["pit", "auditor"])
def test_pit_and_auditor_read_felt_readers_result_bets_and_complaint(house: House, badge: str, pin: str) -> None:
    html = told(page(house, badge, pin))
    assert 'class="felt' in html
    assert all(f"place-player{n}-1" in html for n in (1, 2, 3))
    assert html.count('class="reader shoe"') == html.count('class="reader camera"') == len(DEAL) + len(BURNS)
    assert "Single Knight" in html or "Plain" in html
    assert "€10.00" in html
    assert "My jack was a queen." in html
    assert "Dana" in html


def test_each_has_the_acts_of_his_own_rights_only(house: House) -> None:
    assert f"/round/{house.view.round.id}/correct" in page(house, "2001", "730162")
    assert f"/round/{house.view.round.id}/correct" not in page(house, "3001", "590427")
    visitor = signed_in(house, "1009", "4826")
    assert visitor.get(f"/pit/{TABLE}/round/{house.view.round.id}").status_code == 403


def test_no_id_of_a_person_is_read_by_people_and_no_burned_card(house: House) -> None:
    text = re.sub(r"<[^>]+>", " ", page(house, "3001", "590427"))
    assert not re.search(r"\b(p1|d1|a1)\b", text)
    for card in BURNS:
        assert not re.search(rf"(?<![0-9A-Za-z]){card.rank}{SIGN[card.suit]}", text)


def test_the_log_is_folded_until_somebody_filters_it(house: House) -> None:
    assert re.search(r'<details class="raw-log" id="log">', page(house, "3001", "590427"))
    assert re.search(r'<details class="raw-log" id="log" open>', page(house, "3001", "590427", "?only=money"))


@pytest.mark.parametrize(
    ("origin", "back"), [("audit", "/audit"), ("complaints", "/pit/complaints"), ("", f"/pit/{TABLE}")]
)
def test_the_way_back_leads_to_where_it_was_opened(house: House, origin: str, back: str) -> None:
    html = page(house, "3001", "590427", f"?from={origin}")
    assert f'<a class="chip-button" href="{back}">←' in html


@pytest.mark.parametrize("tag", ["ja", "id"])
def test_it_speaks_every_language(house: House, tag: str) -> None:
    html = told(page(house, "3001", "590427", f"?language={tag}"))
    assert "Who read each card" not in html
    assert "Bets and payouts" not in html


PAVEL = Actor("p2", "Pavel", frozenset({"pit_boss"}))


@pytest.fixture(scope="module")
def overridden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Two bettors on one bet, and a card that two people said was another."""
    with House(tmp_path_factory.mktemp("overridden")) as found:
        found.floor.staff.add(NewStaff(PAVEL.id, "2002", PAVEL.name, ("pit_boss",), Pin("730163")))
        found.betting()
        assert found.post("/bettors/ben/deposits", {"client_id": "d2", "amount": 100_000}).status_code == 200
        found.bet("one", "two", stake=1_000)
        bets = [{"client_id": "three", "bettor": "ben", "bet": "player1_win", "stake": 500},
                {"client_id": "four", "bettor": "ben", "bet": "player2_win", "stake": 700}]  # fmt: skip
        assert found.post(f"/tables/{TABLE}/bets", {"bets": bets}).status_code == 200
        found.do(c.CloseBetting)
        found.deal_all()
        found.do(c.OverrideCard, PIT, box="player1", place=3, card="Ts", reason_code="camera_view", words="seen")
        [asked] = [one for one in found.view.incidents.open if one.asked.by]
        found.do(c.ApproveRuling, PAVEL, incident=asked.id, asked=asked.asked.mark)
        found.finish()
        yield found


def test_a_card_names_who_overrode_it_and_its_eye_is_struck(overridden: House) -> None:
    html = told(page(overridden, "2001", "730162"))
    [card] = re.findall(r'<li class="changed">.*?</li>', html, re.S)
    assert "overridden by Petra with Pavel" in card
    assert re.search(r'class="reader shoe over"', card)
    assert html.count("overridden by") == html.count('class="reader shoe over"') == 1


def test_the_bets_are_told_by_bettor_where_there_are_several(overridden: House) -> None:
    html = told(page(overridden, "2001", "730162"))
    rows = [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in re.findall(r"<tr.*?</tr>", html, re.S)]
    of_player1 = next(n for n, row in enumerate(rows) if row.startswith("Player 1 · Player wins 3 €25.00"))
    assert [row.rpartition("€")[0] for row in rows[of_player1 + 1 : of_player1 + 3]] == [
        "ann (north) 2 €20.00 ", "ben (north) 1 €5.00 "
    ]  # fmt: skip
    assert any(re.match(r"Player 2 · Player wins ben \(north\) 1 €7\.00", row) for row in rows)


QUICK = ("three_knights", "blackjack", "ofc")


@pytest.mark.parametrize(
    "game", [pytest.param(one.key, marks=() if one.key in QUICK else pytest.mark.long) for one in GAMES]
)
def test_every_game_is_drawn_from_its_record(game: str) -> None:
    """One hand of each game, dealt by the simulated people, told from the journal alone."""
    with closing(Night(NightOptions(game, 11))) as night:
        for _ in range(20_000):
            night.step()
            if night.state.round is not None and night.state.round.over:
                break
        with night.store.reader() as reader:
            id = night.state.round.id if night.state.round else ""
            rows = list(reader.events(round=id))
            past = read_past_round(reader, config_at(reader, "sim", rows[0].seq), rows, id)
        live = night.view()
    assert past.status in ("settled", "voided")
    assert past.outcome == live.round.outcome
    lying = {(box.key, card.place): card.face for box in live.boxes for card in box.places if card.face}
    assert {(one.zone, one.place): one.face for one in past.deals[-1].readings if one.face} == lying
    assert [box.key for box in past.felt.boxes] == [box.key for box in live.boxes]
    html = FELT.render(view=past.felt)
    assert html.count('class="card ') >= len(lying)
