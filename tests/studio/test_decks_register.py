"""The register of decks: what may happen to a deck where it lies, who does it, and what never can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from studio.decks import DeckRegister, Whereabouts, evolve_decks, keeping, stock
from studio.decks.deck_event import (
    AnyDeckEvent,
    DeckDestroyed,
    DeckFound,
    DeckIssued,
    DeckLoaded,
    DeckSealDoubted,
    StockCounted,
    StockReconciled,
    read_deck_body,
    write_deck_body,
)
from studio.errors import BadInputError, IllegalEventError, RefusedError
from studio.people import TwoPeople

TWO = TwoPeople("p1", "Petra", "p2", "Paul")
RED = keeping.NewDeck("RED-1", "casino", "red", 1, "S1", "cage", "A")
BLUE = keeping.NewDeck("BLUE-1", "casino", "blue", 1, "S2", "cage", "B")
T1, T2, BLACKJACK = keeping.DeckTable("t1", 1), keeping.DeckTable("t2", 1), keeping.DeckTable("bj", 8)


class Cage:
    """A register, and hands that act on it; `in_shoe` are decks a table deals from just now."""

    def __init__(self, *decks: keeping.NewDeck) -> None:
        self.register = DeckRegister()
        self.in_shoe: set[str] = set()
        for deck in decks:
            self.take(keeping.receive(self.register, deck, TWO, backs=(), at_ms=1))

    def take(self, event: AnyDeckEvent) -> None:
        self.register = evolve_decks(self.register, read_deck_body(write_deck_body(event)))

    def issue(self, deck: str = "RED-1", table: keeping.DeckTable = T1, seal: str = "S1") -> None:
        self.take(keeping.issue(self.register, deck, table, seal, "p1", 2))

    def give_back(self, deck: str = "RED-1", place: str = "cage", seal: str = "S9") -> None:
        held = lambda one: one.id in self.in_shoe  # noqa: E731
        self.take(keeping.give_back(self.register, deck, (place, seal, ""), "p1", 3, held))

    def withdraw(self, deck: str = "RED-1", why: tuple[str, str, str] = ("safe", "other", "worn")) -> None:
        held = lambda one: one.id in self.in_shoe  # noqa: E731
        self.take(keeping.withdraw(self.register, deck, why, "p1", 4, held))

    def destroy(self, deck: str = "RED-1", how: str = "drilled", people: TwoPeople = TWO) -> None:
        self.take(keeping.destroy(self.register, deck, how, people, 5))

    def receive(self, deck: keeping.NewDeck, people: TwoPeople = TWO, backs: tuple[str, ...] = ()) -> None:
        self.take(keeping.receive(self.register, deck, people, backs=backs, at_ms=1))

    def load(self, name: str, table: str = "t1", packs: int = 1) -> str:
        return keeping.need_loadable(self.register, name, table, packs).id


def refused(act: object, *given: object, **named: object) -> str:
    with pytest.raises(RefusedError) as told:
        act(*given, **named)  # type: ignore[operator]
    assert str(told.value).endswith(".")
    return told.value.key


def found(**at: str) -> tuple[DeckFound, ...]:
    return tuple(DeckFound(deck=deck.replace("_", "-"), place=place) for deck, place in at.items())


def counted(cage: Cage, *, at_ms: int = 9, **at: str) -> StockCounted:
    event = stock.count(cage.register, found(**at), "", TWO, at_ms=at_ms, every_days=91)
    cage.take(event)
    return event


def test_a_count_that_finds_everything_where_it_should_be_leaves_nothing_open() -> None:
    cage = Cage(RED, BLUE)
    cage.issue()
    event = counted(cage, RED_1="t1", BLUE_1="cage")
    assert (event.differences, cage.register.open) == ((), ())
    assert stock.due_ms(cage.register, 7) == event.next_ms == 9 + 91 * stock.DAY_MS


def test_a_count_is_held_against_the_register_and_each_difference_is_settled_by_two_people() -> None:
    cage = Cage(RED, BLUE, replace(RED, id="OLD-1", seal="S3"))
    cage.withdraw("OLD-1")
    cage.destroy("OLD-1")
    event = counted(cage, BLUE_1="safe", OLD_1="cage", X_9="cage")
    assert [(one.deck, one.what, one.said, one.place) for one in event.differences] == [
        ("BLUE-1", "elsewhere", "cage", "safe"), ("OLD-1", "gone", "", "cage"), ("RED-1", "missing", "cage", ""),
        ("X-9", "unknown", "", "cage"),
    ]  # fmt: skip
    assert refused(counted, cage, RED_1="cage") == "stock_open"
    assert refused(stock.reconcile, cage.register, "RED-1", " ", TWO, 10) == "reason_needed"
    for one in event.differences:
        cage.take(stock.reconcile(cage.register, one.deck, "looked into", TWO, 10))
    assert cage.register.open == ()
    assert cage.register.decks["BLUE-1"].place == "safe"
    assert cage.register.decks["RED-1"].place == "cage"
    assert refused(stock.reconcile, cage.register, "RED-1", "again", TWO, 11) == "stock_settled"
    assert counted(cage, RED_1="cage", BLUE_1="safe").differences == ()


def test_a_deck_that_moved_since_the_count_stays_where_it_is_when_the_difference_is_settled() -> None:
    cage = Cage(RED)
    counted(cage, RED_1="safe")
    cage.issue()
    event = stock.reconcile(cage.register, "RED-1", "it was in the safe", TWO, 10)
    cage.take(event)
    assert (event.place, cage.register.decks["RED-1"].table) == ("", "t1")


def test_a_deck_written_down_twice_is_refused() -> None:
    twice = (*found(RED_1="cage"), *found(RED_1="safe"))
    refused_as = refused(stock.count, Cage(RED).register, twice, "", TWO, at_ms=9, every_days=91)
    assert refused_as == "deck_twice"


def test_a_count_that_tells_other_differences_than_there_are_cannot_have_happened() -> None:
    cage = Cage(RED)
    told = stock.count(cage.register, found(RED_1="safe"), "", TWO, at_ms=9, every_days=91)
    with pytest.raises(IllegalEventError):
        cage.take(msgspec.structs.replace(told, differences=()))
    with pytest.raises(IllegalEventError):
        cage.take(StockReconciled(at_ms=9, deck="RED-1", by="p1", beside="p2", what="missing", place="", words="x"))


def test_the_first_count_is_due_so_long_after_the_first_deck_came() -> None:
    assert stock.due_ms(DeckRegister(), 91) is None
    assert stock.due_ms(Cage(RED).register, 91) == 1 + 91 * stock.DAY_MS


def test_a_deck_lives_from_its_receipt_to_its_destruction() -> None:
    cage = Cage(RED)
    assert cage.register.decks["RED-1"].whereabouts is Whereabouts.STORED
    cage.issue()
    assert (cage.register.decks["RED-1"].table, cage.register.decks["RED-1"].seal) == ("t1", "")
    cage.give_back(seal="S9")
    cage.issue(seal="S9")
    cage.withdraw()
    cage.destroy()
    deck = cage.register.decks["RED-1"]
    assert (deck.whereabouts, deck.issues, len(deck.history)) == (Whereabouts.DESTROYED, 2, 6)


@pytest.mark.parametrize(
    ("deck", "key"),
    [
        pytest.param(replace(RED, id=" "), "deck_id", id="no-number"),
        pytest.param(replace(RED, id="../x"), "deck_id", id="odd-number"),
        pytest.param(RED, "deck_known", id="known-already"),
        pytest.param(replace(RED, id="X", seal="S1"), "seal_taken", id="the-seal-of-another"),
        pytest.param(replace(RED, id="X", seal=""), "deck_field", id="no-seal"),
        pytest.param(replace(RED, id="X", seal="S7", packs=0), "deck_packs", id="no-pack"),
        pytest.param(replace(RED, id="X", seal="S7", packs=9), "deck_packs", id="too-many-packs"),
        pytest.param(replace(RED, id="X", seal="S7", back="green"), "back_foreign", id="a-foreign-back"),
        pytest.param(replace(RED, id="X", seal="S7", mark="A B"), "deck_mark", id="an-odd-mark"),
        pytest.param(replace(RED, id="X", seal="S7", place="  "), "deck_field", id="no-place"),
        pytest.param(replace(RED, id="X", seal="S7", design="d" * 121), "too_long", id="too-long"),
    ],
)
def test_what_is_not_taken_in(deck: keeping.NewDeck, key: str) -> None:
    assert refused(Cage(RED).receive, deck, backs=("red", "blue")) == key


def test_a_deck_is_brought_out_under_its_own_seal_to_one_table_only() -> None:
    cage = Cage(RED)
    assert refused(cage.issue, seal="S2") == "seal_wrong"
    assert refused(cage.issue, table=BLACKJACK) == "deck_size"
    assert refused(cage.issue, deck="RED-9") == "deck_unknown"
    cage.issue()
    assert refused(cage.issue, table=T2) == "deck_not_stored"


def test_two_decks_of_two_colours_and_two_names_are_at_a_table() -> None:
    cage = Cage(
        RED, BLUE, replace(RED, id="RED-2", seal="S3", mark="C"), replace(BLUE, id="G", back="green", seal="S4")
    )
    cage.issue()
    assert refused(cage.issue, "RED-2", seal="S3") == "back_taken"
    cage.issue("BLUE-1", seal="S2")
    assert refused(cage.issue, "G", seal="S4") == "table_has_decks"
    cage.give_back("RED-1")
    assert refused(cage.issue, "G", seal="S4") == "mark_taken"


def test_a_deck_in_the_shoe_stays_where_it_is() -> None:
    cage = Cage(RED)
    cage.issue()
    cage.in_shoe.add("RED-1")
    assert refused(cage.give_back) == "deck_in_use"
    assert refused(cage.withdraw) == "deck_in_use"


def test_what_may_not_happen_where_a_deck_lies() -> None:
    cage = Cage(RED, BLUE)
    assert refused(cage.give_back) == "deck_not_at_table"
    assert refused(cage.destroy) == "deck_not_withdrawn"
    assert refused(cage.withdraw, why=("safe", "", "worn")) == "reason_needed"
    assert refused(cage.withdraw, why=("", "other", "worn")) == "deck_field"
    cage.issue()
    assert refused(cage.give_back, seal="S2") == "seal_taken"
    cage.withdraw()
    assert refused(cage.withdraw) == "deck_out_already"
    assert refused(cage.issue) == "deck_not_stored"
    assert refused(cage.destroy, how=" ") == "deck_field"
    cage.destroy()
    assert refused(cage.issue) == "deck_not_stored"
    assert refused(cage.receive, RED) == "deck_known"


def test_a_table_loads_only_a_deck_that_was_brought_to_it() -> None:
    cage = Cage(RED, BLUE)
    assert refused(cage.load, "A00001") == "deck_unregistered"
    cage.issue()
    assert cage.load("A00001") == cage.load("RED-1") == "RED-1"
    assert refused(cage.load, "A00001", "t2") == "deck_unregistered"
    assert refused(cage.load, "RED-1", "t2") == "deck_elsewhere"
    assert refused(cage.load, "B00002") == "deck_unregistered"
    assert refused(cage.load, "A00001", packs=8) == "deck_size"
    cage.withdraw()
    cage.destroy()
    assert refused(cage.load, "RED-1") == "deck_elsewhere"


def test_the_record_holds_nothing_that_cannot_have_happened() -> None:
    cage = Cage(RED)
    wrong = (
        DeckIssued(at_ms=2, deck="RED-2", by="p1", table="t1", seal="S1"),
        DeckIssued(at_ms=2, deck="RED-1", by="p1", table="t1", seal="other"),
        DeckLoaded(at_ms=2, deck="RED-1", by="p1", table="t1", name="A1"),
        DeckDestroyed(at_ms=2, deck="RED-1", by="p1", beside="p2", how="burned"),
        cage.register.decks["RED-1"].history[0],
    )
    for event in wrong:
        with pytest.raises(IllegalEventError):
            evolve_decks(cage.register, event)
    cage.issue()
    with pytest.raises(IllegalEventError):
        evolve_decks(cage.register, DeckLoaded(at_ms=2, deck="RED-1", by="p1", table="t2", name="A1"))


@pytest.mark.parametrize("body", [b"{}", b'{"decks": {}}', b'{"decks": {"kind": "DeckEaten"}}', b"\xff"])
def test_a_body_that_tells_nothing_of_a_deck_is_refused(body: bytes) -> None:
    with pytest.raises(BadInputError):
        read_deck_body(body)


def doubt_of(act: Callable[[], object]) -> DeckSealDoubted:
    with pytest.raises(keeping.SealDoubtedError) as told:
        act()
    return told.value.doubt


def test_a_seal_that_does_not_fit_is_told_with_what_was_read_and_by_whom_and_moves_no_deck() -> None:
    cage = Cage(RED, BLUE)
    wrong = doubt_of(lambda: cage.issue(seal="S8"))
    assert (wrong.deck, wrong.seal, wrong.during, wrong.table, wrong.by) == ("RED-1", "S8", "issue", "t1", "p1")
    taken = doubt_of(lambda: cage.receive(replace(RED, id="RED-2", seal="S2")))
    assert (taken.deck, taken.seal, taken.during, taken.offered) == ("BLUE-1", "S2", "receive", "RED-2")
    cage.issue()
    again = doubt_of(lambda: cage.give_back(seal="S2"))
    assert (again.deck, again.during, again.offered) == ("BLUE-1", "return", "RED-1")
    before = cage.register.decks["RED-1"]
    cage.take(wrong)
    after = cage.register.decks["RED-1"]
    assert (after.whereabouts, after.seal, after.history[-1]) == (before.whereabouts, before.seal, wrong)


def test_a_seal_that_nobody_read_is_no_doubt() -> None:
    with pytest.raises(RefusedError) as told:
        Cage(RED).issue(seal=" ")
    assert told.value.key == "deck_field"
