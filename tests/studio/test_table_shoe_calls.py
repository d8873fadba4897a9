"""A shoe that counts Baccarat by itself calls a winner: it decides nothing, and is held against the cards [BC7]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec
import pytest
from table_bench import CONFIG, PIT, Bench

from studio import ports
from studio.cards import parse_cards
from studio.tables import command as c
from studio.tables.event import table as e

CALLS = {"player": 4, "banker": 5, "tie": 6}


def table_of(game: str = "baccarat", calls: Mapping[str, int] = CALLS, **rules: object) -> Bench:
    proof = msgspec.structs.replace(CONFIG.proof, highest_bet="banker")
    config = msgspec.structs.replace(CONFIG, game=game, proof=proof, rules=rules, shoe_results=dict(calls))
    made = Bench(config).open()
    made.deposit()
    made.do(c.StartRound)
    if game == "baccarat":
        made.deal("2h")
    made.burn(parse_cards("9h 9s" if game == "baccarat" else "9h"))
    made.betting(("player" if game == "baccarat" else "dragon", 1_000))
    return made


@pytest.fixture
def table() -> Iterator[Bench]:
    made = table_of()
    yield made
    made.check()
    made.close()


def call(table: Bench, winner: str) -> None:
    value = CALLS[winner]
    table.say(ports.ShoeGameResult(device=table.config.shoe, at_ms=table.now, value=value))


def test_a_call_that_is_what_the_cards_come_to_changes_nothing(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    call(table, "player")
    assert table.open_kinds() == []
    table.finish()
    assert table.balance() == 101_000


def test_another_call_holds_the_table_and_every_card_is_read_again(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    call(table, "banker")
    assert (table.incident.kind, table.incident.ruling.row, table.incident.reported_by) == (
        "misdeal_claimed",
        "BC7",
        table.config.shoe,
    )
    assert table.refused(c.DeclareResult) == "held"
    table.rule("reread_all", PIT)
    for (zone, place), fact in sorted(table.round.deal.cards.items()):
        table.lay(zone, place, getattr(fact, "face", None))
    table.finish()
    assert table.balance() == 101_000, "the script alone decides"


def test_a_call_while_the_script_awaits_a_third_card_holds_the_table(table: Bench) -> None:
    table.deal("Ks", "4c", "2d", "Qh")
    call(table, "banker")
    assert table.incident.ruling.row == "BC7"
    table.rule("void_round", PIT)
    table.pay()
    table.clear()
    assert table.balance() == 100_000


def test_a_call_before_the_first_card_or_after_the_round_is_evidence_alone(table: Bench) -> None:
    table.say(ports.ShoeGameResult(device=table.config.shoe, at_ms=table.now, value=99))
    table.deal("Ks", "7c", "9d", "Qh")
    table.finish()
    call(table, "banker")
    assert table.open_kinds() == []


def test_a_squeezed_hand_is_not_judged_before_it_is_turned() -> None:
    table = table_of(squeeze="on")
    for card in ("Ks", "7c", "9d", "Qh"):
        slot = table.next_slot()
        table.draw(card)
        table.lay(*slot)
    call(table, "banker")
    assert table.open_kinds() == []
    table.close()


@pytest.mark.parametrize("calls", [{}, {"player": 4, "tie": 6}], ids=["none is known", "one side is not known"])
def test_nothing_is_compared_where_nobody_said_what_the_byte_means(calls: Mapping[str, int]) -> None:
    table = table_of(calls=calls)
    table.deal("Ks", "7c", "9d", "Qh")
    call(table, "tie")
    assert table.open_kinds() == []
    table.close()


def test_at_another_game_its_count_means_nothing() -> None:
    table = table_of("dragon_tiger")
    table.deal("Ks", "7c")
    call(table, "banker")
    assert table.open_kinds() == []
    table.close()


def test_a_card_too_many_is_ruled_by_its_row_and_the_error_of_the_shoe_by_ev2(table: Bench) -> None:
    table.deal("Ks", "7c", "9d", "Qh")
    table.draw("5h")
    table.lay("player", 3, "5h")
    table.say(
        ports.ShoeErrorRaised(device=table.config.shoe, at_ms=table.now, code=2, error="overdraw", error_mode=True)
    )
    rows = [one.row for one in table.rows("IncidentOpened") if isinstance(one, e.IncidentOpened)]
    assert rows[-1] == "EV2"
    assert {"BC3", "BC2"} & set(rows)
