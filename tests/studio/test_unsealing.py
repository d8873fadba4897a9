"""A card that nobody turned is opened by two people: never while it may matter, and never without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from correction_bench import dealt
from open_face_bench import OpenFaceBench
from poker_bench import PokerBench
from table_bench import BURNS, CONFIG, DEAL, DEALER, PIT, PIT_TOO, Bench, bench
from test_replay_phh import replay
from unsealing_bench import approving, asking, asking_card, at, sealed, unseal

from studio.cards import DECK, Card
from studio.proof.telling.place import box_name
from studio.rounds import CardDealt
from studio.tables import command as c
from studio.tables.correction.unsealing import ACT
from studio.tables.event import table as e
from studio.tables.past.sealed_round import Fate


@pytest.fixture
def settled() -> Iterator[Bench]:
    """A round of Three Knights with its four burns, paid; its deck is out of the shoe."""
    with bench() as table:
        yield taken_out(dealt(table))


def taken_out(table: Bench) -> Bench:
    table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
    return table


# --- what it does -----------------------------------------------------------------------------------------


def test_the_key_goes_on_record_and_opens_the_bytes_the_shoe_had_sealed(settled: Bench) -> None:
    opened = unseal(settled, "burn", 2)
    assert opened.face is BURNS[1]
    [burned] = [row.fact.card for row in settled.rows("CardBurned") if row.fact.place == 2]  # type: ignore[union-attr]
    assert not burned.has_key
    assert burned.with_key(opened.key).card() is BURNS[1]
    assert (opened.asked_by, opened.approved_by) == (PIT.id, PIT_TOO.id)


def test_it_stands_among_the_exceptions_with_both_people_and_what_was_opened(settled: Bench) -> None:
    unseal(settled, "burn", 1)
    [told] = settled.rows("ExceptionRecorded")
    assert isinstance(told, e.ExceptionRecorded)
    assert (told.act, told.asked_by, told.approved_by) == (ACT, PIT.id, PIT_TOO.id)
    assert (str(told.before), str(told.after)) == (f"{settled.round.id}: burn 1 = sealed", f"burn 1 = {BURNS[0]}")
    assert (told.round, told.reason_code) == (settled.round.id, "complaint")


def test_nothing_of_the_round_changes(settled: Bench) -> None:
    before, money, dossier = settled.round, settled.balance(), settled.dossier()
    unseal(settled, "burn", 3)
    assert (settled.round, settled.balance(), settled.dossier()) == (before, money, dossier)


def test_the_other_cards_stay_sealed(settled: Bench) -> None:
    opened = unseal(settled, "burn", 1)
    found = sealed(settled)
    assert [(one.zone, one.place, one.fate) for one in found.cards] == [("burn", n, Fate.BURNED) for n in (1, 2, 3, 4)]
    assert set(found.opened) == {opened.card.id}
    assert not any(one.card.has_key for one in found.cards)


# --- when it may not be -----------------------------------------------------------------------------------


def test_no_card_of_a_round_that_is_not_over_is_opened() -> None:
    with bench() as table:
        table.open()
        table.deposit(10_000)
        table.start().betting(("player1_win", 1_000))
        assert table.refused(c.AskUnsealing, **asking(table, "burn", 1)) == "round_not_over"
        table.deal(*DEAL)
        assert table.refused(c.AskUnsealing, **asking(table, "burn", 1)) == "round_not_over"
        table.finish()
        taken_out(table)
        table.do(c.AskUnsealing, **asking(table, "burn", 1))  # type: ignore[arg-type]


def test_a_void_round_is_over() -> None:
    with bench() as table:
        table.open()
        table.start()
        table.report("malfunction", PIT)
        table.rule("void_round", PIT)
        table.pay()
        table.clear()
        taken_out(table)
        assert unseal(table, "burn", 4).face is BURNS[3]


def test_while_its_shoe_may_still_deal_it_stays_sealed() -> None:
    with bench() as table:
        dealt(table)
        assert table.refused(c.AskUnsealing, **asking(table, "burn", 1)) == "shoe_deals"
        for _ in range(2):  # a deck deals three rounds [3K-3]
            assert table.refused(c.AskUnsealing, **asking(table, "burn", 1)) == "shoe_deals"
            next_round(table)
        first = f"{CONFIG.key}-0000001"
        assert unseal(table, "burn", 1, first).face is BURNS[0]


def next_round(table: Bench) -> None:
    """Another round from what is left in the shoe, void before anybody bets."""
    others = [card for card in DECK if card not in (*BURNS, *DEAL)]
    table.start(others[table.round.number * 4 :][:4])
    table.report("malfunction", PIT)
    table.rule("void_round", PIT)
    table.pay()
    table.clear()


def test_the_round_that_another_deck_deals_does_not_keep_it_sealed(settled: Bench) -> None:
    round = settled.round.id
    settled.load("deck-2")
    settled.start()
    assert settled.refused(c.AskUnsealing, **asking(settled, "burn", 1)) == "round_not_over"
    assert unseal(settled, "burn", 1, round).face is BURNS[0]


def test_a_card_is_opened_once(settled: Bench) -> None:
    unseal(settled, "burn", 1)
    assert settled.refused(c.AskUnsealing, **asking(settled, "burn", 1)) == "opened_already"


def test_it_is_opened_once_though_the_record_was_read_before(settled: Bench) -> None:
    old = asking(settled, "burn", 1)
    unseal(settled, "burn", 1)
    assert settled.refused(c.AskUnsealing, **{**old, "actor": settled.pin(PIT)}) == "opened_already"


def test_a_key_that_is_gone_is_told_and_nothing_opens(settled: Bench) -> None:
    assert settled.refused(c.AskUnsealing, **{**asking(settled, "burn", 1), "key": None}) == "key_gone"
    settled.do(c.AskUnsealing, **asking(settled, "burn", 1))  # type: ignore[arg-type]
    assert settled.refused(c.ApproveUnsealing, **{**approving(settled), "key": None}) == "key_gone"
    assert settled.refused(c.ApproveUnsealing, **{**approving(settled), "key": bytes(32)}) == "key_wrong"
    assert settled.rows("CardUnsealed") == []


def test_a_burn_card_that_no_device_read_has_nothing_to_open() -> None:
    with bench() as table:
        table.open()
        table.do(c.StartRound)
        table.draw_unread()
        table.lay("burn", 1)
        for number, card in enumerate(BURNS[1:], 2):
            table.draw(card)
            table.lay("burn", number)
        assert at(table, "burn", 1).was_read is False


# --- two people, one card, one minute ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "key"),
    [({"actor": PIT}, "same_person"), ({"actor": PIT_TOO}, "pin_needed"), ({"actor": DEALER}, "not_allowed"),
     ({"unsealing": "t1-s9"}, "lapsed")],
    ids=["his-own", "no-pin", "a-dealer", "another-request"],
)  # fmt: skip
def test_an_approval_needs_another_person_pit_rights_a_pin_and_what_was_asked(
    settled: Bench, change: dict[str, object], key: str
) -> None:
    settled.do(c.AskUnsealing, **asking(settled, "burn", 1))  # type: ignore[arg-type]
    assert settled.refused(c.ApproveUnsealing, **{**approving(settled), **change}) == key
    assert settled.rows("CardUnsealed") == []


@pytest.mark.parametrize(
    ("change", "key"),
    [({"actor": PIT}, "pin_needed"), ({"words": "  "}, "reason_needed"), ({"reason_code": ""}, "reason_needed"),
     ({"card": "no-such-card"}, "no_card")],
    ids=["no-pin", "no-words", "no-reason", "no-card"],
)  # fmt: skip
def test_a_request_needs_a_pin_a_reason_and_a_card_of_the_round(
    settled: Bench, change: dict[str, object], key: str
) -> None:
    assert settled.refused(c.AskUnsealing, **{**asking(settled, "burn", 1), **change}) == key


def test_the_dealer_asks_only_where_one_pit_boss_is_alone_and_never_approves(settled: Bench) -> None:
    given = {**asking(settled, "burn", 1), "actor": settled.pin(DEALER)}
    assert settled.refused(c.AskUnsealing, **given, pit_bosses=2) == "pit_asks"
    settled.do(c.AskUnsealing, **given, pit_bosses=1)  # type: ignore[arg-type]
    assert settled.refused(c.ApproveUnsealing, **{**approving(settled), "actor": settled.pin(DEALER)}) == "same_person"
    settled.do(c.ApproveUnsealing, **approving(settled))  # type: ignore[arg-type]
    assert len(settled.rows("CardUnsealed")) == 1


def test_a_request_lapses_after_a_minute_and_may_be_declined(settled: Bench) -> None:
    settled.do(c.AskUnsealing, **asking(settled, "burn", 1))  # type: ignore[arg-type]
    yes = approving(settled)
    assert settled.refused(c.AskUnsealing, **asking(settled, "burn", 2)) == "unsealing_open"
    settled.wait(61)
    assert settled.state.aftermath.unsealings.asked is None
    assert settled.refused(c.ApproveUnsealing, **{**yes, "actor": settled.pin(PIT_TOO)}) == "lapsed"
    settled.do(c.AskUnsealing, **asking(settled, "burn", 2))  # type: ignore[arg-type]
    assert settled.state.aftermath.unsealings.asked is not None
    assert (
        settled.refused(c.DeclineUnsealing, DEALER, unsealing=settled.state.aftermath.unsealings.asked.id)
        == "not_allowed"
    )
    settled.do(c.DeclineUnsealing, PIT_TOO, unsealing=settled.state.aftermath.unsealings.asked.id)
    assert settled.state.aftermath.unsealings.asked is None
    assert settled.rows("CardUnsealed") == []


# --- which cards there are --------------------------------------------------------------------------------


def fates(table: Bench, round: str = "") -> dict[str, set[Fate]]:
    found: dict[str, set[Fate]] = {}
    for one in sealed(table, round).cards:
        found.setdefault(one.zone, set()).add(one.fate)
    return found


def test_a_hand_that_was_mucked_and_one_that_nobody_had_to_show() -> None:
    table = PokerBench("ann bob cy")
    try:
        table.open()
        table.hand("As Ks Ah Kh 7d 2c")
        table.acts("fold", "fold")
        table.finish()
        dealt_to = {zone for zone, _ in table.round.deal.cards if zone != "burn"}
        assert set(fates(table)) == dealt_to
        mucked = next(zone for zone, told in fates(table).items() if told == {Fate.MUCKED})
        face = next(
            f for (zone, place), f in table.round.deal.cards.items() if (zone, place) == (mucked, 1)
        ).card.card()
        assert unseal(table, mucked, 1).face is face
        table.check()
    finally:
        table.close()


def test_the_history_of_the_hand_stays_what_it_was_and_the_replay_tells_of_the_opening(tmp_path: Path) -> None:
    path = tmp_path / "studio.db"
    table = PokerBench("ann bob cy", path=str(path))
    with closing(table):
        table.open()
        table.hand("As Ks Ah Kh 7d 2c")
        table.acts("fold", "fold")
        table.finish()
        told = [replay(path, "1", *more).stdout for more in (("--phh",), ("--phh", "--seat", "seat1"))]
        mucked = next(one for one in sealed(table).cards if one.fate is Fate.MUCKED)
        opened = unseal(table, mucked.zone, mucked.place)
        assert [replay(path, "1", *more).stdout for more in (("--phh",), ("--phh", "--seat", "seat1"))] == told
        assert f"opened the sealed card at {box_name(mucked.zone)}, card" in replay(path, "1").stdout
        assert opened.face.sign in replay(path, "1").stdout


def test_a_card_of_a_deal_that_was_dealt_again() -> None:
    table = PokerBench("ann bob cy")
    with closing(table):
        table.open()
        table.shuffle("As Ks Ah")
        table.do(c.StartRound)
        seats = table.round.rules["hand"]["seats"]
        for seat in seats:
            table.draw(table.deck.pop(0))
            table.lay(seat, 1)
        table.lay(seats[1], 1, "Ks")
        table.rule("reshuffle_and_redeal", PIT)
        table.clear()
        table.load()
        table.shuffle("2c 2d 2h 3c 3d 3h")
        table.go_on()
        table.acts("fold", "fold")
        table.finish()
        first = [one for one in sealed(table).cards if one.deal == 1]
        assert {(one.zone, one.place) for one in first} == {(seat, 1) for seat in seats}
        assert len([one for one in sealed(table).cards if one.deal == 2]) == 6
        card = next(one.card.id for one in first if one.zone == seats[2])
        table.do(c.AskUnsealing, **asking_card(table, card))  # type: ignore[arg-type]
        table.do(c.ApproveUnsealing, **approving(table))  # type: ignore[arg-type]
        assert sealed(table).opened[card].face is Card.parse("Ah")
        table.check()


def test_a_card_that_was_drawn_and_belonged_to_no_deal() -> None:
    with bench() as table:
        table.open()
        table.deposit(10_000)
        table.start().betting(("player1_win", 1_000))
        table.draw("8s")
        table.lay("player1", 1, DEAL[0])
        table.rule("void_round", PIT)
        table.pay()
        table.clear()
        aside = table.draw("2h")
        taken_out(table)
        [loose] = [one for one in sealed(table).cards if one.fate is Fate.ASIDE]
        assert (loose.card.id, loose.zone) == (aside, "")


def test_the_card_that_open_face_chinese_gives_up() -> None:
    table = OpenFaceBench("ann bob")
    try:
        table.open()
        table.hand()
        table.play_out()
        table.finish()
        given_up = [one for one in sealed(table).cards if one.fate is Fate.GIVEN_UP]
        assert len(given_up) == 4 * 2
        assert {one.fate for one in sealed(table).cards} == {Fate.GIVEN_UP}
        one = given_up[0]
        table.do(c.AskUnsealing, **asking_card(table, one.card.id))  # type: ignore[arg-type]
        table.do(c.ApproveUnsealing, **approving(table))  # type: ignore[arg-type]
        assert sealed(table).opened[one.card.id].face not in open_faces(table)
        table.check()
    finally:
        table.close()


def open_faces(table: Bench) -> set[Card]:
    return {
        fact.face for fact in table.round.deal.cards.values() if isinstance(fact, CardDealt) and fact.face is not None
    }
