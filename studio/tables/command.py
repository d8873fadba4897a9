"""What a person or the clock may ask of a table: each command with its fields, and the terms on which it is taken.

To add one, declare it here and write the function of its name (`open_table`) in a room that `decide` looks through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final

from studio.cards import Card
from studio.jackpot import PotTerms
from studio.money import Rates
from studio.people import Actor
from studio.tables.config import Limit, PayProof
from studio.tables.declaration import Command, CommandTerms, FieldKind, Late, Needed, Number, Text, Yes, commands_in
from studio.tables.event.change import PlannedTurn
from studio.tables.event.correction import Righting
from studio.tables.past.dossier import Dossier
from studio.tables.past.sealed_round import SealedRound


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Command):
    """Open with this dealer; a paused table is resumed by `ResumeTable`."""

    terms = CommandTerms(door=("open_table",))
    dealer: Needed
    dealer_name: Annotated[str, FieldKind.DEALER_NAME]


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowPayTable(Command):
    """Let the table deal on a pay table that was never proved or returns more than is staked, with a reason."""

    terms = CommandTerms(door=("allow_pay_table",), about="terms")
    reason_code: Text
    words: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTable(Command):
    """Another game, pay table, limits or window, from the next round on. `preset` names what was chosen, and `shown` is
    the mark of the terms that were shown. `exposure_most_minor`: 0 is without limit, None leaves it as it is."""

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
    shown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCount(Command):
    """Count cards through the shoe: a `whole` deck before it deals, or what is left of the one that is in it."""

    terms = CommandTerms(door=("verify_deck",))
    whole: Yes
    deck_id: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndCount(Command):
    """All cards are out. `found` is what the table remembers of them, never what a form says."""

    terms = CommandTerms(door=("load_shoe",), counting=True)
    break_off: Yes = False
    found: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount(Command):
    """Two people have counted by hand the cards left in the shoe; `beside`, PIN entered, is the second of them."""

    terms = CommandTerms(door=("verify_deck",), about="deck")
    left: Annotated[int, FieldKind.NEEDED_NUMBER]
    beside: Actor | None = None


class CloseTable(Command):
    __slots__ = ()
    terms = CommandTerms(door=("close_table",), first=True)


class PauseTable(Command):
    __slots__ = ()
    terms = CommandTerms(door=("pause_table",), first=True)


class ResumeTable(Command):
    __slots__ = ()
    terms = CommandTerms(door=("pause_table",))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDealer(Command):
    terms = CommandTerms(door=("change_dealer",))
    dealer: Needed
    dealer_name: Annotated[str, FieldKind.DEALER_NAME]


class TakeTable(Command):
    """The person who sends this takes the table over as its dealer."""

    __slots__ = ()
    terms = CommandTerms(door=("take_table",))


class DeclineRelief(Command):
    __slots__ = ()
    terms = CommandTerms(door=("change_dealer",))


@dataclass(frozen=True, slots=True, kw_only=True)
class StandDown(Command):
    """The dealer of the table may not deal any more: he was barred, or has left the staff."""

    dealer: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRotation(Command):
    """Who deals here next, and when; an empty plan takes the one before away."""

    terms = CommandTerms(door=("plan_rotation",), late=Late.NEVER, about="plan")
    turns: Annotated[tuple[PlannedTurn, ...], FieldKind.TURNS]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadShoe(Command):
    """A verified deck is in the shoe. `deck_id` empty: the deck verified last."""

    terms = CommandTerms(door=("load_shoe",), own_table=True)
    deck_id: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyDeck(Command):
    """A pit boss has counted the deck by hand: all of its cards, each once, one back. Where no shuffler does it."""

    terms = CommandTerms(door=("verify_deck",))
    deck_id: Needed
    words: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawShoe(Command):
    """Take the deck in the shoe out of play, with a reason."""

    terms = CommandTerms(door=("change_shoe",), about="deck")
    reason_code: Text
    words: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DismissSeat(Command):
    """Send the bettor away from his seat at a poker table: he is paid out at once, or when his hand is over.

    `bettor`, where it is given, is whom the pit means: nobody is sent away because he took a seat that was left.
    """

    terms = CommandTerms(door=("dismiss_seat",))
    seat: Annotated[str, FieldKind.SEAT]
    reason_code: Text
    words: Text
    bettor: Annotated[str, FieldKind.BETTOR] = ""


class StartRound(Command):
    __slots__ = ()
    terms = CommandTerms(door=("start_round",), late=Late.DEALT, own_table=True)


class OpenBetting(Command):
    __slots__ = ()
    terms = CommandTerms(door=("open_bets",), late=Late.DEALT, own_table=True)


class CloseBetting(Command):
    __slots__ = ()
    terms = CommandTerms(door=("close_bets",), late=Late.DEALT, own_table=True)


class DeclareResult(Command):
    __slots__ = ()
    terms = CommandTerms(door=("declare_result",), late=Late.DEALT, own_table=True)


class ShuffleStub(Command):
    """The dealer has shuffled what was left in the shoe together with the cards that go back to it, and put it back."""

    __slots__ = ()
    terms = CommandTerms(door=("load_shoe",), late=Late.DEALT, own_table=True)


class ConfirmFeltClear(Command):
    """The dealer says the felt is clear where the camera cannot."""

    __slots__ = ()
    terms = CommandTerms(door=("confirm_felt",), late=Late.DEALT, own_table=True, counting=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeTable(Command):
    """`floor`: the freeze of the whole floor that this is part of; of a release, the one that it is the end of."""

    terms = CommandTerms(door=("freeze",), late=Late.NEVER, first=True, counting=True)
    floor: str = ""


class CallPit(Command):
    __slots__ = ()
    terms = CommandTerms(door=("call_pit",), late=Late.NEVER, first=True, counting=True)


class AnswerCall(Command):
    __slots__ = ()
    terms = CommandTerms(door=("answer_call",), late=Late.NEVER, first=True, counting=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTable(Command):
    terms = CommandTerms(door=("release",), first=True, counting=True, about="freeze")
    reason_code: Text
    words: Text
    floor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDevice(Command):
    """Keep in the record what a technician did at a device and what came of it."""

    terms = CommandTerms(counting=True)
    device: str
    service: str
    passed: bool
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveDevice(Command):
    """This device, as it told itself to be, may stand at the table: somebody has looked at it. `shown`: its mark."""

    terms = CommandTerms(door=("approve_device",))
    device: Needed
    words: Text
    shown: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderDevice(Command):
    """Have a device do something, and say why: kept before it is sent."""

    terms = CommandTerms(counting=True)
    device: str
    order: str
    value: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportIncident(Command):
    terms = CommandTerms(door=("report_incident",), first=True)
    kind: Needed
    circumstances: Annotated[tuple[tuple[str, str], ...], FieldKind.CIRCUMSTANCES] = ()
    box: Text = ""
    place: Number = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleIncident(Command):
    """Rule on an open incident; `arguments` as the ruling wants them (a box, two boxes, a card)."""

    terms = CommandTerms(door=("rule_dealer", "rule_pit"), first=True, own_table=True, about="ruling")
    incident: Needed
    ruling: Needed
    arguments: Annotated[tuple[str, ...], FieldKind.ARGUMENTS] = ()
    reason_code: Text = ""
    words: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApproveRuling(Command):
    """The second person's yes; `asked` is the mark of the request he was shown."""

    terms = CommandTerms(door=("approve_two_people",), first=True)
    incident: Needed
    asked: Needed


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclineRuling(Command):
    terms = CommandTerms(door=("approve_two_people",), first=True, about="request")
    incident: Needed


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideCompensation(Command):
    """What the bettors of a prize lost with a voided round are paid. `pays`: full, each (`amount_minor`), none."""

    terms = CommandTerms(door=("compensate",))
    case: Needed
    pays: Needed
    amount_minor: Number = 0
    reason_code: Text = ""
    words: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OverrideCard(Command):
    """Ask that the card at `box`, `place` be read as `card`: two people, one exception record."""

    terms = CommandTerms(door=("ask_two_people", "override_card"), own_table=True, about="round")
    box: Annotated[str, FieldKind.BOX]
    place: Annotated[int, FieldKind.PLACE]
    card: Annotated[str, FieldKind.CARD]
    reason_code: Text
    words: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound(Command):
    """Void the round being dealt, on the pit's own word; once cards were revealed another person must agree."""

    terms = CommandTerms(door=("void_round",), first=True, about="round")
    reason_code: Text
    words: Text = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCorrection(Command):
    """Ask that a settled round be corrected by these facts, or voided; `digest` is that of the preview shown, and
    `pays` what a void round pays all the same, in the game's word for it."""

    terms = CommandTerms(own_table=True)
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

    terms = CommandTerms(own_table=True)
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


@dataclass(frozen=True, slots=True)
class Tick:
    """The clock says so; journalled only by the events it causes."""


COMMANDS: Final = commands_in(globals())
"""Every command there is, in the order of this file."""
