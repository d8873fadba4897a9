"""What can happen to operators and their keys, and how it is written: `{"operator": …}`.

Only digests of keys are ever here. `by` is who did it, `reason` why.
"""

from __future__ import annotations

from typing import Final, get_args

import msgspec

from studio.errors import BadInputError


class OperatorEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    at_ms: int
    by: str
    reason: str


class OperatorAdded(OperatorEvent, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An operator the configuration does not name, with the first of his keys.

    `test`: all of his bettors are test accounts, from here on and for good; nothing ever says so of him later.
    """

    operator: str
    digest: str
    test: bool = False


class OperatorSuspended(OperatorEvent, frozen=True, kw_only=True, tag=True):
    """He places nothing new; what is open is settled and paid."""

    operator: str


class OperatorResumed(OperatorEvent, frozen=True, kw_only=True, tag=True):
    operator: str


class OperatorKeyRotated(OperatorEvent, frozen=True, kw_only=True, tag=True):
    """A new key; those of `ending` are good until `ends_at_ms` beside it."""

    operator: str
    digest: str
    ending: tuple[str, ...]
    ends_at_ms: int


class OperatorKeysRevoked(OperatorEvent, frozen=True, kw_only=True, tag=True):
    """These keys open nothing any more, whatever a configuration file says of them."""

    operator: str
    digests: tuple[str, ...]


class OperatorsReloaded(OperatorEvent, frozen=True, kw_only=True, tag=True):
    """The configuration was read again: `taken` counts from now, `waits` from the next start."""

    taken: tuple[str, ...]
    waits: tuple[str, ...]


AnyOperatorEvent = (
    OperatorAdded | OperatorSuspended | OperatorResumed | OperatorKeyRotated | OperatorKeysRevoked | OperatorsReloaded
)

OPERATOR_KINDS: Final = frozenset(kind.__name__ for kind in get_args(AnyOperatorEvent))
"""The journal's kinds that concern operators and their keys."""


class _Row(msgspec.Struct):
    operator: AnyOperatorEvent


_ROW: Final = msgspec.json.Decoder(_Row)


def write_operator(event: AnyOperatorEvent) -> bytes:
    return msgspec.json.encode(_Row(event))


def read_operator(body: bytes) -> AnyOperatorEvent:
    try:
        return _ROW.decode(body).operator
    except msgspec.MsgspecError as error:
        raise BadInputError(f"A journal row cannot be read as a fact of an operator: {error}") from error
