"""`verify` finds every sealed card that was opened otherwise than two people did: card, key, face, place, people."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import pytest
from correction_bench import dealt
from table_bench import PIT, Bench
from test_correction_audit import forged, with_fields
from unsealing_bench import approving, asking, unseal

from studio.cards import Card
from studio.journal import Unit
from studio.journal.extract.walk import steps
from studio.proof.audit.database import audit
from studio.proof.audit.wrong import WrongError
from studio.tables import command as c
from studio.tables.event import table as e

TOLD = {
    "another-card-asked": forged(e.UnsealingAsked, with_fields(card="0123456789abcdef")),
    "another-place-asked": forged(e.UnsealingAsked, with_fields(place=2)),
    "a-longer-minute": forged(e.UnsealingAsked, with_fields(expires_at_ms=2_000_000_000_000)),
    "another-round-asked": forged(e.UnsealingAsked, with_fields(round="t1-0000009")),
    "another-key": forged(e.CardUnsealed, with_fields(key=bytes(32))),
    "another-face": forged(e.CardUnsealed, with_fields(face=Card.parse("As"))),
    "another-place-opened": forged(e.CardUnsealed, with_fields(place=3)),
    "opened-by-one": forged(e.CardUnsealed, with_fields(approved_by=PIT.id)),
    "opened-by-nobody": forged(e.CardUnsealed, with_fields(approved_by="")),
    "another-exception": forged(e.ExceptionRecorded, with_fields(after="burn 1 = As")),
    "no-exception": forged(e.ExceptionRecorded, with_fields(act="continue")),
}


def opened(table: Bench, tamper: Callable[[Unit], Unit] = lambda unit: unit) -> None:
    dealt(table)
    table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
    table.tamper = tamper
    unseal(table, "burn", 1)


@pytest.mark.parametrize("tamper", TOLD.values(), ids=TOLD)
def test_a_sealed_card_opened_otherwise_is_found(tamper: Callable[[Unit], Unit]) -> None:
    with closing(Bench()) as table:
        opened(table, tamper)
        with pytest.raises(WrongError):
            audit(steps(table.store.connection))


def test_the_same_untouched_is_right_with_and_without_knowing_the_rounds() -> None:
    with closing(Bench()) as table:
        opened(table)
        audit(steps(table.store.connection))
        audit(steps(table.store.connection), unsealed=frozenset({table.round.id}))


def test_one_opened_while_its_shoe_could_deal_on_is_found() -> None:
    """No table does; so the number of rounds a deck deals was another when it was written."""
    with closing(Bench()) as table, pytest.MonkeyPatch.context() as patch:
        patch.setattr("studio.tables.correction.unsealing.deals_on", lambda state: False)
        dealt(table)
        unseal(table, "burn", 1)
        with pytest.raises(WrongError, match="could still deal"):
            audit(steps(table.store.connection))


def test_a_request_that_waits_or_lapsed_is_no_error() -> None:
    with closing(Bench()) as table:
        dealt(table)
        table.do(c.WithdrawShoe, table.pin(PIT), reason_code="worn")
        table.do(c.AskUnsealing, **asking(table, "burn", 1))  # type: ignore[arg-type]
        audit(steps(table.store.connection))
        table.wait(61)
        table.do(c.AskUnsealing, **asking(table, "burn", 2))  # type: ignore[arg-type]
        table.do(c.ApproveUnsealing, **approving(table))  # type: ignore[arg-type]
        audit(steps(table.store.connection))
