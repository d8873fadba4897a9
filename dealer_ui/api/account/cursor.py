"""A cursor of a feed: a row of the record, after which the feed goes on; refused where it would skip something."""

from __future__ import annotations

from dealer_ui.api.request.answer import AnswerError


def row_of(cursor: int | None, begin: int, head: int, things: str) -> int:
    """The row a page comes after; without a cursor, all that is kept here comes, after `begin`."""
    if cursor is None:
        return begin
    if cursor < begin:
        sentence = (
            f"What comes after this cursor lies in a year that is closed: have the studio give you those {things}, and"
            f" go on with after={begin}."
        )
        raise AnswerError(410, "archived", sentence)
    if cursor > head:
        sentence = (
            "The studio's record does not reach this cursor: it was put back to an earlier state, or the cursor is"
            " another studio's. Ask the studio before you go on."
        )
        raise AnswerError(409, "cursor_ahead", sentence)
    return cursor
