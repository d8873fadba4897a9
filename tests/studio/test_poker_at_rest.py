"""A poker table's database on disk: no key and no face of a card nobody showed; and its reports."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from poker_bench import CHIPS, NLH, PokerBench
from table_bench import PIT

from studio import ports
from studio.cards import Card, SealedCard
from studio.reports import KINDS, Period, Regard, ReportAsked, ReportKind, between
from studio.reports.significant import make as significant
from studio.rulebook.script import Turn
from studio.tables import command as c
from studio.tables.state.table import awaited
from studio.views.own import own_seat

SHOWDOWN = "Ah Kh 2c Ad Kd 7d 4s As 9c 3d 5h 8h 6h Jc"
"""Bob has aces, Cy kings, Ann 2c 7d."""


class Kept(PokerBench):
    """Remembers every card the shoe drew, with its face."""

    def __init__(self, path: Path) -> None:
        self.drawn: dict[str, tuple[SealedCard, Card]] = {}
        super().__init__(
            config=msgspec.structs.replace(NLH, rules={"rake_percent": "5", "rake_cap": 30}), path=str(path)
        )

    def draw(self, card: str | Card, *, resent: bool = False) -> str:
        made = card if isinstance(card, Card) else Card.parse(card)
        sealed = self.sealer.card(made)
        self.drawn[sealed.id] = (sealed, made)
        self.say(ports.ShoeDrewCard(device=self.config.shoe, at_ms=self.now, card=sealed, resent=resent))
        return sealed.id


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    """One hand folded, one shown and mucked, one dealt again, and one open with its flop out."""
    bench = Kept(tmp_path_factory.mktemp("night") / "studio.db")
    bench.open()
    bench.hand()
    bench.acts("fold", "fold")
    bench.end_hand()
    bench.hand(SHOWDOWN)
    while (now := awaited(bench.state)) and isinstance(now.step, Turn):
        bench.acts("muck" if "muck" in now.step.options else "call" if "call" in now.step.options else "check")
    bench.end_hand()
    bench.hand()
    bench.lose("seat3", 1, identified=False)
    bench.rule("void_round", PIT)
    bench.pay()
    bench.clear()
    bench.load()
    bench.hand()
    bench.acts("call", "call", "check")
    yield bench
    bench.close()


def read_rows(bench: Kept) -> list[tuple[str, str]]:
    return bench.store.connection.execute("SELECT kind, CAST(body AS TEXT) FROM journal ORDER BY seq").fetchall()


def whole(bench: Kept) -> Period:
    with bench.store.reader() as reader:
        return between(reader, 0, reader.head().seq, begin_ms=0, end_ms=bench.now + 1)


def unshown(bench: Kept) -> list[tuple[SealedCard, Card]]:
    """The cards whose key no row has published."""
    told = "".join(body for _, body in read_rows(bench))
    hidden = [one for one in bench.drawn.values() if base64.b64encode(one[0].publish_key()).decode() not in told]
    assert (len(hidden), len(bench.drawn)) == (26, 36)
    return hidden


def test_no_key_of_a_card_that_was_not_shown_lies_in_the_database(night: Kept) -> None:
    [main] = [row[2] for row in night.store.connection.execute("PRAGMA database_list") if row[1] == "main"]
    held = b"".join(Path(f"{main}{end}").read_bytes() for end in ("", "-wal"))
    assert b"SeatTaken" in held
    for sealed, _ in unshown(night):
        key = sealed.publish_key()
        for spelling in (key, key.hex().encode(), key.hex().upper().encode(), base64.b64encode(key).rstrip(b"="),
                         base64.urlsafe_b64encode(key).rstrip(b"=")):  # fmt: skip
            assert spelling not in held


def test_no_row_of_a_hand_names_a_card_that_was_not_shown(night: Kept) -> None:
    faces: dict[str, set[str]] = {}
    hidden = {sealed.id for sealed, _ in unshown(night)}
    rows = read_rows(night)
    for id in hidden:
        card = night.drawn[id][1]
        [round] = {msgspec.json.decode(body)["round"] for kind, body in rows if id in body and kind == "ShoeDrewCard"}
        faces.setdefault(round, set()).add(str(card))
    assert len(faces) == 4
    for kind, body in rows:
        if kind == "SeatTaken":
            continue
        told = msgspec.json.decode(body)
        for face in faces.get(told.get("round", ""), ()):
            assert f'"{face}"' not in body, kind


def test_a_restart_gives_each_seat_its_own_cards_and_nobody_elses(night: Kept) -> None:
    before = {bettor: own_seat(night.state, "north", bettor) for bettor in night.seats}
    again = night.restarted()
    assert {bettor: own_seat(again.state, "north", bettor) for bettor in night.seats} == before
    cards = [card for own in before.values() if own for card in own.cards]
    assert len(set(cards)) == len(cards) == 6
    assert not any(card in repr(before) for card in cards)


def test_who_takes_a_seat_after_a_hand_learns_nothing_of_it(tmp_path: Path) -> None:
    bench = Kept(tmp_path / "studio.db")
    bench.open()
    bench.deposit(100_000, "dee")
    bench.hand()
    bench.ask("leave", "cy")
    assert bench.ask("sit", "dee", seat="seat3", amount_minor=CHIPS).key == "seat_taken"
    bench.acts("fold", "fold")
    assert bench.ask("sit", "dee", seat="seat3", amount_minor=CHIPS).key == "seat_taken"
    bench.do(c.DeclareResult)
    bench.pay()
    assert bench.ask("sit", "dee", seat="seat3", amount_minor=CHIPS).status == "accepted"
    own = own_seat(bench.state, "north", "dee")
    assert own is not None
    assert (own.cards, own.round, own.dealt_in) == ((), "", False)
    assert own_seat(bench.state, "north", "cy") is None
    bench.check()
    bench.close()


def test_cards_of_a_deal_that_was_void_are_not_told_again(tmp_path: Path) -> None:
    bench = Kept(tmp_path / "studio.db")
    bench.open()
    bench.shuffle("")
    bench.do(c.StartRound)
    for place in (1, 2, 3):
        bench.draw(bench.deck.pop(0))
        bench.lay(bench.round.rules["hand"]["seats"][place - 1], 1)
    told = own_seat(bench.state, "north", "bob")
    assert told is not None
    [old] = told.cards
    bench.lay("seat2", 1, old)
    bench.rule("reshuffle_and_redeal", PIT)
    now = own_seat(bench.state, "north", "bob")
    assert now is not None
    assert now.cards == ()
    bench.close()


# --- reports ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_report_is_made_of_a_poker_table(night: Kept, kind: ReportKind) -> None:
    with night.store.reader() as reader:
        report = kind.make(ReportAsked(reader, whole(night)))
    assert not [
        note
        for sheet in report.sheets
        for note in sheet.notes
        if note.loud and not note.key.startswith("significant_due")
    ]


def test_a_large_pot_is_told_of_the_bettor_and_not_of_his_chips(night: Kept) -> None:
    with night.store.reader() as reader:
        report = significant(ReportAsked(reader, whole(night), regard=Regard(large_minor={"EUR": 1})))
    events = report.sheet("events")
    whose = {row[events.place("bettor")] for row in events.rows if row[events.place("act")] == "return"}
    assert whose
    assert whose <= {f"north/{bettor}" for bettor in night.seats}


def test_the_close_of_day_agrees_with_chips_on_the_table(night: Kept) -> None:
    with night.store.reader() as reader:
        report = next(one for one in KINDS if one.key == "closing").make(ReportAsked(reader, whole(night)))
    operators = report.sheets[0]
    [north] = operators.rows
    names = [column.key for column in operators.columns]
    closing = north[names.index("closing")].amount_minor  # type: ignore[union-attr]
    rake = night.house()
    assert rake > 0
    assert closing == 300_000 - rake - sum(one.in_minor for one in night.state.room.players.values())
