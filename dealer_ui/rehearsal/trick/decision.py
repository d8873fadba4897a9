"""Decisions of bettors that come late, twice, out of turn, for another's bet or above the limits."""

from __future__ import annotations

from typing import Final

from dealer_ui.rehearsal.hand.script_act import ANY_ACT, DECIDE
from dealer_ui.rehearsal.person.punter import OPERATOR
from dealer_ui.rehearsal.trick.mischief import Scene, Trick
from dealer_ui.rehearsal.trick.people import restart_soon
from studio.errors import RefusedError, StorageError
from studio.rulebook.script import Decide, Turn
from studio.tables.event.table import Decision
from studio.tables.state.table import awaited

_OPTIONS: Final = ("play", "fold", "check", "hit", "stand", "double", "split", "insurance", "decline", "no_such_option")


def _send(scene: Scene, choices: list[Decision]) -> None:
    night = scene.night
    try:
        night.at_table.take_decisions(choices, night.now_ms)
    except (RefusedError, StorageError):
        return  # the operator is told so, and asks again or does not


def _options(scene: Scene) -> tuple[str, ...]:
    now = awaited(scene.night.state)
    return now.step.options if now is not None and isinstance(now.step, Decide | Turn) else _OPTIONS


def _choice(scene: Scene, bettor: str, option: str, operator: str = OPERATOR) -> Decision:
    id = f"trick{scene.rng.getrandbits(48):x}"
    return Decision(operator=operator, bettor=bettor, option=option, client_id=id)


def _out_of_time(scene: Scene) -> bool:
    """Whatever the table is doing, somebody decides something."""
    _send(scene, [_choice(scene, f"b{number}", scene.rng.choice(_OPTIONS)) for number in range(6)])
    return False


def _late(scene: Scene) -> bool:
    """The window has just closed, or is about to."""
    scene.later(scene.rng.choice((3_900, 3_990, 4_000, 4_040, 4_200)), lambda: _decide(scene, 6))
    return False


def _decide(scene: Scene, count: int) -> None:
    options = _options(scene)
    _send(scene, [_choice(scene, f"b{number}", scene.rng.choice(options)) for number in range(count)])


def _twice(scene: Scene) -> bool:
    """The same words again, the same id with other words, and another decision after the first."""
    one = _choice(scene, f"b{scene.rng.randrange(6)}", scene.rng.choice(_options(scene)))
    again = _choice(scene, one.bettor, scene.rng.choice(_options(scene)))
    other = Decision(operator=one.operator, bettor=one.bettor, option="fold", client_id=one.client_id)
    _send(scene, [one, one, again, other])
    _send(scene, [one, again])
    return False


def _foreign(scene: Scene) -> bool:
    """Bettors without a bet, and another operator's word on a bet that is not his."""
    option = scene.rng.choice(_options(scene))
    _send(scene, [_choice(scene, "nobody", option), _choice(scene, "b0", option, operator="another")])
    return False


TRICKS: Final[tuple[Trick, ...]] = (
    Trick("decisions_out_of_time", "decisions", ANY_ACT, _out_of_time),
    Trick("decisions_late", "decisions", DECIDE, _late),
    Trick("decisions_twice", "decisions", DECIDE, _twice),
    Trick("decisions_foreign", "decisions", DECIDE, _foreign),
    Trick("restart_deciding", "restart", DECIDE, restart_soon),
)
