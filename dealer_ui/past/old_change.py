"""Reads what an exception record older than situations says was before, and is after: a short English text.

New records hold values and never come here. A text of another form, of a studio older still, is not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from studio.cards import Card
from studio.errors import BadInputError
from studio.games import GAMES
from studio.money import parse_amount
from studio.tables.config import Limit
from studio.tables.event.situation import (
    AllowedToDeal,
    CameraSays,
    CardOut,
    CardReads,
    HandsRead,
    InRound,
    MoneyMoved,
    NoMoney,
    NoRound,
    NothingBack,
    PaidOut,
    PayTableKnown,
    PotTurned,
    PrizeLost,
    PrizePaid,
    Seated,
    Situation,
    SituationPart,
    Stands,
    TableRules,
)

_Found = re.Match[str]
_Forms = tuple[tuple[re.Pattern[str], Callable[[_Found], SituationPart]], ...]

_WHOLE: Final = re.compile(
    r"(?:(?P<round>[\w-]+-\d{7})(?: (?P<stage>dealing|settling|settled|voiding|voided))?(?:: |$))?"
    r"(?P<parts>.*?)(?P<nothing>; no bet went back)?(?: \((?P<money>[^()]*)\))?",
    re.DOTALL,
)
_BETWEEN: Final = re.compile(r", (?!deal \d)")
_FACE: Final = r"(?:(?P<face>[2-9TJQKA][shdc])|sealed(?: (?P<card>[0-9a-f]+))?)"
_PLACE: Final = r"(?P<box>\w+) (?P<place>\d+)"
_AMOUNT: Final = r"[\d.]+ [A-Z]{3}"


def read_old(text: str) -> Situation | None:
    """
    >>> read_old("t1-0000002 dealing").parts
    (InRound(round='t1-0000002', stage='dealing'),)
    >>> read_old("of another form")
    """
    try:
        return Situation(_parts(text)) if text else None
    except (BadInputError, ValueError):
        return None


def _parts(text: str) -> tuple[SituationPart, ...]:
    """The parts of the text; `ValueError` where one is of no known form."""
    if (alone := _first(text, _ALONE)) is not None:
        return (alone,)
    found = _WHOLE.fullmatch(text)
    assert found is not None  # every text fits, if only as parts nobody knows
    head = (InRound(found["round"], found["stage"] or ""),) if found["round"] else ()
    parts = [_need(one, _PARTS) for one in _BETWEEN.split(found["parts"])] if found["parts"] else []
    money = [_need(one, _MONEY) for one in found["money"].split("; ")] if found["money"] else []
    return (*head, *parts, *((NothingBack(),) if found["nothing"] else ()), *money)


def _need(text: str, forms: _Forms) -> SituationPart:
    part = _first(text, forms)
    if part is None:
        raise ValueError(text)
    return part


def _first(text: str, forms: _Forms) -> SituationPart | None:
    """The situation that the first fitting form makes of this text; None where no form fits."""
    fitting = ((made, found) for pattern, made in forms if (found := pattern.fullmatch(text)))
    return next((made(found) for made, found in fitting), None)


def _minor(text: str) -> tuple[int, str]:
    figure, currency = text.split()
    return parse_amount(figure, currency), currency


def _face(found: _Found) -> Card | None:
    return Card.parse(found["face"]) if found["face"] else None


def _card(found: _Found) -> SituationPart:
    slot = (found["box"], int(found["place"]))
    return CardReads(slot, _face(found), found["card"] or "", int(found["deal"] or 1))


def _moved(found: _Found) -> SituationPart:
    (back_minor, currency), (out_minor, _) = _minor(found["back"]), _minor(found["out"])
    return MoneyMoved(found["operator"], int(found["bettors"]), back_minor, out_minor, currency)


def _lost(found: _Found) -> SituationPart:
    line = found["line"]
    return PrizeLost(found["case"], "" if line == "no prize on the cards" else line, *_minor(found["amount"]))


def _table(found: _Found) -> SituationPart:
    game = next((one.key for one in GAMES if one.title == found["game"]), "")
    rules = (
        {} if found["rules"] == "its usual rules" else dict([one.rsplit(" ", 1) for one in found["rules"].split(", ")])
    )
    limits = dict(_limit(one) for one in found["limits"].split(", "))
    most_minor = int(found["most"] or 0)
    return TableRules(game, found["game"], rules, limits, most_minor, found["currency"], float(found["window"]))


def _limit(text: str) -> tuple[str, Limit]:
    bet, _, amounts = text.rpartition(" ")
    least, most = amounts.split("–")
    return bet, Limit(least_minor=int(least), most_minor=int(most))


_PARTS: Final[_Forms] = (
    (re.compile(rf"{_PLACE}(?:, deal (?P<deal>\d+))? = {_FACE}"), _card),
    (re.compile(rf"(?P<box>)set aside(?:, deal (?P<deal>\d+))? = {_FACE}"),
     lambda found: CardReads(("", 0), _face(found), found["card"] or "", int(found["deal"] or 1))),
    (re.compile(rf"{_PLACE} taken out"), lambda found: CardOut((found["box"], int(found["place"])))),
    (re.compile(r"(?P<a>\w+) and (?P<b>\w+) (?P<how>as recorded|exchanged)"),
     lambda found: HandsRead(found["a"], found["b"], found["how"] == "exchanged")),
    (re.compile(r"settled|void"), lambda found: Stands(found[0] == "void")),
    (re.compile(r"void (?P<pays>\w+)"), lambda found: Stands(void=True, pays=found["pays"])),
    (re.compile(r"(?P<box>\w+) (?P<how>settled|void)"), lambda found: Stands(found["how"] == "void", found["box"])),
    (re.compile(r"camera says (?P<look>down|unsure)"), lambda found: CameraSays(None, found["look"])),
    (re.compile(rf"camera says {_FACE}"), lambda found: CameraSays(_face(found))),
)  # fmt: skip
_MONEY: Final[_Forms] = (
    (re.compile(r"no money changes"), lambda found: NoMoney()),
    (re.compile(r"the pot is won after all"), lambda found: PotTurned(won=True)),
    (re.compile(r"the win of the pot is taken back"), lambda found: PotTurned(won=False)),
    (re.compile(rf"(?P<operator>.+): (?P<bettors>\d+) bettors?, (?P<back>{_AMOUNT}) back, (?P<out>{_AMOUNT}) out"),
     _moved),
)  # fmt: skip
_ALONE: Final[_Forms] = (
    (re.compile(r"no round"), lambda found: NoRound()),
    (re.compile(r"never proved"), lambda found: PayTableKnown()),
    (re.compile(r"allowed to deal"), lambda found: AllowedToDeal()),
    (re.compile(r"more than 100 % on (?P<bets>.+), at most (?P<percent>[\d.]+) %"),
     lambda found: PayTableKnown(tuple(found["bets"].split(", ")), found["percent"])),
    (re.compile(r"paid out"), lambda found: PaidOut()),
    (re.compile(rf"(?P<seat>seat\d+): (?P<bettor>.+) of (?P<operator>.+), (?P<amount>{_AMOUNT})"),
     lambda found: Seated(found["seat"], found["bettor"], found["operator"], *_minor(found["amount"]))),
    (re.compile(rf"(?P<amount>{_AMOUNT}) paid to (?P<count>\d+) bettors"),
     lambda found: PrizePaid(*_minor(found["amount"]), int(found["count"]))),
    (re.compile(rf"(?P<case>[\w-]+): (?P<line>[\w ]+), (?P<amount>{_AMOUNT}) lost"), _lost),
    (re.compile(
        r"(?P<game>[^;]+); (?P<rules>[^;]*); (?P<limits>[^;]*?)(?:, at most (?P<most>\d+) lost in a round,)? "
        r"minor units of (?P<currency>[A-Z]{3}); (?P<window>[\d.]+) s"
    ), _table),
)  # fmt: skip
