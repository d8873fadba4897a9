"""The only place that answers an offered bet: accepted, a duplicate, or refused with a sentence.

It runs inside the writer's transaction, so two bets can never both win the last coins of a purse. A refusal leaves
no trace: the same client id may be tried again once there is money.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from studio.journal.purse import Purse
from studio.money import Answer, Offer, bettor_account, escrow_account, format_minor

_BET_OF = """
SELECT id, operator, client_id, bettor, "table", round, bet, stake, currency
FROM bet WHERE operator = ? AND client_id = ?
"""


def answer_offers(
    connection: sqlite3.Connection, purse: Purse, offers: Sequence[Offer]
) -> tuple[tuple[Answer, ...], list[Offer]]:
    """One answer an offer, in their order, and the offers accepted; their stakes are moved in the purse."""
    accepted: dict[tuple[str, str], Offer] = {}
    answers = []
    for offer in offers:
        name = (offer.operator, offer.client_id)
        earlier = accepted.get(name) or _placed(connection, name)
        answer = _again(offer, earlier) if earlier else _first(purse, offer)
        if answer.status == "accepted":
            accepted[name] = offer
        answers.append(answer)
    return tuple(answers), list(accepted.values())


def _placed(connection: sqlite3.Connection, name: tuple[str, str]) -> Offer | None:
    row = connection.execute(_BET_OF, name).fetchone()
    return Offer(*row) if row else None


def _again(offer: Offer, earlier: Offer) -> Answer:
    if replace(offer, bet_id=earlier.bet_id) == earlier:
        return Answer(offer.client_id, earlier.bet_id, "duplicate")
    sentence = f"The id {offer.client_id} already names another bet; give each bet an id of its own."
    return Answer(offer.client_id, offer.bet_id, "refused", "client_id_reused", sentence)


def _first(purse: Purse, offer: Offer) -> Answer:
    account, escrow = bettor_account(offer.operator, offer.bettor), escrow_account(offer.round)
    refusal = _refusal(purse, offer, account, escrow)
    if refusal:
        return Answer(offer.client_id, offer.bet_id, "refused", *refusal)
    purse.move(account, escrow, offer.stake_minor, offer.currency)
    return Answer(offer.client_id, offer.bet_id, "accepted")


def _refusal(purse: Purse, offer: Offer, account: str, escrow: str) -> tuple[str, str] | None:
    if offer.stake_minor <= 0:
        return "bad_stake", "A stake is more than nothing; name an amount above zero."
    held, pot = purse.held(account), purse.held(escrow)
    if held is None:
        return "insufficient_balance", f"{offer.bettor} has no money here; deposit some before betting."
    for other in (held, pot):
        if other and other.currency != offer.currency:
            return "currency_mismatch", f"This bet can only be placed in {other.currency}."
    if held.amount_minor < offer.stake_minor:
        have, need = format_minor(held.amount_minor, held.currency), format_minor(offer.stake_minor, offer.currency)
        return "insufficient_balance", f"The balance of {offer.bettor} is {have}; this bet needs {need}."
    return None
