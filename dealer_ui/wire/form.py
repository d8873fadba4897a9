"""How the house's own values travel: each type's plain form, and the way back, made from its fields.

A dataclass travels as the list of its fields, so both ends must be of one version: `digest_of` tells versions apart.
What travels is lists, dicts, texts and numbers alone; reading it makes nothing but the types that were asked for.
"""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec

from studio.cards import Card
from studio.errors import BadInputError
from studio.tables.past.dossier import Dossier
from studio.tables.past.sealed_round import SealedRound

T = TypeVar("T")
_SCALARS: Final = (str, int, bool, float, bytes, type(None))
_BY_NAME: Final = "is"
_TUPLE: Final = "tuple"
_FRACTION: Final = "fraction"


class Form(NamedTuple):
    """How a value of one type is written and read. `tells`: what the form depends on, beside those of the types
    `within`.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]
    tells: str
    within: tuple[Any, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class RoundNamed:
    """Stands for what the receiver reads in the record by itself: the round's dossier, or its sealed cards."""

    id: str


def written(wanted: object, value: object) -> Any:
    """The plain form of a value of that type."""
    return form_of(wanted).write(value)


def read(wanted: type[T], plain: Any) -> T:
    """The value; `BadInputError` where the form is not one of that type."""
    try:
        return cast(T, form_of(cast(Any, wanted)).read(plain))
    except (TypeError, ValueError, KeyError, LookupError, msgspec.MsgspecError) as error:
        raise BadInputError("A message of another process cannot be read: is it of another version?") from error


def digest_of(*wanted: object, beside: Iterable[str] = ()) -> str:
    """Differs where the fields of any of these types, or of what they hold, do; or what is told `beside`."""
    told: dict[Any, str] = {}
    due = list(wanted)
    while due:
        if (one := due.pop()) not in told:
            told[one] = form_of(one).tells
            due.extend(form_of(one).within)
    return hashlib.sha256("\n".join(sorted((*told.values(), *beside))).encode()).hexdigest()[:16]


@cache
def form_of(wanted: Any) -> Form:
    """Made once a type; a form is its own. `TypeError` for a type that has no form."""
    if isinstance(wanted, Form):
        return wanted
    if wanted in (Dossier, SealedRound):
        return Form(lambda value: value.id if wanted is SealedRound else value.round.id, RoundNamed, "round")
    if wanted is Any or wanted is object:
        return Form(_write_any, _read_any, "any")
    if wanted is Card:
        return Form(str, Card.parse, "card")
    if wanted is Fraction:
        return Form(str, Fraction, "fraction")
    if isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        return Form(lambda value: value.value, wanted, f"{wanted.__name__}({[one.value for one in wanted]})")
    if wanted in _SCALARS or wanted is None or get_origin(wanted) is Literal:
        return Form(_same, _scalar(wanted), str(wanted))
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        hints = get_type_hints(wanted)
        return _of_struct(wanted, _fields(wanted, hints), tuple(hints.values()))
    if dataclasses.is_dataclass(wanted):
        return _of_dataclass(cast(type, wanted))
    if get_origin(wanted) in (Union, types.UnionType):
        return _of_union(wanted)
    return _of_many(wanted)


def form_named(*wanted: type) -> Form:
    """The form of one of these dataclasses, told by its name."""
    made = {one.__name__: one for one in wanted}
    return Form(_write_named(made), _read_named(made), f"one of {sorted(made)}", tuple(wanted))


def _same(value: Any) -> Any:
    return value


def _scalar(wanted: Any) -> Callable[[Any], Any]:
    """Takes what is of the type, and a whole number for any number."""
    kinds: tuple[type, ...] = (int, float) if wanted is float else (type(None),) if wanted is None else (wanted,)
    if get_origin(wanted) is Literal:
        kinds = tuple({type(one) for one in get_args(wanted)})

    def read_back(plain: Any) -> Any:
        if not isinstance(plain, kinds):
            raise TypeError(f"{type(plain).__name__} where {wanted} was due")
        return plain

    return read_back


def _of_struct(wanted: Any, tells: str, within: tuple[Any, ...]) -> Form:
    return Form(
        lambda value: msgspec.to_builtins(value, builtin_types=(bytes,), enc_hook=_plain),
        lambda plain: msgspec.convert(plain, wanted, builtin_types=(bytes,), dec_hook=_made),
        tells,
        within,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    raise NotImplementedError(f"{type(value).__name__} does not travel")


def _made(wanted: type, value: Any) -> Any:
    if wanted is Card:
        return Card.parse(value)
    raise NotImplementedError(f"{wanted.__name__} does not travel")


def _of_dataclass(wanted: type) -> Form:
    hints = get_type_hints(wanted)
    names = tuple(one.name for one in dataclasses.fields(wanted))
    forms: list[Form] = []

    def parts() -> list[Form]:
        if not forms:  # only now, so that a type may hold its own kind
            forms.extend(form_of(hints[name]) for name in names)
        return forms

    def write(value: Any) -> list[Any]:
        return [form.write(getattr(value, name)) for name, form in zip(names, parts(), strict=True)]

    def read_back(plain: Any) -> Any:
        if not isinstance(plain, list):
            raise TypeError("no list of fields")
        told = zip(names, parts(), plain, strict=True)
        return wanted(**{name: form.read(one) for name, form, one in told})

    hints = {name: hints[name] for name in names}
    return Form(write, read_back, _fields(wanted, hints), tuple(hints.values()))


def _fields(wanted: type, hints: Mapping[str, Any]) -> str:
    return f"{wanted.__name__}({', '.join(f'{name}: {hint}' for name, hint in hints.items())})"


def _of_union(wanted: Any) -> Form:
    members = get_args(wanted)
    if any(isinstance(one, type) and issubclass(one, msgspec.Struct) for one in members):
        return _of_struct(wanted, str(wanted), members)
    made = {one.__name__: one for one in members if isinstance(one, type) and dataclasses.is_dataclass(one)}
    rest = [one for one in members if one is not type(None) and one not in made.values()]
    if not made and len(rest) == 1:
        return _or_none(rest[0])
    if len(made) == 1 and not rest:
        return _or_none(next(iter(made.values())))
    if not all(one in _SCALARS for one in rest):
        raise TypeError(f"{wanted} has no form")
    return Form(_write_named(made), _read_named(made), str(wanted), tuple(made.values()))


def _or_none(wanted: Any) -> Form:
    def write(value: Any) -> Any:
        return None if value is None else form_of(wanted).write(value)

    def read_back(plain: Any) -> Any:
        return None if plain is None else form_of(wanted).read(plain)

    return Form(write, read_back, f"{wanted} | None", (wanted,))


def _write_named(made: Mapping[str, type]) -> Callable[[Any], Any]:
    """Of several dataclasses each is told by its name; a text or a number is itself."""

    def write(value: Any) -> Any:
        name = type(value).__name__
        return {_BY_NAME: name, "of": form_of(made[name]).write(value)} if name in made else value

    return write


def _read_named(made: Mapping[str, type]) -> Callable[[Any], Any]:
    def read_back(plain: Any) -> Any:
        return form_of(made[plain[_BY_NAME]]).read(plain["of"]) if isinstance(plain, dict) else plain

    return read_back


def _of_many(wanted: Any) -> Form:
    origin, members = get_origin(wanted), get_args(wanted)
    if origin is tuple and len(members) == 2 and members[1] is Ellipsis:
        return _of_each(wanted, members[0], tuple)
    if origin in (frozenset, list):
        return _of_each(wanted, members[0], origin)
    if origin is tuple:
        forms = [form_of(one) for one in members]
        return Form(
            lambda value: [form.write(one) for form, one in zip(forms, value, strict=True)],
            lambda plain: tuple(form.read(one) for form, one in zip(forms, plain, strict=True)),
            str(wanted),
            members,
        )
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = map(form_of, members)
        return Form(
            lambda told: [[key.write(one), value.write(other)] for one, other in told.items()],
            lambda plain: {key.read(one): value.read(other) for one, other in plain},
            str(wanted),
            members,
        )
    raise TypeError(f"{wanted} has no form")


def _of_each(wanted: Any, member: Any, many: Callable[[Collection[Any]], Any]) -> Form:
    form = form_of(member)
    return Form(
        lambda value: [form.write(one) for one in value],
        lambda plain: many([form.read(one) for one in plain]),
        str(wanted),
        (member,),
    )


def _write_any(value: Any) -> Any:
    """What is described freely, as the outcome of a round: tuples and fractions come back as what they were."""
    if value is None or isinstance(value, str | int | float | bool):
        return value.value if isinstance(value, enum.Enum) else value
    if isinstance(value, tuple):
        return {_TUPLE: [_write_any(one) for one in value]}
    if isinstance(value, list):
        return [_write_any(one) for one in value]
    if isinstance(value, Mapping):
        return {"dict": [[_write_any(key), _write_any(one)] for key, one in value.items()]}
    if isinstance(value, Fraction):
        return {_FRACTION: str(value)}
    if isinstance(value, Card):
        return {"card": str(value)}
    raise TypeError(f"{type(value).__name__} does not travel")


def _read_any(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_read_any(one) for one in plain]
    if not isinstance(plain, dict):
        return plain
    [(kind, value)] = plain.items()
    if kind == _TUPLE:
        return tuple(_read_any(one) for one in value)
    if kind == "dict":
        return {_read_any(key): _read_any(one) for key, one in value}
    return Fraction(value) if kind == _FRACTION else Card.parse(value)
