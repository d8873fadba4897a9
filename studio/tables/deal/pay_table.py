"""Whether a table may deal on its pay table: it was proved and no bet of it returns more than is staked, or an
administrator has allowed it, with a reason that is kept.
"""

from __future__ import annotations

from studio.errors import RefusedError
from studio.games import find_game
from studio.people import need_fresh_pin, need_right
from studio.tables import command as c
from studio.tables.config import TableConfig
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import AllowedToDeal, PayTableKnown, Situation
from studio.tables.state.table import TableState


def pay_table_trouble(config: TableConfig) -> RefusedError | None:
    """Why a table of this configuration may not deal, with a sentence that says what to do; None when it may."""
    proof = config.proof
    if find_game(config.game).peers is not None:
        return None  # the seats play for each other's chips
    if proof is None:
        return RefusedError(
            "pay_table_unproved",
            "What this table pays was never proved, or not since the program changed: prove it (studio rtp --config "
            "FILE --missing --save FOLDER), name the folder in the configuration and start the studio again; or an "
            "administrator allows this pay table with a reason.",
        )
    if proof.over:
        return RefusedError(
            "pay_table_over",
            f"This table returns more than 100 % on {', '.join(proof.over)}, at most {proof.highest_percent:.4f} %: "
            "correct its rules in the configuration, or an administrator allows this pay table with a reason.",
        )
    return None


def need_pay_table(state: TableState) -> None:
    """Refuse to deal on a pay table that is in trouble and that nobody allowed."""
    if (trouble := pay_table_trouble(state.config)) is not None and not state.pit.terms.allowed_by:
        raise trouble


def allow_pay_table(draft: Draft, command: c.AllowPayTable) -> None:
    """An administrator's act, with an exception record; good until the pay table or its proof is another one."""
    need_right(command.actor, "allow_pay_table")
    need_fresh_pin(command.actor, draft.at_ms)
    state, actor = draft.state, command.actor
    if (trouble := pay_table_trouble(state.config)) is None:
        raise RefusedError("pay_table_proved", "This pay table was proved and may be dealt on: nothing is to allow.")
    if state.pit.terms.allowed_by:
        raise RefusedError("pay_table_allowed", f"{state.pit.terms.allowed_by} has allowed this pay table already.")
    words = command.words.strip()
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    draft.emit(
        e.PayTableAllowed(
            by=actor.id, by_name=actor.name, why=trouble.key, said=_said(state.config), reason_code=command.reason_code,
            words=words,
        ),
        e.ExceptionRecorded(
            incident="", act="allow_pay_table", asked_by=actor.id, approved_by="", before=_said(state.config),
            after=Situation((AllowedToDeal(),)), reason_code=command.reason_code, words=words, row="",
        ),
    )  # fmt: skip


def _said(config: TableConfig) -> Situation:
    """What is known of the pay table, for the record."""
    if config.proof is None:
        return Situation((PayTableKnown(),))
    return Situation((PayTableKnown(tuple(config.proof.over), f"{config.proof.highest_percent:.4f}"),))
