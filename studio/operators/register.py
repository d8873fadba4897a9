"""Which keys of which operator are good: the file's, and what the journal says of them.

A key is good when the file or the journal gave it and nothing has ended it. An operator is suspended when either
says so. A key that was ended once is never good again, for nobody, whatever a file says later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from studio.errors import IllegalEventError
from studio.operators.operator_event import (
    AnyOperatorEvent,
    OperatorAdded,
    OperatorKeyRotated,
    OperatorKeysRevoked,
    OperatorResumed,
    OperatorsReloaded,
    OperatorSuspended,
)


@dataclass(frozen=True, slots=True)
class Operator:
    """`keys`: digests to when each ends; None: it has no end yet. `test`: his bettors are test accounts."""

    keys: Mapping[str, int | None] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    suspended: bool = False
    test: bool = False

    def good(self, now_ms: int) -> tuple[str, ...]:
        """The digests that open something now."""
        return tuple(digest for digest, ends_at_ms in self.keys.items() if ends_at_ms is None or now_ms < ends_at_ms)


@dataclass(frozen=True, slots=True)
class OperatorRegister:
    """What the journal says of operators, by name; `ends`: of keys of the file too, by digest.

    `added`: those that are there without the file. Whoever is only in the file is gone when it names him no more.
    """

    operators: Mapping[str, Operator] = field(default_factory=lambda: MappingProxyType({}))
    added: tuple[str, ...] = ()
    ends: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}), repr=False)

    def in_force(self, file: Mapping[str, Operator]) -> Mapping[str, Operator]:
        """Every operator there is, those of the configuration `file` first."""
        return {name: self._joined(name, file) for name in dict.fromkeys((*file, *self.added))}

    def _joined(self, name: str, file: Mapping[str, Operator]) -> Operator:
        told, named = self.operators.get(name, Operator()), file.get(name, Operator())
        keys = {digest: self.ends.get(digest) for digest in (*named.keys, *told.keys)}
        return Operator(MappingProxyType(keys), told.suspended or named.suspended, told.test)


def evolve_operators(register: OperatorRegister, event: AnyOperatorEvent) -> OperatorRegister:
    """The register after the event."""
    match event:
        case OperatorAdded(operator=name, digest=digest, test=test):
            if name in register.added:
                raise IllegalEventError(f"operator '{name}' was added twice")
            register = _with(register, name, replace(register.operators.get(name, Operator()), test=test))
            return _with_key(replace(register, added=(*register.added, name)), name, digest)
        case OperatorKeyRotated(operator=name, digest=digest, ending=ending, ends_at_ms=ends_at_ms):
            return _ended(_with_key(register, name, digest), ending, ends_at_ms)
        case OperatorKeysRevoked(digests=digests, at_ms=at_ms):
            return _ended(register, digests, at_ms)
        case OperatorSuspended(operator=name) | OperatorResumed(operator=name):
            was = register.operators.get(name, Operator())
            return _with(register, name, replace(was, suspended=isinstance(event, OperatorSuspended)))
        case OperatorsReloaded():
            return register


def _with_key(register: OperatorRegister, name: str, digest: str) -> OperatorRegister:
    was = register.operators.get(name, Operator())
    return _with(register, name, replace(was, keys=MappingProxyType({**was.keys, digest: None})))


def _with(register: OperatorRegister, name: str, one: Operator) -> OperatorRegister:
    return replace(register, operators=MappingProxyType({**register.operators, name: one}))


def _ended(register: OperatorRegister, digests: tuple[str, ...], ends_at_ms: int) -> OperatorRegister:
    """An end is only ever brought forward."""
    sooner = {digest: min(ends_at_ms, register.ends.get(digest, ends_at_ms)) for digest in digests}
    return replace(register, ends=MappingProxyType({**register.ends, **sooner}))
