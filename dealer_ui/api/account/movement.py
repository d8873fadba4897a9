"""Every movement of the money of an operator's bettors: one after another by a cursor, or found by its ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from pydantic import ConfigDict, Field

from dealer_ui.api.account.cursor import row_of
from dealer_ui.api.request.answer import AnswerError
from dealer_ui.api.request.body import Asked
from dealer_ui.api.request.order import check_id
from dealer_ui.api.shape.field import DIGITS, READ, Whole
from dealer_ui.api.shape.movement import Movements, MovementsFound, MovementTold
from dealer_ui.floor.bet_offer import Bettor
from dealer_ui.floor.operators_floor import OperatorsFloor
from studio.journal import origin
from studio.journal.extract.movement import (
    PurseMovement,
    movement_at,
    movements_after,
    movements_of_client_id,
    movements_of_transaction,
)

MOVEMENTS_MAX: Final = 500
KINDS_TOLD: Final = {
    "deposit": "deposit", "withdraw": "withdrawal", "reserve": "debit", "return": "credit", "share": "credit",
    "void": "void", "reverse_return": "reversal", "reverse_share": "reversal", "compensate": "compensation",
    "advance": "claw_back", "repay": "claw_back", "write_off": "claw_back", "carry": "carried",
    "wallet_debit": "wallet_debit", "wallet_credit": "wallet_credit", "wallet_compensate": "wallet_compensation",
    "wallet_cancel": "wallet_cancel", "wallet_recover": "wallet_recovery", "suspend": "suspense",
    "clear": "suspense_cleared",
}  # fmt: skip
"""What an operator is told of a transfer, by its kind."""
FREE_KINDS_TOLD: Final = {
    "grant": "free_granted", "ungrant": "free_cancelled", "reserve": "free_debit", "void": "free_void",
    "free_return": "free_credit", "reverse_free_return": "free_reversal", "carry": "free_carried",
    "wallet_debit": "wallet_free_debit", "suspend": "wallet_free_debit", "wallet_cancel": "wallet_free_cancel",
    "clear": "wallet_free_cancel", "wallet_credit": "wallet_free_credit", "wallet_recover": "wallet_free_recovery",
}  # fmt: skip
"""The same of what moved in the promotion that free bets come from."""
_IN_WALLET: Final = frozenset(
    {"wallet_debit", "wallet_credit", "wallet_compensate", "wallet_cancel", "wallet_recover", "suspend", "clear"}
)
_NO_ROUND: Final = ("receivable:", "carried:", "room:", "promotion:")


@dataclass(frozen=True, slots=True)
class MovementsAsked:
    """Which movements are asked for."""

    __pydantic_config__: ClassVar[ConfigDict] = READ

    after: Whole | None = None
    """The `next` of the page before; left out, the first movement that is kept here comes first."""
    limit: Annotated[int, Field(ge=1, le=MOVEMENTS_MAX), DIGITS] = 100
    """So many at most."""
    bettor: Bettor | None = None
    """Left out, all of your bettors."""


MOVEMENTS: Final = Asked(MovementsAsked)


@dataclass(frozen=True, slots=True)
class MovementDesk:
    floor: OperatorsFloor

    def movements(self, operator: str) -> Movements:
        """The movements after the cursor, the oldest first; the next cursor is the last one's or the newest row's."""
        asked, reader = MOVEMENTS.read(), self.floor.reader()
        after = row_of(asked.after, origin(reader, "ledger").seq, reader.ledger_head().seq, "movements")
        found, upto = movements_after(reader, operator, after, asked.limit + 1, asked.bettor)
        page = found[: asked.limit]
        more = len(page) < len(found)
        return {
            "movements": [_told(operator, one) for one in page],
            "next": page[-1].seq if more else upto,
            "more": more,
            "now_ms": self.floor.now_ms(),
        }

    def movement(self, operator: str, movement: str) -> MovementTold:
        """One movement, by its id."""
        is_number = movement.isascii() and movement.isdigit() and len(movement) <= 18
        found = movement_at(self.floor.reader(), operator, int(movement)) if is_number else None
        if found is None:
            sentence = "No movement of your bettors' money has this id: take it from the list of movements."
            raise AnswerError(404, "movement_not_found", sentence)
        return _told(operator, found)

    def of_client_id(self, operator: str, client_id: str) -> MovementsFound:
        """What moved under an id of your making, the oldest first: a deposit, a withdrawal, or all that came of a
        bet.
        """
        found = movements_of_client_id(self.floor.reader(), operator, check_id("client_id", client_id))
        return _found(operator, found, "Nothing was moved under this client_id: it was refused, or never came here.")

    def of_transaction(self, operator: str, round: str, transaction: str) -> MovementsFound:
        """What moved under the id that your wallet was told, the oldest first; the round was told beside it."""
        found = movements_of_transaction(self.floor.reader(), operator, round, transaction)
        sentence = (
            "Nothing is known to have moved in your wallet under this id in this round: send both as you had them."
        )
        return _found(operator, [one for one in found if one.kind in _IN_WALLET], sentence)


def _found(operator: str, found: Sequence[PurseMovement], sentence: str) -> MovementsFound:
    if not found:
        raise AnswerError(404, "movement_not_found", sentence)
    return {"movements": [_told(operator, one) for one in found]}


def _told(operator: str, one: PurseMovement) -> MovementTold:
    """Ids as the statement of the day has them: a bet by what its operator called it."""
    own = one.bet.removeprefix(f"{operator}/")
    in_wallet, has_round = one.kind in _IN_WALLET, bool(one.round) and not one.round.startswith(_NO_ROUND)
    return {
        "id": one.seq,
        "kind": (FREE_KINDS_TOLD if one.promoted else KINDS_TOLD)[one.kind],
        "bettor": one.bettor or None,
        "round": one.round if has_round else None,
        "client_id": None if in_wallet or one.kind == "carry" else own,
        "bet_id": one.bet if has_round and not in_wallet else None,
        "transaction": one.bet if in_wallet else None,
        "free_bet": one.free or None,
        "amount": one.amount_minor,
        "currency": one.currency,
        "at_ms": one.at_ms,
    }
