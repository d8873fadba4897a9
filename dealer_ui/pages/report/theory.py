"""A studio's certificates for its reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studio.errors import BadInputError
from studio.games import find_game
from studio.proof.certificate.folder import SHIPPED, Certificates
from studio.reports import Expected
from studio.reports.theory import expected_of


class ReportTheory:
    """What was proved of a game's pay table, by the certificates that ship and those of the studio's own folder."""

    def __init__(self, own_folder: str = "") -> None:
        self._certificates = Certificates.of(SHIPPED, *([Path(own_folder)] if own_folder else []))

    def __call__(self, game: str, version: int, rules: Mapping[str, Any]) -> Sequence[Expected]:
        try:
            rulebook = find_game(game)
        except BadInputError:
            return ()  # a game this version does not know any more
        if not rulebook.edition.has_figures_of(version) or (found := self._certificates.find(rulebook, rules)) is None:
            return ()
        return expected_of(found.figures)
