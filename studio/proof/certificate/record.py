"""A certificate: what was proved of one pay table, by which code, as a record that can be kept.

But for the day and the seconds it took, a certificate of the same code and table is the same, byte for byte. Its
`digest` is over all of it but these two, so that one that was changed afterwards is known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import msgspec

from studio.errors import BadInputError
from studio.pay_tables import pay_table_of
from studio.pay_tables.line import PayLine
from studio.pay_tables.method import EVERY_GAME
from studio.proof.certificate.digest import code_of, digest_of_files, pay_rules, table_digest
from studio.proof.returns.figure import Report, unreported
from studio.proof.returns.rtp import Proof, prove_each
from studio.rulebook.game import Game
from studio.rulebook.script import Rules
from studio.written_number import read_fraction

FORM: Final = 1
PLACES: Final = 6
"""Of a percentage as it is written down; the fraction beside it is exact."""

TO_THE_POT: Final[Mapping[str, Mapping[str, Fraction]]] = {"holdem_bonus": {"first5": Fraction(38, 100)}}
"""What the printed rules give to a pot out of each stake: it comes back to the bettors, but by no proof of ours."""


class Prize(msgspec.Struct, frozen=True):
    """One outcome of a bet: in `deals` of all deals, a stake of 1 comes back as `returns`."""

    returns: str
    deals: int


class CertifiedFigure(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One figure. `fraction` is exact, every percentage is rounded to six places.

    `pot_percent` is stated, not proved; `whole_percent` is the proved figure and that together, and what a published
    figure is compared with. `classes` deals were paid, one of each kind, standing for `deals` (None: weighed by how
    likely they are). `put_out` is what is staked in the end of each unit of the first bet. `pot_deals`: in so many of
    the deals the bet wins what lies in a progressive pot; None where there is none to win.
    """

    bet: str
    basis: str
    covers: tuple[str, ...]
    fraction: str
    percent: float
    pot_percent: float | None
    whole_percent: float
    published_percent: float | None
    difference: float | None
    put_out: float
    classes: int
    deals: int | None
    prizes: tuple[Prize, ...]
    pot_deals: int | None = None

    @property
    def whole(self) -> Fraction:
        """What comes back of a unit, to the last digit, the stated part of a pot included."""
        return Fraction(self.fraction) + Fraction(str(self.pot_percent or 0)) / 100


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """What is proved of one pay table. `code` names the files that decide it, each with its SHA-256."""

    form: int
    game: str
    title: str
    version: int
    rules: dict[str, str | int | bool]
    table_digest: str
    pay_table: tuple[PayLine, ...]
    method: tuple[str, ...]
    figures: tuple[CertifiedFigure, ...]
    code: dict[str, str]
    code_digest: str
    digest: str
    date: str
    seconds: float

    @property
    def name(self) -> str:
        """What its files are called: one a pay table."""
        return f"{self.game}-v{self.version}-{self.table_digest[:8]}"

    @property
    def highest(self) -> CertifiedFigure:
        """The bet that gives back most, what comes back by a pot included."""
        return max(self.figures, key=lambda figure: figure.whole)

    @property
    def over(self) -> tuple[str, ...]:
        """The bets that give back more than is staked on them."""
        return tuple(dict.fromkeys(figure.bet for figure in self.figures if figure.whole > 1))


_DECODER: Final = msgspec.json.Decoder(Certificate)


def certify(game: Game, rules: Rules, *, date: str, seconds: float = 0, report: Report = unreported) -> Certificate:
    """Prove a pay table and write it down; as long as the proof takes. `seconds` is what the caller says it took."""
    checked = pay_rules(game, rules)
    return certificate_of(game, checked, tuple(prove_each(game, checked, report)), date=date, seconds=seconds)


def certificate_of(game: Game, rules: Rules, proofs: Sequence[Proof], *, date: str, seconds: float) -> Certificate:
    """What these proofs of the pay table come to."""
    checked, code = pay_rules(game, rules), dict(code_of(game.key))
    whole = Certificate(
        form=FORM,
        game=game.key,
        title=game.title,
        version=game.edition.version,
        rules=checked,
        table_digest=table_digest(game, checked),
        pay_table=tuple(pay_table_of(game.key).lines(checked)),
        method=(*EVERY_GAME, *pay_table_of(game.key).METHOD),
        figures=tuple(_figure(proof) for proof in _in_order(game, proofs)),
        code=code,
        code_digest=digest_of_files(code),
        digest="",
        date=date,
        seconds=round(seconds, 1),
    )
    return msgspec.structs.replace(whole, digest=_digest(whole))


def write_certificate(certificate: Certificate) -> bytes:
    """As JSON, a line a value."""
    return msgspec.json.format(msgspec.json.encode(certificate), indent=1) + b"\n"


def read_certificate(text: bytes, where: str) -> Certificate:
    """`BadInputError` when it is none, or was changed after it was made."""
    try:
        found = _DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise BadInputError(f"This is no certificate of a pay table: {error}.", where=where) from None
    if found.digest != _digest(found):
        raise BadInputError("This certificate was changed after it was made: make it again.", where=where)
    for figure in found.figures:
        for number in (figure.fraction, *(prize.returns for prize in figure.prizes)):
            read_fraction(number)  # anybody may have made it, and no reader of it is to count without end
    return found


def _digest(certificate: Certificate) -> str:
    told = msgspec.structs.replace(certificate, digest="", date="", seconds=0)
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


def _in_order(game: Game, proofs: Iterable[Proof]) -> list[Proof]:
    """The main game first, then the bets as the rulebook has them, whatever was found first."""
    order = {bet: place for place, bet in enumerate(game.betting.bets)}
    return sorted(proofs, key=lambda proof: (proof.bet != "main", order[proof.covers[0]]))


def _figure(proof: Proof) -> CertifiedFigure:
    pot = TO_THE_POT.get(proof.game, {}).get(proof.bet)
    whole = _percent(proof.rtp + (pot or 0))
    published = proof.published_percent
    return CertifiedFigure(
        bet=proof.bet,
        basis=proof.basis,
        covers=proof.covers,
        fraction=str(proof.rtp),
        percent=_percent(proof.rtp),
        pot_percent=None if pot is None else _percent(pot),
        whole_percent=whole,
        published_percent=published,
        difference=None if published is None else round(whole - published, PLACES),
        put_out=round(float(proof.put_out), PLACES),
        classes=proof.count.classes,
        deals=proof.count.deals,
        prizes=tuple(Prize(str(back), ways) for back, ways in _dearest_first(proof.count.returned)),
        pot_deals=proof.count.pot,
    )


def _dearest_first(returned: Mapping[Fraction, int]) -> list[tuple[Fraction, int]]:
    return sorted(returned.items(), reverse=True)


def _percent(share: Any) -> float:
    return round(float(Fraction(share) * 100), PLACES)
