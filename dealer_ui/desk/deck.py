"""The desk of decks: the register, with the journal, the clock and the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from dealer_ui.config.file import DecksSection
from dealer_ui.desk.book import DeskLock, kept_anew
from studio.decks import AnyDeckEvent, DeckRegister, RegisteredDeck, evolve_decks, keeping, stock
from studio.decks.deck_event import DECK_KINDS, DeckFound, DeckLoaded, read_deck_body, write_deck_body
from studio.errors import StorageError, not_written
from studio.journal import Entry, Row, Unit
from studio.people import Actor, need_fresh_pin, need_right, need_witness
from studio.tables import command as c
from studio.tables.declaration import Command
from studio.tables.state.table import TableState

MANAGE: Final = "manage_decks"
WITNESS: Final = "witness_decks"


class Tables(Protocol):
    """The tables as they stand."""

    def decks_of(self, table: str) -> int:
        """How many decks its shoe holds."""
        ...

    def deck_in_shoe(self, table: str) -> str:
        """What the deck in its shoe is called; empty while there is none."""
        ...


class DeckDesk:
    """The register of decks: every change of it is in the journal before it counts. Any thread."""

    def __init__(
        self, commit: Callable[[Unit], int], now_ms: Callable[[], int], tables: Tables, rules: DecksSection
    ) -> None:
        self.register = DeckRegister()
        self.rules = rules
        self._commit = commit
        self._now_ms = now_ms
        self._tables = tables
        self._lock = DeskLock()
        self.others: Callable[[], Iterable[Row]] = tuple

    def restore(self, rows: Iterable[Row]) -> None:
        """Fold what the journal holds of the decks."""
        for row in rows:
            self.register = evolve_decks(self.register, read_deck_body(row.body))

    def catch_up(self) -> None:
        """Take what other processes have kept of the decks."""
        with self._lock:
            self.restore(self.others())

    # --- acts -------------------------------------------------------------------------------------------

    def receive(self, new: keeping.NewDeck, by: Actor, beside: Actor | None) -> None:
        both = need_witness(by, beside, self._now_ms(), rights=(MANAGE,), witness=WITNESS)
        self._kept(lambda: keeping.receive(self.register, new, both, backs=self.rules.backs, at_ms=self._now_ms()))

    def issue(self, deck: str, table: str, seal: str, by: Actor) -> None:
        self._one(by)
        place = keeping.DeckTable(table, self._tables.decks_of(table))
        self._kept(lambda: keeping.issue(self.register, deck, place, seal, by.id, self._now_ms()))

    def give_back(self, deck: str, new: tuple[str, str, str], by: Actor) -> None:
        """`new`: the place, the new seal, and words."""
        self._one(by)
        self._kept(lambda: keeping.give_back(self.register, deck, new, by.id, self._now_ms(), self.in_shoe))

    def withdraw(self, deck: str, why: tuple[str, str, str], by: Actor) -> None:
        """`why`: the place it is kept in, a reason and words."""
        self._one(by)
        self._kept(lambda: keeping.withdraw(self.register, deck, why, by.id, self._now_ms(), self.in_shoe))

    def destroy(self, deck: str, how: str, by: Actor, beside: Actor | None) -> None:
        both = need_witness(by, beside, self._now_ms(), rights=(MANAGE,), witness=WITNESS)
        self._kept(lambda: keeping.destroy(self.register, deck, how, both, self._now_ms()))

    def count(self, found: Sequence[DeckFound], words: str, by: Actor, beside: Actor | None) -> None:
        both = need_witness(by, beside, self._now_ms(), rights=(MANAGE,), witness=WITNESS)
        every = self.rules.count_days
        self._kept(lambda: stock.count(self.register, found, words, both, at_ms=self._now_ms(), every_days=every))

    def reconcile(self, deck: str, words: str, by: Actor, beside: Actor | None) -> None:
        both = need_witness(by, beside, self._now_ms(), rights=(MANAGE,), witness=WITNESS)
        self._kept(lambda: stock.reconcile(self.register, deck, words, both, self._now_ms()))

    @property
    def count_due_ms(self) -> int | None:
        """When the stock is to be counted again; None where no register is asked for, or nothing lies in it."""
        return stock.due_ms(self.register, self.rules.count_days) if self.rules.register_of_decks else None

    # --- tables -----------------------------------------------------------------------------------------

    def in_shoe(self, deck: RegisteredDeck) -> bool:
        """Whether the cards of this deck are in its table's shoe just now."""
        called = self._tables.deck_in_shoe(deck.table) if deck.table else ""
        return bool(called) and deck.is_called(called)

    @contextmanager
    def loading(self, command: Command, state: TableState) -> Iterator[None]:
        """Around a command that may put a deck into play: refused unless the deck is in the register, at this table."""
        if not self.rules.register_of_decks or not isinstance(command, c.LoadShoe | c.VerifyDeck | c.StartCount):
            yield
            return
        if isinstance(command, c.StartCount) and not command.whole:
            yield
            return
        self.catch_up()
        name = command.deck_id.strip() or (state.approved[-1] if state.approved else "")
        with self._lock:
            if not name:
                yield
                return
            deck = keeping.need_loadable(self.register, name, state.config.key, state.shoe.decks)
            yield
            if isinstance(command, c.LoadShoe):
                loaded = DeckLoaded(
                    at_ms=self._now_ms(), deck=deck.id, by=command.actor.id, table=state.config.key, name=name
                )
                kept_anew(self.catch_up, lambda: self._record(loaded))  # it lies in the shoe, whoever else was quicker

    # --- beneath ----------------------------------------------------------------------------------------

    def _one(self, by: Actor) -> None:
        need_right(by, MANAGE)
        need_fresh_pin(by, self._now_ms())

    def _kept(self, decide: Callable[[], AnyDeckEvent]) -> None:
        """Keep what is decided over the register as it is now.

        A seal that does not fit is refused, and on record: somebody may have had the deck in his hands.
        """

        def keep() -> None:
            with self._lock:
                try:
                    self._record(decide())
                except keeping.SealDoubtedError as refused:
                    self._record(refused.doubt)
                    raise

        kept_anew(self.catch_up, keep)

    def _record(self, event: AnyDeckEvent) -> None:
        after = evolve_decks(self.register, event)
        try:
            self._commit(Unit(entries=(Entry(type(event).__name__, event.at_ms, write_deck_body(event)),)))
        except (StorageError, TimeoutError) as error:
            raise not_written(error) from error
        self.register = after


__all__ = ["DECK_KINDS", "MANAGE", "WITNESS", "DeckDesk"]
