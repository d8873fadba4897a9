"""EV1 to EV7, EV9 and EV10 at a Three Knights table: devices, decks, the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from table_bench import BURNS, CONFIG, DEAL, DEALER, PIT, Bench, bench

from studio import ports
from studio.errors import RefusedError, StorageError
from studio.money import Offer
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.state.round import Stage
from studio.views import view_table


@pytest.fixture
def table() -> Iterator[Bench]:
    with bench() as made:
        yield made.open()


@pytest.fixture
def dealing(table: Bench) -> Bench:
    table.deposit(10_000)
    return table.start().betting(("player1_win", 1000))


def again_seen(table: Bench, dealt: int) -> None:
    """The camera is back and sees what lies there."""
    for number in range(1, 5):
        table.lay("burn", number)
    for at, card in enumerate(DEAL[:dealt]):
        table.lay(("player1", "player2", "player3", "banker")[at % 4], at // 4 + 1, card)


# --- EV1: a device is lost -----------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["shoe", "shuffler", "camera"])
def test_ev1_a_lost_link_holds_the_table_at_once(dealing: Bench, device: str) -> None:
    dealing.links(up=False, only=(device,))
    assert (dealing.incident.kind, dealing.incident.ruling.row, dealing.incident.scene.device) == (
        "device_lost",
        "EV1",
        device,
    )
    assert dealing.state.held
    assert dealing.refused_ruling("continue") == "still_lost"
    [lost] = dealing.rows("DeviceLost")
    assert isinstance(lost, e.DeviceLost)
    assert lost.reason.endswith(".")


def test_ev1_a_screen_knows_why_nobody_can_go_on_yet(dealing: Bench) -> None:
    def why() -> dict[str, str]:
        [told] = view_table(dealing.state, dealing.table.book, dealing.table.seq).incidents.open
        return {way: hindrance.refused_key for way, hindrance in told.row.hindered.items()}

    dealing.deal(*DEAL[:4])
    dealing.links(up=False, only=("camera",))
    assert why() == {"continue": "still_lost"}
    dealing.links(only=("camera",))
    assert why() == {"continue": "felt_differs"}
    again_seen(dealing, 4)
    assert why() == {}


def test_ev1_it_goes_on_when_the_link_is_back_and_the_cards_agree(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.links(up=False, only=("camera",))
    dealing.links(only=("camera",))
    assert dealing.open_kinds() == ["device_lost"]
    assert dealing.refused_ruling("continue") == "felt_differs"
    again_seen(dealing, 4)
    dealing.rule("continue")
    dealing.deal(*DEAL[4:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_ev1_the_card_dealt_meanwhile_lies_where_it_belongs_and_enters_the_deal(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    dealing.links(up=False, only=("camera",))
    dealing.draw(DEAL[4])
    dealing.links(only=("camera",))
    again_seen(dealing, 5)
    dealing.rule("continue")
    assert dealing.state.incidents.open == ()
    assert dealing.next_slot() == ("player2", 2)
    dealing.deal(*DEAL[5:]).finish()


def test_ev1_the_card_drawn_while_the_shoe_was_lost_is_an_unread_card_afterwards(dealing: Bench) -> None:
    dealing.links(up=False, only=("shoe",))
    dealing.lay("player1", 1, DEAL[0])
    dealing.links(only=("shoe",))
    dealing.rule("continue")
    dealing.wait(1.6)
    assert dealing.incident.ruling.row == "HG13"
    dealing.rule("continue")
    dealing.deal(*DEAL[1:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_ev1_a_camera_that_cannot_see_is_a_lost_camera(dealing: Bench) -> None:
    dealing.say(ports.CameraBlind(device="camera", at_ms=dealing.now, reason="dark"))
    assert dealing.incident.ruling.row == "EV1"
    assert dealing.refused_ruling("continue") == "blind"
    dealing.say(ports.CameraSeesAgain(device="camera", at_ms=dealing.now))
    dealing.rule("continue")


def test_ev1_a_round_can_be_voided_while_a_device_is_lost(dealing: Bench) -> None:
    dealing.links(up=False, only=("shoe",))
    dealing.report("malfunction", PIT)
    dealing.rule("void_round", PIT, kind="malfunction")
    dealing.pay()
    assert dealing.balance() == 10_000
    assert dealing.open_kinds() == ["device_lost"]
    dealing.links(only=("shoe",))
    dealing.rule("continue")
    dealing.clear()
    dealing.do(c.StartRound)


def test_ev1_a_table_opened_before_its_devices_spoke_goes_on_by_itself_when_they_do() -> None:
    with bench() as table:
        table.verify_deck()
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        assert table.open_kinds() == ["device_lost"] * 3
        table.links()
        assert table.state.incidents.open == ()


def test_ev1_a_lost_device_of_a_closed_table_holds_it_when_it_opens() -> None:
    with bench() as table:
        table.links()
        table.links(up=False, only=("camera",))
        assert table.state.incidents.open == ()
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        assert [one.scene.device for one in table.state.incidents.open] == ["camera"]


# --- EV2: the shoe's errors ----------------------------------------------------------------------------


def error(table: Bench, name: str, *, raised: bool = True) -> None:
    told = ports.ShoeErrorRaised if raised else ports.ShoeErrorCleared
    table.say(told(device="shoe", at_ms=table.now, code=3, error=name))


def test_ev2_an_error_holds_until_the_shoe_clears_it_and_a_person_names_a_reason(dealing: Bench) -> None:
    error(dealing, "button")
    assert (dealing.incident.ruling.row, dealing.state.held) == ("EV2", True)
    assert dealing.refused_ruling("continue", PIT) == "shoe_error"
    error(dealing, "button", raised=False)
    assert dealing.state.held
    given = {"incident": dealing.incident.id, "ruling": "continue"}
    assert dealing.refused(c.RuleIncident, **given) == "reason_needed"
    dealing.do(c.RuleIncident, **given, reason_code="button_pressed")
    assert not dealing.state.held


@pytest.mark.parametrize("way", ["power", "cable"])
def test_ev2_a_shoe_that_comes_up_anew_shows_no_old_error(dealing: Bench, way: str) -> None:
    error(dealing, "button")
    if way == "power":
        dealing.say(ports.ShoeStarted(device="shoe", at_ms=dealing.now))
    else:
        dealing.links(up=False, only=("shoe",))
        dealing.links(only=("shoe",))
        dealing.rule("continue", kind="device_lost")
    assert dealing.open_kinds() == ["shoe_error"]
    dealing.rule("continue", PIT)
    assert not dealing.state.held


def test_ev2_an_expected_error_is_told_and_journalled_and_does_not_hold() -> None:
    with bench(expected_errors=("overdraw",)) as table:
        table.open().start()
        error(table, "overdraw")
        assert table.state.incidents.open == ()
        assert [one.row for one in table.rows("IncidentRuled")] == ["EV2"]
        error(table, "button")
        error(table, "button", raised=False)
        table.rule("continue", PIT)
        assert not table.state.held


def test_ev2_an_error_that_stands_when_the_table_opens_holds_it() -> None:
    with bench() as table:
        table.links()
        error(table, "reverse_exit")
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        assert table.open_kinds() == ["shoe_error"]


# --- EV3, EV4: cut card and start-up -------------------------------------------------------------------


def test_ev3_after_the_cut_card_the_round_finishes_and_no_other_starts_on_this_shoe(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.say(ports.CutCardOut(device="shoe", at_ms=dealing.now))
    assert dealing.state.incidents.open == ()
    assert [one.row for one in dealing.rows("IncidentRuled")] == ["EV3"]
    dealing.deal(*DEAL[2:]).finish()
    assert dealing.refused(c.StartRound) == "shoe_short"
    dealing.draw("As")  # evidence only
    dealing.draw_unread()
    assert dealing.state.incidents.open == ()
    dealing.load("deck-2")
    dealing.do(c.StartRound)


def test_ev3_the_cut_card_a_person_reports_does_the_same(dealing: Bench) -> None:
    dealing.report("cut_card")
    assert not dealing.state.held
    dealing.rule("continue")
    dealing.deal(*DEAL).finish()
    assert dealing.refused(c.StartRound) == "shoe_short"


def test_ev4_a_start_up_without_a_cut_card_is_no_shoe_change(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.say(ports.ShoeStarted(device="shoe", at_ms=dealing.now))
    assert [one.row for one in dealing.rows("IncidentRuled")] == ["EV4"]
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[2:]).finish()
    assert dealing.state.deck is not None


# --- EV5: conflicting re-read --------------------------------------------------------------------------


def test_ev5_the_first_reading_stays_and_the_table_is_held(dealing: Bench) -> None:
    dealing.deal(DEAL[0])
    dealing.draw(DEAL[0], resent=True)
    assert dealing.state.incidents.open == ()
    dealing.draw("9c", resent=True)
    assert (dealing.incident.kind, dealing.incident.ruling.row) == ("conflicting_reread", "EV5")
    assert dealing.incident.ruling.options == ("shoe", "camera", "manual", "void_round")
    dealing.rule("shoe", PIT)
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[1:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_ev5_the_camera_may_be_right(dealing: Bench) -> None:
    dealing.draw("8s")
    dealing.draw(DEAL[0], resent=True)
    dealing.lay("player1", 1, DEAL[0])
    dealing.rule("camera", PIT)
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[1:]).finish()
    assert dealing.round.stage is Stage.SETTLED


# --- EV6: decks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("verdict", "count"), [("short", 51), ("over", 53), ("duplicate", 52), ("foreign", 52)])
def test_ev6_a_deck_that_is_not_right_is_not_dealt_and_the_shoes_own_deals_on(
    dealing: Bench, verdict: str, count: int
) -> None:
    dealing.verify_deck("deck-2", verdict, count)
    assert (dealing.incident.ruling.row, dealing.state.held) == ("EV6", False)
    dealing.rule("reshuffle", PIT)
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL).finish()
    assert dealing.round.stage is Stage.SETTLED
    assert dealing.refused(c.LoadShoe, deck_id="deck-2") == "deck_unverified"


def test_ev6_is_over_when_a_deck_is_verified(table: Bench) -> None:
    table.verify_deck("deck-2", "short", 51)
    assert table.open_kinds() == ["deck_unverified"]
    table.verify_deck("deck-2")
    assert table.state.incidents.open == ()


# --- EV7: the program restarts -------------------------------------------------------------------------


def test_ev7_a_restart_in_mid_round_comes_back_held_with_the_round_as_it_stood(dealing: Bench) -> None:
    dealing.deal(*DEAL[:5])
    facts, book = dealing.round.deal.facts, list(dealing.table.book.bets)
    dealing.restart()
    assert dealing.state.held
    assert dealing.round.deal.facts == facts
    assert dealing.table.book.bets == book
    assert "restart" in dealing.open_kinds()
    assert dealing.refused_ruling("continue", PIT, kind="restart") == "still_lost"
    dealing.links()
    assert dealing.open_kinds() == ["restart"]
    assert dealing.refused_ruling("continue", PIT) == "felt_differs"
    again_seen(dealing, 5)
    assert dealing.refused_ruling("continue") == "not_allowed"
    dealing.rule("continue", PIT)
    dealing.deal(*DEAL[5:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_ev7_may_void_the_round(dealing: Bench) -> None:
    dealing.restart()
    dealing.links()
    dealing.rule("void_round", PIT)
    dealing.pay()
    assert dealing.balance() == 10_000
    assert dealing.state.incidents.open == ()


def test_a_restart_in_mid_incident_finds_it_open_as_it_was(dealing: Bench) -> None:
    dealing.draw("8s")
    dealing.lay("player1", 1, DEAL[0])
    dealing.rule("manual", PIT, "Js")
    asked = dealing.incident.asked
    dealing.restart()
    assert next(one for one in dealing.state.incidents.open if one.kind == "card_mismatch").asked == asked
    dealing.approve(kind="card_mismatch")
    dealing.links()
    again_seen(dealing, 1)
    dealing.rule("continue", PIT, kind="restart")
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[1:]).finish()
    assert dealing.balance() == 10_000


def test_a_restart_with_cards_set_aside_has_their_keys_again(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    dealing.do(c.FreezeTable)
    dealing.draw(DEAL[2])
    dealing.restart()
    dealing.links()
    again_seen(dealing, 3)
    dealing.rule("continue", PIT, kind="restart")
    dealing.do(c.ReleaseTable, dealing.pin(PIT), reason_code="checked", words="Go on.")
    assert dealing.next_slot() == ("banker", 1)
    dealing.deal(*DEAL[3:]).finish()


def test_a_burned_card_still_fouls_the_deck_after_a_restart(dealing: Bench) -> None:
    dealing.restart()
    dealing.links()
    again_seen(dealing, 0)
    dealing.rule("continue", PIT)
    dealing.draw(BURNS[2])
    assert dealing.open_kinds() == ["fouled_deck"]


def test_a_restart_in_mid_settlement_pays_the_rest_and_nothing_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    with bench() as table:
        table.open().deposit(10_000_000)
        table.start().do(c.OpenBetting)
        offers = tuple(Offer("", "north", f"many{n}", "ann", "", "", "player1_tie", 100, "EUR") for n in range(1000))
        for at in range(0, 1000, 500):
            table.table.place_bets(offers[at : at + 500], table.now)
        many = table.balance()
        table.wait(16)
        table.deal(*DEAL)
        table.do(c.DeclareResult)
        monkeypatch.setattr("studio.tables.payment.round_payment.CHUNK_BETS", 300)
        assert table.table.pay(table.now)
        assert table.round.paid.bets == 300
        table.restart()
        assert table.round.stage is Stage.SETTLING
        assert "restart" not in table.open_kinds()
        table.pay()
        assert table.round.stage is Stage.SETTLED
        assert table.balance() == many + 1000 * 900
        table.links()


def test_a_restart_between_rounds_needs_nobody(table: Bench) -> None:
    table.restart()
    assert table.open_kinds() == ["device_lost"] * 3
    table.links()
    assert table.state.incidents.open == ()
    table.do(c.StartRound)


def test_a_new_configuration_is_on_record(table: Bench) -> None:
    table.config = msgspec.structs.replace(CONFIG, title="Table One")
    table.restart()
    assert [one.config.title for one in table.rows("TableConfigured")] == ["Table 1", "Table One"]
    table.links()


# --- EV9, EV10 -----------------------------------------------------------------------------------------


def test_ev10_a_malfunction_voids_all_pays_and_plays(dealing: Bench) -> None:
    dealing.deal(*DEAL[:3])
    assert dealing.refused(c.ReportIncident, kind="malfunction") == "not_reported"
    dealing.report("malfunction", PIT)
    assert (dealing.incident.ruling.row, dealing.incident.ruling.refund) == ("EV10", "all")
    dealing.rule("void_round", PIT)
    dealing.pay()
    assert dealing.balance() == 10_000
    [exception] = dealing.rows("ExceptionRecorded")
    assert isinstance(exception, e.ExceptionRecorded)
    assert (exception.row, exception.bets, exception.asked_by) == ("EV10", 1, "p1")


def test_ev10_where_no_round_is_dealt_there_is_nothing_to_void(table: Bench) -> None:
    assert table.refused(c.ReportIncident, PIT, kind="malfunction") == "no_round"


# --- the disk ------------------------------------------------------------------------------------------


def test_a_full_disk_acknowledges_nothing_and_the_table_comes_back_frozen(dealing: Bench) -> None:
    dealing.deal(*DEAL[:2])
    state, seq = dealing.state, dealing.table.seq
    dealing.disk_full = True
    dealing.draw(DEAL[2])
    dealing.lay("player3", 1, DEAL[2])
    with pytest.raises(StorageError):
        dealing.do(c.CallPit)
    assert (dealing.state, dealing.table.seq) == (state, seq)
    assert dealing.table.storage_failed
    dealing.disk_full = False
    dealing.tick()
    assert dealing.table.storage_failed == ""
    assert dealing.state.pit.freeze.by
    assert dealing.kinds().count("ShoeDrewCard") == 7
    dealing.do(c.ReleaseTable, dealing.pin(PIT), reason_code="disk", words="There is room again.")
    dealing.deal(*DEAL[3:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_a_bet_that_the_disk_refused_is_not_in_the_round(table: Bench) -> None:
    table.deposit(10_000)
    table.start().do(c.OpenBetting)
    table.disk_full = True
    with pytest.raises(StorageError):
        table.bet()
    with pytest.raises(RefusedError, match="held"):
        table.bet()
    assert table.round.stakes.bets == 0
    assert table.balance() == 10_000


def test_money_waits_for_the_disk_too(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.do(c.DeclareResult)
    dealing.disk_full = True
    with pytest.raises(StorageError):
        dealing.table.pay(dealing.now)
    assert not dealing.table.pay(dealing.now)
    dealing.disk_full = False
    dealing.tick()
    dealing.pay()
    assert dealing.round.stage is Stage.SETTLED
    assert dealing.balance() == 10_000
