"""What the pit does for the whole floor: alarms, the freeze of all tables, messages to bettors, their complaints."""

from studio.pit.alarm import ESCALATE_MS, Alarm, Cause, due
from studio.pit.book import PitBook, evolve_pit
from studio.pit.complaint import Complaint, answer_complaint, make_complaint
from studio.pit.message import PREPARED, Message, compose
from studio.pit.pit_event import AnyPitEvent

__all__ = [
    "ESCALATE_MS",
    "PREPARED",
    "Alarm",
    "AnyPitEvent",
    "Cause",
    "Complaint",
    "Message",
    "PitBook",
    "answer_complaint",
    "compose",
    "due",
    "evolve_pit",
    "make_complaint",
]
