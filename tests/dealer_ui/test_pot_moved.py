"""A pot that no table feeds any more: all of it goes into another, once, before two people, on either store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import running_studio
import wire_house
from nats_server import NatsServer, needs_nats
from patience import wait_until
from running_studio import PIT, House
from wire_house import WireHouse

from dealer_ui.config.shape import PotSection, StudioConfig
from dealer_ui.desk.pit import PitDesk
from dealer_ui.desk.pot import PotMove, move_pot, pots
from dealer_ui.wire.web_floor import Hosts
from studio.errors import RefusedError
from studio.jackpot import PotTerms, moving_transfers, seeding_transfers
from studio.journal import Entry, Reader, Store, Unit, Writer
from studio.money import pot_account
from studio.people import Actor, Pin
from studio.people.staffing import NewStaff
from studio.pit.pit_event import PotMoved, write_row
from studio.proof.audit.database import verify
from studio.reports import Money, ReportAsked, cut, find_kind

AUDITOR = Actor("u1", "Uma", frozenset({"auditor"}))
MONEY = 100_000


def balance(place: Any, pot: str) -> int:
    with Reader.open(place) as reader:
        return reader.balance(pot_account(pot))


def with_pot(monkeypatch: pytest.MonkeyPatch, pot: str) -> None:
    """The table deals with this pot; the file knows both."""
    whole = (
        running_studio.config.__wrapped__ if hasattr(running_studio.config, "__wrapped__") else running_studio.config
    )

    def config(*given: Any, **named: Any) -> StudioConfig:
        found = whole(*given, **named)
        tables = tuple(one.model_copy(update={"pot": pot}) for one in found.tables)
        both = dict.fromkeys(("old", "new"), PotSection(currency="EUR", seed_minor=MONEY, reset_minor=MONEY))
        return found.model_copy(update={"pots": both, "tables": tables})

    config.__wrapped__ = whole  # type: ignore[attr-defined]
    monkeypatch.setattr(running_studio, "config", config)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """The table fed the pot `old` once, and feeds `new` now."""
    with_pot(monkeypatch, "old")
    with House(tmp_path, game="holdem_bonus") as found:
        found.staff()
        found.floor.staff.add(NewStaff("u1", "3001", "Uma", ("auditor",), Pin("590427")))
    with_pot(monkeypatch, "new")
    with House(tmp_path, game="holdem_bonus") as found:
        yield found


def visit(house: House, badge: str = "2001", pin: str = "730162") -> Any:
    visitor = house.studio.app.test_client()
    visitor.post("/sign-in", data={"badge": badge, "pin": pin})
    return visitor


MOVE = {
    "pot": "old", "to": "new", "words": "The game is dealt no more.", "pin": "730162", "second_badge": "3001",
    "second_pin": "590427",
}  # fmt: skip


def send(visitor: Any, **changed: str) -> Any:
    page = visitor.get("/pit/pots").get_data(as_text=True)
    csrf = page.split('name="csrf" value="')[1].split('"')[0]
    return visitor.post("/pit/pots", data={**MOVE, **changed, "csrf": csrf})


def test_all_of_a_pot_that_nobody_feeds_goes_into_another_once(house: House) -> None:
    visitor = visit(house)
    page = visitor.get("/pit/pots").get_data(as_text=True)
    assert "Fed by Table 1" in page
    assert "nobody can win what lies here" in page
    assert send(visitor).status_code == 303
    assert (balance(house.database, "old"), balance(house.database, "new")) == (0, 2 * MONEY)
    assert "Empty, and no table feeds it." in visitor.get("/pit/pots").get_data(as_text=True)
    again = send(visitor)
    assert again.status_code == 409
    assert "nothing to move" in again.get_data(as_text=True)
    assert balance(house.database, "new") == 2 * MONEY
    assert verify(house.database).first_wrong is None


def test_two_people_move_the_sum_that_they_were_shown(house: House) -> None:
    """A correction of a round of long ago may take from the pot, or give it back what it had won."""
    visitor = visit(house)
    form = visitor.get("/pit/pots").get_data(as_text=True)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    house.floor.commit(Unit(transfers=moving_transfers("new", "old", 500, "EUR", 0)))
    for said in ({"shown": hidden["shown"]}, {"shown": "x"}):
        answer = visitor.post("/pit/pots", data={**hidden, **MOVE, **said})
        assert answer.status_code == 409
        assert "has changed meanwhile" in answer.get_data(as_text=True)
        assert balance(house.database, "old") == MONEY + 500
    newer = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.get_data(as_text=True)))
    assert visitor.post("/pit/pots", data={**newer, **MOVE}).status_code == 303
    assert balance(house.database, "old") == 0


def test_the_close_of_day_and_the_significant_events_tell_it(house: House) -> None:
    send(visit(house))
    with Reader.open(house.database) as reader:
        asked = ReportAsked(reader, cut(reader, None, None))
        closing, significant = (find_kind(kind).make(asked) for kind in ("closing", "significant"))
    sheet = closing.sheet("pots")
    moved = {row[0]: row[sheet.place("moved")] for row in sheet.rows}
    assert moved == {"old": Money(-MONEY, "EUR"), "new": Money(MONEY, "EUR")}
    assert not closing.loud
    events = significant.sheet("events")
    [told] = [row for row in events.rows if row[2] == "PotMoved"]
    assert (told[events.place("people")], told[events.place("sum")]) == ("p1 + u1", Money(MONEY, "EUR"))


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        pytest.param({"second_badge": ""}, "Two people do this", id="alone"),
        pytest.param({"second_badge": "2001", "second_pin": "730162"}, "his own witness", id="with-himself"),
        pytest.param({"second_badge": "1001", "second_pin": "4826"}, "Dana", id="with-a-dealer"),
        pytest.param({"pin": "915374"}, "PIN", id="a-wrong-pin"),
        pytest.param({"words": " "}, "Write down why", id="for-no-reason"),
        pytest.param({"pot": "new", "to": "old"}, "feeds this pot", id="a-pot-in-use"),
        pytest.param({"to": "old"}, "Choose a pot that a table feeds", id="into-itself"),
        pytest.param({"to": ""}, "Choose a pot that a table feeds", id="into-none"),
        pytest.param({"pot": "none"}, "no pot of this name", id="no-pot"),
    ],
)
def test_what_may_not_be_moved_stays_where_it_is(house: House, changed: dict[str, str], word: str) -> None:
    answer = send(visit(house), **changed)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert word in page
    assert "590427" not in page
    assert (balance(house.database, "old"), balance(house.database, "new")) == (MONEY, MONEY)


def test_an_auditor_looks_and_moves_nothing_and_a_dealer_does_not_look(house: House) -> None:
    auditor = visit(house, "3001", "590427")
    page = auditor.get("/pit/pots").get_data(as_text=True)
    assert "nobody can win what lies here" in page
    assert "Move all of it" not in page
    assert visit(house, "1001", "4826").get("/pit/pots").status_code == 403


def test_a_preset_that_names_the_pot_can_deal_it_again_so_it_has_not_ended(house: House) -> None:
    preset = house.floor.config.tables[0].model_copy(update={"pot": "old"})
    house.floor.config = house.floor.config.model_copy(update={"presets": {"evening": preset}})
    assert "evening feeds this pot" in send(visit(house)).get_data(as_text=True)


# --- beneath the page, on either store --------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return tmp_path / "studio.db" if request.param == "sqlite" else request.getfixturevalue("postgres_address")


def seeded(writer: Writer, *keys: str, currency: str = "EUR") -> None:
    for key in keys:
        terms = PotTerms(key=key, currency=currency, seed_minor=MONEY, reset_minor=0)
        writer.commit(Unit(transfers=seeding_transfers(terms)))


def test_it_is_one_row_of_the_ledger_whatever_keeps_it_and_may_be_done_again_later(place: Any) -> None:
    with Store.open(place) as store:
        writer = Writer(store)
        seeded(writer, "old", "new")
        seeded(writer, "yen", currency="JPY")
        desk = PitDesk(lambda unit: writer.commit(unit).last_seq, lambda: 1_000)
        feeders = {"new": ("Table 1",), "yen": ("Table 2",)}

        def move(to: str = "new") -> str:
            with store.reader() as reader:
                known = pots(reader, feeders)
            try:
                move_pot(desk, known, PotMove("old", to, "It ended."), PIT.with_pin(1_000), AUDITOR.with_pin(1_000))
            except RefusedError as error:
                return error.key
            return ""

        assert move("yen") == "pot_currency"
        assert (move(), move()) == ("", "pot_empty")
        writer.commit(Unit(transfers=moving_transfers("new", "old", 5, "EUR", 0)))  # a correction's, say
        assert move() == ""
        with store.reader() as reader:
            assert (reader.balance(pot_account("old")), reader.balance(pot_account("new"))) == (0, 2 * MONEY)
            rows = reader.read(
                "SELECT amount, revision FROM ledger WHERE kind = 'pot_move' AND bet = 'new' ORDER BY seq", ()
            )
        assert [tuple(row) for row in rows] == [(MONEY, 0), (5, 1)]


def test_a_pot_that_changed_meanwhile_is_looked_at_again(tmp_path: Path) -> None:
    with Store.open(tmp_path / "studio.db") as store:
        writer = Writer(store)
        seeded(writer, "old", "new")
        desk = PitDesk(lambda unit: writer.commit(unit).last_seq, lambda: 1_000)
        with store.reader() as reader:
            known = pots(reader, {"new": ("Table 1",)})
        writer.commit(Unit(transfers=moving_transfers("new", "old", 5, "EUR", 0)))
        with pytest.raises(RefusedError) as refused:
            move_pot(desk, known, PotMove("old", "new", "It ended."), PIT.with_pin(1_000), AUDITOR.with_pin(1_000))
        assert refused.value.key == "pot_moved_on"
        assert desk.book.pot_moves == {}


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        pytest.param({"amount_minor": MONEY - 1}, "did not go into new as told", id="another-sum"),
        pytest.param({"to": "other"}, "did not go into other as told", id="another-pot"),
        pytest.param({"beside": "p1"}, "the record names one", id="one-person"),
    ],
)
def test_verify_finds_a_pot_that_was_moved_otherwise_than_told(
    house: House, changed: dict[str, Any], sentence: str
) -> None:
    told: dict[str, Any] = {
        "at_ms": house.floor.now_ms(), "pot": "old", "to": "new", "currency": "EUR", "amount_minor": MONEY, "by": "p1",
        "beside": "u1", "words": "x", **changed,
    }  # fmt: skip
    event = PotMoved(**told)
    entry = Entry("PotMoved", event.at_ms, write_row(event))
    house.floor.commit(Unit(entries=(entry,), transfers=moving_transfers("old", "new", MONEY, "EUR", 0)))
    found = verify(house.database).first_wrong
    assert found is not None
    assert sentence in found.sentence


def test_a_row_that_no_act_accounts_for_is_found(house: House) -> None:
    house.floor.commit(Unit(transfers=moving_transfers("old", "new", MONEY, "EUR", 0)))
    found = verify(house.database).first_wrong
    assert found is not None
    assert "No event accounts for" in found.sentence


def test_a_web_node_moves_no_money() -> None:
    unit = Unit(transfers=moving_transfers("old", "new", MONEY, "EUR", 0))
    with pytest.raises(RefusedError) as refused:
        Hosts.keep(object.__new__(Hosts), "pit", unit, 0)
    assert refused.value.key == "not_here"


@needs_nats
def test_at_a_web_node_a_pot_is_moved_by_a_host_once(
    tmp_path: Path, postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = wire_house.config
    monkeypatch.setattr(wire_house, "GAMES", {**wire_house.GAMES, "t3": "holdem_bonus"})

    def with_pot(pot: str) -> None:
        def config(*given: Any, **named: Any) -> StudioConfig:
            found = whole(*given, **named)
            tables = tuple(
                one.model_copy(update={"pot": pot}) if one.game == "holdem_bonus" else one for one in found.tables
            )
            both = dict.fromkeys(("old", "new"), PotSection(currency="EUR", seed_minor=MONEY, reset_minor=MONEY))
            return found.model_copy(update={"pots": both, "tables": tables})

        monkeypatch.setattr(wire_house, "config", config)

    with NatsServer(tmp_path) as nats:
        with_pot("old")
        with WireHouse(tmp_path, nats, postgres=postgres_address):
            pass
        with_pot("new")
        with WireHouse(tmp_path, nats, postgres=postgres_address) as made:
            made.hosts["a"].floor.staff.add(NewStaff("u1", "3001", "Uma", ("auditor",), Pin("590427")))
            made.stop_host("a")
            visitor = made.web.app.test_client()
            wait_until(lambda: "u1" in made.web.floor.staff.register.people)
            assert visitor.post("/sign-in", data={"badge": "2001", "pin": "730162"}).status_code == 303
            assert send(visitor).status_code == 303
            assert send(visitor).status_code == 409
    assert (balance(postgres_address, "old"), balance(postgres_address, "new")) == (0, 2 * MONEY)
    assert verify(postgres_address).first_wrong is None
