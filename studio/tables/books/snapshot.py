"""A table's snapshot: what the journal folded to at a row, so that a start need not fold it all; and whatever else
was folded from the same rows.

A cache beside the truth and never the truth. It stands between two rounds with a whole round or more after it, holds
sealed cards without keys, and is signed by the studio; it counts only for the very program that wrote it and for a
journal whose row of that number has that hash. In any doubt it is thrown away, and the journal is folded whole.
"""

from __future__ import annotations

import enum
import hashlib
import io
import pickle
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import msgspec

from studio.cards import Sealed, SealedCard
from studio.care.signing import Signer, is_signed
from studio.errors import BadInputError
from studio.journal import Row
from studio.tables.books.commit import Folded
from studio.tables.event import table as e
from studio.tables.event.record import read_body
from studio.tables.fold.table import evolve
from studio.tables.state.table import TableState

_SEALS: Final = {kind.__name__: kind for kind in (Sealed, SealedCard)}
_PLAIN: Final = frozenset(
    {("fractions", "Fraction"), ("builtins", "frozenset"), ("builtins", "set"), ("msgspec._utils", "rebuild")}
)


class SnapshotMark(msgspec.Struct, frozen=True, kw_only=True):
    """What a snapshot stands for: the table, the row it is folded up to with that row's hash, and the program."""

    table: str
    seq: int
    hash: str
    program: str
    sha256: str


_MARK: Final = msgspec.json.Decoder(SnapshotMark)


def fold_on(since: Folded, rows: Iterable[Row], keep_rounds: int = 2) -> Folded:
    """Fold on from there, and stop where the last `keep_rounds` rounds of these rows begin: they are folded anew."""
    marks = [since]
    state, seq = since
    for row in rows:
        event = read_body(row.body).event
        if isinstance(event, e.RoundStarted):
            marks = [*marks, (state, seq)][-keep_rounds - 1 :]
        state, seq = evolve(state, event, row.at_ms), row.seq
    return marks[-keep_rounds] if len(marks) > keep_rounds else since


def write_snapshot(folded: Folded, hash: str, signer: Signer, beside: object = None) -> bytes:
    """`beside`: what else these rows folded to, of the core's own classes."""
    state, seq = folded
    held = io.BytesIO()
    _Pickler(held, protocol=5).dump((state, beside))
    payload = held.getvalue()
    mark = SnapshotMark(
        table=state.config.key, seq=seq, hash=hash, program=program(), sha256=hashlib.sha256(payload).hexdigest()
    )
    head = msgspec.json.encode(mark)
    return head + b"\n" + signer.sign(head.decode()).encode() + b"\n" + payload


def read_snapshot(data: bytes, table: str, public_key: str) -> tuple[Folded, str, object]:
    """The fold, the hash its row must have, and what was written beside; `BadInputError` says why it does not count."""
    try:
        head, signature, payload = data.split(b"\n", 2)
        mark = _MARK.decode(head)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadInputError("The snapshot is damaged.") from error
    if not is_signed(head.decode(), public_key, signature.decode(errors="replace")):
        raise BadInputError("The snapshot is not signed by this studio.")
    if hashlib.sha256(payload).hexdigest() != mark.sha256:
        raise BadInputError("The snapshot was changed.")
    if (mark.table, mark.program) != (table, program()):
        raise BadInputError("The snapshot is another table's, or another version's.")
    held = _Unpickler(io.BytesIO(payload)).load()
    if not (isinstance(held, tuple) and len(held) == 2 and isinstance(held[0], TableState)):
        raise BadInputError("The snapshot holds no table.")
    state, beside = held
    return (state, mark.seq), mark.hash, beside


@cache
def program() -> str:
    """The digest of the core's own code: what another program folded may not be what this one would."""
    root = Path(__file__).parent.parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj: Any) -> Any:
        """A seal is written without its key."""
        if isinstance(obj, Sealed):
            return type(obj).__name__, *obj.written()
        return None

    def reducer_override(self, obj: Any) -> Any:
        """Pickle a read-only mapping as the dictionary it shows, for Python cannot pickle one by itself; and a member
        of an enumeration by its value, for Python 3.11.2 does so by `getattr`.
        """
        if isinstance(obj, enum.Enum):
            return type(obj), (obj.value,)
        return (_shown, (dict(obj),)) if isinstance(obj, MappingProxyType) else NotImplemented


def _shown(held: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(held)


class _Unpickler(pickle.Unpickler):
    """Knows the core's own classes and a few plain ones; the bytes were signed by ourselves all the same."""

    def persistent_load(self, pid: Any) -> Any:
        name, *written = pid
        return _SEALS[name](*written)

    def find_class(self, module_name: str, global_name: str) -> Any:
        if module_name.startswith("studio.") or (module_name, global_name) in _PLAIN:
            return super().find_class(module_name, global_name)
        raise BadInputError(f"The snapshot names {module_name}.{global_name}, which belongs in none.")
