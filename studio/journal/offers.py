"""Answers an offered bet: accepted, a duplicate, or refused with a sentence.

It runs inside the writer's transaction, so two bets can never both win the last coins of a purse. A refusal leaves
no trace: the same client id may be tried again once there is money.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from studio.journal.engine import Database
from studio.journal.purse import Purse, at_a_time, marks
from studio.money import (
    Answer,
    Offer,
    bettor_account,
    escrow_account,
    format_minor,
    free_suspense_account,
    operator_account,
    promotion_round,
    sent_again,
    suspense_account,
    taken_account,
)
from studio.value import replace

_BETS_OF: Final = """
SELECT id, operator, client_id, bettor, "table", round, bet, stake, currency, free
FROM bet WHERE operator = ? AND client_id IN ({ids})
"""
_CANCELLED: Final = "SELECT 1 FROM ledger WHERE round = ? AND round <> '' AND bet = ? AND kind = 'ungrant'"


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of a batch: one answer per offer, in order; the accepted offers; and the other offers whose stakes a
    wallet has already given.
    """

    answers: tuple[Answer, ...]
    accepted: Sequence[Offer]
    stranded: Sequence[Offer]


def answer_offers(connection: Database, purse: Purse, offers: Sequence[Offer]) -> Answered:
    """Answer a batch and move its stakes in the purse.

    A stake that the bettor's own wallet has given comes in with its bet; where the bet does not stand, it is suspended.
    """
    accepted: dict[tuple[str, str], Offer] = {}
    answers: list[Answer] = []
    led: dict[tuple[str, str], Answer] = {}
    carried_minor = _carried(offers)
    held: set[tuple[str, str, str]] = set()
    placed = _placed(connection, [offer for offer in offers if not offer.beside])
    purse.look({bettor_account(offer.operator, offer.bettor) for offer in offers})
    for offer in offers:
        name = (offer.operator, offer.client_id)
        leader = led.get((offer.operator, offer.beside)) if offer.beside else None
        if leader is not None and leader.status == "refused":
            answers.append(replace(leader, client_id=offer.client_id, bet_id=offer.bet_id))
            continue
        if offer.beside and (leader is None or leader.status != "accepted"):  # else nothing can stand beside it yet
            placed |= _placed(connection, [offer])
        earlier = accepted.get(name) or placed.get(name)
        if earlier is None and offer.needs and (offer.operator, offer.bettor, offer.needs) not in held:
            answers.append(_alone(offer))
            continue
        if earlier is None and offer.free and (why := _unusable(connection, purse, offer)) is not None:
            answer = Answer(offer.client_id, offer.bet_id, "refused", *why)
        else:
            answer = sent_again(offer, earlier) if earlier else _first(purse, offer, carried_minor.get(name, 0))
        if answer.status == "accepted":
            accepted[name] = offer
            held.add((offer.operator, offer.bettor, offer.bet))
        led.setdefault(name, answer)
        answers.append(answer)
    stranded = _stranded(offers, answers)
    for offer in stranded:
        purse.move(operator_account(offer.operator), stranded_account(offer), offer.stake_minor, offer.currency)
    return Answered(tuple(answers), tuple(accepted.values()), stranded)


def stranded_account(offer: Offer) -> str:
    """Where a stake lies that a wallet has given in vain; a free one is nobody's money but his operator's."""
    return free_suspense_account(offer.operator) if offer.free else suspense_account(offer.operator)


def _unusable(connection: Database, purse: Purse, offer: Offer) -> tuple[str, str] | None:
    """Why no stake can come from the grant: it was taken back, or nothing of it is left to this bettor. Of one that was
    used up in a year that is closed nothing was carried.
    """
    left_minor = purse.amount_minor(offer.source, offer.currency) or 0
    if connection.execute(_CANCELLED, (promotion_round(offer.operator), offer.free)).fetchone():
        return "free_bet_cancelled", f"The free bets {offer.free} were taken back: bet without them."
    if left_minor < offer.stake_minor:
        return "free_bet_used", f"Of the free bets {offer.free} none is left: bet without them."
    return None


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


def _placed(connection: Database, offers: Sequence[Offer]) -> dict[tuple[str, str], Offer]:
    """The bets that stand under the ids of these, by operator and client id."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for offer in offers:
        ids[offer.operator].append(offer.client_id)
    found: dict[tuple[str, str], Offer] = {}
    for operator, own in ids.items():
        for asked in at_a_time(own):
            rows = connection.execute(_BETS_OF.format(ids=marks(asked)), (operator, *asked))
            found.update(((row[1], row[2]), Offer(*row)) for row in rows)
    return found


def _alone(offer: Offer) -> Answer:
    sentence = f"The bet {offer.bet} stands only beside {offer.needs}, and that was refused: place {offer.needs} first."
    return Answer(offer.client_id, offer.bet_id, "refused", f"needs_{offer.needs}", sentence)


def _first(purse: Purse, offer: Offer, carried_minor: int) -> Answer:
    account, escrow = bettor_account(offer.operator, offer.bettor), escrow_account(offer.round)
    own_minor = 0 if offer.free else offer.stake_minor
    refusal = _refusal(purse, offer, account, own_minor + carried_minor)
    if refusal:
        return Answer(offer.client_id, offer.bet_id, "refused", *refusal)
    if offer.taken:
        purse.move(operator_account(offer.operator), taken_account(offer), offer.stake_minor, offer.currency)
    purse.move(offer.source if offer.free else account, escrow, offer.stake_minor, offer.currency)
    if offer.free:
        purse.begin(account, offer.currency)
    return Answer(offer.client_id, offer.bet_id, "accepted")


def _refusal(purse: Purse, offer: Offer, account: str, need_minor: int) -> tuple[str, str] | None:
    if offer.stake_minor <= 0:
        return "bad_stake", "A stake is more than nothing; name an amount above zero."
    if offer.outside and not offer.taken:
        return "wallet_busy", "The bettor's wallet was not asked for this stake and nothing was taken: bet again."
    held = purse.held(account)
    if (offer.taken or not need_minor) and (held is None or held.currency == offer.currency):
        return None
    if held is None:
        return "insufficient_balance", f"{offer.bettor} has no money here; deposit some before betting."
    if held.currency != offer.currency:
        return "currency_mismatch", f"This bet can only be placed in {held.currency}."
    if held.amount_minor < need_minor:
        have, need = format_minor(held.amount_minor, held.currency), format_minor(need_minor, offer.currency)
        return "insufficient_balance", f"The balance of {offer.bettor} is {have}; this bet needs {need}."
    return None
