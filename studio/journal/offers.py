"""Answers an offered bet: accepted, a duplicate, or refused with a sentence.

It runs inside the writer's transaction, so two bets can never both win the last coins of a purse. A refusal leaves
no trace: the same client id may be tried again once there is money.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from studio.journal.purse import Purse
from studio.money import (
    Answer,
    Offer,
    bettor_account,
    escrow_account,
    format_minor,
    operator_account,
    sent_again,
    suspense_account,
)

_BET_OF = """
SELECT id, operator, client_id, bettor, "table", round, bet, stake, currency
FROM bet WHERE operator = ? AND client_id = ?
"""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer an offer, in their order; the offers accepted, and those of the others whose stakes were taken."""

    answers: tuple[Answer, ...]
    accepted: Sequence[Offer]
    stranded: Sequence[Offer]


def answer_offers(connection: sqlite3.Connection, purse: Purse, offers: Sequence[Offer]) -> Answered:
    """Answer a batch and move its stakes in the purse.

    A stake that the bettor's own wallet has given comes in with its bet; where the bet does not stand, it is suspended.
    """
    accepted: dict[tuple[str, str], Offer] = {}
    answers: list[Answer] = []
    led: dict[tuple[str, str], Answer] = {}
    carried_minor = _carried(offers)
    held: set[tuple[str, str, str]] = set()
    for offer in offers:
        name = (offer.operator, offer.client_id)
        leader = led.get((offer.operator, offer.beside)) if offer.beside else None
        if leader is not None and leader.status == "refused":
            answers.append(replace(leader, client_id=offer.client_id, bet_id=offer.bet_id))
            continue
        placed_now = leader is not None and leader.status == "accepted"  # then nothing can stand beside it yet
        earlier = accepted.get(name) or (None if placed_now else _placed(connection, name))
        if earlier is None and offer.needs and (offer.operator, offer.bettor, offer.needs) not in held:
            answers.append(_alone(offer))
            continue
        answer = sent_again(offer, earlier) if earlier else _first(purse, offer, carried_minor.get(name, 0))
        if answer.status == "accepted":
            accepted[name] = offer
            held.add((offer.operator, offer.bettor, offer.bet))
        led.setdefault(name, answer)
        answers.append(answer)
    stranded = _stranded(offers, answers)
    for offer in stranded:
        purse.move(
            operator_account(offer.operator), suspense_account(offer.operator), offer.stake_minor, offer.currency
        )
    return Answered(tuple(answers), tuple(accepted.values()), stranded)


def _stranded(offers: Sequence[Offer], answers: Sequence[Answer]) -> Sequence[Offer]:
    told = zip(offers, answers, strict=True)
    return tuple(offer for offer, answer in told if offer.taken and answer.status != "accepted")


def _carried(offers: Sequence[Offer]) -> Mapping[tuple[str, str], int]:
    """What an offer's purse must cover beside its own stake, by operator and client id."""
    carried_minor: defaultdict[tuple[str, str], int] = defaultdict(int)
    for offer in offers:
        if offer.beside:
            carried_minor[offer.operator, offer.beside] += offer.stake_minor
    return carried_minor


def _placed(connection: sqlite3.Connection, name: tuple[str, str]) -> Offer | None:
    row = connection.execute(_BET_OF, name).fetchone()
    return Offer(*row) if row else None


def _alone(offer: Offer) -> Answer:
    sentence = f"The bet {offer.bet} stands only beside {offer.needs}, and that was refused: place {offer.needs} first."
    return Answer(offer.client_id, offer.bet_id, "refused", f"needs_{offer.needs}", sentence)


def _first(purse: Purse, offer: Offer, carried_minor: int) -> Answer:
    account, escrow = bettor_account(offer.operator, offer.bettor), escrow_account(offer.round)
    refusal = _refusal(purse, offer, account, offer.stake_minor + carried_minor)
    if refusal:
        return Answer(offer.client_id, offer.bet_id, "refused", *refusal)
    if offer.taken:
        purse.move(operator_account(offer.operator), account, offer.stake_minor, offer.currency)
    purse.move(account, escrow, offer.stake_minor, offer.currency)
    return Answer(offer.client_id, offer.bet_id, "accepted")


def _refusal(purse: Purse, offer: Offer, account: str, need_minor: int) -> tuple[str, str] | None:
    if offer.stake_minor <= 0:
        return "bad_stake", "A stake is more than nothing; name an amount above zero."
    held = purse.held(account)
    if offer.taken and (held is None or held.currency == offer.currency):
        return None
    if held is None:
        return "insufficient_balance", f"{offer.bettor} has no money here; deposit some before betting."
    if held.currency != offer.currency:
        return "currency_mismatch", f"This bet can only be placed in {held.currency}."
    if held.amount_minor < need_minor:
        have, need = format_minor(held.amount_minor, held.currency), format_minor(need_minor, offer.currency)
        return "insufficient_balance", f"The balance of {offer.bettor} is {have}; this bet needs {need}."
    return None
