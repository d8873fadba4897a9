"""What can have happened at a table.

Events are past tense, made by `decide()` only, and never refused. Money amounts are minor units, times UTC
milliseconds. `record.py` says how they are written in the journal.
"""

from __future__ import annotations

from typing import Any

import msgspec

from studio.cards import SealedCard
from studio.jackpot import PotTerms
from studio.money import Rates
from studio.rounds import AnyFact
from studio.tables.config import TableConfig
from studio.tables.event.change import DealerStoodDown as DealerStoodDown
from studio.tables.event.change import PayTableAllowed as PayTableAllowed
from studio.tables.event.change import PersonActed as PersonActed
from studio.tables.event.change import PlannedTurn as PlannedTurn
from studio.tables.event.change import ReliefAsked as ReliefAsked
from studio.tables.event.change import ReliefDeclined as ReliefDeclined
from studio.tables.event.change import RotationPlanned as RotationPlanned
from studio.tables.event.change import TableCarried as TableCarried
from studio.tables.event.change import TableChanged as TableChanged
from studio.tables.event.correction import BetsResettled as BetsResettled
from studio.tables.event.correction import CardUnsealed as CardUnsealed
from studio.tables.event.correction import CorrectionApproved as CorrectionApproved
from studio.tables.event.correction import CorrectionAsked as CorrectionAsked
from studio.tables.event.correction import CorrectionLapsed as CorrectionLapsed
from studio.tables.event.correction import PotClaimedLate as PotClaimedLate
from studio.tables.event.correction import PotClaimUndone as PotClaimUndone
from studio.tables.event.correction import PotTakenBack as PotTakenBack
from studio.tables.event.correction import Righting as Righting
from studio.tables.event.correction import RoundResettled as RoundResettled
from studio.tables.event.correction import UnsealingAsked as UnsealingAsked
from studio.tables.event.correction import UnsealingLapsed as UnsealingLapsed
from studio.tables.event.incident import ExceptionRecorded as ExceptionRecorded
from studio.tables.event.incident import IncidentClosed as IncidentClosed
from studio.tables.event.incident import IncidentOpened as IncidentOpened
from studio.tables.event.incident import IncidentRuled as IncidentRuled
from studio.tables.event.incident import ProceduresInForce as ProceduresInForce
from studio.tables.event.incident import RulingAsked as RulingAsked
from studio.tables.event.incident import RulingLapsed as RulingLapsed
from studio.tables.event.machine import CardCounted as CardCounted
from studio.tables.event.machine import CountEnded as CountEnded
from studio.tables.event.machine import CountStarted as CountStarted
from studio.tables.event.machine import CutCardCame as CutCardCame
from studio.tables.event.machine import DeckApproved as DeckApproved
from studio.tables.event.machine import DeckRefused as DeckRefused
from studio.tables.event.machine import DeviceApproved as DeviceApproved
from studio.tables.event.machine import DeviceBack as DeviceBack
from studio.tables.event.machine import DeviceLost as DeviceLost
from studio.tables.event.machine import DeviceOrdered as DeviceOrdered
from studio.tables.event.machine import DeviceProved as DeviceProved
from studio.tables.event.machine import DeviceServiced as DeviceServiced
from studio.tables.event.machine import ObservationRecorded as ObservationRecorded
from studio.tables.event.machine import ShoeLoaded as ShoeLoaded
from studio.tables.event.machine import ShoeWithdrawn as ShoeWithdrawn
from studio.tables.event.part import PartOpened as PartOpened
from studio.tables.event.part import PartSettled as PartSettled
from studio.tables.event.placed import Decision as Decision
from studio.tables.event.placed import PlacedBet as PlacedBet
from studio.tables.event.pot import CompensationAssessed as CompensationAssessed
from studio.tables.event.pot import CompensationDecided as CompensationDecided
from studio.tables.event.pot import CompensationOpened as CompensationOpened
from studio.tables.event.pot import CompensationPaid as CompensationPaid
from studio.tables.event.pot import PotFed as PotFed
from studio.tables.event.pot import PotReturned as PotReturned
from studio.tables.event.pot import PotSeeded as PotSeeded
from studio.tables.event.pot import PotWon as PotWon
from studio.tables.event.room import AnyRoomEvent as AnyRoomEvent
from studio.tables.event.room import ChipsBought as ChipsBought
from studio.tables.event.room import HandSeen as HandSeen
from studio.tables.event.room import LeaveAsked as LeaveAsked
from studio.tables.event.room import SeatAway as SeatAway
from studio.tables.event.room import SeatBack as SeatBack
from studio.tables.event.room import SeatLeft as SeatLeft
from studio.tables.event.room import SeatTaken as SeatTaken
from studio.tables.event.room import TimeBankOpened as TimeBankOpened


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    pass


# --- the table ----------------------------------------------------------------------------------------


class TableConfigured(Event, frozen=True, kw_only=True, tag=True):
    config: TableConfig


class TableOpened(Event, frozen=True, kw_only=True, tag=True):
    dealer: str
    dealer_name: str
    by: str


class TableClosed(Event, frozen=True, kw_only=True, tag=True):
    by: str


class TablePaused(Event, frozen=True, kw_only=True, tag=True):
    by: str


class TableResumed(Event, frozen=True, kw_only=True, tag=True):
    by: str


class DealerChanged(Event, frozen=True, kw_only=True, tag=True):
    dealer: str
    dealer_name: str
    by: str


class TableFrozen(Event, frozen=True, kw_only=True, tag=True):
    """`floor`: the freeze of the whole floor that this was part of; empty where this table alone was frozen."""

    by: str
    by_name: str
    floor: str = ""


class TableReleased(Event, frozen=True, kw_only=True, tag=True):
    by: str
    reason_code: str
    words: str


class PitCalled(Event, frozen=True, kw_only=True, tag=True):
    by: str
    by_name: str


class PitAnswered(Event, frozen=True, kw_only=True, tag=True):
    by: str


class TableRestarted(Event, frozen=True, kw_only=True, tag=True):
    """The program came up anew: links and the felt are unknown until the devices speak again."""


# --- the round ----------------------------------------------------------------------------------------


class RoundStarted(Event, frozen=True, kw_only=True, tag=True):
    """For the whole round: `pot`, the terms of the pot that a bet feeds; `rates`, where there are other currencies."""

    round: str
    number: int
    game: str
    version: int
    rules: dict[str, Any]
    dealer: str
    pot: PotTerms | None = None
    rates: Rates | None = None


class BetsOpened(Event, frozen=True, kw_only=True, tag=True):
    closes_at_ms: int


class BetsPlaced(Event, frozen=True, kw_only=True, tag=True):
    bets: tuple[PlacedBet, ...]


class BettorReady(Event, frozen=True, kw_only=True, tag=True):
    """A bettor has said that he bets no more: the cards may come. A further bet of his takes it back.

    `closes`: he was the last of those who have a bet, and the window ends with it.
    """

    operator: str
    bettor: str
    closes: bool = False


class DecisionsTaken(Event, frozen=True, kw_only=True, tag=True):
    """`bets` are the stakes these decisions add."""

    decisions: tuple[Decision, ...]
    bets: tuple[PlacedBet, ...] = ()


class DecisionsClosed(Event, frozen=True, kw_only=True, tag=True):
    """The window of a decision is over; whoever had to decide and did not has decided `by_default`."""

    options: tuple[str, ...]
    by_default: str


class FactStood(Event, frozen=True, kw_only=True, tag=True):
    """A fact of the deal, or a correction of one, stands."""

    fact: AnyFact


class CardConfirmed(Event, frozen=True, kw_only=True, tag=True):
    """The second eye agrees on card `id`; `by` is `camera`, or the pit boss who read the picture."""

    id: str
    by: str = "camera"
    evidence: str = ""
    confidence: float = 0.0


class CardDoubted(Event, frozen=True, kw_only=True, tag=True):
    """The second eye does not agree on card `id` any more. `why`: unsure, gone, contradiction, reread."""

    id: str
    why: str


class ShoeMissed(Event, frozen=True, kw_only=True, tag=True):
    """A card without a reading is owed to `box`, `place`: the shoe reported it unread, or the camera saw it first."""

    box: str
    place: int
    reported: bool = False


class ReadingWaived(Event, frozen=True, kw_only=True, tag=True):
    """The card that was owed a reading at `box`, `place` does not count: the next one out of the shoe goes there."""

    box: str
    place: int


class CardSetAside(Event, frozen=True, kw_only=True, tag=True):
    """A card came out that the script did not await. `why`: early, extra, held, idle."""

    card: SealedCard
    why: str


class CardDisposed(Event, frozen=True, kw_only=True, tag=True):
    """A card set aside went `to` the discard, the next burn, the next deal, or back into the deal (`dealt`)."""

    id: str
    to: str


class PlaceAccepted(Event, frozen=True, kw_only=True, tag=True):
    """Card `id` may lie at `zone`, `place` although it counts elsewhere."""

    id: str
    zone: str
    place: int


class RedealOrdered(Event, frozen=True, kw_only=True, tag=True):
    """The cards of this attempt are void, the bets stand, the same round is dealt again."""

    row: str


class ResultDeclared(Event, frozen=True, kw_only=True, tag=True):
    outcome: dict[str, Any]
    by: str


class BetsSettled(Event, frozen=True, kw_only=True, tag=True):
    """One chunk of postings is done; `cursor` bets of the round in all. `digest` covers the payouts so far."""

    cursor: int
    stake_minor: int
    returns_minor: int
    digest: str


class RoundSettled(Event, frozen=True, kw_only=True, tag=True):
    bets: int
    stake_minor: int
    returns_minor: int
    digest: str


class RoundVoided(Event, frozen=True, kw_only=True, tag=True):
    """`paid`: bets that are paid all the same, and what a stake of 1 on them returns, as in `5/2`."""

    row: str
    incident: str
    by: str
    paid: dict[str, str] = {}


class BetsVoided(Event, frozen=True, kw_only=True, tag=True):
    cursor: int
    stake_minor: int


class BetsReturned(Event, frozen=True, kw_only=True, tag=True):
    """These bets, by their ids, went back while the round goes on; `over`: no other has still to."""

    bets: tuple[str, ...]
    stake_minor: int
    over: bool


class RoundRefunded(Event, frozen=True, kw_only=True, tag=True):
    bets: int
    stake_minor: int


class FeltCleared(Event, frozen=True, kw_only=True, tag=True):
    pass


AnyEvent = (
    UnsealingAsked | UnsealingLapsed | CardUnsealed |
    TableCarried |
    SeatTaken | ChipsBought | LeaveAsked | SeatLeft | SeatAway | SeatBack | TimeBankOpened | HandSeen |
    ReliefAsked | ReliefDeclined | DealerStoodDown | RotationPlanned |
    CorrectionAsked | CorrectionLapsed | CorrectionApproved | PotTakenBack | BetsResettled | RoundResettled |
    PotClaimedLate | PotClaimUndone |
    DeviceApproved | TableChanged | CountStarted | CardCounted | CountEnded |
    PayTableAllowed | DeviceServiced | PersonActed | PartOpened | PartSettled
    | TableConfigured | TableOpened | TableClosed | TablePaused | TableResumed | DealerChanged | TableFrozen
    | TableReleased | PitCalled | PitAnswered | TableRestarted | ObservationRecorded | DeckApproved | DeckRefused
    | ShoeLoaded | ShoeWithdrawn | CutCardCame | DeviceLost | DeviceBack | RoundStarted | BetsOpened | BetsPlaced
    | DecisionsTaken | DecisionsClosed | BettorReady
    | FactStood | CardConfirmed | CardDoubted | ShoeMissed | ReadingWaived | CardSetAside | CardDisposed | PlaceAccepted
    | RedealOrdered | ResultDeclared | BetsSettled | RoundSettled | RoundVoided | BetsVoided | RoundRefunded
    | FeltCleared | ProceduresInForce
    | IncidentOpened | RulingAsked | RulingLapsed | IncidentRuled | IncidentClosed | ExceptionRecorded
    | DeviceProved | DeviceOrdered | BetsReturned | PotSeeded | PotFed | PotWon | PotReturned
    | CompensationOpened | CompensationAssessed | CompensationDecided | CompensationPaid
)  # fmt: skip
