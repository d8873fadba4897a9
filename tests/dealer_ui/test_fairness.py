"""Who is served when at a table: acts of safety before everything, operators in turn, each with so much and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from api_fake_floor import NORTH, FakeFloor, Seats
from flask import Flask
from patience import PATIENCE_S, wait_until
from running_studio import PIT, TABLE, House

from dealer_ui.api.door import blueprint
from dealer_ui.process.throttle import TooOftenError
from dealer_ui.worker import mailbox as mailbox_module
from dealer_ui.worker.errand import SLICE_MAX, Errand
from dealer_ui.worker.mailbox import Mailbox
from dealer_ui.worker.operator_lane import BACKLOG_MAX, ERRANDS_MAX, OperatorLane
from studio.errors import RefusedError, StorageError
from studio.money import Answer
from studio.ports import LinkUp
from studio.tables import command as c
from studio.tables.command import COMMANDS

UP = LinkUp(device="shoe", at_ms=1, url="sim://shoe")


class Bet:
    def __init__(self, client_id: str) -> None:
        self.client_id = client_id


class Queue:
    """A mailbox that this thread reads, and people who wait at it; `done` is what was carried out, in order."""

    def __init__(self, backlog_max: int = BACKLOG_MAX) -> None:
        self.lane = OperatorLane(backlog_max)
        self.mailbox = Mailbox(operators=self.lane)
        self.done: list[str] = []
        self.fails: dict[int, Exception] = {}
        self.taken: list[int] = []
        self._people = ThreadPoolExecutor(40)

    def send(self, operator: str, size: int) -> Future[tuple[Answer, ...]]:
        """A batch that waits by now."""
        before = len(self.lane)
        bets = [Bet(f"{operator}{before}-{n}") for n in range(size)]
        sent = self._people.submit(self.mailbox.serve, operator, bets, self._taking(operator))
        wait_until(lambda: len(self.lane) > before or sent.done())
        return sent

    def _taking(self, operator: str) -> Callable[[Sequence[Bet]], Sequence[Answer]]:
        def take(some: Sequence[Bet]) -> Sequence[Answer]:
            if (error := self.fails.pop(len(self.taken), None)) is not None:
                self.taken.append(0)
                raise error
            self.done.append(operator)
            self.taken.append(len(some))
            return [Answer(one.client_id, "", "accepted") for one in some]

        return take

    def act(self, name: str, *, first: bool) -> Future[None]:
        before = self.mailbox.waiting
        sent = self._people.submit(self.mailbox.ask, lambda: self.done.append(name), first=first)
        wait_until(lambda: self.mailbox.waiting > before)
        return sent

    def step(self) -> bool:
        _, task, goes_on = self.mailbox.next(0)
        if task is not None:
            task()
        return goes_on and task is not None

    def run(self) -> None:
        while self.step():
            pass

    def close(self) -> None:
        self.mailbox.shut()
        self.mailbox.turn_away()
        self._people.shutdown()


@pytest.fixture
def queue() -> Iterator[Queue]:
    made = Queue()
    yield made
    made.close()


def test_an_act_behind_thirty_thousand_bets_is_done_before_their_second_slice() -> None:
    queue = Queue(backlog_max=30_000)
    flood = [queue.send("north", 1_000) for _ in range(30)]
    queue.step()
    freeze = queue.act("freeze", first=True)
    queue.step()
    freeze.result(PATIENCE_S)
    assert queue.done == ["north", "freeze"]
    queue.run()
    assert [len(sent.result(PATIENCE_S)) for sent in flood] == [1_000] * 30
    queue.close()


def test_an_act_of_safety_comes_before_what_devices_said_and_what_others_asked(queue: Queue) -> None:
    queue.mailbox.post([UP], full=lambda: None)
    queue.act("deal", first=False)
    queue.act("freeze", first=True)
    queue.run()
    assert queue.done == ["freeze", "deal"]


def test_what_devices_and_people_say_keeps_its_order_and_comes_before_the_operators(queue: Queue) -> None:
    queue.send("north", 10)
    queue.mailbox.post([UP], full=lambda: None)
    queue.act("deal", first=False)
    seen, task, _ = queue.mailbox.next(0)
    assert (seen, queue.done) == ([UP], [])
    assert task is not None
    task()
    queue.run()
    assert queue.done == ["deal", "north"]


def test_two_operators_take_turns_whatever_each_has_waiting(queue: Queue) -> None:
    for _ in range(3):
        queue.send("north", 2 * SLICE_MAX)
    south = queue.send("south", 3 * SLICE_MAX)
    for _ in range(6):
        queue.step()
    assert queue.done == ["north", "south"] * 3
    assert len(south.result(PATIENCE_S)) == 3 * SLICE_MAX
    queue.run()
    assert queue.done[6:] == ["north"] * 3


def test_a_small_bettor_waits_for_one_slice_of_each_other_operator(queue: Queue) -> None:
    for operator in ("north", "east", "west"):
        queue.send(operator, 10 * SLICE_MAX)
    queue.step()
    queue.send("south", 1)
    for _ in range(4):
        queue.step()
    assert queue.done == ["north", "east", "west", "north", "south"]


def test_a_batch_is_taken_in_slices_and_answered_once_whole_and_in_order(queue: Queue) -> None:
    sent = queue.send("north", 2 * SLICE_MAX + 1)
    queue.step()
    queue.step()
    assert not sent.done()
    queue.step()
    assert [one.client_id for one in sent.result(PATIENCE_S)] == [f"north0-{n}" for n in range(2 * SLICE_MAX + 1)]
    assert queue.taken == [SLICE_MAX, SLICE_MAX, 1]


def test_who_has_too_much_waiting_is_told_to_come_back_and_nobody_else_is(queue: Queue) -> None:
    for _ in range(4):
        queue.send("north", BACKLOG_MAX // 4)
    with pytest.raises(TooOftenError) as told:
        queue.send("north", 1).result(PATIENCE_S)
    assert (told.value.key, told.value.retry_after_s) == ("backlog_full", 1)
    assert told.value.sentence.endswith(".")
    with pytest.raises(TooOftenError):
        queue.mailbox.serve("north", (None,), lambda _: (None,))
    queue.send("south", 1)
    queue.step()
    queue.send("north", SLICE_MAX)
    with pytest.raises(TooOftenError):
        queue.send("north", 1).result(PATIENCE_S)
    queue.run()
    queue.mailbox.need_room("north")


def test_many_small_requests_are_bounded_too(queue: Queue) -> None:
    for _ in range(ERRANDS_MAX // 4):
        queue.send("south", 1)
    small = OperatorLane()
    for _ in range(ERRANDS_MAX):
        small.add("north", Errand((None,), lambda _: ()))
    with pytest.raises(TooOftenError):
        small.need_room("north")
    small.need_room("south")


def test_one_batch_may_be_larger_than_the_backlog_where_nothing_else_waits() -> None:
    queue = Queue(backlog_max=10)
    sent = queue.send("north", 50)
    with pytest.raises(TooOftenError):
        queue.mailbox.need_room("north")
    queue.run()
    assert len(sent.result(PATIENCE_S)) == 50
    queue.mailbox.need_room("north")
    queue.close()


def test_where_the_first_slice_fails_that_is_the_answer(queue: Queue) -> None:
    queue.fails[0] = RefusedError("closed", "Bets are closed.")
    sent = queue.send("north", 2 * SLICE_MAX)
    queue.run()
    with pytest.raises(RefusedError, match="Bets are closed"):
        sent.result(PATIENCE_S)
    assert queue.taken == [0]
    queue.mailbox.need_room("north")


@pytest.mark.parametrize(
    ("error", "key"),
    [(RefusedError("closed", "Bets are closed."), "closed"), (StorageError("The disk is full."), "not_kept")],
    ids=["refused", "disk"],
)
def test_where_a_later_slice_fails_what_was_taken_stands_and_the_rest_is_refused(
    queue: Queue, error: Exception, key: str
) -> None:
    queue.fails[1] = error
    sent = queue.send("north", 3 * SLICE_MAX)
    queue.run()
    told = sent.result(PATIENCE_S)
    assert [one.status for one in told] == ["accepted"] * SLICE_MAX + ["refused"] * (2 * SLICE_MAX)
    assert {one.key for one in told[SLICE_MAX:]} == {key}
    assert [one.client_id for one in told] == [f"north0-{n}" for n in range(3 * SLICE_MAX)]
    assert queue.taken == [SLICE_MAX, 0]


def test_a_batch_nobody_waits_for_any_more_is_not_begun_and_takes_no_room(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mailbox_module, "ANSWER_TIMEOUT_S", 0.0)
    with pytest.raises(RefusedError, match="too much to do"):
        queue.send("north", BACKLOG_MAX).result(PATIENCE_S)
    queue.run()
    assert queue.done == []
    queue.mailbox.need_room("north", BACKLOG_MAX)


def test_what_waits_while_the_studio_closes_is_answered(queue: Queue) -> None:
    sent = [queue.send(operator, 2 * SLICE_MAX) for operator in ("north", "south")]
    queue.step()
    queue.mailbox.shut()
    queue.mailbox.turn_away()
    assert {one.key for one in sent[0].result(PATIENCE_S)[SLICE_MAX:]} == {"closing"}
    with pytest.raises(RefusedError, match="closing"):
        sent[1].result(PATIENCE_S)


# --- over the interface ---------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["bets", "decisions"])
def test_an_operator_with_too_much_waiting_is_answered_429_and_when_to_come_back(what: str) -> None:
    floor = FakeFloor()
    app = Flask("test")
    app.register_blueprint(blueprint(floor, Seats(20)))
    lane = OperatorLane(0)
    lane.add("north", Errand((None,), lambda _: ()))
    with pytest.raises(TooOftenError) as full:
        lane.need_room("north")
    floor.full = full.value
    answer = app.test_client().post(f"/api/v1/tables/t1/{what}", json={}, headers=NORTH)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert answer.get_json()["error"] == {"key": "backlog_full", "sentence": full.value.sentence}
    floor.close()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("fair")) as house:
        house.betting()
        yield house


def test_a_batch_of_many_slices_that_was_turned_away_and_sent_again_is_taken_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [f"m{n}" for n in range(2 * SLICE_MAX + 7)]
    lane = house.studio.workers[0].mailbox._operators
    with monkeypatch.context() as changed:
        changed.setattr(lane, "_waiting", {"north": BACKLOG_MAX})
        changed.setattr(lane, "_backlog_max", 1)
        assert house.bet(*ids, stake=100).status_code == 429
    statuses = _statuses(house.bet(*ids, stake=100)) + _statuses(house.bet(*ids, stake=100))
    assert statuses == ["accepted"] * len(ids) + ["duplicate"] * len(ids)
    bets = [bet for bet in house.floor.reader().bets(house.view.round.id) if bet.client_id in ids]
    assert len(bets) == len(ids)


def _statuses(answer: Any) -> list[str]:
    return [one["status"] for one in answer.json["answers"]]


@pytest.mark.parametrize("command", [one for one in COMMANDS if one.terms.first], ids=lambda one: one.__name__)
def test_an_act_of_safety_asks_to_be_first(house: House, command: type, monkeypatch: pytest.MonkeyPatch) -> None:
    worker, asked = house.studio.workers[0], []
    monkeypatch.setattr(worker, "ask", lambda act, *, first=False: asked.append(first))
    made = command.__new__(command)
    for name, value in (("actor", PIT), ("id", "")):
        object.__setattr__(made, name, value)
    house.floor.command(TABLE, made)
    house.floor.command(TABLE, c.StartRound(actor=PIT))
    assert asked == [True, False]


def test_a_freeze_is_carried_out_while_an_operator_floods_the_table(tmp_path: Path) -> None:
    with House(tmp_path) as house, ThreadPoolExecutor(4) as operators:
        house.betting()
        floods = [operators.submit(house.bet, *(f"f{k}-{n}" for n in range(1_000)), stake=100) for k in range(4)]
        house.do(c.FreezeTable, PIT)
        assert house.view.now.frozen_by
        told = [_statuses(one.result(PATIENCE_S)) for one in floods]
        kept = {bet.client_id for bet in house.floor.reader().bets(house.view.round.id)}
        assert sum(status == "accepted" for statuses in told for status in statuses) == len(kept)
