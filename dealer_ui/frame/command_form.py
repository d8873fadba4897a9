"""Turns the fields of a console's form into a command of the table.

`command` names what is asked (`start_round`), `id` was made by the screen so that a double tap is one act, `seen`
is the table's `moves` the person looked at. A form without an id (a browser without scripts) gets one from what it
asks, so that sending it again is still the same act. Circumstances come as `with.<name>`, arguments as `argument`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from werkzeug.datastructures import MultiDict

from studio.cards import Card
from studio.errors import BadInputError, RefusedError
from studio.people import Actor
from studio.tables import command as c
from studio.tables.event.dealer import PlannedTurn

FIELD_CHARACTERS_MAX: Final = 1_000
_WHOLE: Final = re.compile(r"-?[0-9]{1,16}")
Fields = MultiDict[str, str]
Builder = Callable[[Fields, Mapping[str, Any]], c.PersonCommand]


def read_fields(json: object, form: Fields) -> Fields:
    """The fields of a JSON body or of a form; `RefusedError` when they are no flat text, or too long."""
    fields = form if json is None else _flat(json)
    for values in fields.listvalues():
        if any(len(value) > FIELD_CHARACTERS_MAX for value in values):
            raise RefusedError("too_long", f"That is too long: write at most {FIELD_CHARACTERS_MAX} characters.")
    return fields


def read_command(fields: Fields, actor: Actor, table: str) -> c.PersonCommand:
    """The command the fields ask for; `RefusedError` says what is missing."""
    name = fields.get("command", "")
    if name not in _BUILDERS:
        raise RefusedError(
            "unknown_command", "This station asked for something the studio does not know. Load it again."
        )
    seen = _number(fields, "seen") if fields.get("seen") else None
    id = fields.get("id") or _id_of(fields, actor, table)
    return _BUILDERS[name](fields, {"actor": actor, "id": id, "seen": seen})


def _flat(json: object) -> Fields:
    if not isinstance(json, dict):
        raise RefusedError("not_readable", "This station sent something that cannot be read. Load the page again.")
    fields: Fields = MultiDict()
    for name, value in json.items():
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict | list) or one is None:
                raise RefusedError("not_readable", f"This station sent something odd as '{name}'. Load the page again.")
            fields.add(str(name), str(one).lower() if isinstance(one, bool) else str(one))
    return fields


def _id_of(fields: Fields, actor: Actor, table: str) -> str:
    told = [(name, value) for name, value in sorted(fields.items(multi=True)) if name not in ("csrf", "pin", "id")]
    return hashlib.sha256(repr((actor.id, table, told)).encode()).hexdigest()[:32]


def _text(fields: Fields, name: str) -> str:
    value = fields.get(name, "").strip()
    if not value:
        raise RefusedError("field_missing", f"Something is missing: fill in {name.replace('_', ' ')} and ask again.")
    return value


def _number(fields: Fields, name: str) -> int:
    text = (fields.get(name) or "0").strip()
    if not _WHOLE.fullmatch(text):
        raise RefusedError("not_a_number", f"Write a whole number as {name.replace('_', ' ')}.")
    return int(text)


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise RefusedError("not_a_number", "Write a whole number as minutes.")
    return int(text)


def _arguments(fields: Fields) -> tuple[str, ...]:
    """What the chosen ruling is about: a form that offers several rulings names each one's own."""
    told = (*fields.getlist("argument"), *fields.getlist(f"argument.{fields.get('ruling', '')}"))
    return tuple(value.strip() for value in told if value.strip())


def _circumstances(fields: Fields) -> tuple[tuple[str, str], ...]:
    told = ((name.removeprefix("with."), value) for name, value in fields.items() if name.startswith("with."))
    return tuple(sorted((name, value) for name, value in told if value))


def _card(fields: Fields) -> str:
    text = fields.get("card", "").strip()
    try:
        return str(Card.parse(text[:1].upper() + text[1:].lower()))
    except BadInputError:
        raise RefusedError("not_a_card", "Choose the rank and the suit of the card you read.") from None


def _plain(made: type[Any]) -> Builder:
    return lambda fields, who: made(**who)


def _open(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.OpenTable(**who, dealer=_text(fields, "dealer"), dealer_name=_text(fields, "dealer_name"))


def _change_dealer(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.ChangeDealer(**who, dealer=_text(fields, "dealer"), dealer_name=_text(fields, "dealer_name"))


def _plan_rotation(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    """Rows of `dealer` and `at_ms`; a row without a dealer is none."""
    rows = zip(fields.getlist("dealer"), fields.getlist("at_ms"), strict=False)
    turns = tuple(PlannedTurn(dealer=dealer, dealer_name="", at_ms=_whole(at)) for dealer, at in rows if dealer)
    return c.PlanRotation(**who, turns=turns)


def _allow_pay_table(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    reason = fields.get("reason_code", "").strip()
    return c.AllowPayTable(**who, reason_code=reason, words=fields.get("words", "").strip())


def _load(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.LoadShoe(**who, deck_id=fields.get("deck_id", "").strip())


def _withdraw(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.WithdrawShoe(**who, reason_code=_text(fields, "reason_code"), words=fields.get("words", "").strip())


def _dismiss(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    """`seat` names the seat and, where a screen asks, the bettor whom the person saw there."""
    reason, (seat, _, bettor) = fields.get("reason_code", "").strip(), _text(fields, "seat").partition(" ")
    return c.DismissSeat(
        **who, seat=seat, bettor=bettor, reason_code=reason, words=fields.get("words", "").strip()
    )  # fmt: skip


def _verify(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.VerifyDeck(**who, deck_id=_text(fields, "deck_id"), words=fields.get("words", "").strip())


def _approve_device(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.ApproveDevice(**who, device=_text(fields, "device"), words=fields.get("words", "").strip())


def _start_count(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.StartCount(**who, whole=fields.get("whole") == "true", deck_id=fields.get("deck_id", "").strip())


def _end_count(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.EndCount(**who, break_off=fields.get("break_off") == "true")


def _type_count(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    _text(fields, "left")
    return c.TypeCount(**who, left=_number(fields, "left"))


def _release(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    reason = fields.get("reason_code", "").strip()
    return c.ReleaseTable(**who, reason_code=reason, words=fields.get("words", "").strip())


def _report(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.ReportIncident(
        **who, kind=_text(fields, "kind"), circumstances=_circumstances(fields), box=fields.get("box", ""),
        place=_number(fields, "place"),
    )  # fmt: skip


def _rule(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.RuleIncident(
        **who, incident=_text(fields, "incident"), ruling=_text(fields, "ruling"), arguments=_arguments(fields),
        reason_code=fields.get("reason_code", "").strip(), words=fields.get("words", "").strip(),
    )  # fmt: skip


def _approve(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.ApproveRuling(**who, incident=_text(fields, "incident"), asked=_text(fields, "asked"))


def _decline(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.DeclineRuling(**who, incident=_text(fields, "incident"))


def _slot(fields: Fields) -> tuple[str, int]:
    """A place of the felt: `at` names its box and its number together, else `box` and `place` do."""
    if "at" not in fields:
        return _text(fields, "box"), _number(fields, "place")
    box, _, place = fields.get("at", "").partition(" ")
    if not re.fullmatch(r"[0-9]{1,2}", place):
        raise RefusedError("no_card", "There is no open card in that place; choose one that lies on the felt.")
    return box, int(place)


def _override(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    box, place = _slot(fields)
    return c.OverrideCard(
        **who, box=box, place=place, card=_card(fields),
        reason_code=fields.get("reason_code", "").strip(), words=fields.get("words", "").strip(),
    )  # fmt: skip


def _void(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    reason = fields.get("reason_code", "").strip()
    return c.VoidRound(**who, reason_code=reason, words=fields.get("words", "").strip())


def _compensate(fields: Fields, who: Mapping[str, Any]) -> c.PersonCommand:
    return c.DecideCompensation(
        **who, case=_text(fields, "case"), pays=_text(fields, "pays"), amount_minor=_number(fields, "amount_minor"),
        reason_code=fields.get("reason_code", "").strip(), words=fields.get("words", "").strip(),
    )  # fmt: skip


_PLAIN: Final[Sequence[tuple[str, type[Any]]]] = (
    ("close_table", c.CloseTable),
    ("pause_table", c.PauseTable),
    ("resume_table", c.ResumeTable),
    ("take_table", c.TakeTable),
    ("decline_relief", c.DeclineRelief),
    ("start_round", c.StartRound),
    ("open_betting", c.OpenBetting),
    ("close_betting", c.CloseBetting),
    ("declare_result", c.DeclareResult),
    ("confirm_felt_clear", c.ConfirmFeltClear),
    ("shuffle_stub", c.ShuffleStub),
    ("freeze_table", c.FreezeTable),
    ("call_pit", c.CallPit),
    ("answer_call", c.AnswerCall),
)

_BUILDERS: Final[Mapping[str, Builder]] = {
    **{name: _plain(made) for name, made in _PLAIN},
    "open_table": _open,
    "allow_pay_table": _allow_pay_table,
    "change_dealer": _change_dealer,
    "plan_rotation": _plan_rotation,
    "dismiss_seat": _dismiss,
    "load_shoe": _load,
    "verify_deck": _verify,
    "withdraw_shoe": _withdraw,
    "approve_device": _approve_device,
    "start_count": _start_count,
    "end_count": _end_count,
    "type_count": _type_count,
    "release_table": _release,
    "report_incident": _report,
    "rule_incident": _rule,
    "approve_ruling": _approve,
    "decline_ruling": _decline,
    "override_card": _override,
    "void_round": _void,
    "decide_compensation": _compensate,
}

COMMANDS: Final = tuple(_BUILDERS)
"""Every name a form may ask under."""
