"""A demo that died in the middle of a round is begun again with the cards where the record has them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
import pytest
import structlog
from running_studio import BURNS, DEAL, House

from dealer_ui.rehearsal.demo.world import World, WorldNow, put_back
from dealer_ui.rehearsal.hand.felt import FeltHand
from dealer_ui.rehearsal.hand.stub import StubHand
from dealer_ui.rehearsal.machine.rig import Rig, RigOptions
from devices.camera.felt.layout import open_spots
from devices.sim.felt import look_at
from devices.sim.wire.shoe import look_into
from devices.sim.wire.shuffler import look_into as look_into_shuffler
from studio.cards import DECK, Card
from studio.ports import CardFace
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.state.shoe import Deck
from studio.tables.state.table import TableState
from studio.value import replace


def state_of(house: House) -> TableState:
    [worker] = house.studio.workers
    return worker.runtime.state


def drawn(rig: Rig) -> list[Card]:
    return [rig.shoe.draw() for _ in range(rig.shoe.cards_left)]


def test_the_shoe_lacks_what_is_out_and_the_felt_holds_it(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        house.do(c.CloseBetting)
        house.until(lambda view: view.now.act.key == "act.deal")
        house.deal("player1", 1, DEAL[0], up=True)
    with House(tmp_path, seed=2) as house:
        rig = Rig(state_of(house).config, RigOptions(1))
        put_back(rig, state_of(house))
    top = rig.felt.view().top()
    burned = [(("burn", number), card, CardFace.DOWN) for number, card in enumerate(BURNS, 1)]
    laid = [(slot, lying.card, lying.face) for slot, lying in sorted(top.items())]
    assert laid == [*burned, (("player1", 1), DEAL[0], CardFace.UP)]
    left = drawn(rig)
    assert Counter(left) + Counter([*BURNS, DEAL[0]]) == Counter(DECK)
    assert left != sorted(left, key=DECK.index)


def test_a_card_whose_key_is_gone_is_missing_from_the_count_alone(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
    Path(f"{tmp_path / 'studio.db'}.keys").write_bytes(b"")
    with House(tmp_path, seed=2) as house:
        rig = Rig(state_of(house).config, RigOptions(1))
        put_back(rig, state_of(house))
    assert len(drawn(rig)) == 52 - len(BURNS)
    assert not rig.felt.view().cards


# --- the world on disk ----------------------------------------------------------------------------------------


class Table:
    """A rig in the middle of a round, the hands at it, and its world on disk."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.rig = Rig(TableConfig(key="k1", title="Knights", game="three_knights"), RigOptions(seed, paced=False))
        self.hand, self.stub = FeltHand(self.rig.felt), StubHand(self.rig.felt, self.rig.rng)
        self.world = World(folder / "studio.db", self.rig, self.hand, self.stub)
        self.rig.keep = self.world.keep

    def deal(self) -> None:
        """A deck in the shoe, another in the shuffler; cards open and down, beside a place, on the floor, aside."""
        self.rig.shuffler.shuffle(self.rig.fresh_deck())
        self.rig.shoe.load(self.rig.fresh_deck())
        self.rig.shoe.lock()
        for slot, face in ((("burn", 1), DOWN), (("player1", 1), UP), (("player2", 1), UP), (("banker", 1), UP)):
            self.rig.felt.lay(*slot, self.rig.shoe.draw(), face)
        self.rig.felt.lay_stray(*open_spots(self.rig.felt.layout)[0], self.rig.shoe.draw(), UP)
        self.hand.drop(("banker", 1), "left")
        self.stub.aside.append(self.rig.shoe.draw())

    def everything(self) -> object:
        rig = self.rig
        off = (self.hand.fallen, self.stub.aside)
        return look_into(rig.shoe), look_into_shuffler(rig.shuffler), look_at(rig.felt), off


UP, DOWN = CardFace.UP, CardFace.DOWN
DEALING: Final = TableState(
    TableConfig(key="k1", title="Knights", game="three_knights"), deck=Deck("A00001", 1, drawn=6)
)


def test_the_world_is_found_as_it_was_left(tmp_path: Path) -> None:
    left, found = Table(tmp_path), Table(tmp_path, seed=2)
    left.deal()
    left.world.keep()
    assert found.world.bring_back(DEALING)
    assert found.everything() == left.everything()
    assert found.rig.shoe.draw() == left.rig.shoe.draw()


def test_nobody_else_may_read_it_and_what_is_read_names_no_card_by_itself(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.deal()
    table.world.keep()
    [file] = (tmp_path / "studio.db.world").iterdir()
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    shown = repr(msgspec.json.decode(file.read_bytes(), type=WorldNow))
    assert not [card for card in DECK if f"'{card}'" in shown]


def test_a_card_is_written_down_before_its_shoe_has_told_of_it(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.rig.shoe.load(table.rig.fresh_deck())
    table.rig.pump(0)
    file = tmp_path / "studio.db.world" / "k1.json"
    told: list[int] = []
    table.rig.do(lambda rig: rig.felt.lay("player1", 1, rig.shoe.draw(), UP))
    table.rig.shoe.step = lambda now_ms: told.append(len(json.loads(file.read_bytes())["felt"]))  # type: ignore[method-assign]
    table.rig.pump(4)
    assert told == [1]


def test_a_world_that_has_not_changed_is_not_written_again(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.deal()
    table.rig.pump(0)
    file = tmp_path / "studio.db.world" / "k1.json"
    file.unlink()
    for now_ms in range(4, 40, 4):
        table.rig.pump(now_ms)
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("another game", replace(DEALING, config=TableConfig(key="k1", title="Clash", game="kkclash"))),
        ("a record that has just begun", replace(DEALING, deck=None)),
        ("a card that is on record lies in the shoe", replace(DEALING, deck=Deck("A00001", 1, faces={DECK[0]: 1}))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_world_of_another_record_is_left_alone(tmp_path: Path, name: str, state: TableState) -> None:
    left, found = Table(tmp_path), Table(tmp_path, seed=2)
    left.rig.shoe.load(DECK)
    left.world.keep()
    before = found.everything()
    assert not found.world.bring_back(state)
    assert found.everything() == before


@pytest.mark.parametrize("written", [None, b"", b"{", b'{"game": 1}'])
def test_without_a_world_on_disk_the_record_says_where_the_cards_are(tmp_path: Path, written: bytes | None) -> None:
    if written is not None:
        (tmp_path / "studio.db.world").mkdir()
        (tmp_path / "studio.db.world" / "k1.json").write_bytes(written)
    assert not Table(tmp_path).world.bring_back(DEALING)


def test_a_world_that_cannot_be_written_down_stops_no_machine(tmp_path: Path) -> None:
    (tmp_path / "studio.db.world").write_text("a file where the folder should be")
    table = Table(tmp_path)
    table.rig.shoe.load(DECK)
    with structlog.testing.capture_logs() as said:
        for now_ms in range(0, 40, 4):
            table.rig.pump(now_ms)
    assert [one["table"] for one in said] == ["k1"]
