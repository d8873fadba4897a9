"""What an exception record says was before, and is after: values, which each reader is told in his own words.

Records older than this have an English text in its place, the very text that `str` gives here.
"""

from __future__ import annotations

import msgspec

from studio.cards import Card
from studio.money import format_minor
from studio.spoken import Slot
from studio.tables.config import Limit


class _Part(msgspec.Struct, frozen=True, tag_field="is", tag=True):
    pass


class InRound(_Part, frozen=True):
    """It is about this round, at this stage; `stage` is empty where only the round is named."""

    round: str
    stage: str = ""

    def __str__(self) -> str:
        return f"{self.round} {self.stage}".strip()


class NoRound(_Part, frozen=True):
    def __str__(self) -> str:
        return "no round"


class CardReads(_Part, frozen=True):
    """What one card reads and where it lies; an empty zone means that the card was set aside. `face` is None for a card
    that nobody turned, and `card` is then its id. `deal` numbers the deals of a round that was dealt again.
    """

    slot: Slot
    face: Card | None
    card: str = ""
    deal: int = 1

    def __str__(self) -> str:
        zone, place = self.slot
        again = f", deal {self.deal}" if self.deal > 1 else ""
        where = f"{zone} {place}{again}" if zone else f"set aside{again}"
        return f"{where} = {self.face or f'sealed {self.card}'.strip()}"


class CardOut(_Part, frozen=True):
    """A place whose card is taken out of the deal."""

    slot: Slot

    def __str__(self) -> str:
        return f"{self.slot[0]} {self.slot[1]} taken out"


class CameraSays(_Part, frozen=True):
    """What the camera sees of the card before it: a face, or `down` or `unsure` where it sees none."""

    face: Card | None
    look: str = ""

    def __str__(self) -> str:
        return f"camera says {self.face or self.look}"


class HandsRead(_Part, frozen=True):
    """Two hands as they were recorded, or exchanged."""

    a: str
    b: str
    exchanged: bool

    def __str__(self) -> str:
        return f"{self.a} and {self.b} {'exchanged' if self.exchanged else 'as recorded'}"


class Stands(_Part, frozen=True):
    """The round, or the hand of one box: settled, or void; a void round may still pay some bets, named by `pays`."""

    void: bool
    box: str = ""
    pays: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.box, "void" if self.void else "settled", self.pays) if part)


class NothingBack(_Part, frozen=True):
    """The round was void after its result, and no bet went back."""

    def __str__(self) -> str:
        return "no bet went back"


class MoneyMoved(_Part, frozen=True):
    """What a correction takes back from the bettors of an operator, and what it pays out to them."""

    operator: str
    bettors: int
    back_minor: int
    out_minor: int
    currency: str

    def __str__(self) -> str:
        back, out = (format_minor(minor, self.currency) for minor in (self.back_minor, self.out_minor))
        return f"{self.operator}: {self.bettors} {'bettor' if self.bettors == 1 else 'bettors'}, {back} back, {out} out"


class NoMoney(_Part, frozen=True):
    def __str__(self) -> str:
        return "no money changes"


class PotTurned(_Part, frozen=True):
    """The pot is won after all, or its win is taken back."""

    won: bool

    def __str__(self) -> str:
        return "the pot is won after all" if self.won else "the win of the pot is taken back"


class PayTableKnown(_Part, frozen=True):
    """What is known of a pay table: `over` are the bets that return more than is staked, at most `percent` (five
    figures, as text) of it; with none the pay table was never proved.
    """

    over: tuple[str, ...] = ()
    percent: str = ""

    def __str__(self) -> str:
        return f"more than 100 % on {', '.join(self.over)}, at most {self.percent} %" if self.over else "never proved"


class AllowedToDeal(_Part, frozen=True):
    def __str__(self) -> str:
        return "allowed to deal"


class Seated(_Part, frozen=True):
    """Who sits at a seat of a poker table, and the chips in front of him."""

    seat: str
    bettor: str
    operator: str
    stack_minor: int
    currency: str

    def __str__(self) -> str:
        return f"{self.seat}: {self.bettor} of {self.operator}, {format_minor(self.stack_minor, self.currency)}"


class PaidOut(_Part, frozen=True):
    def __str__(self) -> str:
        return "paid out"


class PrizeLost(_Part, frozen=True):
    """The case of a prize that was lost with its round; `line` is that of the pay table, empty where none showed."""

    case: str
    line: str
    lost_minor: int
    currency: str

    def __str__(self) -> str:
        lost = format_minor(self.lost_minor, self.currency)
        return f"{self.case}: {self.line or 'no prize on the cards'}, {lost} lost"


class PrizePaid(_Part, frozen=True):
    amount_minor: int
    currency: str
    bettors: int

    def __str__(self) -> str:
        return f"{format_minor(self.amount_minor, self.currency)} paid to {self.bettors} bettors"


class TableRules(_Part, frozen=True):
    """What a table deals: its game by key, its own rules, limits, window, and what the house may lose in a round (0: no
    limit).
    """

    game: str
    title: str
    rules: dict[str, str]
    limits: dict[str, Limit]
    exposure_most_minor: int
    currency: str
    window_s: float

    def __str__(self) -> str:
        rules = ", ".join(f"{name} {value}" for name, value in self.rules.items()) or "its usual rules"
        limits = ", ".join(f"{bet} {one.least_minor}–{one.most_minor}" for bet, one in self.limits.items())
        most = f", at most {self.exposure_most_minor} lost in a round," if self.exposure_most_minor else ""
        return f"{self.title}; {rules}; {limits}{most} minor units of {self.currency}; {self.window_s:g} s"


SituationPart = (
    InRound | NoRound | CardReads | CardOut | CameraSays | HandsRead | Stands | NothingBack | MoneyMoved | NoMoney
    | PotTurned | PayTableKnown | AllowedToDeal | Seated | PaidOut | PrizeLost | PrizePaid | TableRules
)  # fmt: skip
ReadingPart = CardReads | CardOut | HandsRead | Stands
Reading = tuple[ReadingPart, ...]
"""How a settled round reads before a correction, or after it."""
MoneyPart = MoneyMoved | NoMoney | PotTurned


class Situation(msgspec.Struct, frozen=True):
    """What was, or what is, part by part.

    >>> str(Situation((InRound("t1-0000002", "dealing"), CardReads(("player1", 3), Card.parse("6d")))))
    't1-0000002 dealing: player1 3 = 6d'
    """

    parts: tuple[SituationPart, ...]

    def __str__(self) -> str:
        """In English, as the command line and a file have it."""
        plain = (one for one in self.parts if not isinstance(one, InRound | NothingBack | MoneyPart))
        body = ", ".join(map(str, plain))
        body += "".join(f"; {one}" for one in self.parts if isinstance(one, NothingBack))
        if money := [str(one) for one in self.parts if isinstance(one, MoneyPart)]:
            body = f"{body} ({'; '.join(money)})".lstrip()
        head = next((str(one) for one in self.parts if isinstance(one, InRound)), "")
        return f"{head}: {body}" if head and body and not body.startswith(";") else head + body


AnySituation = Situation | str
"""A text in records that are older than situations."""
