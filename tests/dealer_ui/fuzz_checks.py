"""What schemathesis cannot know of a batch: each of its items is answered for itself, and a wrong one is refused."""

from __future__ import annotations

from typing import Final

import schemathesis
from held_to_document import misfit

_ITEMS: Final = {"place_bets": ("bets", "BetOffer"), "decide": ("decisions", "Choice")}


@schemathesis.check
def each_item_is_answered(
    ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    name = case.operation.definition.raw["operationId"]
    if name not in _ITEMS or response.status_code != 200:
        return
    field, kind = _ITEMS[name]
    items, answers = case.body[field], response.json()["answers"]
    assert len(items) == len(answers), "one answer an item"
    for item, answer in zip(items, answers, strict=True):
        if misfit({"$ref": f"#/components/schemas/{kind}"}, item):
            assert answer["status"] == "refused", f"{item} was {answer['status']}"
