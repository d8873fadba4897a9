"""The course of an incident, its steps in their order: hands off, mend, rule, carry out, and after.

The printed page of a kind and both consoles tell the very same steps; how far they are is for the table to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from studio.procedures.incident import KIND_BY_KEY, Severity
from studio.procedures.meaning import RULING_BY_KEY, row_approval
from studio.procedures.row import PIT_DECIDES, Approval, ProcedureRow
from studio.procedures.step import Sign, Step, Who

STOP: Final = Step("stop", "Hands off: leave every card where it lies.", Who.DEALER, Sign.HELD)

MEND: Final[Mapping[str, tuple[Step, ...]]] = {
    "device_lost": (
        Step("mend.link", "Put cable, power and view right until the device is back.", Who.FLOOR, Sign.LINKED),
        Step("mend.felt", "Lay every card as the record on the screen has it.", Who.DEALER, Sign.AGREED),
    ),
    "restart": (
        Step("mend.link", "Put cable, power and view right until the device is back.", Who.FLOOR, Sign.LINKED),
        Step("mend.felt", "Lay every card as the record on the screen has it.", Who.DEALER, Sign.AGREED),
    ),
    "shoe_error": (Step("mend.shoe", "Clear the error on the shoe.", Who.FLOOR, Sign.CLEARED),),
    "device_changed": (
        Step("mend.device", "Put the table's own device back, or look at the number of the one that stands there.",
             Who.FLOOR),
    ),
    "shuffler_jam": (
        Step("mend.jam", "Open the shuffler, take the stuck card out and close it.", Who.FLOOR, Sign.FREED),
    ),
    "boxed_card": (Step("mend.boxed", "If the card is in the shoe still, draw it; lay it in no box.", Who.DEALER),),
    "camera_unsure": (
        Step("mend.square", "Square the card so that the camera sees it whole.", Who.DEALER, Sign.CONFIRMED),
    ),
}  # fmt: skip
"""What is put right before anybody rules; a ruling ends it."""

DECIDE: Final[Mapping[Approval, tuple[Step, ...]]] = {
    Approval.NONE: (),
    Approval.DEALER: (Step("decide.dealer", "Acknowledge it on the screen.", Who.DEALER, Sign.RULED),),
    Approval.PIT_BOSS: (
        Step("decide.pit_boss", "Rule: the reason in a few words, the PIN, the way.", Who.PIT_BOSS, Sign.RULED),
    ),
    Approval.TWO_PEOPLE: (
        Step("decide.ask", "Ask for the ruling: the reason in a few words, the PIN, the way.", Who.PIT_BOSS,
             Sign.ASKED),
        Step("decide.approve", "Approve it as another person, with the PIN, within 60 seconds.", Who.SECOND,
             Sign.RULED),
    ),
}  # fmt: skip

AFTER: Final[Mapping[str, tuple[Step, ...]]] = {
    "replace_deck": RULING_BY_KEY["replace_deck"].steps[1:],
    "change_shoe": (
        Step("after.change_shoe", "Before the next round, load a verified deck into the shoe.", Who.DEALER,
             Sign.LOADED),
    ),
    "verify_deck": (
        Step("after.verify_deck", "Shuffle and count the deck until it is verified.", Who.SHUFFLER, Sign.VERIFIED),
    ),
    "give_later": (Step("after.give_later", "Give the missed card after all the others."),),
    "compensate": (
        Step("after.compensate", "Decide the case of the lost prize on the pit's page.", Who.PIT_BOSS, Sign.DECIDED),
    ),
}  # fmt: skip
"""The steps of what has to follow a ruling; what is paid all the same is paid by the system."""

_BY_HAND: Final[Mapping[Sign, Step]] = {
    Sign.INSERTED: Step("by_hand.shuffle", "Shuffle the deck by hand."),
    Sign.VERIFIED: Step(
        "by_hand.verify", "Count the deck and vouch for it on the pit's page.", Who.PIT_BOSS, Sign.VERIFIED
    ),
}
"""What is done instead at a table without a shuffler."""

_STUB: Final = (
    Step(
        "stub.aside",
        "Lay the cards of the board that came too early aside, apart from the discard; a burn card stays.",
        Who.DEALER,
        Sign.PLACED,
    ),
    Step("stub.go_on", "Go on with the hand until the console asks for the shuffle."),
    Step(
        "stub.shuffle",
        "Take the stub out of the shoe, shuffle it by hand with what lies aside, cut it, lay it back and say so.",
        Who.DEALER,
        Sign.STUB_SHUFFLED,
    ),
)
"""What is done instead where cards of a betting hand go back to the stub, in the shoe [PK7, PK8, PK9, PK10]."""

_STUB_KINDS: Final = frozenset({"extra_card", "early_card"})

_SPARED: Final[Mapping[str, frozenset[Sign]]] = {
    "deck_unverified": frozenset({Sign.FELT_CLEAR, Sign.LOADED, Sign.DEALT}),
    "shoe_empty": frozenset({Sign.FELT_CLEAR}),
}
"""What a ruling does not ask for here: the deck lies in the shuffler and not in the shoe; the round goes on [BJ10]."""


@dataclass(frozen=True, slots=True)
class Matter:
    """What an incident asks for. `ruling`: the one chosen, else the row's own; while the pit decides there is none."""

    kind: str
    ruling: str
    approval: Approval
    afterwards: tuple[str, ...] = ()
    holds: bool = True
    shuffler: bool = True


def course(matter: Matter) -> tuple[Step, ...]:
    """Every step of it, from the moment it is noticed until the table deals as before."""
    ruled = () if matter.ruling == PIT_DECIDES else RULING_BY_KEY[matter.ruling].steps
    after = (step for key in matter.afterwards for step in AFTER.get(key, ()))
    stop = (STOP,) if matter.holds else ()
    if matter.ruling == "reshuffle" and matter.kind in _STUB_KINDS:
        ruled = _STUB
    found = (*stop, *MEND.get(matter.kind, ()), *DECIDE[matter.approval], *_of_kind(matter.kind, ruled), *after)
    return tuple(_once(found if matter.shuffler else _by_hand(found)))


def course_of(row: ProcedureRow, kind: str) -> tuple[Step, ...]:
    """The steps of a row as it is printed."""
    holds = KIND_BY_KEY[kind].severity is Severity.HOLD
    return course(Matter(kind, row.ruling, row_approval(row), row.afterwards, holds))


def every_step() -> tuple[Step, ...]:
    """All steps there are, by their keys."""
    found = [STOP, *_BY_HAND.values(), *_STUB]
    for group in (*MEND.values(), *DECIDE.values(), *AFTER.values(), *(one.steps for one in RULING_BY_KEY.values())):
        found += group
    return tuple({step.key: step for step in found}.values())


def _of_kind(kind: str, steps: Iterable[Step]) -> Iterator[Step]:
    spared = _SPARED.get(kind, frozenset())
    return (step for step in steps if step.sign not in spared)


def _by_hand(steps: Iterable[Step]) -> Iterator[Step]:
    return (_BY_HAND.get(step.sign, step) for step in steps)


def _once(steps: Iterable[Step]) -> Iterator[Step]:
    """A step that stands there twice is done once: a ruling and what follows it may ask for the same."""
    return iter(dict.fromkeys(steps))
