"""A pot on the notice board: whoever feeds or wins it, every table that shares it shows it anew."""

from __future__ import annotations

import msgspec

from dealer_ui.api.table.state import public_state
from dealer_ui.worker.notice_board import NoticeBoard
from studio.jackpot import PotTerms
from studio.tables.books.book import Book
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState
from studio.views import ShoeResults
from studio.views.shape import PotView

POT = PotTerms(key="main", currency="EUR", seed_minor=1_000, reset_minor=500)
CONFIG = TableConfig(key="t1", title="Table 1", game="holdem_bonus", pot=POT)


def started(config: TableConfig) -> TableState:
    round = e.RoundStarted(
        round=f"{config.key}-1", number=1, game=config.game, version=1,
        rules={"bonus": "aces 31", "first5": "flush 40", "first5_pot": 0}, dealer="d1", pot=config.pot,
    )  # fmt: skip
    return evolve(TableState(config), round, 0)


def test_a_pot_fed_at_one_table_is_news_at_the_other() -> None:
    held = {"pot:main": 1_000}
    board = NoticeBoard(held.__getitem__)
    one, two = started(CONFIG), started(msgspec.structs.replace(CONFIG, key="t2"))
    alone = started(msgspec.structs.replace(CONFIG, key="t3", pot=None))
    for seq, state in enumerate((one, two, alone), 1):
        board.add(state, Book(), seq, ShoeResults())
        board.publish(state, Book(), seq)
    assert board.view("t2").game.pot == PotView("main", "EUR", 1_000)
    assert board.view("t3").game.pot is None

    held["pot:main"] = 1_038
    board.publish(evolve(one, e.PotFed(pot="main", currency="EUR", amount_minor=38), 0), Book(), 9)
    assert board.view("t1").game.pot == board.view("t2").game.pot == PotView("main", "EUR", 1_038)
    assert public_state(board.view("t2"))["pot"] == {"pot": "main", "currency": "EUR", "amount": 1_038}
    assert board.wait("t2", 8, 0) == 9
    assert board.wait("t3", 3, 0) == 3


def test_a_table_heard_after_a_later_act_of_the_pit_is_news_all_the_same() -> None:
    board = NoticeBoard()
    idle = TableState(msgspec.structs.replace(CONFIG, pot=None))
    for key in ("t1", "t2"):
        board.add(TableState(msgspec.structs.replace(idle.config, key=key)), Book(), 1, ShoeResults())
    board.nudge(6, ("t1",))  # the pit's act is the row after the table's, and was told first
    shown, floor = board.wait("t1", -1, 0), board.wait(None, -1, 0)
    assert board.view("t1").round.id == ""
    board.publish(started(idle.config), Book(), 5)
    assert board.wait("t1", shown, 0) > shown
    assert board.wait(None, floor, 0) > floor
    assert board.view("t1").round.id == "t1-1"
    assert board.wait("t2", -1, 0) == 1


def test_a_table_that_says_the_same_again_is_no_news() -> None:
    board = NoticeBoard()
    idle = TableState(msgspec.structs.replace(CONFIG, pot=None))
    board.add(idle, Book(), 1, ShoeResults())
    board.publish(idle, Book(), 1)
    assert (board.wait("t1", -1, 0), board.wait(None, -1, 0)) == (1, 1)


def test_a_table_that_moves_without_its_pot_does_not_look_it_up_again() -> None:
    looked: list[str] = []

    def balance(account: str) -> int:
        looked.append(account)
        return 5

    board = NoticeBoard(balance)
    state = started(CONFIG)
    board.add(state, Book(), 1, ShoeResults())
    for seq in range(2, 6):
        board.publish(state, Book(), seq)
    assert looked == ["pot:main"]
