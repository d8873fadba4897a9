"""The only place for the theoretical returns a display shows: proved once for a table's rules, in percent."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from studio.proof.rtp import prove
from studio.tables.state import TableState


class Theory:
    """Returns by table. A decision's whole return is told under the bet it begins with, the ante."""

    def __init__(self) -> None:
        self._percents: dict[str, Mapping[str, float]] = {}

    def of(self, state: TableState) -> Mapping[str, float]:
        table = state.config.key
        if table not in self._percents:
            proofs = prove(state.game, state.game.check_rules(state.config.rules))
            percents = {bet: float(Fraction(proof.rtp) * 100) for bet, proof in proofs.items()}
            if (initial := percents.pop("main_initial", None)) is not None:
                percents["ante"] = initial
            self._percents[table] = percents
        return self._percents[table]
