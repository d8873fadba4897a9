"""What a bettor's page tells him at once: whose a box is, why a bet is refused, and what nobody is sure of yet."""

from __future__ import annotations

from typing import Any

import pytest
from fake_floor import box
from flask import Flask
from flask.testing import FlaskClient
from test_play_bets import Bettor, ann, client  # noqa: F401 - fixtures
from test_play_page import Floor, app, clock, floor, page_for  # noqa: F401 - fixtures

from dealer_ui.public.layout import layout_of
from dealer_ui.teller.asking import REFUSALS
from dealer_ui.words.language import LANGUAGES, Languages
from studio.errors import RefusedError
from studio.games import HOUSE_GAMES, find_game
from studio.rulebook.game import Game
from studio.views.own import OwnPlay

TOLD = (
    *(key for key, _ in REFUSALS.values()), "wallet_refused", "wallet_silent", "no_session", "not_kept", "closing",
    "box_taken", "boxes_full", "no_stake", "no_bet", "nothing_to_decide", "no_cards", "not_seated", "seated", "leaving",
    "waits_for_nothing", "decided", "late", "out_of_turn", "folded", "held", "closed", "round_over", "over_limit",
    "below_limit", "exclusive", "needs_ante", "insufficient_balance", "currency_mismatch",
)  # fmt: skip
"""Why his wallet, his table and his seat may refuse what he asks."""


@pytest.mark.parametrize("tag", LANGUAGES)
def test_every_refusal_is_said_to_him_in_his_language(tag: str) -> None:
    language = Languages().speak(tag)
    said = {key: {f"play.refused.{key}", f"play.refused.{key.partition('_')[0]}"} for key in TOLD}
    assert [key for key, either in said.items() if not any(map(language.knows, either))] == []


@pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.key)
def test_every_field_has_its_name_in_every_language(game: Game) -> None:
    for zone in layout_of(game).zones:
        on = zone.title.partition("box.")[2]
        names = {field.bet.rpartition(":")[2].removeprefix(f"{on}_") for field in zone.fields}
        for tag in LANGUAGES:
            assert [name for name in names if not Languages().speak(tag).knows(f"bet.{name}")] == [], tag


def test_a_box_of_another_bettor_is_seen_and_takes_no_chip(ann: Bettor, floor: Floor) -> None:  # noqa: F811
    jack = find_game("blackjack")
    boxes = tuple(box(key, count=count) for key, count in jack.felt.boxes.items())
    floor.show(
        game={"key": "blackjack", "limits": {"*": (100, 10_000)}, "rules": dict(jack.options.defaults)}, boxes=boxes
    )
    floor.show(bets={"by_bet": {"2:main": (1, 700), "5:main": (1, 300)}})
    ann.bet("b0000001", 700, "2:main")
    ann.open()
    spots = {bet: ann.text.partition(f'data-bet="{bet}"')[2].partition(">")[0] for bet in jack.betting.bets}
    taken = {bet for bet, said in spots.items() if "data-taken" in said}
    assert taken == {"5:main", "5:perfect_pair"}
    assert 'aria-disabled="true"' in spots["5:main"]
    assert 'aria-disabled="false"' in spots["2:perfect_pair"]
    assert "€3.00" not in ann.text
    assert "north" not in ann.text


def test_what_is_not_known_yet_is_no_refusal(
    ann: Bettor,  # noqa: F811
    floor: Floor,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def busy(*_: Any) -> Any:
        raise RefusedError("no_answer_yet", "Your wallet is still being asked.")

    for what in ("place_bets", "take_decisions", "take_seats"):
        monkeypatch.setattr(floor, what, busy)
    assert ann.bet("b0000001")["status"] == "pending"
    told = ann.send("seats", {"client_id": "s0000001", "act": "away"}).get_json()["answers"]
    assert [one["status"] for one in told] == ["pending"]


def test_a_decision_that_is_refused_whole_is_told_in_his_language(
    app: Flask,  # noqa: F811
    client: FlaskClient,  # noqa: F811
    floor: Floor,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def closed(*_: Any) -> Any:
        raise RefusedError("closed", "No decision is open now; wait for the next one.")

    monkeypatch.setattr(floor, "take_decisions", closed)
    floor.own = OwnPlay("t1-r1.5")
    ken = Bettor(app, page_for(client, plays=True, language="ja"))
    told = ken.send("decisions", {"client_id": "d0000001", "option": "fold", "mark": "t1-r1.5"}).get_json()
    assert told["answers"][0]["sentence"] == Languages().speak("ja").say("play.refused.closed")
