"""What the command line asks of operators, and what it is answered: one line of JSON each way.

The key itself never comes here: whoever asks makes it, and sends its digest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from dealer_ui.assembly.key_rotation import KeyRotation
from dealer_ui.desk.operator import Change, OperatorDesk
from studio.errors import BadInputError, RefusedError
from studio.operators import AnyOperatorEvent, Operator
from studio.operators.changing import Why, add_operator, resume_operator, revoke_keys, rotate_key, suspend_operator

BYTES_MAX: Final = 64 * 1024

Reread = Callable[[str, str], str]
"""Has the studio read its configuration again, for somebody and a reason; says what came of it, or refuses."""


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`verb`: list add suspend resume rotate revoke reload; of the studio's own keys rotate_key and retire_key; of
    hosts and their tables those of `hosts_order`.

    `digest`: of the new key; `hint`: of one to be revoked. `key`: which of the studio's own; `source`: where a wrapping
    key comes from. `test`: whoever is added has test accounts only.
    """

    verb: str
    operator: str = ""
    reason: str = ""
    digest: str = ""
    hint: str = ""
    hours: float = 0.0
    key: str = ""
    source: str = ""
    host: str = ""
    table: str = ""
    test: bool = False


class OperatorStanding(msgspec.Struct, frozen=True):
    """One operator, as the list shows him: his good keys by their first signs, and when each ends."""

    operator: str
    suspended: bool
    keys: tuple[tuple[str, int | None], ...]
    test: bool = False


class HostStanding(msgspec.Struct, frozen=True):
    """A table host as the list shows it: its tables, each with where it goes."""

    host: str
    there: bool
    drained_by: str
    tables: tuple[tuple[str, str], ...]


class Answered(msgspec.Struct, frozen=True):
    """`refused` is a sentence, empty where it was done; `said` is one where there is more to say."""

    refused: str = ""
    said: str = ""
    standings: tuple[OperatorStanding, ...] = ()
    hosts: tuple[HostStanding, ...] = ()


_ORDER: Final = msgspec.json.Decoder(Order)


def read_order(line: bytes) -> Order:
    try:
        return _ORDER.decode(line)
    except msgspec.MsgspecError as error:
        raise BadInputError(f"This is no order about operators: {error}.") from error


def no_file(by: str, reason: str) -> str:
    raise RefusedError("no_file", "No studio runs here with a configuration: it reads the file when it starts.")


def carry_out(
    desk: OperatorDesk, order: Order, by: str, reread: Reread = no_file, keys: KeyRotation | None = None
) -> Answered:
    """Do it, and say how the operators stand then."""
    said = ""
    try:
        if order.verb == "reload":
            said = reread(by, order.reason)
        elif order.verb == "rotate_key" and keys is not None:
            return Answered(said=keys.rotate(order.key, by, order.reason, order.source))
        elif order.verb == "retire_key" and keys is not None:
            return Answered(said=keys.retire(order.key, by, order.reason))
        elif order.verb != "list":
            desk.change(_change(order, by))
    except RefusedError as error:
        return Answered(error.sentence)
    return Answered(
        said=said, standings=tuple(_standing(name, one, desk.now_ms()) for name, one in desk.in_force().items())
    )


def _change(order: Order, by: str) -> Change:
    def change(desk: OperatorDesk, now_ms: int) -> AnyOperatorEvent:
        there, why = desk.in_force(), Why(by, order.reason, now_ms)
        match order.verb:
            case "add":
                used = order.test and desk.was_used(order.operator)
                return add_operator(there, order.operator, order.digest, why, test=order.test, used=used)
            case "suspend":
                return suspend_operator(there, order.operator, why)
            case "resume":
                return resume_operator(there, order.operator, why, desk.file)
            case "rotate":
                return rotate_key(there, order.operator, order.digest, hours=order.hours, why=why)
            case "revoke":
                return revoke_keys(there, order.operator, order.hint, why)
        raise RefusedError("verb_unknown", "The running studio does not know this: is it of another version?")

    return change


def _standing(name: str, one: Operator, now_ms: int) -> OperatorStanding:
    good = tuple((digest[:12], one.keys[digest]) for digest in one.good(now_ms))
    return OperatorStanding(name, one.suspended, good, one.test)
