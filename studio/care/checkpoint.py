"""What a checkpoint says, how it is signed, and how one is read back from a witness.

A checkpoint states the last row of both chains at a moment. It is journalled itself, and told to a witness that the
studio cannot take back; docs/checking.md describes its line for strangers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from studio.care.event import CheckpointSigned, read_care
from studio.care.signing import Signer, is_signed
from studio.errors import BadInputError
from studio.journal import Head, Reader
from studio.journal.link import GENESIS
from studio.text_file import read_json

FORMAT: Final = "studio-checkpoint"
VERSION: Final = 1
NONE_BEFORE: Final = "0" * 64

_HEADS: Final = """
SELECT journal.seq, journal.hash, ledger.seq, ledger.hash FROM journal
LEFT JOIN ledger ON ledger.seq = journal.ledger_seq WHERE journal.seq = (SELECT max(seq) FROM journal)
"""


@dataclass(frozen=True, slots=True)
class CheckpointHeads:
    """The last row of each chain, as of one and the same commit."""

    journal: Head = GENESIS
    ledger: Head = GENESIS


def heads(reader: Reader) -> CheckpointHeads:
    rows = reader.read(_HEADS, ())
    if not rows:
        return CheckpointHeads(reader.head(), reader.ledger_head())
    journal_seq, journal_hash, ledger_seq, ledger_hash = rows[0]
    ledger = Head(ledger_seq, ledger_hash) if ledger_seq is not None else reader.ledger_head()
    return CheckpointHeads(Head(journal_seq, journal_hash), ledger)


def text_of(checkpoint: CheckpointSigned) -> str:
    """What is signed, line by line."""
    return "\n".join(
        (
            f"{FORMAT} {VERSION}",
            checkpoint.studio,
            str(checkpoint.number),
            str(checkpoint.at_ms),
            checkpoint.why,
            f"{checkpoint.journal_seq} {checkpoint.journal_hash}",
            f"{checkpoint.ledger_seq} {checkpoint.ledger_hash}",
            checkpoint.previous,
        )
    )


def digest_of(checkpoint: CheckpointSigned) -> str:
    """What the next checkpoint names as the one before it."""
    return hashlib.sha256(text_of(checkpoint).encode()).hexdigest()


def sign(
    signer: Signer, at: CheckpointHeads, before: CheckpointSigned | None, *, studio: str, at_ms: int, why: str
) -> CheckpointSigned:
    bare = CheckpointSigned(
        studio=" ".join(studio.split()), number=before.number + 1 if before else 1, at_ms=at_ms, why=why,
        journal_seq=at.journal.seq, journal_hash=at.journal.hash, ledger_seq=at.ledger.seq, ledger_hash=at.ledger.hash,
        previous=digest_of(before) if before else NONE_BEFORE, public_key=signer.public_key, signature="",
    )  # fmt: skip
    return msgspec.structs.replace(bare, signature=signer.sign(text_of(bare)))


def is_genuine(checkpoint: CheckpointSigned) -> bool:
    """Whether it says what the key it names has signed."""
    return is_signed(text_of(checkpoint), checkpoint.public_key, checkpoint.signature)


def line_of(checkpoint: CheckpointSigned) -> str:
    """One line of JSON, as the witness gets it."""
    return json.dumps({"format": FORMAT, "version": VERSION, **msgspec.structs.asdict(checkpoint)}, ensure_ascii=False)


def read_line(line: str) -> CheckpointSigned:
    """`BadInputError` for a line that is no checkpoint."""
    try:
        plain = read_json(line)
        if not isinstance(plain, dict) or plain.pop("format", "") != FORMAT or plain.pop("version", 0) != VERSION:
            raise ValueError(f"it does not begin as a {FORMAT} of version {VERSION}")
        plain.pop("type", "")
        return msgspec.convert({"type": "CheckpointSigned", **plain}, CheckpointSigned)
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadInputError(f"This is no checkpoint: {error}.") from error


def checkpoints(reader: Reader) -> Iterator[CheckpointSigned]:
    """Every checkpoint the journal holds, in order."""
    for row in reader.events(kinds=("CheckpointSigned",)):
        event = read_care(row.body)
        assert isinstance(event, CheckpointSigned)
        yield event
