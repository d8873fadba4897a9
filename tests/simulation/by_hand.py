"""A simulated table whose dealer is a person at the page of hands: he does what its hint says, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from werkzeug.datastructures import MultiDict

from dealer_ui.frame.command_form import read_command
from dealer_ui.rehearsal.night import DEALER, Night, NightOptions
from dealer_ui.rehearsal.own_hands.act import do
from dealer_ui.rehearsal.own_hands.breakage import Breakage
from dealer_ui.rehearsal.own_hands.hands import Hands
from dealer_ui.rehearsal.own_hands.page import hint_for
from dealer_ui.rehearsal.person.stagehand import Stagehand
from studio.errors import RefusedError
from studio.tables.event.record import read_body
from studio.tables.event.table import IncidentOpened, RoundSettled

FOREVER_MS: Final = 1 << 60
LOOKS_MS: Final = 250
"""So often he looks at the page, and presses what it tells him to."""
STEPS_MAX: Final = 20_000

_FORMS: Final = {
    "deal": {"act": "deal"}, "turn": {"act": "deal"}, "lay": {"act": "deal"}, "stub": {"act": "deal"},
    "clear": {"act": "clear"}, "put_right": {"act": "put_right"},
}  # fmt: skip


class _Lens:
    def plug(self, *, on: bool) -> None: ...

    def spoil(self, how: str) -> None: ...


@dataclass(slots=True)
class Told:
    """What is on record: the hands that were settled, with the seats of each, and every incident."""

    settled: list[tuple[str, ...]] = field(default_factory=list)
    incidents: list[str] = field(default_factory=list)


class ByHand:
    """One table, dealt by hand; players of the simulation sit at it."""

    def __init__(self, game: str, players: int, seed: int = 5) -> None:
        self.night = Night(NightOptions(game, seed, bettors=players))
        self.night.dealer._free_at_ms = FOREVER_MS
        self.hands = Hands(self.night.rig, self.night.view, card_ms=200)
        self.told = Told()
        self._breakage = Breakage(self.night.rig, _Lens())
        self._stagehand = Stagehand(self.night.rig, self.night, self.night.pit)
        self._reader = self.night.store.reader()
        self._seq = self._looked_ms = 0
        self._dealt_in: tuple[str, ...] = ()

    def play_until(self, seats: int) -> None:
        """Deal hands until one with so many seats was dealt to its end."""
        for _ in range(STEPS_MAX):
            self.step()
            if any(len(one) == seats for one in self.told.settled):
                return
        raise AssertionError(f"no hand of {seats} seats was dealt to its end: {self.night.view().now.act}, {self.told}")

    def step(self) -> None:
        night = self.night
        self._dealt_in = night.state.room.dealt_in or self._dealt_in
        night.step()
        self.hands.step(night.now_ms)
        self._stagehand.step(night.now_ms)
        if night.now_ms - self._looked_ms >= LOOKS_MS:
            self._looked_ms = night.now_ms
            self._do_as_told()
        self._listen()

    def close(self) -> None:
        self._reader.close()
        self.night.close()

    def _do_as_told(self) -> None:
        view = self.night.view()
        said = hint_for(self.hands, view)
        if said == "button":
            assert view.now.primary is not None
            self.night.command(read_command(MultiDict({"command": view.now.primary.command}), DEALER, view.table))
        elif said in _FORMS:
            try:
                do(self.hands, self._breakage, _FORMS[said])
            except RefusedError as refused:
                raise AssertionError(f"the page said {said}, and refused it: {refused.sentence}") from refused

    def _listen(self) -> None:
        for row in self._reader.events(after_seq=self._seq):
            self._seq = row.seq
            event = read_body(row.body).event if row.kind in ("IncidentOpened", "RoundSettled") else None
            if isinstance(event, IncidentOpened):
                self.told.incidents.append(f"{event.row} {event.incident}")
            elif isinstance(event, RoundSettled):
                self.told.settled.append(self._dealt_in)
