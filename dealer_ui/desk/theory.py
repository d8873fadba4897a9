"""A studio's certificates beside its tables: what was proved of each, and the returns shown.

Nothing is proved here. A pay table without a certificate of exactly its rules and this code has no figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path

import msgspec

from studio.errors import BadInputError
from studio.games import find_game
from studio.proof.certificate.folder import SHIPPED, Certificates
from studio.proof.certificate.record import Certificate, CertifiedFigure
from studio.tables.config import PayProof, TableConfig


class Theory:
    """What is proved of each table's pay table: the certificates that ship and those in the studio's own folder.

    `BadInputError` where the folder is missing or holds a file that is no certificate.
    """

    def __init__(self, own_folder: str = "") -> None:
        own = Path(own_folder)
        if own_folder and not own.is_dir():
            sentence = "There is no such folder of certificates: make it with `studio rtp --config FILE --save FOLDER`."
            raise BadInputError(sentence, where=own_folder)
        self._certificates = Certificates.of(SHIPPED, *([own] if own_folder else []))

    def certificate(self, config: TableConfig) -> Certificate | None:
        """None where nothing is proved, or where seats play among themselves and there is no pay table to prove."""
        game = find_game(config.game)
        return self._certificates.find(game, config.rules) if game.peers is None else None

    def resolved(self, config: TableConfig) -> TableConfig:
        """The table's configuration with what was proved of its pay table."""
        found = self.certificate(config)
        pot_percent = config.pot.share_percent if config.pot else 0
        return msgspec.structs.replace(config, proof=pay_proof(found, pot_percent) if found else None)

    def percents(self, config: TableConfig) -> Mapping[str, float]:
        """The return of each bet in percent; of a decision's whole under the bet it begins with."""
        found = self.certificate(config)
        return dict(percent for figure in found.figures for percent in _shown(figure)) if found else {}

    def best_once_in(self, config: TableConfig) -> Mapping[str, int]:
        """In how many deals the best prize of each bet comes once, rounded down; of those whose prizes are counted.

        Of a bet that wins the table's pot, or the fixed prize that stands for one, that is the pot.
        """
        found = self.certificate(config)
        counted = [one for one in found.figures if one.prizes] if found else []
        return {one.bet: _once_in(one, pot=_has_pot(config, one.bet)) for one in counted}


def _has_pot(config: TableConfig, bet: str) -> bool:
    return config.pot is not None or bool(config.rules.get(f"{bet}_pot"))


def _once_in(figure: CertifiedFigure, *, pot: bool) -> int:
    best = max(figure.prizes, key=lambda one: Fraction(one.returns))
    deals = figure.pot_deals if pot and figure.pot_deals else best.deals
    return sum(one.deals for one in figure.prizes) // deals


def pay_proof(certificate: Certificate, pot_percent: int) -> PayProof:
    """What a certificate proves of a table that puts `pot_percent` of a progressive stake into its pot."""
    whole: dict[str, Fraction] = {}
    for figure in certificate.figures:
        pot = Fraction(pot_percent, 100) if figure.pot_percent is not None else 0
        whole[figure.bet] = max(whole.get(figure.bet, Fraction(0)), Fraction(figure.fraction) + pot)
    highest_bet = max(whole, key=whole.__getitem__)
    return PayProof(
        certificate=certificate.digest,
        highest_bet=highest_bet,
        highest_percent=float(whole[highest_bet] * 100),
        over=tuple(bet for bet, back in whole.items() if back > 1),
    )


def _shown(figure: CertifiedFigure) -> Iterator[tuple[str, float]]:
    if figure.basis != "total":
        percent = float(Fraction(figure.fraction) * 100)
        bets = ("ante",) if "ante" in figure.covers else figure.covers
        yield from ((bet, percent) for bet in bets)
