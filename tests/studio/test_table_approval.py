"""Who may rule what: the dealer alone, a pit boss with PIN and reason, two people, and for how long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from table_bench import DEAL, DEALER, PIT, PIT_TOO, Bench, bench, mark_of

from studio.people import Actor
from studio.rounds import CardReplaced
from studio.tables import command as c
from studio.tables.event import table as e
from studio.tables.irregularity.ruling import rights_of
from studio.tables.state.incident import UNRULED
from studio.tables.state.round import Stage

GIVEN = {"ruling": "void_round", "reason_code": "wrong", "words": "As we saw it."}


@pytest.fixture
def dealing() -> Iterator[Bench]:
    with bench() as table:
        table.open().deposit(10_000)
        yield table.start().betting(("player1_win", 1000))


@pytest.fixture
def mismatch(dealing: Bench) -> Bench:
    dealing.draw("8s")
    dealing.lay("player1", 1, DEAL[0])
    return dealing


def test_a_dealer_makes_no_ruling_of_the_pits(mismatch: Bench) -> None:
    assert [mismatch.refused_ruling(ruling) for ruling in ("shoe", "camera", "void_round")] == ["not_allowed"] * 3


def test_a_pit_boss_needs_a_pin_and_a_reason_and_words_where_the_reason_says_nothing(mismatch: Bench) -> None:
    id = mismatch.incident.id
    assert mismatch.refused(c.RuleIncident, PIT, incident=id, **GIVEN) == "pin_needed"
    stale = PIT.with_pin(mismatch.now - 60_000)
    assert mismatch.refused(c.RuleIncident, stale, incident=id, **GIVEN) == "pin_needed"
    fresh = mismatch.pin(PIT)
    assert mismatch.refused(c.RuleIncident, fresh, incident=id, ruling="void_round") == "reason_needed"
    other = {**GIVEN, "reason_code": "other", "words": "  "}
    assert mismatch.refused(c.RuleIncident, fresh, incident=id, **other) == "words_needed"
    mismatch.do(c.RuleIncident, fresh, incident=id, **{**GIVEN, "reason_code": "dealer_error", "words": ""})
    mismatch.pay()
    assert mismatch.round.stage is Stage.VOIDED


def test_who_deals_rules_nothing_alone_that_is_the_pits_though_he_is_a_pit_boss_too(mismatch: Bench) -> None:
    both = Actor(DEALER.id, DEALER.name, frozenset({"dealer", "pit_boss"}))
    id = mismatch.incident.id
    assert mismatch.refused(c.RuleIncident, mismatch.pin(both), incident=id, **GIVEN) == "deals_here"
    mismatch.rule("void_round", PIT)
    mismatch.pay()
    assert mismatch.round.stage is Stage.VOIDED


def test_a_choice_the_row_does_not_offer_is_refused(mismatch: Bench) -> None:
    assert mismatch.refused_ruling("replace_deck", PIT) == "choice_not_allowed"
    assert mismatch.refused_ruling("nonsense", PIT) == "choice_not_allowed"


def test_a_dealer_acknowledges_what_is_his(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.draw("5h")
    assert dealing.incident.ruling.approval == "dealer"
    dealing.rule("continue")
    [ruled] = dealing.rows("IncidentRuled")
    assert isinstance(ruled, e.IncidentRuled)
    assert (ruled.asked_by, ruled.approved_by, ruled.row) == ("d1", "", "TK6")
    assert dealing.rows("ExceptionRecorded") == []


def test_two_people_are_two_persons_and_the_second_has_pit_rights(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    assert mismatch.rows("CardReplaced") == []
    id = mismatch.incident.id
    yes = {"incident": id, "asked": mark_of(mismatch.incident)}
    assert mismatch.refused(c.ApproveRuling, mismatch.pin(PIT), **yes) == "same_person"
    assert mismatch.refused(c.ApproveRuling, mismatch.pin(DEALER), **yes) == "not_allowed"
    assert mismatch.refused(c.ApproveRuling, PIT_TOO, **yes) == "pin_needed"
    mismatch.approve(PIT_TOO)
    assert mismatch.state.incidents.open == ()
    [exception] = mismatch.rows("ExceptionRecorded")
    assert isinstance(exception, e.ExceptionRecorded)
    assert (exception.act, exception.asked_by, exception.approved_by) == ("manual", "p1", "p2")
    assert exception.evidence
    assert exception.sealed


def test_the_dealer_may_be_the_one_who_asks(mismatch: Bench) -> None:
    asking = mismatch.pin(DEALER)
    given = {"incident": mismatch.incident.id, "ruling": "manual", "arguments": ("Js",)}
    mismatch.do(c.RuleIncident, asking, **given, reason_code="seen", words="It is a jack.")
    mismatch.approve(PIT)
    assert mismatch.state.incidents.open == ()


def test_what_waits_for_its_second_person_is_not_ruled_away_by_another(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    for other in ("shoe", "void_round"):
        assert mismatch.refused_ruling(other, PIT_TOO) == "ruling_asked"
    assert mismatch.refused_ruling("manual", PIT_TOO, "As") == "ruling_asked"
    assert mismatch.incident.asked is not None
    mismatch.do(c.DeclineRuling, PIT_TOO, incident=mismatch.incident.id)
    mismatch.rule("manual", PIT_TOO, "As")
    mismatch.now += 60_001  # nobody has ticked
    mismatch.rule("void_round", PIT)
    mismatch.pay()
    assert mismatch.round.stage is Stage.VOIDED


def test_a_no_to_one_request_is_no_no_to_the_one_that_took_its_place(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    shown = {"incident": mismatch.incident.id, "about": mark_of(mismatch.incident)}
    mismatch.rule("manual", PIT, "As")
    assert mismatch.refused(c.DeclineRuling, PIT_TOO, **shown) == "moved_on"
    assert mismatch.incident.asked is not None
    mismatch.do(c.DeclineRuling, PIT_TOO, **{**shown, "about": mark_of(mismatch.incident)})
    assert mismatch.incident.asked is None
    assert mismatch.refused(c.DeclineRuling, PIT_TOO, **shown) == "lapsed"


def test_a_ruling_that_was_begun_before_another_pit_boss_ruled_does_not_overrule_him(dealing: Bench) -> None:
    dealing.deal(DEAL[0])
    dealing.lift("player1", 1)
    dealing.report("dropped_card", slot=("player1", 1), identified=True)
    given = {"incident": dealing.incident.id, "ruling": "reuse_card", "reason_code": "card_dropped"}
    dealing.do(c.RuleIncident, dealing.pin(PIT), **given, about=UNRULED)
    assert dealing.incident.ruled.ruling == "reuse_card"
    assert dealing.refused(c.RuleIncident, dealing.pin(PIT_TOO), **given, about=UNRULED) == "moved_on"
    dealing.do(c.RuleIncident, dealing.pin(PIT_TOO), **given, about="reuse_card")
    dealing.lay("player1", 1, DEAL[0])
    assert dealing.open_kinds() == []


def test_who_asked_rules_otherwise_after_all(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    mismatch.rule("void_round", PIT)
    mismatch.pay()
    assert mismatch.round.stage is Stage.VOIDED


def test_a_yes_to_one_request_is_no_yes_to_the_one_that_took_its_place(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    shown = {"incident": mismatch.incident.id, "asked": mark_of(mismatch.incident)}
    mismatch.rule("manual", PIT, "As")
    assert mismatch.refused(c.ApproveRuling, mismatch.pin(PIT_TOO), **shown) == "asked_anew"
    assert (
        mismatch.refused(c.ApproveRuling, mismatch.pin(PIT_TOO), incident=shown["incident"], asked="") == "asked_anew"
    )
    mismatch.approve(PIT_TOO)
    [replaced] = mismatch.rows("CardReplaced")
    assert isinstance(replaced, e.FactStood)
    assert isinstance(replaced.fact, CardReplaced)
    assert str(replaced.fact.face) == "As"


def test_a_request_lapses_after_sixty_seconds(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    mismatch.wait(60)
    yes = {"incident": mismatch.incident.id, "asked": mark_of(mismatch.incident)}
    assert mismatch.incident.asked is not None
    mismatch.wait(0.001)
    assert mismatch.incident.asked is None
    assert mismatch.refused(c.ApproveRuling, mismatch.pin(PIT_TOO), **yes) == "lapsed"


def test_a_request_is_not_approved_late_even_before_the_clock_has_told(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    mismatch.now += 60_001
    yes = {"incident": mismatch.incident.id, "asked": mark_of(mismatch.incident)}
    assert mismatch.refused(c.ApproveRuling, mismatch.pin(PIT_TOO), **yes) == "lapsed"


def test_a_request_may_be_declined(mismatch: Bench) -> None:
    mismatch.rule("manual", PIT, "Js")
    assert mismatch.refused(c.DeclineRuling, incident=mismatch.incident.id) == "not_allowed"
    mismatch.do(c.DeclineRuling, PIT_TOO, incident=mismatch.incident.id)
    assert mismatch.incident.asked is None
    assert mismatch.refused(c.DeclineRuling, PIT_TOO, incident=mismatch.incident.id) == "lapsed"


def test_a_void_takes_two_people_once_the_result_lies_open(dealing: Bench) -> None:
    dealing.deal(*DEAL)
    dealing.report("malfunction", PIT)
    assert dealing.incident.ruling.approval == "two_people"
    dealing.rule("void_round", PIT)
    assert dealing.round.stage is Stage.DEALING
    dealing.approve()
    dealing.pay()
    assert dealing.balance() == 10_000


def test_an_override_of_a_card_takes_two_people(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    given = {"box": "player2", "place": 1, "card": "9c", "reason_code": "seen", "words": "It is a nine."}
    assert dealing.refused(c.OverrideCard, PIT, **given) == "pin_needed"
    dealing.do(c.OverrideCard, dealing.pin(PIT), **given)
    assert dealing.state.held
    dealing.approve()
    assert str(dealing.round.deal.cards["player2", 1].face) == "9c"  # type: ignore[union-attr]
    assert dealing.state.incidents.open == ()
    dealing.deal(*DEAL[4:]).finish()
    assert dealing.round.stage is Stage.SETTLED


def test_an_override_that_was_declined_leaves_the_card_as_it_was(dealing: Bench) -> None:
    dealing.deal(*DEAL[:4])
    given = {"box": "player2", "place": 1, "card": "9c", "reason_code": "seen", "words": "It is a nine."}
    dealing.do(c.OverrideCard, dealing.pin(PIT), **given)
    dealing.do(c.DeclineRuling, PIT_TOO, incident=dealing.incident.id)
    dealing.rule("shoe", PIT)
    assert dealing.state.incidents.open == ()
    assert dealing.round.deal.cards["player2", 1].face is DEAL[1]  # type: ignore[union-attr]


def test_there_is_nothing_to_override_where_no_open_card_lies(dealing: Bench) -> None:
    given = {"place": 1, "card": "9c", "reason_code": "seen", "words": "It is a nine."}
    assert dealing.refused(c.OverrideCard, dealing.pin(PIT), box="player1", **given) == "no_card"
    assert dealing.refused(c.OverrideCard, dealing.pin(PIT), box="burn", **given) == "no_card"


def test_an_incident_that_is_closed_is_ruled_by_nobody(mismatch: Bench) -> None:
    id = mismatch.incident.id
    mismatch.rule("camera", PIT)
    assert mismatch.refused(c.RuleIncident, mismatch.pin(PIT), incident=id, **GIVEN) == "gone"


@pytest.mark.parametrize("kind", ["device_lost", "shoe_error", "restart", "camera_unsure", "conflicting_reread"])
def test_what_only_a_device_can_know_is_reported_by_nobody(dealing: Bench, kind: str) -> None:
    assert dealing.refused(c.ReportIncident, PIT, kind=kind) == "not_reported"


def test_ev9_a_bettor_who_is_gone_leaves_his_bets_where_they_are(dealing: Bench) -> None:
    assert dealing.refused(c.ReportIncident, kind="disconnected") == "not_reported"
    dealing.deal(*DEAL).finish()
    assert dealing.round.stakes.bets == 1


@pytest.mark.parametrize(
    ("ruling", "rights"),
    [("void_hand", {"void_round"}), ("void_round", {"void_round"}), ("void_shoe", {"void_round"}),
     ("camera", {"override_card"}), ("shoe", {"override_card"}), ("manual", {"override_card", "enter_card"}),
     ("continue", set())],
)  # fmt: skip
def test_a_ruling_takes_the_right_of_what_it_does(ruling: str, rights: set[str]) -> None:
    assert set(rights_of(ruling)) == rights
