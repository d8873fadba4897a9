"""A recorded round as people are told it: its felt, who read each card, its results, and what people changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from correction_bench import correct, dealt, replaced
from table_bench import BURNS, DEAL, PIT, PIT_TOO, Bench, bench

from studio.views.past_round import config_at, read_past_round
from studio.views.shape import PastRound, Reading


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made


def told(table: Bench, round: str = "") -> PastRound:
    round = round or table.round.id
    with table.store.reader() as reader:
        rows = list(reader.events(table=table.config.key, round=round))
        return read_past_round(reader, config_at(reader, table.config.key, rows[0].seq), rows, round)


def reading(round: PastRound, zone: str, place: int) -> Reading:
    return next(one for one in round.deals[-1].readings if (one.zone, one.place) == (zone, place))


def faces(round: PastRound, deal: int = -1) -> set[str]:
    return {one.face for one in round.deals[deal].readings if one.face}


def test_each_card_says_who_read_it_and_what_was_never_revealed_has_no_face(table: Bench) -> None:
    round = told(dealt(table))
    first = reading(round, "player1", 1)
    assert (first.face, first.source, first.confirmed_by) == (str(DEAL[0]), "shoe", "camera")
    assert first.confidence == pytest.approx(0.999)
    burned = [one for one in round.deals[-1].readings if one.zone == "burn"]
    assert [one.face for one in burned] == [None] * len(BURNS)
    assert faces(round) == {str(card) for card in DEAL}
    drawn = [card.face for box in round.felt.boxes for card in box.places if card.face]
    assert not {str(card) for card in BURNS} & set(drawn)


def test_it_has_its_people_times_result_bets_and_pictures_in_order(table: Bench) -> None:
    round = told(dealt(table))
    assert (round.status, round.number, round.dealers) == ("settled", 1, ("d1",))
    assert round.began_at_ms < round.ended_at_ms
    assert round.outcome is not None
    assert round.outcome["player2"]["result"] == "lose"
    assert [(one.bet, one.count, one.stake_minor, one.returned_minor) for one in round.bets] == [
        ("player1_win", 1, 1000, 1000), ("player2_win", 1, 2000, 0), ("player3_win", 1, 500, 0),
    ]  # fmt: skip
    times = [one.at_ms for one in round.pictures]
    assert len(round.pictures) == len(DEAL) + len(BURNS)
    assert times == sorted(times)
    assert (round.troubles, round.changes, round.former) == ((), (), ())


def test_a_card_the_pit_ruled_on_says_what_it_was_and_who_ruled(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000))
    table.draw("8s")
    table.lay("player1", 1, DEAL[0])
    table.rule("camera", PIT)
    table.deal(*DEAL[1:])
    table.finish()
    round = told(table)
    card = reading(round, "player1", 1)
    assert card.face == str(DEAL[0])
    assert [face for face, _ in card.was] == ["8s"]
    assert [(one.ruling, one.by, one.approved_by) for one in card.rulings] == [("camera", PIT.id, "")]
    [trouble] = round.troubles
    assert (trouble.zone, trouble.place, trouble.closed_at_ms > 0) == ("player1", 1, True)
    [change] = round.changes
    assert (change.act, change.asked_by) == ("camera", PIT.id)
    assert reading(round, "player2", 1).rulings == ()


def test_a_card_that_two_people_entered_names_both(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000))
    table.draw("8s")
    table.lay("player1", 1, DEAL[0])
    table.rule("manual", PIT, "Js")
    table.approve(PIT_TOO)
    card = reading(told(table), "player1", 1)
    assert card.face == "Js"
    assert [(one.ruling, one.by, one.approved_by) for one in card.rulings] == [("manual", PIT.id, PIT_TOO.id)]


def test_a_voided_round_says_by_which_row_and_whom_and_keeps_its_cards(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000))
    table.draw("8s")
    table.lay("player1", 1, DEAL[0])
    table.rule("void_round", PIT)
    table.pay()
    round = told(table)
    assert (round.status, round.void_by, round.outcome) == ("voided", PIT.id, None)
    assert round.void_row
    assert round.felt.round.stage == "voided"
    assert faces(round) == {"8s"}
    assert [(one.stake_minor, one.returned_minor) for one in round.bets] == [(1000, 1000)]


def test_a_round_dealt_again_has_both_deals_the_first_with_its_row(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000)).deal(*DEAL[:2])
    table.report("burn_error")
    table.rule("reshuffle_and_redeal", PIT)
    table.clear()
    table.load("deck-2")
    table.burn()
    table.tick()
    table.deal(*DEAL).finish()
    round = told(table)
    assert [deal.row for deal in round.deals] == ["TK2", ""]
    assert faces(round, 0) == {str(card) for card in DEAL[:2]}
    assert faces(round) == {str(card) for card in DEAL}
    assert (round.status, len(round.troubles)) == ("settled", 1)


def test_a_resettled_round_has_the_new_result_the_old_one_struck_and_the_card_marked(table: Bench) -> None:
    dealt(table)
    before = table.round.outcome
    correct(table, replaced(table, "player3", 3, "As"))
    round = told(table)
    assert (round.status, round.revision) == ("settled", 1)
    assert round.former == (before,)
    assert round.outcome is not None
    assert round.outcome["player3"]["cards"][2] == "As"
    assert reading(round, "player3", 3).was == (("8h", "correction"),)
    assert "As" in faces(round)
    assert [(one.act, one.asked_by, one.approved_by) for one in round.changes] == [("resettle", PIT.id, PIT_TOO.id)]
    assert [one.asked_by for one in round.corrections] == [PIT.id]


def test_a_round_voided_after_its_settlement_keeps_the_result_it_had(table: Bench) -> None:
    dealt(table)
    before = table.round.outcome
    correct(table, void=True)
    round = told(table)
    assert (round.status, round.outcome, round.former) == ("voided", None, (before,))
    assert [one.stake_minor - one.returned_minor for one in round.bets] == [0, 0, 0]


def test_a_round_under_way_is_told_as_far_as_it_is(table: Bench) -> None:
    table.open().deposit(10_000)
    table.start().betting(("player1_win", 1000)).deal(*DEAL[:3])
    round = told(table)
    assert (round.status, round.ended_at_ms, round.outcome) == ("open", 0, None)
    assert len(faces(round)) == 3


def test_a_past_round_is_told_while_another_is_dealt(table: Bench) -> None:
    first = dealt(table).round.id
    table.load("deck-2")
    table.start().betting(("player1_win", 100)).deal("As")
    assert told(table, first).number == 1
    assert faces(told(table, first)) == {str(card) for card in DEAL}
