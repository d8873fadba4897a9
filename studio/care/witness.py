"""Holds a database against what a witness was told: cut, rolled back, or written anew.

The witness is a file of lines, one checkpoint each. Cutting the tails of both chains at once cannot be seen from
inside the database; here it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from studio.care.checkpoint import checkpoints, digest_of, is_genuine, read_line
from studio.care.event import CheckpointSigned
from studio.errors import BadInputError
from studio.journal import Reader
from studio.journal.chain import WrongRow
from studio.journal.reader import origin
from studio.text_file import read_text

_ROW: Final = {table: f"SELECT hash FROM {table} WHERE seq = ?" for table in ("journal", "ledger")}  # noqa: S608


@dataclass(frozen=True, slots=True)
class Testimony:
    """What came of asking the witness. `keys`: the public keys that signed, of which none had to be trusted."""

    checkpoints: int
    first_wrong: WrongRow | None
    keys: frozenset[str] = frozenset()
    last: CheckpointSigned | None = None


class _LieError(Exception):
    def __init__(self, number: int, sentence: str) -> None:
        super().__init__(sentence)
        self.row = WrongRow("witness", number, sentence)


def ask_itself(reader: Reader, trusted: frozenset[str] = frozenset()) -> WrongRow | None:
    """The first checkpoint of the journal itself that is not what was signed then; None when all are.

    Who could write the whole database anew could sign it anew with a key of his own: that is for the witness.
    """
    seen: list[CheckpointSigned] = []
    try:
        for checkpoint in checkpoints(reader):
            _require_signed(checkpoint, trusted)
            _follows(seen, checkpoint)
            _require_rows(reader, checkpoint)
            seen = [checkpoint]
    except _LieError as lie:
        return WrongRow("checkpoint", lie.row.seq, lie.row.sentence)
    except BadInputError as error:
        return WrongRow("checkpoint", 0, error.sentence)
    return None


def ask_witness(reader: Reader, witness: Path, trusted: frozenset[str] = frozenset()) -> Testimony:
    """Hold the database against the file, line by line; without `trusted` any one key may have signed.

    `BadInputError` when the file cannot be read, or holds no checkpoint.
    """
    text = read_text(witness, what="The witness file")
    seen: list[CheckpointSigned] = []
    try:
        for checkpoint in _told(text.splitlines()):
            _require_signed(checkpoint, trusted)
            if _follows(seen, checkpoint):
                _require_rows(reader, checkpoint)
                seen.append(checkpoint)
        _require_all(reader, seen)
    except _LieError as lie:
        return Testimony(len(seen), lie.row)
    if not seen:
        raise BadInputError("The witness file holds no checkpoint.", where=str(witness))
    return Testimony(len(seen), None, frozenset(one.public_key for one in seen), seen[-1])


def _told(lines: Iterable[str]) -> Iterator[CheckpointSigned]:
    """The checkpoints, in order. A line torn by a full disk or a kill counts for nothing when it comes again whole."""
    lines = [line for line in lines if line.strip()]
    for at, line in enumerate(lines):
        try:
            yield read_line(line)
        except BadInputError as error:
            if at + 1 < len(lines) and not lines[at + 1].startswith(line):
                raise _LieError(0, f"Line {at + 1} of the witness file was changed. {error.sentence}") from error


def _require_signed(checkpoint: CheckpointSigned, trusted: frozenset[str]) -> None:
    if trusted and checkpoint.public_key not in trusted:
        sentence = (
            f"Checkpoint {checkpoint.number} is signed with another key ({checkpoint.public_key[:16]}…) than"
            " those named: it is not this studio's, or its key was replaced."
        )
        raise _LieError(checkpoint.number, sentence)
    if not is_genuine(checkpoint):
        sentence = f"Checkpoint {checkpoint.number} is forged: the signature does not fit what it says."
        raise _LieError(checkpoint.number, sentence)


def _follows(seen: list[CheckpointSigned], checkpoint: CheckpointSigned) -> bool:
    """Whether this checkpoint follows the last one seen; False for one that was sent again. `_LieError` where it
    contradicts what the witness has.
    """
    if not seen:
        return True
    last = seen[-1]
    if any(checkpoint == one for one in seen[-5:]):
        return False
    if checkpoint.number != last.number + 1:
        sentence = (
            f"After checkpoint {last.number} comes number {checkpoint.number}: checkpoints are missing from the"
            " witness, or the database was rolled back and went on."
        )
        raise _LieError(checkpoint.number, sentence)
    if checkpoint.previous != digest_of(last):
        sentence = (
            f"Checkpoint {checkpoint.number} does not follow the checkpoint before it: the two are not one studio's."
        )
        raise _LieError(checkpoint.number, sentence)
    return True


def _require_rows(reader: Reader, checkpoint: CheckpointSigned) -> None:
    """Both rows the checkpoint names are there, and are what they were."""
    for table, seq, hash, head in (
        ("journal", checkpoint.journal_seq, checkpoint.journal_hash, reader.head()),
        ("ledger", checkpoint.ledger_seq, checkpoint.ledger_hash, reader.ledger_head()),
    ):
        if seq <= origin(reader, table).seq:
            continue  # it stands in the archive this database goes on from
        if seq > head.seq:
            sentence = (
                f"The {table} was cut short: the witness saw row {seq} at checkpoint {checkpoint.number},"
                f" and the {table} ends at row {head.seq}."
            )
            raise _LieError(checkpoint.number, sentence)
        if reader.read(_ROW[table], (seq,)) != [(hash,)] and seq:
            sentence = (
                f"Row {seq} of the {table} is not the one the witness saw at checkpoint {checkpoint.number}: the"
                " database was rolled back and written anew, or the row and all after it were changed."
            )
            raise _LieError(checkpoint.number, sentence)


def _require_all(reader: Reader, seen: list[CheckpointSigned]) -> None:
    """What the database holds of checkpoints and what the witness holds are the same ones."""
    inside = {one.number: one for one in checkpoints(reader)}
    first = min(inside, default=0)
    for one in seen:
        if one.number >= first and inside.get(one.number) != one:
            sentence = (
                f"The journal does not hold checkpoint {one.number} as the witness does: it was cut or written anew."
            )
            raise _LieError(one.number, sentence)
