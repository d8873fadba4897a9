"""A studio's journal, and who tells an operator of its rounds, without tables.

As a program of its own it goes on until it is killed: rounds come to an end as fast as the disk takes them.
"""

from __future__ import annotations

import sys
import threading

from ended_rounds import Rounds
from patience import PATIENCE_S, wait_until

from dealer_ui.teller.caller import Caller
from dealer_ui.teller.round_desk import RoundDesk
from dealer_ui.teller.round_teller import RoundTeller, RoundTellers
from dealer_ui.wallets.line import WalletLine
from dealer_ui.wallets.webhook import Webhook, signing_with
from studio.journal import Reader, Store, Unit
from studio.wallets.notice import RoundNotice

SECRET = b"a secret of many bytes"
SHORT_S = 2.0
"""What a test waits for an answer that never comes."""


class KilledError(BaseException):
    """The process is gone at this point."""


class Post:
    """A studio's journal, and who tells north of its rounds; stepped by the test, with the test's clock."""

    def __init__(self, store: Store, address: str, wait_s: float = PATIENCE_S, first: int = 1) -> None:
        self.rounds = Rounds(store, first)
        self.store = self.rounds.writer.commit
        self.now_ms = 1_000_000
        self.address = address
        self.wait_s = wait_s
        self.kill_at = ""
        self.start()

    def start(self) -> None:
        """The program begins, on whatever the journal has."""
        self.tellers = RoundTellers(self.commit, lambda: self.now_ms)
        line = WalletLine(self.address, lines=4)
        hook = Webhook(line, signing_with(SECRET), self.write, lambda: self.now_ms)
        self.caller = Caller("north", hook, lambda: self.now_ms / 1000)
        desk = RoundDesk("north", self.commit, lambda: self.now_ms, self.tellers.keep)
        reader: Reader = self.rounds.reader
        self.teller = RoundTeller(self.caller, desk, lambda: self.now_ms, lambda: reader, self.wait_s)
        self.teller.outbox.chance = lambda: 0.0
        self.tellers.add(self.teller)
        self.tellers.begin(reader)

    def write(self, notice: RoundNotice) -> bytes:
        return b'{"id":"%s"}' % notice.id.encode()

    def commit(self, unit: Unit) -> object:
        if self.kill_at == "before the commit" and unit.entries[0].kind == "RoundsHeard":
            raise KilledError
        receipt = self.store(unit)
        if self.kill_at == "after the commit" and unit.entries[0].kind == "RoundsHeard":
            raise KilledError
        return receipt

    def over(self, *rounds: str, kind: str = "RoundSettled") -> None:
        for round in rounds:
            if "north" not in self.rounds.parties.get(round, ()):
                self.store(self.rounds.bet(round))
            self.store(self.rounds.end(round, kind))

    def turn(self) -> None:
        """Send what is due, and take in every answer."""
        outbox = self.teller.outbox
        outbox.step()
        wait_until(lambda: all(one.done() for one in outbox._telling.values()))
        outbox.step()

    def turns(self, most: int = 40) -> None:
        """Until nothing is owed any more; the time goes on by what a wait may be at most."""
        for _ in range(most):
            self.turn()
            if not self.teller.desk.unheard(self.rounds.reader):
                return
            self.now_ms += 5 * 60_000
        raise AssertionError("he never heard of them all")


def main(database: str, address: str, first: int) -> None:
    with Store.open(database) as store:
        post = Post(store, address, 5.0, first)
        writer, reader = post.rounds.writer, store.reader()
        threading.Thread(target=lambda: [writer.drain(1.0) for _ in iter(int, 1)], daemon=True).start()
        post.store = lambda unit: writer.submit(unit).result()
        post.teller.outbox._reader = lambda: reader
        post.teller.outbox.start()
        print("runs", flush=True)
        for number in range(first, first + 100_000):
            post.over(f"t{number % 3}-r{number}")
            post.now_ms += 50


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
