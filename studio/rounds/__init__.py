"""Facts, and the play of a script over them."""

from studio.rounds.fact import (
    AnyFact,
    CardBurned,
    CardDealt,
    CardMoved,
    CardRemoved,
    CardReplaced,
    Chose,
    Correction,
    HandsSwapped,
    PlainFact,
    Revealed,
    Shuffled,
    WindowClosed,
    corrected,
)
from studio.rounds.play import Awaiting, Finished, Misfit, Standing, play

__all__ = [
    "AnyFact",
    "Awaiting",
    "CardBurned",
    "CardDealt",
    "CardMoved",
    "CardRemoved",
    "CardReplaced",
    "Chose",
    "Correction",
    "Finished",
    "HandsSwapped",
    "Misfit",
    "PlainFact",
    "Revealed",
    "Shuffled",
    "Standing",
    "WindowClosed",
    "corrected",
    "play",
]
