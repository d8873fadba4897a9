"""Bettors at the web nodes of a studio on several machines, who hold the record against what they were told.

Whoever gets no answer asks at the next node, under the same ids, until he knows.
"""

from __future__ import annotations

import http.client
import random
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from dealer_ui.rehearsal.person.bettors import BettorCrowd, CrowdPlan
from dealer_ui.rehearsal.person.interface import Bet, BetAnswer, Choice, Interface, InterfaceError
from studio.journal import Reader

_AGAIN_S: Final = 0.5
_TIMEOUT_S: Final = 30.0
"""A node asks after an answer for twenty seconds before it says that it does not know."""
_KEPT: Final = frozenset({"accepted", "duplicate"})
_THEIRS: Final = "SELECT client_id, bettor, bet, stake FROM bet WHERE operator = ? AND client_id LIKE ?"


@dataclass(slots=True)
class BetsTold:
    """What became of bets, by what their bettors were told: `kept` stand, `open` were sent and not answered yet.

    `refused`: why. `chosen`: decisions that were sent and not refused; one may stake more.
    """

    kept: dict[str, Bet] = field(default_factory=dict)
    open: dict[str, Bet] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    chosen: set[str] = field(default_factory=set)

    def hear(self, bets: Sequence[Bet], answers: Sequence[BetAnswer]) -> None:
        for bet, answer in zip(bets, answers, strict=True):
            self.open.pop(bet.client_id, None)
            if answer.status in _KEPT:
                self.kept[bet.client_id] = bet
            else:
                self.refused[bet.client_id] = answer.reason or ""


class NodesInterface(Interface):
    """The interface at several web nodes: where one gives no answer the next is asked."""

    def __init__(self, host: str, ports: Sequence[int], api_key: str) -> None:
        super().__init__(host, ports[0], api_key, timeout_s=_TIMEOUT_S)
        self._host, self._ports, self._at = host, tuple(ports), 0
        self.told = BetsTold()
        self.moves = 0
        """How often another node was asked."""

    def place(self, table: str, bets: list[Bet]) -> tuple[BetAnswer, ...]:
        self.told.open |= {bet.client_id: bet for bet in bets}
        answers = super().place(table, bets)
        self.told.hear(bets, answers)
        return answers

    def decide(self, table: str, choices: list[Choice]) -> tuple[BetAnswer, ...]:
        self.told.chosen |= {choice.client_id for choice in choices}
        answers = super().decide(table, choices)
        self.told.chosen -= {one.client_id for one in answers if one.status not in _KEPT}
        return answers

    def settle(self, table: str, stopping: threading.Event) -> None:
        """Ask after every bet that was not answered, until each is."""
        while (left := list(self.told.open.values())) and not stopping.is_set():
            try:
                self.place(table, left[:100])
            except InterfaceError:
                stopping.wait(_AGAIN_S)

    def _exchange(self, method: str, path: str, payload: bytes | None) -> tuple[int, bytes]:
        try:
            return super()._exchange(method, path, payload)
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._at, self.moves = (self._at + 1) % len(self._ports), self.moves + 1
            self._connection = http.client.HTTPConnection(self._host, self._ports[self._at], timeout=_TIMEOUT_S)
            raise


class LaunchingNodes(NodesInterface):
    """For a crowd whose money is with its operator: instead of paying in, a bettor is launched, once."""

    def __init__(self, host: str, ports: Sequence[int], api_key: str, table: str) -> None:
        super().__init__(host, ports, api_key)
        self._table = table
        self._launched: set[str] = set()

    def deposit(self, bettor: str, client_id: str, amount_minor: int) -> int:
        if bettor not in self._launched:
            self.launch(self._table, bettor, f"session-{bettor}")
            self._launched.add(bettor)
        return amount_minor


class WebBettors:
    """A crowd at each table, each on a thread of its own, from `start` until `finish`."""

    def __init__(
        self, ports: Sequence[int], api_key: str, operator: str, tables: Sequence[str], speed: float, *,
        launches: bool = False,
    ) -> None:  # fmt: skip
        """`launches`: their operator keeps their money himself, and takes in whoever is launched."""
        self._operator, self._tables = operator, tuple(tables)
        self._run = secrets.token_hex(4)
        self._poll_s = max(0.02, 0.25 / speed)
        self._doors: dict[str, NodesInterface] = {}
        for at, table in enumerate(self._tables):
            nodes = "127.0.0.1", (*ports[at % len(ports) :], *ports[: at % len(ports)]), api_key
            self._doors[table] = LaunchingNodes(*nodes, table) if launches else NodesInterface(*nodes)
        self._closing, self._stopping = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        for at, (table, door) in enumerate(self._doors.items()):
            plan = CrowdPlan(table=table, run=f"{self._run}-{at}", poll_s=self._poll_s)
            crowd = BettorCrowd(door, plan, random.Random(at))
            thread = threading.Thread(target=self._bet, args=(crowd, table, door), name=f"bettors {table}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def finish(self, patience_s: float) -> None:
        """Bet no more, and ask after what was not answered, for so long at most."""
        self._closing.set()
        timer = threading.Timer(patience_s, self._stopping.set)
        timer.daemon = True
        timer.start()
        for thread in self._threads:
            thread.join(patience_s + _TIMEOUT_S)
        timer.cancel()

    @property
    def acknowledged(self) -> int:
        """Of how many bets they were told by now that they stand."""
        return sum(len(door.told.kept) for door in self._doors.values())

    @property
    def told(self) -> str:
        """In a sentence, how much they bet."""
        told = [door.told for door in self._doors.values()]
        kept, refused = self.acknowledged, sum(len(one.refused) for one in told)
        moves = sum(door.moves for door in self._doors.values())
        return f"Bettors at the web nodes: {kept} bets acknowledged, {refused} refused; another node asked {moves} ×."

    def wrong(self, reader: Reader) -> Iterator[str]:
        """A sentence for each bet of which the record does not say what its bettor was told."""
        found = {row[0]: row[1:] for row in reader.read(_THEIRS, (self._operator, f"{self._run}-%"))}
        kept = {id: bet for door in self._doors.values() for id, bet in door.told.kept.items()}
        unknown = {id for door in self._doors.values() for id in door.told.open}
        for id, bet in kept.items():
            if id not in found:
                yield f"The bet {id} was acknowledged and is not in the record."
            elif tuple(found[id]) != (bet.bettor, bet.bet, bet.stake):
                yield f"The bet {id} is another in the record than was acknowledged."
        refused = {id: why for door in self._doors.values() for id, why in door.told.refused.items()}
        chosen = {id for door in self._doors.values() for id in door.told.chosen}
        for id in sorted(found.keys() - kept.keys() - unknown - chosen):
            yield f"The bet {id} is in the record and was not acknowledged ({refused.get(id, 'never sent')})."
        yield from (f"Of the bet {id} nobody said whether it stands." for id in sorted(unknown))

    def _bet(self, crowd: BettorCrowd, table: str, door: NodesInterface) -> None:
        with closing(door):
            crowd.run(self._closing)
            door.settle(table, self._stopping)
