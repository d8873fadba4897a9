"""Plays a script with given cards, and writes down what it asks for. Used by the tests of the rulebooks."""

from collections.abc import Iterator
from typing import Any

from studio.cards import Card, parse_cards
from studio.ports import CardFace
from studio.rulebook.script import Deal, Reveal, Script, Step


def played(script: Script, cards: str) -> tuple[list[Step], Any]:
    """The steps of the script, answered by these cards, and its outcome; down cards are opaque until revealed."""
    drawn: Iterator[Card] = iter(parse_cards(cards))
    down: dict[str, list[Card]] = {}
    steps: list[Step] = []
    answer: object = None
    while True:
        try:
            step = script.send(answer)
        except StopIteration as stop:
            assert next(drawn, None) is None, "the script left cards over"
            return steps, stop.value
        steps.append(step)
        match step:
            case Deal(box=box, face=CardFace.DOWN):
                down.setdefault(box, []).append(next(drawn))
                answer = object()
            case Deal():
                answer = next(drawn)
            case Reveal(box=box):
                answer = tuple(down.pop(box))
            case _:
                answer = None
