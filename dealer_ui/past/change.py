"""What an exception record says was before, and is after, in words of a language."""

from __future__ import annotations

from dataclasses import dataclass

from dealer_ui.past.coded import word
from dealer_ui.past.old_change import read_old
from dealer_ui.words.language import Language
from studio.cards import Card
from studio.tables.config import Limit
from studio.tables.event.situation import (
    AllowedToDeal,
    AnySituation,
    CameraSays,
    CardOut,
    CardReads,
    HandsRead,
    InRound,
    MoneyMoved,
    MoneyPart,
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


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """Says it in one language."""

    language: Language

    def say(self, told: AnySituation) -> str:
        """A situation in words; a text, which only old records hold, is read first, and stays where it cannot be.

        >>> from dealer_ui.words.language import Languages
        >>> card, seen = CardReads(("player1", 3), Card.parse("6d")), CameraSays(Card.parse("Ts"))
        >>> ChangeWords(Languages().speak("en")).say(Situation((InRound("t1-0000002", "dealing"), card, seen)))
        't1-0000002, Dealing: Player 1, card 3: 6♦, the camera sees 10♠'
        """
        situation = told if isinstance(told, Situation) else read_old(told)
        if situation is None:
            return str(told)
        head = [self._round(one) for one in situation.parts if isinstance(one, InRound)]
        money = [self._part(one) for one in situation.parts if isinstance(one, MoneyPart)]
        parts = [self._part(one) for one in situation.parts if not isinstance(one, InRound | MoneyPart)]
        body = "; ".join(one for one in (", ".join(parts), ", ".join(money)) if one)
        return ": ".join(one for one in (*head, body) if one)

    def _round(self, about: InRound) -> str:
        stage = word(self.language, "stage", about.stage) if about.stage else ""
        return ", ".join(one for one in (about.round, stage) if one)

    def _part(self, part: SituationPart) -> str:
        """One part of it, except the round it is about."""
        match part:
            case CardReads() | CardOut() | CameraSays():
                return self._card(part)
            case HandsRead(a=a, b=b, exchanged=exchanged):
                return self._say("exchanged" if exchanged else "recorded", a=self._box(a), b=self._box(b))
            case Stands():
                return self._stands(part)
            case MoneyMoved():
                back, out = (self.language.money(one, part.currency) for one in (part.back_minor, part.out_minor))
                return self._say("moved", operator=part.operator, bettors=part.bettors, back=back, out=out)
            case PotTurned(won=won):
                return self._say("pot_won" if won else "pot_lost")
            case PayTableKnown(over=over, percent=percent) if over:
                return self._say("over", bets=", ".join(map(self.language.bet, over)), percent=percent)
            case Seated(seat=seat, bettor=bettor, operator=operator):
                amount = self.language.money(part.stack_minor, part.currency)
                return self._say(
                    "seat", seat=self.language.seats([seat]), bettor=bettor, operator=operator, amount=amount
                )
            case PrizeLost():
                return self._lost(part)
            case PrizePaid(amount_minor=amount_minor, currency=currency, bettors=bettors):
                return self._say("paid", amount=self.language.money(amount_minor, currency), count=bettors)
            case TableRules():
                return self._table(part)
        return self._say(_PLAIN[type(part)])

    # --- what stands in the parts ----------------------------------------------------------------------

    def _say(self, key: str, **values: str | int) -> str:
        return self.language.say(f"coded.change.{key}", **values)

    def _box(self, key: str) -> str:
        return self.language.say("round.box", n=key) if key.isdigit() else self.language.name("box", key)

    def _face(self, face: Card | None) -> str:
        return face.sign if face else self._say("sealed")

    def _card(self, part: CardReads | CardOut | CameraSays) -> str:
        match part:
            case CameraSays(face=None, look=look) if look in ("down", "unsure"):
                return self._say(f"camera_{look}")
            case CameraSays(face=face):
                return self._say("camera", face=self._face(face))
            case CardReads(slot=("", _), face=face):
                return self._say("set_aside", face=self._face(face))
            case CardReads(slot=(box, place), face=face, deal=deal):
                named: dict[str, str | int] = {"box": self._box(box), "place": place, "face": self._face(face)}
                return self._say("card_again", deal=deal, **named) if deal > 1 else self._say("card", **named)
            case CardOut(slot=(box, place)):
                return self._say("taken_out", box=self._box(box), place=place)

    def _stands(self, part: Stands) -> str:
        if part.pays:
            return self._say("void_paid", pays=self.language.either(f"pays.{part.pays}", part.pays))
        how = "void" if part.void else "settled"
        return self._say(f"box_{how}", box=self._box(part.box)) if part.box else self._say(how)

    def _lost(self, part: PrizeLost) -> str:
        line = self.language.either(f"pays.{part.line}", part.line) if part.line else self.language.say("case.no_line")
        return self._say("lost", case=part.case, line=line, amount=self.language.money(part.lost_minor, part.currency))

    def _table(self, part: TableRules) -> str:
        rules = ", ".join(f"{name} {value}".replace("_", " ") for name, value in part.rules.items())
        limits = [self._limit(bet, limit, part.currency) for bet, limit in part.limits.items()]
        if part.exposure_most_minor:
            limits.append(self._say("exposure", amount=self.language.money(part.exposure_most_minor, part.currency)))
        return self._say(
            "table", game=word(self.language, "game", part.game) or part.title, rules=rules or self._say("usual_rules"),
            limits=", ".join(limits), window=f"{part.window_s:g}",
        )  # fmt: skip

    def _limit(self, bet: str, limit: Limit, currency: str) -> str:
        least, most = (self.language.money(one, currency) for one in (limit.least_minor, limit.most_minor))
        return f"{self.language.bet(bet)} {least}–{most}"


_PLAIN = {
    NoRound: "none", NothingBack: "nothing_back", NoMoney: "no_money", PaidOut: "paid_out", AllowedToDeal: "allowed",
    PayTableKnown: "never_proved",
}  # fmt: skip
"""Parts that say one thing only."""
