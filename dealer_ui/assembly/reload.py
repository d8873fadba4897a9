"""Reads the configuration again while the studio runs, and says what of it counts now."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from dealer_ui.config.file import OperatorSection, StudioConfig
from dealer_ui.desk.operator import OperatorDesk
from studio.errors import BadInputError, RefusedError
from studio.operators.changing import Why
from studio.operators.operator_event import OperatorsReloaded

_LOG: Final = structlog.get_logger("dealer_ui.operators")
_LASTING: Final = ("claw_back", "wallet", "webhook", "max_bets_per_round", "exposure_most_minor")
"""What of an operator's section counts from the next start: the tables hold it."""


class ReloadedFloor(Protocol):
    config: StudioConfig

    @property
    def operator_desk(self) -> OperatorDesk: ...


@dataclass(frozen=True, slots=True)
class Rereading:
    """`load` reads the file this studio was started with. `renew` takes a renewed certificate, and says so."""

    floor: ReloadedFloor
    load: Callable[[], StudioConfig]
    renew: Callable[[], str] = lambda: ""
    _one_by_one: threading.Lock = field(default_factory=threading.Lock)

    def take(self, by: str, reason: str) -> str:
        """Take what may change while tables run; says in a sentence what counts now and what waits.

        `RefusedError`: the file cannot be used, or the disk is full, and nothing has changed.
        """
        with self._one_by_one:
            said = " ".join(filter(None, (self._take(by, reason), self._renewed())))
        _LOG.warning(said)
        return said

    def _take(self, by: str, reason: str) -> str:
        try:
            wanted = self.load()
        except (BadInputError, OSError) as error:
            sentence = f"The configuration was not taken, everything stays as it was: {error}"
            raise RefusedError("configuration", sentence) from error
        now = self.floor.config
        taken, waits = differences(now, wanted)

        def change(desk: OperatorDesk, now_ms: int) -> OperatorsReloaded:
            words = Why(by, reason, now_ms).words
            return OperatorsReloaded(at_ms=now_ms, by=by, reason=words, taken=taken, waits=waits)

        sections = {
            name: _kept(section, now.operators.get(name))
            for name, section in wanted.operators.items()
            if not _waits_whole(now.operators.get(name), section)
        }
        self.floor.operator_desk.change(change, sections)
        self.floor.config = now.model_copy(update={"operators": sections})
        return _sentence(taken, waits)

    def _renewed(self) -> str:
        try:
            return self.renew()
        except BadInputError as error:
            return f"The certificate was not renewed, the one before counts still: {error}"

    def on_hangup(self) -> None:
        """What cannot be taken is for the log: nobody waits for an answer."""
        try:
            self.take("system", "SIGHUP")
        except RefusedError as error:
            _LOG.error(error.sentence)


def _sentence(taken: tuple[str, ...], waits: tuple[str, ...]) -> str:
    """
    >>> _sentence(("operators.north",), ("server", "tables"))
    'The configuration was read again. From now on: operators.north. Only from the next start: server, tables.'
    >>> _sentence((), ())
    'The configuration was read again; it says what it said before.'
    """
    if not taken and not waits:
        return "The configuration was read again; it says what it said before."
    parts = (("From now on", taken), ("Only from the next start", waits))
    return " ".join(
        ("The configuration was read again.", *(f"{when}: {', '.join(what)}." for when, what in parts if what))
    )


def differences(now: StudioConfig, wanted: StudioConfig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys of the configuration that differ, as the file names them: those that change at once, and those that
    change at the next start.
    """
    waits = [name for name in type(now).model_fields if name != "operators" and _of(now, name) != _of(wanted, name)]
    taken = []
    for name in sorted({*now.operators, *wanted.operators}):
        was, will = now.operators.get(name), wanted.operators.get(name)
        if _waits_whole(was, will):
            waits.append(f"operators.{name}")
            continue
        if will is not None:
            waits += [f"operators.{name}.{key}" for key in _LASTING if getattr(will, key) != _lasting(was, key)]
        if (will and _kept(will, was)) != was:
            taken.append(f"operators.{name}")
    return tuple(taken), tuple(waits)


def _of(config: StudioConfig, name: str) -> object:
    return getattr(config, name)


def _waits_whole(was: OperatorSection | None, will: OperatorSection | None) -> bool:
    """A new operator with a wallet of his own: taken without it, his bettors' money would come to lie here."""
    return was is None and will is not None and will.wallet is not None


def _lasting(was: OperatorSection | None, key: str) -> object:
    return getattr(was, key) if was else OperatorSection.model_fields[key].default


def _kept(section: OperatorSection, was: OperatorSection | None) -> OperatorSection:
    return section.model_copy(update={key: _lasting(was, key) for key in _LASTING})
