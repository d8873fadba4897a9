"""The only place where a running studio reads its configuration again, and says what of it counts now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

import structlog

from dealer_ui.config import OperatorSection, StudioConfig
from dealer_ui.operators.desk import OperatorDesk
from studio.errors import BadInputError, RefusedError
from studio.operators.operator_event import OperatorsReloaded

_LOG: Final = structlog.get_logger("dealer_ui.operators")
_LASTING: Final = "claw_back"
"""What of an operator's section counts from the next start: the tables hold it."""


class Floor(Protocol):
    config: StudioConfig

    @property
    def operator_desk(self) -> OperatorDesk: ...


def reload(floor: Floor, path: Path, load: Callable[[Path], StudioConfig]) -> OperatorsReloaded | None:
    """Take what may change while tables run; a file that cannot be used, or a full disk, changes nothing."""
    try:
        wanted = load(path)
        taken, waits = differences(floor.config, wanted)

        def change(desk: OperatorDesk, now_ms: int) -> OperatorsReloaded:
            return OperatorsReloaded(at_ms=now_ms, by="system", reason="SIGHUP", taken=taken, waits=waits)

        told = floor.operator_desk.change(change)
    except (BadInputError, RefusedError, OSError) as error:
        _LOG.error("the configuration was not taken, everything stays as it was", why=str(error))
        return None
    sections = {name: _kept(section, floor.config.operators.get(name)) for name, section in wanted.operators.items()}
    floor.config = floor.config.model_copy(update={"operators": sections})
    floor.operator_desk.take_file(sections)
    _LOG.warning("the configuration was read again", taken=list(taken), from_the_next_start=list(waits))
    return told if isinstance(told, OperatorsReloaded) else None


def differences(now: StudioConfig, wanted: StudioConfig) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What changes at once, and what from the next start, by the names the file has for it."""
    waits = [name for name in type(now).model_fields if name != "operators" and _of(now, name) != _of(wanted, name)]
    taken = []
    for name in sorted({*now.operators, *wanted.operators}):
        was, will = now.operators.get(name), wanted.operators.get(name)
        if was and will and was.claw_back != will.claw_back:
            waits.append(f"operators.{name}.{_LASTING}")
        if (will and _kept(will, was)) != was:
            taken.append(f"operators.{name}")
    return tuple(taken), tuple(waits)


def _of(config: StudioConfig, name: str) -> object:
    return getattr(config, name)


def _kept(section: OperatorSection, was: OperatorSection | None) -> OperatorSection:
    lasting = was.claw_back if was else OperatorSection.model_fields[_LASTING].default
    return section.model_copy(update={_LASTING: lasting})
