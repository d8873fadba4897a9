"""Two decks rotate through the shuffler: what it says of a deck frees or blocks it, and nobody overrides that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from table_bench import DEAL, DEALER, PIT, Bench, bench

from studio import ports
from studio.errors import RefusedError
from studio.tables import command as c
from studio.tables.event import table as e
from studio.views import view_table
from studio.views.shape import TableView


def state(table: Bench, *states: str) -> None:
    for one in states:
        table.say(ports.ShufflerState(device="shuffler", at_ms=table.now, state=one))


def alarm(table: Bench, name: str, *, raised: bool = True) -> None:
    table.say(ports.ShufflerAlarm(device="shuffler", at_ms=table.now, alarm=name, raised=raised))


def shuffled(table: Bench, deck: str, verdict: str = "ok", count: int = 52) -> None:
    """A deck goes through the machine, as the machine tells it."""
    state(table, "loading", "shuffling", "verifying")
    table.verify_deck(deck, verdict, count)
    state(table, "ready")


def taken_out(table: Bench) -> None:
    state(table, "idle")


def look(table: Bench) -> TableView:
    return view_table(table.state, table.table.book, 1)


def stages(table: Bench) -> dict[str, str]:
    return {deck.id: deck.stage for deck in look(table).shoe.decks}


def says(table: Bench) -> str:
    machine = look(table).shoe.machine
    assert machine is not None
    return machine.says.key


def refusal(table: Bench, command: type[c.Command], **given: object) -> str:
    with pytest.raises(RefusedError) as found:
        table.do(command, **given)
    return found.value.sentence


@pytest.fixture
def table() -> Iterator[Bench]:
    """An open table without a deck; the machine is empty."""
    with bench() as made:
        made.links()
        made.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        state(made, "idle")
        yield made


@pytest.fixture
def dealing(table: Bench) -> Bench:
    """A round of deck D1 under way; the machine is empty."""
    shuffled(table, "D1")
    taken_out(table)
    table.do(c.LoadShoe)
    table.deposit(10_000)
    return table.start().betting(("player1_win", 1000)).deal(*DEAL[:4])


# --- the way of a deck ---------------------------------------------------------------------------------


def test_a_deck_is_in_the_machine_then_verified_then_in_play_then_used(table: Bench) -> None:
    said = [says(table)]
    for told in ("loading", "shuffling", "verifying"):
        state(table, told)
        said.append(says(table))
        assert look(table).now.act.key == "act.wait_shuffler"
    table.verify_deck("D1")
    state(table, "ready")
    assert [*said, says(table)] == [
        "machine.idle", "machine.loading", "machine.shuffling", "machine.verifying", "machine.verified",
    ]  # fmt: skip
    assert stages(table) == {"D1": "verified"}
    assert look(table).now.act.key == "act.load_shoe"
    taken_out(table)
    table.do(c.LoadShoe)
    assert stages(table) == {"D1": "in_play"}
    shuffled(table, "D2")
    taken_out(table)
    table.do(c.LoadShoe)
    assert stages(table) == {"D1": "used", "D2": "in_play"}


def test_the_other_deck_is_shuffled_and_verified_while_this_one_is_dealt(dealing: Bench) -> None:
    shuffled(dealing, "D2")
    dealing.deal(*DEAL[4:]).finish()
    assert stages(dealing) == {"D1": "in_play", "D2": "verified"}
    dealing.do(c.LoadShoe)
    dealing.do(c.StartRound)


@pytest.mark.parametrize(
    ("verdict", "count", "words"),
    [
        ("short", 51, "a card is missing"),
        ("over", 53, "a card too many"),
        ("duplicate", 52, "one card twice"),
        ("foreign", 52, "a card of another deck"),
    ],
)
def test_a_deck_that_is_not_right_may_not_be_dealt_and_the_sentence_says_which_and_what_to_do(
    table: Bench, verdict: str, count: int, words: str
) -> None:
    shuffled(table, "D1", verdict, count)
    for sentence in (
        refusal(table, c.LoadShoe),
        refusal(table, c.LoadShoe, deck_id="D1"),
        refusal(table, c.StartRound),
    ):
        assert "Deck D1 may not be dealt" in sentence
        assert words in sentence
        assert "Take it out of the shuffler" in sentence
    assert (look(table).now.act.key, says(table)) == (f"act.deck_{verdict}", f"machine.{verdict}")
    assert stages(table) == {"D1": "blocked"}
    assert table.incident.ruling.row == "EV6"
    taken_out(table)
    assert look(table).now.act.key == "act.shuffle"
    shuffled(table, "D2")
    assert table.state.incidents.open == ()
    taken_out(table)
    table.do(c.LoadShoe)
    table.do(c.StartRound)


def test_nobody_vouches_by_hand_for_a_deck_the_machine_found_wrong(table: Bench) -> None:
    shuffled(table, "D1", "short", 51)
    given = {"deck_id": "D1", "words": "52 cards, each once"}
    assert table.refused(c.VerifyDeck, table.pin(PIT), **given) == "deck_blocked"
    table.do(c.VerifyDeck, table.pin(PIT), deck_id="red-12", words="52 cards, each once, red backs")
    assert "red-12" in table.state.approved


def test_a_ruling_on_a_blocked_deck_does_not_free_it(table: Bench) -> None:
    shuffled(table, "D1", "short", 51)
    assert table.refused_ruling("continue", PIT) == "choice_not_allowed"
    table.rule("reshuffle", PIT)
    assert table.refused(c.LoadShoe, deck_id="D1") == "deck_unverified"


def test_a_good_verdict_with_a_wrong_count_is_a_bad_verdict(table: Bench) -> None:
    shuffled(table, "D1", "ok", 51)
    assert stages(table) == {"D1": "blocked"}
    shuffled(table, "D2", "ok", 53)
    assert [one.verdict for one in look(table).shoe.decks] == ["short", "over"]


def test_a_blocked_deck_becomes_good_by_another_shuffle_only(table: Bench) -> None:
    shuffled(table, "D1", "short", 51)
    table.verify_deck("D1")
    assert stages(table) == {"D1": "blocked"}
    shuffled(table, "D1")
    assert stages(table) == {"D1": "verified"}


def test_a_deck_shuffled_again_before_it_came_out_is_verified_anew(table: Bench) -> None:
    shuffled(table, "D1")
    state(table, "loading")
    assert table.state.approved == ()
    assert table.state.incidents.open == ()
    table.verify_deck("D2")
    assert table.state.approved == ("D2",)


def test_a_deck_taken_out_and_waiting_stays_verified_while_the_next_one_is_shuffled(table: Bench) -> None:
    shuffled(table, "D1")
    taken_out(table)
    state(table, "loading")
    assert table.state.approved == ("D1",)


# --- what the machine should not say --------------------------------------------------------------------


def test_a_verification_said_twice_is_heard_once(table: Bench) -> None:
    shuffled(table, "D1")
    table.verify_deck("D1")
    assert len(table.rows("DeckApproved")) == 1


def test_a_bad_word_on_a_deck_that_was_good_blocks_it(table: Bench) -> None:
    shuffled(table, "D1")
    table.verify_deck("D1", "short", 51)
    assert stages(table) == {"D1": "blocked"}
    table.verify_deck("D1", "short", 51)
    assert len(table.rows("DeckRefused")) == 1


def test_a_deck_that_nobody_put_in_is_not_verified(table: Bench) -> None:
    table.verify_deck("D9")
    assert look(table).shoe.decks[-1].verdict == "unexpected"
    assert table.incident.ruling.row == "EV6"
    assert "had not shuffled" in refusal(table, c.LoadShoe, deck_id="D9")


def test_a_deck_with_the_name_of_the_one_in_the_shoe_is_not_verified(dealing: Bench) -> None:
    shuffled(dealing, "D1")
    assert stages(dealing) == {"D1": "in_play"}
    assert dealing.state.approved == ()
    assert dealing.incident.ruling.row == "EV6"
    assert not dealing.state.held
    assert says(dealing) == "machine.in_shoe"
    shuffled(dealing, "D2")
    assert dealing.state.incidents.open == ()


def test_a_machine_that_was_not_heard_for_a_while_may_have_shuffled_meanwhile(table: Bench) -> None:
    shuffled(table, "D1")
    taken_out(table)
    table.do(c.LoadShoe)
    table.links(up=False, only=("shuffler",))
    table.links(only=("shuffler",))
    table.rule("continue")
    state(table, "ready")
    table.verify_deck("D2")
    assert stages(table) == {"D1": "in_play", "D2": "verified"}


def test_a_deck_that_lay_in_a_machine_nobody_heard_is_verified_only_if_the_machine_still_knows_it(
    dealing: Bench,
) -> None:
    shuffled(dealing, "D2")
    dealing.links(up=False, only=("shuffler",))
    dealing.links(only=("shuffler",))
    state(dealing, "ready")
    dealing.verify_deck("D2")
    assert dealing.state.approved == ("D2",)
    dealing.links(up=False, only=("shuffler",))
    dealing.links(only=("shuffler",))
    state(dealing, "idle")
    assert dealing.state.approved == ()
    assert look(dealing).shoe.decks[-1].verdict == "unheard"
    dealing.rule("continue")
    shuffled(dealing, "D3")
    assert dealing.state.approved == ("D3",)


def test_frames_lost_on_the_way_heal_by_what_is_told_anew(table: Bench) -> None:
    table.verify_deck("D1")
    assert table.open_kinds() == ["deck_unverified"]
    state(table, "ready")
    table.verify_deck("D1")
    assert table.state.approved == ("D1",)
    assert table.state.incidents.open == ()


# --- alarms ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cover", "misread", "reverse", "double_feed", "deck_count", "overdraw"])
def test_an_alarm_that_touches_the_cards_blocks_the_deck_that_waits_and_the_deal_goes_on(
    dealing: Bench, name: str
) -> None:
    shuffled(dealing, "D2")
    alarm(dealing, name)
    state(dealing, "error")
    assert stages(dealing) == {"D1": "in_play", "D2": "blocked"}
    assert (dealing.incident.ruling.row, dealing.state.held) == ("EV6", False)
    alarm(dealing, name, raised=False)
    state(dealing, "idle")
    assert stages(dealing)["D2"] == "blocked"
    dealing.deal(*DEAL[4:]).finish()
    shuffled(dealing, "D3")
    dealing.do(c.LoadShoe)
    assert dealing.state.incidents.open == ()


@pytest.mark.parametrize("name", ["power", "timeout"])
def test_an_alarm_of_the_machine_itself_is_told_and_the_deck_in_it_stays_verified(dealing: Bench, name: str) -> None:
    shuffled(dealing, "D2")
    alarm(dealing, name)
    assert dealing.state.incidents.open == ()
    assert dealing.state.approved == ("D2",)
    machine = look(dealing).shoe.machine
    assert machine is not None
    assert (machine.says.key, machine.tone, machine.alarms) == ("machine.alarm", "bad", (name,))


@pytest.mark.parametrize(("name", "asks"), [("double_feed", True), ("misread", True), ("cover", False)])
def test_an_alarm_in_the_shuffle_is_asked_about_when_it_says_something_of_the_cards(
    dealing: Bench, name: str, asks: bool
) -> None:
    state(dealing, "loading", "shuffling")
    alarm(dealing, name)
    assert dealing.open_kinds() == (["deck_unverified"] if asks else [])
    assert not dealing.state.held


def test_the_dealer_who_waits_for_the_machine_is_told_to_put_it_right(table: Bench) -> None:
    alarm(table, "cover")
    state(table, "error")
    act = look(table).now.act
    assert (act.key, act.values) == ("act.see_to_shuffler", {"alarm": "alarm.cover"})
    assert "(cover)" in refusal(table, c.LoadShoe)
    alarm(table, "cover", raised=False)
    state(table, "idle")
    assert look(table).now.act.key == "act.shuffle"


def test_a_jam_holds_the_table_once_however_often_it_is_told(dealing: Bench) -> None:
    alarm(dealing, "jam")
    assert dealing.incident.kind == "shuffler_jam"
    dealing.rule("continue", PIT)
    alarm(dealing, "jam")
    assert dealing.state.incidents.open == ()
    alarm(dealing, "jam", raised=False)
    alarm(dealing, "jam")
    assert dealing.incident.kind == "shuffler_jam"


def test_a_closed_table_is_only_told() -> None:
    with bench() as table:
        table.links()
        state(table, "idle", "loading")
        alarm(table, "jam")
        alarm(table, "double_feed")
        shuffled(table, "D1", "short", 51)
        assert table.state.incidents.open == ()
        assert stages(table) == {"D1": "blocked"}


# --- other tables, other times ----------------------------------------------------------------------------


def test_a_table_without_a_shuffler_deals_decks_counted_by_hand() -> None:
    with bench(shuffler="") as table:
        table.links()
        table.do(c.OpenTable, table.pin(PIT), dealer=DEALER.id, dealer_name=DEALER.name)
        assert look(table).shoe.machine is None
        assert look(table).now.act.key == "act.shuffle"
        assert "a pit boss counts one" in refusal(table, c.LoadShoe)
        table.do(c.VerifyDeck, table.pin(PIT), deck_id="red-12", words="52 cards, each once")
        table.do(c.LoadShoe)
        table.do(c.StartRound)


def test_after_a_restart_the_machine_is_unknown_until_it_speaks_and_what_was_verified_still_is(dealing: Bench) -> None:
    shuffled(dealing, "D2")
    dealing.restart()
    assert dealing.state.approved == ("D2",)
    dealing.links()
    state(dealing, "ready")
    dealing.verify_deck("D2")
    assert dealing.state.approved == ("D2",)
    assert dealing.open_kinds() == ["restart"]
    assert says(dealing) == "machine.verified"


def test_only_the_last_decks_are_remembered(table: Bench) -> None:
    for number in range(40):
        shuffled(table, f"D{number}")
        taken_out(table)
        table.do(c.LoadShoe)
    assert len(table.state.decks.records) <= 10
    assert table.state.deck is not None
    assert table.state.deck.id == "D39"


def test_no_event_of_a_deck_has_room_for_its_order() -> None:
    for kind in (e.DeckApproved, e.DeckRefused, e.ShoeLoaded):
        assert set(kind.__struct_fields__) <= {"deck_id", "count", "verdict", "by", "words", "out"}


WORDS = st.lists(
    st.one_of(
        st.sampled_from(["idle", "loading", "shuffling", "verifying", "ready", "error"]),
        st.tuples(st.sampled_from(["D1", "D2", "D3"]), st.sampled_from(["ok", "short", "duplicate"])),
        st.sampled_from(["+jam", "-jam", "+cover", "-cover", "+double_feed", "-double_feed", "load"]),
    ),
    max_size=25,
)


@settings(max_examples=25, deadline=None)
@given(WORDS)
def test_whatever_the_machine_says_no_deck_is_dealt_that_was_not_found_good(words: list[str | tuple[str, str]]) -> None:
    with bench() as table:
        table.links()
        table.do(c.OpenTable, PIT, dealer=DEALER.id, dealer_name=DEALER.name)
        last: dict[str, str] = {}
        for word in words:
            match word:
                case (deck, verdict):
                    last[str(deck)] = str(verdict)
                    table.verify_deck(str(deck), str(verdict))
                case "load":
                    if table.state.approved:
                        table.do(c.LoadShoe)
                        assert table.state.deck is not None
                        assert last[table.state.deck.id] == "ok"
                case str() if word[0] in "+-":
                    alarm(table, word[1:], raised=word[0] == "+")
                case str():
                    state(table, word)
            assert set(table.state.approved).isdisjoint({table.state.deck.id} if table.state.deck else ())


def test_a_shuffler_that_shuffles_without_an_end_asks_the_pit_and_again_only_after_its_time(table: Bench) -> None:
    state(table, "loading", "shuffling")
    table.wait(178)
    assert table.state.incidents.open == ()
    table.wait(2)
    assert [(one.kind, one.ruling.row) for one in table.state.incidents.open] == [("deck_unverified", "EV6")]
    table.rule("reshuffle", PIT)
    table.wait(60)
    assert table.state.incidents.open == ()
    table.wait(130)
    assert [one.kind for one in table.state.incidents.open] == ["deck_unverified"]
