"""What can happen in the pit apart from any one table. None of it names a card."""

from __future__ import annotations

from typing import Final

import msgspec


class PitEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int


class AlarmRaised(PitEvent, frozen=True, kw_only=True, tag=True):
    """A cause was noticed. `cause` tells it from every other, `word` what it is, `about` whom or what it concerns.

    `seen_by`: whoever caused it by an act of his own and sees to alarms himself; nobody else has to acknowledge it.
    """

    id: str
    cause: str
    word: str
    tables: tuple[str, ...]
    about: str = ""
    seen_by: str = ""
    seen_by_name: str = ""


class AlarmGrew(PitEvent, frozen=True, kw_only=True, tag=True):
    """The cause of an alarm has reached more tables; `tables` are all of them. An acknowledgement covered fewer."""

    id: str
    tables: tuple[str, ...]
    seen_by: str = ""
    seen_by_name: str = ""


class AlarmAcknowledged(PitEvent, frozen=True, kw_only=True, tag=True):
    """Somebody sees to it. It stays an alarm until its cause is gone."""

    id: str
    by: str
    by_name: str


class AlarmEscalated(PitEvent, frozen=True, kw_only=True, tag=True):
    """Nobody acknowledged the alarm in time. `told`: everybody who was signed in and was told of it then."""

    id: str
    told: tuple[str, ...]


class AlarmEnded(PitEvent, frozen=True, kw_only=True, tag=True):
    """The cause is gone."""

    id: str


class FloorFrozen(PitEvent, frozen=True, kw_only=True, tag=True):
    """`tables` were frozen by one act, each with its own event beside this."""

    id: str
    tables: tuple[str, ...]
    by: str
    by_name: str


class FloorReleased(PitEvent, frozen=True, kw_only=True, tag=True):
    id: str
    tables: tuple[str, ...]
    by: str
    by_name: str
    reason_code: str
    words: str


class MessageShown(PitEvent, frozen=True, kw_only=True, tag=True):
    """The bettors of a table are told something. `text` names a prepared message, or is empty; `words` are free.

    `until`: `goes_on` (the table deals again after a stop), `round` (another round than `round` has begun), `hand`.
    """

    id: str
    table: str
    text: str
    words: str
    until: str
    round: str
    by: str
    by_name: str


class MessageEnded(PitEvent, frozen=True, kw_only=True, tag=True):
    """`by` is empty where it ended by itself."""

    id: str
    by: str = ""
    by_name: str = ""


class ComplaintMade(PitEvent, frozen=True, kw_only=True, tag=True):
    """A bettor complains about a round; `words` are his own, `client_id` his operator's name for the complaint."""

    id: str
    operator: str
    client_id: str
    bettor: str
    table: str
    round: str
    words: str


class ComplaintAnswered(PitEvent, frozen=True, kw_only=True, tag=True):
    """`outcome`: upheld declined corrected. `correction`: the journal's number of what put the round right."""

    id: str
    outcome: str
    words: str
    by: str
    by_name: str
    correction: int = 0


class HostDrained(PitEvent, frozen=True, kw_only=True, tag=True):
    """Every table of the host goes to another one when its round is over; `tables` are those it ran then."""

    host: str
    tables: tuple[str, ...]
    by: str
    by_name: str
    reason_code: str
    words: str


class HostReturned(PitEvent, frozen=True, kw_only=True, tag=True):
    """A drained host is in use again; `tables` are those it ran still."""

    host: str
    tables: tuple[str, ...]
    by: str
    by_name: str


class TableSent(PitEvent, frozen=True, kw_only=True, tag=True):
    """The table goes to the host `to` when its round is over."""

    table: str
    to: str
    by: str
    by_name: str
    reason_code: str
    words: str


class TableKept(PitEvent, frozen=True, kw_only=True, tag=True):
    """That the table was sent is taken back before it went."""

    table: str
    by: str
    by_name: str


class TableArrived(PitEvent, frozen=True, kw_only=True, tag=True):
    """The table is run by the host it was sent to."""

    table: str
    host: str


class PotMoved(PitEvent, frozen=True, kw_only=True, tag=True):
    """All that lay in a pot which no table feeds any more was put into another, by two people."""

    pot: str
    to: str
    currency: str
    amount_minor: int
    by: str
    beside: str
    words: str


AnyPitEvent = (
    AlarmRaised | AlarmGrew | AlarmAcknowledged | AlarmEscalated | AlarmEnded
    | FloorFrozen | FloorReleased | MessageShown | MessageEnded | ComplaintMade | ComplaintAnswered
    | HostDrained | HostReturned | TableSent | TableKept | TableArrived | PotMoved
)  # fmt: skip


class PitRow(msgspec.Struct, frozen=True):
    """How an event of the pit stands in the journal."""

    pit: AnyPitEvent


class _Act(msgspec.Struct, frozen=True):
    act_id: str = ""


class _OfAct(msgspec.Struct, frozen=True):
    pit: _Act


_DECODER: Final = msgspec.json.Decoder(PitRow)
_ACT_DECODER: Final = msgspec.json.Decoder(_OfAct)


def write_row(event: AnyPitEvent, act: str = "") -> bytes:
    """`act` tells the act that somebody sent, with its last event: sent again, through whichever process, it is the
    same act. It stands among the event's fields, for a body of a desk has one name.
    """
    if not act:
        return msgspec.json.encode(PitRow(pit=event))
    return msgspec.json.encode({"pit": {**msgspec.to_builtins(event), "act_id": act}})


def read_row(body: bytes) -> AnyPitEvent:
    """The event of a journal row; `msgspec.MsgspecError` when it is none."""
    return _DECODER.decode(body).pit


def act_of(body: bytes) -> str:
    """The act that its event was the last of; empty where nobody sent one."""
    return _ACT_DECODER.decode(body).pit.act_id
