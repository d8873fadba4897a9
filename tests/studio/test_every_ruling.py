"""No ruling that is offered harms a table: at every moment of every game, whatever is reported, of whichever card."""

from __future__ import annotations

import pytest
from every_ruling import Round, need_sound, reported, ruled

from studio.games import GAMES
from studio.tables.state.round import Stage
from studio.tables.state.table import TableState

KEYS = [game.key for game in GAMES]
QUICK = [key for key in KEYS if key not in ("short_deck", "plo")]
"""The last moment of their deals is that of No-Limit Hold'em, with other cards."""

RULINGS_LEAST = {"last": 100, "every": 500}
"""Fewer, and too little was tried: Andar Bahar, with its two rows and one deck, is the game that offers least, 531."""

MOMENTS_MOST = 12


def moments(states: list[TableState], which: str) -> list[TableState]:
    """Every one, of a long deal every second or third; or the last before the result, with all that a deal can bring
    on the felt."""
    if which == "every":
        return states[:: -(-len(states) // MOMENTS_MOST)]
    over = next(at for at, one in enumerate(states) if one.round and one.round.stage is not Stage.DEALING)
    return [states[over - 1]]


@pytest.mark.parametrize(
    ("game", "which"),
    [*((key, "last") for key in QUICK), *(pytest.param(key, "every", marks=pytest.mark.long) for key in KEYS)],
)
def test_whatever_is_reported_and_ruled_the_table_stands(game: str, which: str) -> None:
    rulings, at_ms, briefly = 0, 1_700_009_000_000, which == "last"
    for state in moments(Round(game).states, which):
        for report, held in reported(state, at_ms, briefly=briefly):
            for ruling, after in ruled(held, at_ms):
                try:
                    need_sound(after, state, at_ms, screens=not briefly)
                except Exception as error:
                    error.add_note(f"{report}, then {ruling}")
                    raise
                rulings += 1
    assert rulings > RULINGS_LEAST[which]
