"""The squeeze at a Baccarat table: every card sealed until the dealer turns it, the result after the last turn."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from table_bench import PIT, PIT_TOO, Bench
from test_table_baccarat_rows import STAKE, begin, table_of, view

from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.rounds import CardDealt, Finished
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage


@pytest.fixture
def table() -> Iterator[Bench]:
    made = table_of(squeeze="on").open()
    made.deposit()
    begin(made, first="Ah", burned="9h")
    made.betting(("player", STAKE))
    yield made
    made.check()
    audit(steps(made.store.connection))
    made.close()


def deal_down(table: Bench, *cards: str) -> None:
    """Each card face down to the place the script awaits."""
    for card in cards:
        slot = table.next_slot()
        table.draw(card)
        table.lay(*slot)


def turn(table: Bench, box: str, *cards: str, since: int = 1) -> None:
    for place, card in enumerate(cards, since):
        table.lay(box, place, card)


def faces(table: Bench, box: str) -> list[str]:
    found = sorted(table.round.deal.cards.items())
    return [str(fact.face) for (zone, _), fact in found if isinstance(fact, CardDealt) and zone == box]


def test_no_card_has_a_face_before_its_hand_is_turned(table: Bench) -> None:  # [PB-24]
    deal_down(table, "Ks", "7c", "9d", "Qh")
    assert faces(table, "player") == faces(table, "banker") == ["None", "None"]
    assert view(table).now.act.key == "act.reveal"
    assert {place.state for box in view(table).boxes if box.key == "player" for place in box.places} == {
        "sealed", "empty",
    }  # fmt: skip
    turn(table, "player", "Ks", "9d")
    assert faces(table, "player") == ["Ks", "9d"]
    assert faces(table, "banker") == ["None", "None"]
    turn(table, "banker", "7c", "Qh")
    assert isinstance(table.round.deal.standing, Finished)
    table.finish()
    assert table.balance() == 101_000


def test_a_third_card_is_dealt_down_and_turned_before_the_banker_is_due(table: Bench) -> None:  # [PB-24]
    deal_down(table, "Ks", "4c", "2d", "Qh")
    turn(table, "player", "Ks", "2d")
    turn(table, "banker", "4c", "Qh")
    assert table.next_slot() == ("player", 3)
    deal_down(table, "6s")
    assert faces(table, "player") == ["Ks", "2d", "None"]
    assert table.refused(c.DeclareResult) == "not_finished"
    turn(table, "player", "6s", since=3)
    assert faces(table, "player") == ["Ks", "2d", "6s"]
    assert table.next_slot() == ("banker", 3)
    deal_down(table, "5s")
    turn(table, "banker", "5s", since=3)
    assert isinstance(table.round.deal.standing, Finished)
    assert table.state.deck
    assert sum(table.state.deck.faces.values()) == 7  # the first card of the shoe and six of the round, each once
    table.finish()
    assert table.balance() == 99_000  # eight against nine


def test_bc12_a_hand_turned_before_its_turn_stays_so(table: Bench) -> None:
    deal_down(table, "Ks", "7c", "9d", "Qh")
    turn(table, "banker", "7c", "Qh")
    assert table.open_kinds() == []
    turn(table, "player", "Ks", "9d")
    assert isinstance(table.round.deal.standing, Finished)
    table.finish()


def test_bc12_a_card_turned_while_the_others_are_dealt_stays_so(table: Bench) -> None:
    deal_down(table, "Ks", "7c")
    turn(table, "player", "Ks")
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC12", "continue")
    table.rule("continue")
    assert table.open_kinds() == []
    deal_down(table, "9d", "Qh")
    turn(table, "player", "Ks", "9d")
    turn(table, "banker", "7c", "Qh")
    assert isinstance(table.round.deal.standing, Finished)
    table.finish()
    assert table.balance() == 101_000


def test_a_squeezed_round_outlives_a_restart(table: Bench) -> None:
    deal_down(table, "Ks", "4c", "2d", "Qh")
    turn(table, "player", "Ks", "2d")
    turn(table, "banker", "4c", "Qh")
    deal_down(table, "6s")
    before = table.round.deal.facts
    assert table.restarted().state.round is not None
    again = table.restarted().state.round
    assert again is not None
    assert again.deal.facts == before
    turn(table, "player", "6s", since=3)
    deal_down(table, "5s")
    turn(table, "banker", "5s", since=3)
    table.finish()


def test_a_void_after_a_turn_takes_two_people(table: Bench) -> None:
    deal_down(table, "Ks", "4c", "2d", "Qh")
    turn(table, "player", "Ks", "2d")
    table.report("void_called", PIT)
    table.rule("void_round", PIT)
    assert table.round.live
    table.approve(PIT_TOO)
    table.pay()
    assert table.round.stage is Stage.VOIDED
    assert table.balance() == 100_000


@pytest.mark.parametrize(
    ("dealt", "laid"),
    [
        ((), ("banker", 1)),
        ((), ("banker", 2)),
        (("Ks",), ("player", 2)),
        (("Ks", "7c"), ("banker", 2)),
    ],
)  # fmt: skip
def test_bc5_a_sealed_card_in_the_wrong_hand_is_put_right_unseen(
    table: Bench, dealt: tuple[str, ...], laid: tuple[str, int]
) -> None:
    cards = ("Ks", "7c", "9d", "Qh")
    deal_down(table, *dealt)
    due, card = table.next_slot(), cards[len(dealt)]
    put_down(table, card, laid)
    table.wait(1.6)
    incident = table.incident
    assert (incident.kind, incident.ruling.row, incident.ruling.ruling) == ("misplaced_card", "BC5", "move_card")
    assert incident.scene.slot == laid
    assert not shown(table)
    table.rule("move_card")
    table.lift(*laid)
    table.lay(*due)
    assert table.open_kinds() == []
    assert not shown(table)
    deal_down(table, *cards[len(dealt) + 1 :])
    turn(table, "player", "Ks", "9d")
    turn(table, "banker", "7c", "Qh")
    table.finish()
    assert table.balance() == 101_000


def test_bc5_a_sealed_third_card_in_the_bankers_hand_is_put_right_unseen(table: Bench) -> None:
    deal_down(table, "Ks", "4c", "2d", "Qh")
    turn(table, "player", "Ks", "2d")
    turn(table, "banker", "4c", "Qh")
    put_down(table, "6s", ("banker", 3))
    table.wait(1.6)
    assert (table.incident.ruling.row, table.incident.ruling.ruling) == ("BC5", "move_card")
    assert shown(table) == {"Ks", "2d", "4c", "Qh"}
    table.rule("move_card")
    table.lift("banker", 3)
    table.lay("player", 3)
    turn(table, "player", "6s", since=3)
    assert table.open_kinds() == []
    deal_down(table, "5s")
    turn(table, "banker", "5s", since=3)
    table.finish()
    assert table.balance() == 99_000


def test_hg14_a_sealed_card_the_shoe_could_not_read_is_not_taken_for_one_in_the_wrong_hand(table: Bench) -> None:
    deal_down(table, "Ks")
    table.draw_unread()
    table.lay("banker", 1)
    table.wait(1.6)
    assert (table.incident.kind, table.incident.ruling.row) == ("unread_card", "HG14")
    table.rule("void_round", PIT)
    table.pay()


def put_down(table: Bench, card: str, slot: tuple[str, int]) -> None:
    """The shoe reads a card and it is laid there face down, whatever was due."""
    table.draw(card)
    table.lay(*slot)


def shown(table: Bench) -> set[str]:
    """The faces of the hands that any screen shows or the journal tells in plain letters."""
    told = msgspec.json.encode(view(table)).decode() + "".join(
        str(row) for row in table.rows("IncidentOpened") if isinstance(row, e.IncidentOpened)
    )
    return {card for card in ("Ks", "7c", "9d", "Qh", "4c", "2d", "6s") if f'"{card}"' in told or f"'{card}'" in told}
