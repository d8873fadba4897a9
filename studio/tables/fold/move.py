"""Which events move a table on for the person who acts at it.

`count` is of what people act upon. `dealt` is what that count was when the deal itself moved last: a dealer who starts
a round is not too late because the shuffler has meanwhile verified the deck after next, or somebody has sat down.
"""

from __future__ import annotations

from typing import Final

from studio.tables.event import table as e
from studio.tables.state.table import Moves, TableState
from studio.value import replace

_UNSEEN: Final = frozenset((
    e.DeviceOrdered, e.ObservationRecorded, e.BetsPlaced, e.DecisionsTaken, e.CardConfirmed, e.BetsSettled,
    e.BetsVoided, e.BetsReturned, e.DeviceServiced, e.PersonActed, e.PartOpened, e.PartSettled, e.BettorReady,
))  # fmt: skip
"""What nobody acts upon."""

_BESIDE_THE_DEAL: Final = frozenset((
    e.DeckApproved, e.DeckRefused, e.PitCalled, e.PitAnswered, e.ReliefAsked, e.ReliefDeclined, e.RotationPlanned,
    e.DeviceProved, e.PotSeeded, e.CompensationOpened, e.CompensationAssessed, e.CompensationDecided,
    e.CompensationPaid, e.SeatTaken, e.ChipsBought, e.LeaveAsked, e.SeatLeft, e.SeatAway, e.SeatBack, e.TimeBankOpened,
))  # fmt: skip
"""What changes nothing for the dealer's next act. What stops it (a device lost, an incident) is not among them."""


def move(state: TableState, event: e.AnyEvent) -> TableState:
    if type(event) in _UNSEEN:
        return state
    count = state.moves.count + 1
    return replace(state, moves=Moves(count, state.moves.dealt if type(event) in _BESIDE_THE_DEAL else count))
