"""Asks hosts, each question once: done, refused, or unknown and asked after, never sent anew under another id."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final, NoReturn

from dealer_ui.wire.call import FATE, HostCall
from dealer_ui.wire.link import NatsWire, NoAnswerError, NobodyThereError
from dealer_ui.wire.message import Ask, Told, pack, raise_refusal, read_told
from dealer_ui.wire.presence import Neighbour
from studio.errors import BadInputError, RefusedError

CHECKED_S: Final = 20.0
"""So long somebody is asked what came of a question that was not answered."""
_AGAIN_S: Final = 0.5


class UnreachableError(RefusedError):
    """Nobody answers: nothing was done."""

    def __init__(self, what: str) -> None:
        super().__init__("unreachable", f"The table cannot be reached: {what}. Nothing was done.")


class UnknownError(TimeoutError):
    """No answer came, and nobody says what became of it."""


@dataclass(frozen=True, slots=True)
class HostAsking:
    """Any thread; blocks for the answer. `fresh_id` names each question."""

    wire: NatsWire
    fresh_id: Callable[[], str] = lambda: uuid.uuid4().hex
    monotonic: Callable[[], float] = time.monotonic
    stopping: Event = field(default_factory=Event)

    def of(self, host: Neighbour | None, subject: str, call: HostCall, *given: Any) -> Any:
        """What the host answers. One that was not heard for a while is not asked.

        Raises what was raised there; `UnreachableError` where nothing was done; `UnknownError` where nobody knows.
        """
        if host is None:
            raise UnreachableError("no host has told of it yet")
        if not host.of_our_version:
            raise UnreachableError(f"its host {host.here.name} runs another version of the program")
        if not host.there:  # one that stands still is connected, and would be asked for as long as it does
            raise UnreachableError(self._why(host))
        ask = Ask(self.fresh_id(), host.here.run, call.name, call.pack(given))
        try:
            told = read_told(self.wire.ask(subject, pack(ask), call.wait_s))
        except NobodyThereError:
            raise UnreachableError(self._why(host)) from None
        except NoAnswerError:
            if not call.acts:
                raise UnreachableError(f"its host {host.here.name} does not answer") from None
            told = Told("late")
        if told.state == "late":
            told = self._checked(subject, ask)
        return self._read(host, call, told)

    def _checked(self, subject: str, ask: Ask) -> Told:
        """What came of it: unknown, and asked after, by the question's own id."""
        until_s = self.monotonic() + CHECKED_S
        while self.monotonic() < until_s:
            asked = Ask(self.fresh_id(), ask.to, FATE.name, ask.id)
            try:
                told = read_told(self.wire.ask(subject, pack(asked), FATE.wait_s))
            except (NobodyThereError, NoAnswerError, BadInputError):
                told = Told("late")
            if told.state != "late":
                return told
            if self.stopping.wait(_AGAIN_S):
                break
        return Told("lost")

    def _read(self, host: Neighbour, call: HostCall, told: Told) -> Any:
        match told.state:
            case "done":
                return _answer(call, told.of)
            case "refused":
                raise_refusal(told)
            case "never":
                raise UnreachableError(f"its host {host.here.name} was started anew")
        _nobody_knows(host)

    def _why(self, host: Neighbour) -> str:
        if not self.wire.up:
            return "this machine has no connection to the others"
        return f"its host {host.here.name} does not answer"


def _answer(call: HostCall, of: Any) -> Any:
    try:
        return call.unpack_answer(of)
    except (TypeError, ValueError, LookupError) as error:
        raise BadInputError("The answer of another process cannot be read: is it of another version?") from error


def _nobody_knows(host: Neighbour) -> NoReturn:
    raise UnknownError(f"The host {host.here.name} has not answered, and nobody knows whether it was done.")
