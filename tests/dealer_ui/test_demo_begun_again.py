"""A demo that died in the middle of a round is begun again with the cards where the record has them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from running_studio import BURNS, DEAL, House

from dealer_ui.rehearsal.begun_again import put_back
from dealer_ui.rehearsal.rig import Rig, RigOptions
from studio.cards import DECK, Card
from studio.ports import CardFace
from studio.tables import command as c
from studio.tables.state import TableState


def state_of(house: House) -> TableState:
    [worker] = house.studio.workers
    return worker.runtime.state


def drawn(rig: Rig) -> list[Card]:
    return [rig.shoe.draw() for _ in range(rig.shoe.cards_left)]


def test_the_shoe_lacks_what_is_out_and_the_felt_holds_it(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        house.betting()
        house.do(c.CloseBetting)
        house.until(lambda view: view.act.key == "act.deal")
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
