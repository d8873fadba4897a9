"""The desk where operators and their keys meet the journal: what is done counts at once, in a running studio too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from dealer_ui.config.shape import OperatorSection
from dealer_ui.desk.book import DeskLock, kept_anew
from dealer_ui.desk.operator_call import CallTerms
from dealer_ui.desk.operator_key import OperatorKeys
from studio.errors import BadInputError, RefusedError, StorageError, not_written
from studio.journal import Entry, Reader, Row, Unit
from studio.operators import AnyOperatorEvent, Operator, OperatorRegister, evolve_operators
from studio.operators.operator_event import read_operator, write_operator

Change = Callable[["OperatorDesk", int], AnyOperatorEvent]
"""What somebody wants of the desk at a time; refuses, or gives what happens."""


class OperatorDesk:
    """The one owner of who is let in: what the file and the journal say, put into `keys` whenever either changes."""

    def __init__(
        self,
        commit: Callable[[Unit], object],
        now_ms: Callable[[], int],
        keys: OperatorKeys,
        reader: Callable[[], Reader],
    ) -> None:
        """`reader`: the calling thread's own."""
        self._reader = reader
        self.register = OperatorRegister()
        self.file: Mapping[str, Operator] = MappingProxyType({})
        self._calls: Mapping[str, CallTerms] = MappingProxyType({})
        self._commit = commit
        self._now_ms = now_ms
        self._keys = keys
        self._lock = DeskLock()
        self.others: Callable[[], Iterable[Row]] = tuple

    def catch_up(self) -> None:
        """Take what other processes have kept of operators."""
        with self._lock:
            if rows := tuple(self.others()):
                self.restore(rows)

    def take_file(self, sections: Mapping[str, OperatorSection]) -> None:
        """From now on the configuration says this of operators; `BadInputError` where a secret cannot be read."""
        with self._lock:
            self.file, self._calls = as_operators(sections), calls_of(sections)
            self._put()

    def restore(self, rows: Iterable[Row]) -> None:
        with self._lock:
            for row in rows:
                self.register = evolve_operators(self.register, read_operator(row.body))
            self._put()

    def in_force(self) -> Mapping[str, Operator]:
        return self.register.in_force(self.file)

    def now_ms(self) -> int:
        return self._now_ms()

    def was_used(self, name: str) -> bool:
        """Whether the books know any money of an operator of this name."""
        return self._reader().knows_operator(name)

    def change(self, change: Change, sections: Mapping[str, OperatorSection] | None = None) -> AnyOperatorEvent:
        """Carry it out, or refuse; it is in the journal before it counts, and counts before this returns.

        `sections`: what the configuration says from then on, where it was read again.
        """
        return kept_anew(self.catch_up, lambda: self._changed(change, sections))

    def _changed(self, change: Change, sections: Mapping[str, OperatorSection] | None) -> AnyOperatorEvent:
        with self._lock:
            calls = self._calls if sections is None else _calls_again(sections)
            event = change(self, self._now_ms())
            try:
                entry = Entry(type(event).__name__, event.at_ms, write_operator(event))
                self._commit(Unit(entries=(entry,)))
            except (StorageError, TimeoutError) as error:
                raise not_written(error) from error
            self.register = evolve_operators(self.register, event)
            if sections is not None:
                self.file, self._calls = as_operators(sections), calls
            self._put()
        return event

    def _put(self) -> None:
        self._keys.put(self.in_force(), self._calls)


def calls_of(sections: Mapping[str, OperatorSection]) -> Mapping[str, CallTerms]:
    """What each operator's requests need beside a key; the secrets are read from their files now."""
    return {name: CallTerms.of(one.calls) for name, one in sections.items() if one.calls is not None}


def _calls_again(sections: Mapping[str, OperatorSection]) -> Mapping[str, CallTerms]:
    try:
        return calls_of(sections)
    except BadInputError as error:
        sentence = f"The configuration was not taken, everything stays as it was: {error}"
        raise RefusedError("configuration", sentence) from error


def as_operators(sections: Mapping[str, OperatorSection]) -> Mapping[str, Operator]:
    return {name: _as_operator(one) for name, one in sections.items()}


def _as_operator(section: OperatorSection) -> Operator:
    keys = {section.key_sha256: None} if section.key_sha256 else {}
    return Operator(MappingProxyType(keys), section.suspended)
