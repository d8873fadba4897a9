"""What a person, a bettor's operator or the clock may ask of a table.

A command may be refused with a sentence (`RefusedError`); once carried out it is events. `id` is made by the
asking screen, so that a double tap is one act; `seen` is the table's `moves` the person was looking at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from studio.cards import Card
from studio.jackpot import PotTerms
from studio.money import Offer, Rates
from studio.people import Actor
from studio.tables.config import Limit, PayProof
from studio.tables.event.correction import Righting
from studio.tables.event.dealer import PlannedTurn
from studio.tables.past.dossier import Dossier
from studio.tables.past.sealed_round import SealedRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """`pit_bosses`: how many are on the floor when it is asked; the floor says so, never the screen that asks."""

    actor: Actor
    id: str = ""
    seen: int | None = None
    pit_bosses: int = 1

    def is_stale(self, moves: int, dealt: int) -> bool:
        """The person looked at an older table: an act of the deal is judged by what happened to the deal. To freeze, to
        call and to come is right whatever has happened since.
        """
        if self.seen is None or isinstance(self, FreezeTable | CallPit | AnswerCall):
            return False
        if isinstance(self, StartRound | OpenBetting | CloseBetting | DeclareResult | ShuffleStub | ConfirmFeltClear):
            return not dealt <= self.seen <= moves
        return self.seen != moves


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Command):
    """Open with this dealer; a paused table is resumed by `ResumeTable`."""

    dealer: str
    dealer_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowPayTable(Command):
    """Let the table deal on a pay table that was never proved or returns more than is staked, with a reason."""

    reason_code: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTable(Command):
    """Another game, pay table, limits or window, from the next round on. `preset` names what was chosen.

    `exposure_most_minor`: the most the house may lose in a round, 0 without limit; None leaves it as it is.
    """

    preset: str
    game: str
    rules: Mapping[str, str | int | bool]
    limits: Mapping[str, Limit]
    window_s: float
    reason_code: str
    words: str
    pot: PotTerms | None = None
    proof: PayProof | None = None
    rates: Rates | None = None
    exposure_most_minor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCount(Command):
    """Count cards through the shoe: a `whole` deck of that id before it deals, or what is left of the one in it."""

    whole: bool
    deck_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndCount(Command):
    """All cards are out. `found` is what the table remembers of them, never what a form says."""

    break_off: bool = False
    found: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount(Command):
    """So many cards are left of the deck in the shoe; `beside`, PIN entered, has counted them too."""

    left: int
    beside: Actor | None = None


class CloseTable(Command):
    __slots__ = ()


class PauseTable(Command):
    __slots__ = ()


class ResumeTable(Command):
    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDealer(Command):
    dealer: str
    dealer_name: str


class TakeTable(Command):
    """Whoever asks takes the table over as its dealer."""

    __slots__ = ()


class DeclineRelief(Command):
    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StandDown(Command):
    """The dealer of the table may not deal any more: he was barred, or has left the staff."""

    dealer: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRotation(Command):
    """Who deals here next, and when; an empty plan takes the one before away."""

    turns: tuple[PlannedTurn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadShoe(Command):
    """A verified deck is in the shoe. `deck_id` empty: the deck verified last."""

    deck_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyDeck(Command):
    """A pit boss has counted the deck by hand: all of its cards, each once, one back. Where no shuffler does it."""

    deck_id: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawShoe(Command):
    """Take the deck in the shoe out of play, with a reason."""

    reason_code: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissSeat(Command):
    """Send the bettor away from his seat at a poker table: he is paid out at once, or when his hand is over.

    `bettor`, where it is given, is whom the pit means: nobody is sent away because he took a seat that was left.
    """

    seat: str
    reason_code: str
    words: str
    bettor: str = ""


class StartRound(Command):
    __slots__ = ()


class OpenBetting(Command):
    __slots__ = ()


class CloseBetting(Command):
    __slots__ = ()


class DeclareResult(Command):
    __slots__ = ()


class ShuffleStub(Command):
    """The dealer says that what was left in the shoe is shuffled, with what goes back to it, and in it again."""

    __slots__ = ()


class ConfirmFeltClear(Command):
    """The dealer says the felt is clear where the camera cannot."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeTable(Command):
    """`floor`: the freeze of the whole floor that this is part of."""

    floor: str = ""


class CallPit(Command):
    __slots__ = ()


class AnswerCall(Command):
    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTable(Command):
    reason_code: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDevice(Command):
    """Keep in the record what a technician did at a device and what came of it."""

    device: str
    service: str
    passed: bool
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveDevice(Command):
    """This device, as it told itself to be, may stand at the table: somebody has looked at it."""

    device: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderDevice(Command):
    """Have a device do something, and say why: kept before it is sent."""

    device: str
    order: str
    value: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportIncident(Command):
    kind: str
    circumstances: tuple[tuple[str, str], ...] = ()
    box: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleIncident(Command):
    """Rule on an open incident; `arguments` as the ruling wants them (a box, two boxes, a card)."""

    incident: str
    ruling: str
    arguments: tuple[str, ...] = ()
    reason_code: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRuling(Command):
    """The second person's yes; `asked` is the mark of the request he was shown."""

    incident: str
    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineRuling(Command):
    incident: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideCompensation(Command):
    """What the bettors of a prize lost with a voided round are paid. `pays`: full, each (`amount_minor`), none."""

    case: str
    pays: str
    amount_minor: int = 0
    reason_code: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideCard(Command):
    """Ask that the card at `box`, `place` be read as `card`: two people, one exception record."""

    box: str
    place: int
    card: str
    reason_code: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound(Command):
    """Void the round being dealt, on the pit's own word; once cards were revealed another person must agree."""

    reason_code: str
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCorrection(Command):
    """Ask that a settled round be corrected by these facts, or voided; `digest` is that of the preview shown.

    `pays`: what a void round pays all the same, in the game's word for it.
    """

    dossier: Dossier
    facts: tuple[Righting, ...] = ()
    void: bool = False
    pays: str = ""
    digest: str = ""
    evidence: tuple[str, ...] = ()
    reason_code: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveCorrection(Command):
    """The second person agrees to the correction as it was asked."""

    correction: str
    dossier: Dossier


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineCorrection(Command):
    correction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskUnsealing(Command):
    """Ask that a card of a round that is over be opened; `key` is what the floor finds in the key file, no screen's."""

    sealed: SealedRound
    card: str
    reason_code: str
    words: str
    key: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveUnsealing(Command):
    """The second person agrees that the card be opened; `key` as above."""

    unsealing: str
    sealed: SealedRound
    key: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineUnsealing(Command):
    unsealing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceBets:
    """One operator's batch; ids of the bets and their round are given by the runtime."""

    operator: str
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """The clock says so; journalled only by the events it causes."""


PersonCommand = (
    TakeTable | DeclineRelief | StandDown | PlanRotation |
    AskCorrection | ApproveCorrection | DeclineCorrection | AskUnsealing | ApproveUnsealing | DeclineUnsealing |
    AllowPayTable | ChangeTable | OrderDevice | StartCount | EndCount | TypeCount | ApproveDevice
    | OpenTable | CloseTable | PauseTable | ResumeTable | ChangeDealer | LoadShoe | VerifyDeck | WithdrawShoe
    | StartRound | OpenBetting | CloseBetting | DeclareResult | ConfirmFeltClear | ShuffleStub
    | FreezeTable | CallPit | AnswerCall | ReleaseTable | ServiceDevice | DismissSeat
    | ReportIncident | RuleIncident | ApproveRuling | DeclineRuling | OverrideCard | VoidRound
    | DecideCompensation
)  # fmt: skip
