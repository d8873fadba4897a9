"""Whether there is what a report page is narrowed to: in the house, or in its record."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields

from studio.errors import BadInputError, RefusedError
from studio.journal import Reader
from studio.reports import Choice
from studio.reports.subject import require_known


def need_subject(reader: Reader, choice: Choice, offered: Mapping[str, Collection[str]]) -> None:
    """`RefusedError` where neither the page offers that table, game, dealer or operator nor the record knows it."""
    for name in (field.name for field in fields(Choice)):
        asked = getattr(choice, name)
        if not asked or asked in offered[name]:
            continue
        try:
            require_known(reader, Choice(**{name: asked}))
        except BadInputError as error:
            raise RefusedError(f"report_{name}", error.sentence) from None
