"""What an exception record says was before, and is after, in words of a language.

The record keeps both as short English text, in the forms its makers give them (`studio.tables`). Each part of it that
is one of these is said anew; a text of another form, of an older studio or a newer one, stays as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from dealer_ui.felt.face import face
from dealer_ui.past.coded import word
from dealer_ui.words.language import Language
from studio.errors import BadInputError
from studio.games import GAMES
from studio.money import parse_amount

Part = re.Match[str]

_WHOLE: Final = re.compile(
    r"(?:(?P<round>[\w-]+-\d{7})(?: (?P<stage>dealing|settling|settled|voiding|voided))?(?:: |$))?"
    r"(?P<parts>.*?)(?P<nothing>; no bet went back)?(?: \((?P<money>[^()]*)\))?",
    re.DOTALL,
)
_BETWEEN: Final = re.compile(r", (?!deal \d)")
_CARD: Final = r"(?P<face>[2-9TJQKA][shdc]|sealed(?: [0-9a-f]+)?)"
_PLACE: Final = r"(?P<box>\w+) (?P<place>\d+)"
_AMOUNT: Final = r"[\d.]+ [A-Z]{3}"


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """Says it in one language."""

    language: Language

    def say(self, text: str) -> str:
        """
        >>> from dealer_ui.words.language import Languages
        >>> ChangeWords(Languages().speak("en")).say("t1-0000002 dealing: player1 3 = 6d, camera says Ts")
        't1-0000002, Dealing: Player 1, card 3: 6♦, the camera sees 10♠'
        """
        if alone := self._alone(text):
            return alone
        found = _WHOLE.fullmatch(text)
        assert found is not None  # every text fits, if only as parts nobody knows
        parts = [self._part(one) for one in _BETWEEN.split(found["parts"])] if found["parts"] else []
        money = [self._money(one) for one in found["money"].split("; ")] if found["money"] else []
        if not all((*parts, *money)):
            return text
        if found["nothing"]:
            parts.append(self.language.say("coded.change.nothing_back"))
        head = ", ".join(one for one in (found["round"], self._stage(found["stage"])) if one)
        told = "; ".join(one for one in (", ".join(map(str, parts)), ", ".join(map(str, money))) if one)
        return ": ".join(one for one in (head, told) if one)

    def _stage(self, key: str | None) -> str:
        return word(self.language, "stage", key) if key else ""

    def _alone(self, text: str) -> str:
        """What is said of something other than a round: a pay table, a seat, a lost prize, a table's game."""
        return _first(text, _ALONE, self)

    def _part(self, text: str) -> str:
        return _first(text, _PARTS, self)

    def _money(self, text: str) -> str:
        return _first(text, _MONEY, self)

    # --- what stands in the parts ----------------------------------------------------------------------

    def box(self, key: str) -> str:
        return self.language.say("round.box", n=key) if key.isdigit() else self.language.name("box", key)

    def face(self, text: str) -> str:
        return self.language.say("coded.change.sealed") if text.startswith("sealed") else face(text).sign

    def amount(self, text: str) -> str:
        figure, currency = text.split()
        return self.language.money(parse_amount(figure, currency), currency)

    def bets(self, text: str) -> str:
        return ", ".join(map(self.language.bet, text.split(", ")))

    def card(self, found: Part) -> str:
        again = found["deal"]
        return self.language.say(
            "coded.change.card_again" if again else "coded.change.card",
            box=self.box(found["box"]), place=found["place"], deal=again, face=self.face(found["face"]),
        )  # fmt: skip

    def table(self, found: Part) -> str:
        say = self.language.say
        game = next((one.key for one in GAMES if one.title == found["game"]), "")
        rules = found["rules"]
        return say(
            "coded.change.table",
            game=word(self.language, "game", game) or found["game"],
            rules=say("coded.change.usual_rules") if rules == "its usual rules" else rules.replace("_", " "),
            limits=", ".join(self._limit(one, found["currency"]) for one in found["limits"].split(", ")),
            window=found["window"],
        )

    def _limit(self, text: str, currency: str) -> str:
        bet, _, amounts = text.rpartition(" ")
        least, most = (self.language.money(int(one), currency) for one in amounts.split("–"))
        return f"{self.language.bet(bet)} {least}–{most}"


_Say = Callable[[ChangeWords, Part], str]
_Forms = tuple[tuple[re.Pattern[str], _Say], ...]


def _first(text: str, forms: _Forms, words: ChangeWords) -> str:
    """What the first form that fits makes of it; empty where none does, or what it holds makes no sense."""
    for pattern, said in forms:
        if found := pattern.fullmatch(text):
            try:
                return said(words, found)
            except (BadInputError, ValueError):
                return ""
    return ""


def _as(key: str, words: ChangeWords, found: Part) -> str:
    """The words of the key, filled with what the form holds, each in its own words."""
    reads: dict[str, Callable[[str], str]] = {
        "box": words.box, "a": words.box, "b": words.box, "face": words.face, "amount": words.amount,
        "back": words.amount, "out": words.amount, "bets": words.bets,
        "seat": lambda text: words.language.seats([text]),
        "pays": lambda text: words.language.either(f"pays.{text}", text),
        "line": lambda text: words.language.either(f"pays.{text}", text),
    }  # fmt: skip
    told = {name: reads.get(name, str)(value) for name, value in found.groupdict().items() if value is not None}
    return words.language.say(f"coded.change.{key}", **told)


def _forms(**forms: str) -> _Forms:
    return tuple((re.compile(pattern), partial(_as, key)) for key, pattern in forms.items())


_PARTS: Final[_Forms] = (
    (re.compile(rf"{_PLACE}(?:, deal (?P<deal>\d+))? = {_CARD}"), ChangeWords.card),
    *_forms(
        set_aside=rf"set aside(?:, deal \d+)? = {_CARD}",
        taken_out=rf"{_PLACE} taken out",
        recorded=r"(?P<a>\w+) and (?P<b>\w+) as recorded",
        exchanged=r"(?P<a>\w+) and (?P<b>\w+) exchanged",
        box_settled=r"(?P<box>\w+) settled",
        settled=r"settled",
        void=r"void",
        void_paid=r"void (?P<pays>\w+)",
        box_void=r"(?P<box>\w+) void",
        camera_down=r"camera says down",
        camera_unsure=r"camera says unsure",
        camera=rf"camera says {_CARD}",
    ),
)
_MONEY: Final = _forms(
    no_money=r"no money changes",
    pot_won=r"the pot is won after all",
    pot_lost=r"the win of the pot is taken back",
    moved=rf"(?P<operator>.+): (?P<bettors>\d+) bettors?, (?P<back>{_AMOUNT}) back, (?P<out>{_AMOUNT}) out",
)
_ALONE: Final[_Forms] = (
    *_forms(
        none=r"no round",
        never_proved=r"never proved",
        allowed=r"allowed to deal",
        over=r"more than 100 % on (?P<bets>.+), at most (?P<percent>[\d.]+) %",
        paid_out=r"paid out",
        seat=rf"(?P<seat>seat\d+): (?P<bettor>.+) of (?P<operator>.+), (?P<amount>{_AMOUNT})",
        paid=rf"(?P<amount>{_AMOUNT}) paid to (?P<count>\d+) bettors",
    ),
    (
        re.compile(rf"(?P<case>[\w-]+): (?P<line>[\w ]+), (?P<amount>{_AMOUNT}) lost"),
        lambda words, found: _lost(words, found),
    ),
    (
        re.compile(
            r"(?P<game>[^;]+); (?P<rules>[^;]*); (?P<limits>[^;]*) minor units of (?P<currency>[A-Z]{3}); "
            r"(?P<window>[\d.]+) s"
        ),
        ChangeWords.table,
    ),
)


def _lost(words: ChangeWords, found: Part) -> str:
    say, line = words.language.say, found["line"]
    told = say("case.no_line") if line == "no prize on the cards" else words.language.either(f"pays.{line}", line)
    return say("coded.change.lost", case=found["case"], line=told, amount=words.amount(found["amount"]))
