"""What is said on the wire: questions and answers, views, and who is there; and the subjects each is said at.

    studio.here.<process>          presence, once a second                 from hosts and web nodes
    studio.view.<host>.<table>     a table as its screens draw it          from hosts
    studio.ask.<host>              a question to a host                    from web nodes and other hosts
    studio.own.<host>.<table>.<seat>
                                   what one seat may know: its own cards   from web nodes
    studio.wallets.<host>          how operators' wallets answer it        from hosts
    studio.desk.<host>             rows for the books that the host keeps  from web nodes and other hosts

Everything is MessagePack, by msgspec, and shorter than `terms.MESSAGE_BYTES_MAX`.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from dealer_ui.process.throttle import TooOftenError
from dealer_ui.wire.call import CALLS, FATE, HostCall
from dealer_ui.wire.form import digest_of, form_of, read, written
from dealer_ui.wire.terms import ROOT
from studio.errors import BadInputError, InvariantError, RefusedError, SealedError, StorageError, StudioError
from studio.spoken import Value
from studio.tables.command import COMMANDS
from studio.views import TableView

T = TypeVar("T")
_VALUES: Final = form_of(Mapping[str, Value])


def version_of(*calls: HostCall) -> str:
    """Differs where the views do, the commands, or what one of these calls is named, takes or gives."""
    kinds = (kind for call in calls for kind in (*call.takes, call.gives))
    return digest_of(TableView, *COMMANDS, *kinds, beside=(call.tells for call in calls))


VERSION: Final = version_of(*CALLS.values(), FATE)
"""Of what travels: processes that differ in it do not understand each other, and say so."""
_VIEW_BYTES_MAX: Final = 8_000_000
"""Of a view, unpacked."""


# --- subjects -------------------------------------------------------------------------------------------


def here(process: str) -> str:
    return f"{ROOT}.here.{process}"


def view_of(host: str, table: str) -> str:
    return f"{ROOT}.view.{host}.{table}"


def asked_of(host: str) -> str:
    return f"{ROOT}.ask.{host}"


def desk_of(host: str) -> str:
    return f"{ROOT}.desk.{host}"


def wallets_of(host: str) -> str:
    return f"{ROOT}.wallets.{host}"


def seats_of(host: str) -> str:
    """Every seat of the host."""
    return f"{ROOT}.own.{host}.>"


def seat_of(host: str, table: str, operator: str, bettor: str) -> str:
    """A seat is named by a digest: what an operator calls his bettor may be no part of a subject."""
    name = hashlib.sha256(f"{operator}/{bettor}".encode()).hexdigest()[:24]
    return f"{ROOT}.own.{host}.{table}.{name}"


# --- questions and answers ------------------------------------------------------------------------------


class Ask(msgspec.Struct, frozen=True, omit_defaults=True):
    """`id` names the question for good: asked again it is the same one. `to`: the run of the host that is meant, for a
    run that has ended did it or never will. `of` is in the plain form of what `what` takes.
    """

    id: str
    to: str
    what: str
    of: Any = None


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """`state`: `done`, with what came of it; `refused`, with why; `late`: it is being done; `never`: it was not done
    and will not be; `lost`: another run of the host was asked, and nobody knows.
    """

    state: str
    of: Any = None
    kind: str = ""
    key: str = ""
    which: str = ""
    sentence: str = ""
    values: Any = None
    after_s: int = 0


_ASK: Final = msgspec.msgpack.Decoder(Ask)
_TOLD: Final = msgspec.msgpack.Decoder(Told)
_ENCODER: Final = msgspec.msgpack.Encoder()


def pack(message: msgspec.Struct) -> bytes:
    return _ENCODER.encode(message)


def read_ask(message: bytes) -> Ask:
    return _read(_ASK, message)


def read_told(message: bytes) -> Told:
    return _read(_TOLD, message)


def read_news(kind: type[T], message: bytes) -> T:
    return _read(msgspec.msgpack.Decoder(kind), message)


def _read(decoder: msgspec.msgpack.Decoder[T], message: bytes) -> T:
    try:
        return decoder.decode(message)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadInputError("A message of the wire cannot be read: is another process of another version?") from error


def refusal(error: Exception) -> Told:
    """Why it was not done, as it travels; the error itself where it is none that a person is told."""
    match error:
        case TooOftenError(key=key, sentence=sentence, retry_after_s=after_s):
            return Told("refused", kind="often", key=key, sentence=sentence, after_s=after_s)
        case RefusedError(key=key, sentence=sentence, words_key=words_key, values=values):
            which = words_key.removeprefix(key).removeprefix(".")
            told = _VALUES.write(values)
            return Told("refused", kind="refused", key=key, which=which, sentence=sentence, values=told)
        case StorageError():
            return Told("refused", kind="storage", sentence=str(error))
        case SealedError():
            return Told("refused", kind="sealed", sentence="The card's key is not there.")
        case BadInputError(sentence=sentence):
            return Told("refused", kind="input", sentence=sentence)
        case TimeoutError():
            return Told("late")
    raise error


def raise_refusal(told: Told) -> None:
    """Raise here what was raised there."""
    match told.kind:
        case "often":
            raise TooOftenError(told.key, told.sentence, told.after_s)
        case "refused":
            values: dict[str, Value] = _VALUES.read(told.values)
            raise RefusedError(told.key, told.sentence, which=told.which, **values)
    errors: Mapping[str, type[StudioError]] = {"storage": StorageError, "sealed": SealedError, "input": BadInputError}
    raise errors.get(told.kind, InvariantError)(told.sentence)


BUSY: Final = pack(
    Told(
        "refused", kind="refused", key="busy",
        sentence="The table has too much to do and nothing was done; ask again in a moment.", values=[],
    )
)  # fmt: skip


# --- views ----------------------------------------------------------------------------------------------


class Shown(msgspec.Struct, frozen=True):
    """A table as it stands: `of` is the packed plain form of its view, of the `run` of a host."""

    host: str
    run: str
    table: str
    seq: int
    of: bytes


_SHOWN: Final = msgspec.msgpack.Decoder(Shown)


def show(host: str, run: str, view: TableView) -> bytes:
    packed = zlib.compress(_ENCODER.encode(written(TableView, view)), 1)
    return pack(Shown(host, run, view.table, view.seq, packed))


def read_shown(message: bytes) -> Shown:
    return _read(_SHOWN, message)


def view_in(shown: Shown) -> TableView:
    """Unpacked only when somebody looks."""
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(shown.of, _VIEW_BYTES_MAX)
        if unpacking.unconsumed_tail:
            raise BadInputError("The view of a table is longer than one is.")
        return read(TableView, msgspec.msgpack.decode(plain))
    except (zlib.error, msgspec.MsgspecError, RecursionError) as error:
        raise BadInputError("The view of a table cannot be read: is its host of another version?") from error


# --- presence -------------------------------------------------------------------------------------------


class Here(msgspec.Struct, frozen=True):
    """A process that is there. `run` is new at each start; `tables`: each with how far its view is.

    `load`: of the machine, as a share of its cores; `waiting`: messages that wait for tables, and units for the disk.
    `may`: the tables that a host could run, where hosts hand tables to each other. `tells`: the operators whose wallets
    are told from there what they are owed.
    """

    name: str
    role: str
    run: str
    version: str
    since_ms: int
    now_ms: int
    tables: dict[str, int]
    load: float = 0.0
    waiting: int = 0
    streams: int = 0
    may: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()


_HERE: Final = msgspec.msgpack.Decoder(Here)


def read_here(message: bytes) -> Here:
    return _read(_HERE, message)
