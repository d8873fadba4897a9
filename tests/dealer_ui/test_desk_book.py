"""A book that several processes write: nobody adds behind a row he has not read, and everybody hears of every row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from running_studio import DEALER, PIT

from dealer_ui.desk.bettor import BettorDesk
from dealer_ui.desk.book import FarBook, KeptBook, MovedError, kept_anew
from dealer_ui.desk.staff import StaffDesk
from studio.errors import RefusedError, StorageError
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.operators import BETTOR_KINDS, OPERATOR_KINDS
from studio.people import STAFF_KINDS, AnyStaffEvent, Argon2PinHasher, Pin
from studio.people.staff_event import StaffSignedIn, StaffSignedOut
from studio.people.staffing import NewStaff


class Studio:
    """One database, the book of its bettors on the host that keeps it, and on another process that reads it."""

    def __init__(self, folder: Path, kinds: frozenset[str] = frozenset(BETTOR_KINDS)) -> None:
        self.store = Store.open(folder / "studio.db")
        self.writer = Writer(self.store)
        self._reader = self.store.reader()
        self.kept = KeptBook(kinds, self.commit, self.reader)
        self.far = FarBook(kinds, self.kept.add, self.reader)

    def commit(self, unit: Unit) -> int:
        return self.writer.commit(unit).last_seq

    def reader(self) -> Reader:
        return self._reader

    def close(self) -> None:
        self._reader.close()
        self.writer.close()
        self.store.close()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(tmp_path)
    yield made
    made.close()


def desk(book: KeptBook | FarBook) -> BettorDesk:
    made = BettorDesk(book.commit, lambda: 1_000)
    made.restore(book.begin())
    made.others = book.others
    return made


def test_each_hears_of_what_the_other_has_kept(studio: Studio) -> None:
    at_host, elsewhere = desk(studio.kept), desk(studio.far)
    elsewhere.block("north", "ann")
    at_host.block("north", "bob")
    at_host.catch_up()
    elsewhere.catch_up()
    for one in (at_host, elsewhere):
        assert one.of("north", "ann").blocked
        assert one.of("north", "bob").blocked


def test_an_act_is_decided_over_what_the_other_has_kept_meanwhile(studio: Studio) -> None:
    at_host, elsewhere = desk(studio.kept), desk(studio.far)
    at_host.block("north", "ann")
    elsewhere.block("north", "ann")  # nothing changes any more
    assert [row.kind for row in studio.reader().events()] == ["BettorBlocked"]
    with pytest.raises(RefusedError, match="blocked this bettor"):
        elsewhere.launch("north", "ann", None)


def row(kind: str = "BettorBlocked") -> Unit:
    return Unit(entries=(Entry(kind, 1, b"{}"),))


def test_nothing_is_added_behind_a_row_that_was_not_read(studio: Studio) -> None:
    list(studio.far.begin())
    studio.kept.commit(row())
    with pytest.raises(MovedError):
        studio.far.commit(row())
    assert [one.seq for one in studio.far.others()] == [1]
    assert studio.far.commit(row()) == 2
    with pytest.raises(MovedError):
        studio.kept.commit(row())  # the host's own desk has not read it either
    assert [one.seq for one in studio.kept.others()] == [2]
    assert studio.kept.commit(row()) == 3


def test_rows_of_other_books_do_not_matter_and_cannot_be_sent(studio: Studio) -> None:
    list(studio.far.begin())
    studio.commit(row(sorted(OPERATOR_KINDS)[0]))
    assert studio.far.commit(row()) == 2
    for unit in (row("RoundSettled"), Unit()):
        with pytest.raises(RefusedError, match="another book"):
            studio.kept.add(unit, 2)


def test_a_book_goes_on_where_it_ended(studio: Studio, tmp_path: Path) -> None:
    studio.kept.commit(row())
    studio.kept.commit(row())
    again = KeptBook(frozenset(BETTOR_KINDS), studio.commit, studio.reader)
    assert [one.seq for one in again.begin()] == [1, 2]
    assert again.add(row(), 2) == 3


def test_who_is_never_quick_enough_is_told_so_in_a_sentence() -> None:
    tries = []

    def act() -> None:
        tries.append(1)
        raise MovedError

    with pytest.raises(RefusedError, match="look, then do it again"):
        kept_anew(lambda: None, act)
    assert len(tries) == 4


def test_listeners_hear_what_happened_to_people_elsewhere(tmp_path: Path) -> None:
    studio = Studio(tmp_path, frozenset(STAFF_KINDS))
    heard: list[AnyStaffEvent] = []
    desks = []
    for book in (studio.kept, studio.far):
        made = StaffDesk(book.commit, lambda: 1_000, Argon2PinHasher(cost=1, memory_kib=8))
        made.restore(book.begin(), signs_out=False)
        made.others = book.others
        desks.append(made)
    at_host, elsewhere = desks
    at_host.add(NewStaff(DEALER.id, "1001", DEALER.name, ("dealer",), Pin("4826")))
    elsewhere.listeners.append(heard.append)
    elsewhere.catch_up()
    at_host.sign_in("1001", "4826", 1_000, station="s1")
    elsewhere.sign_out(DEALER.id, "s1")
    assert [type(event) for event in heard[-2:]] == [StaffSignedIn, StaffSignedOut]
    assert not elsewhere.register.people[DEALER.id].stations
    assert PIT.id not in elsewhere.register.people
    studio.close()


@pytest.mark.parametrize(
    ("why", "key", "words"),
    [
        (StorageError("full"), "disk", "cannot write its record now"),
        (TimeoutError(), "no_answer_yet", "may yet be done: look before you ask again"),
    ],
)
def test_what_may_yet_be_written_is_not_said_to_be_undone(why: Exception, key: str, words: str) -> None:
    def commit(unit: Unit) -> int:
        raise why

    with pytest.raises(RefusedError, match=words) as refused:
        BettorDesk(commit, lambda: 1_000).block("north", "ann")
    assert refused.value.key == key
