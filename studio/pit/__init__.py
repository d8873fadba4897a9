"""What the pit does for the whole floor: alarms, the freeze, messages to bettors, complaints, moves of tables."""

from studio.pit.alarm import ESCALATE_MS, Alarm, Cause, due
from studio.pit.book import PitBook, evolve_pit
from studio.pit.complaint import Complaint, answer_complaint, make_complaint
from studio.pit.message import PREPARED, Message, compose
from studio.pit.move import Moves, RunningHost
from studio.pit.pit_event import AnyPitEvent

__all__ = [
    "ESCALATE_MS",
    "PREPARED",
    "Alarm",
    "AnyPitEvent",
    "Cause",
    "Complaint",
    "Message",
    "Moves",
    "PitBook",
    "RunningHost",
    "answer_complaint",
    "compose",
    "due",
    "evolve_pit",
    "make_complaint",
]
