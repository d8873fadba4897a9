"""A Blackjack table on the workbench: boxes bet on, cards dealt to the places the script awaits, boxes that choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec
from table_bench import CONFIG, Bench

from studio.cards import parse_cards
from studio.money import Answer
from studio.procedures.own import read_own_rows
from studio.tables import command as c
from studio.tables.event.table import Decision

BLACKJACK = msgspec.structs.replace(CONFIG, game="blackjack", window_s=15.0)


OWN_ROWS = read_own_rows(
    """
[[rows]]
id = "OWN1"
kinds = ["exposed_card"]
games = ["blackjack"]
when = "a round is dealt"
if = "phase in dealing, deciding"
ruling = "pit_decides"
options = ["reshuffle_and_redeal", "void_hand", "void_round"]
text = "The pit boss has the round dealt again, or voids the hand or the round."
""",
    "house.toml",
)
"""By no row that ships is a round of Blackjack dealt again, or the hand void that the pit names."""


class Boxes(Bench):
    """`bet_on` and `deal_cards` bring the round as far as its first decision."""

    def load(self, deck: str = "deck-1") -> None:
        self.verify_deck(deck, count=416)
        self.do(c.LoadShoe)

    def bet_on(self, bets: Mapping[str, int], *, bettor: str = "ann") -> Boxes:
        """Open the window unless it is open, and place these bets."""
        if self.state.round is None or self.state.round.over:
            self.do(c.StartRound)
        if self.round.window.closes_at_ms is None:
            self.do(c.OpenBetting)
        for bet, stake_minor in bets.items():
            assert self.bet(bet, stake_minor, bettor).status == "accepted", bet
        return self

    def no_more_bets(self) -> Boxes:
        self.wait(15)
        return self

    def cards(self, cards: str) -> Boxes:
        """Deal these cards, each to the place the script awaits."""
        self.deal(*parse_cards(cards))
        return self

    def choose(self, box: str, option: str, *, bettor: str = "ann", id: str = "") -> Answer:
        self._sent += 1
        client_id = id or f"d{self._sent}"
        choice = Decision(operator="north", bettor=bettor, option=option, client_id=client_id, box=box)
        [answer] = self.table.take_decisions((choice,), self.now)
        return answer

    def chosen(self, *choices: str) -> Boxes:
        """`3 hit`: box 3 chooses to hit, and may."""
        for choice in choices:
            box, option = choice.split()
            answer = self.choose(box, option)
            assert answer.status == "accepted", answer
        return self

    def offered(self, *choices: str) -> Boxes:
        """The dealer opens the window for insurance and even money; these choose, and it ends."""
        self.do(c.OpenBetting)
        self.chosen(*choices)
        self.wait(15)
        return self


@contextmanager
def boxes(deposit_minor: int = 100_000, **changes: object) -> Iterator[Boxes]:
    """An open Blackjack table where Ann has money; checked and closed at the end."""
    made = Boxes(msgspec.structs.replace(BLACKJACK, **changes) if changes else BLACKJACK)
    try:
        made.deposit(deposit_minor)
        made.open()
        yield made
        made.disk_full = False
        made.check()
    finally:
        made.close()
