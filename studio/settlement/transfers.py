"""Which transfers a settlement, a void and a resettlement are. Pure: it moves nothing.

A stake lies in the round's escrow while its bet is pending. Settling posts it to the house, which pays the return;
voiding hands it back. The account of a payout is where its stake came from: of a free bet a grant of its operator's
(`studio.settlement.free_bet`). A correction writes nothing over: it reverses and posts again, under a new revision.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Final, TypeVar

import msgspec
from msgspec import structs

from studio.errors import InvariantError
from studio.money import (
    Rates,
    Transfer,
    convert_minor,
    escrow_account,
    exchange_account,
    house_account,
    prize_account,
    purse_account,
)
from studio.settlement.free_bet import free_minor, own_minor, promotion_of
from studio.settlement.payout import Payout, PlacedBet

CHUNK_BETS: Final = 5_000
"""At most so many bets are settled or voided in one transaction."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Prize:
    """A pot that was won: what each sharer has of it, in the pot's currency."""

    share_minor: int
    currency: str


@dataclass(frozen=True, slots=True)
class Purse:
    """Whose money a settlement moves: that of one round at one table, whose own currency is `currency`.

    `rates` is given where bettors also bring other currencies. `prize`: the pot's prize from which shares are paid;
    without it the house pays them.
    """

    round: str
    table: str
    currency: str
    rates: Rates | None = None
    prize: Prize | None = None

    @property
    def escrow(self) -> str:
        return escrow_account(self.round)

    @property
    def house(self) -> str:
        return house_account(self.table)

    def worth(self, amount_minor: int, currency: str) -> int:
        """In the table's own currency."""
        return convert_minor(amount_minor, currency, self.currency, self.rates) if currency else amount_minor


class Progress(msgspec.Struct, frozen=True):
    """How far the settlement of a round has come; journalled after each chunk, and enough to go on from.

    The sums are in the table's own currency, each amount turned into it and rounded down by itself.
    """

    bets: int = 0
    stake_minor: int = 0
    returns_minor: int = 0
    digest: str = ""


def chunks(items: Iterable[_T], size: int = CHUNK_BETS) -> Iterator[tuple[_T, ...]]:
    """
    >>> list(chunks("abcde", 2))
    [('a', 'b'), ('c', 'd'), ('e',)]
    """
    rest = iter(items)
    while chunk := tuple(islice(rest, size)):
        yield chunk


def settle_chunk(
    payouts: Sequence[Payout], purse: Purse, since: Progress, paid: Container[str] = (), revision: int = 0
) -> tuple[Progress, tuple[Transfer, ...]]:
    """The transfers of the next payouts of a round, and how far it has come with them.

    The bets whose keys are in `paid` have been paid before: they count, and nothing of them moves.
    """
    done = Progress(
        bets=since.bets + len(payouts),
        stake_minor=since.stake_minor + sum(purse.worth(each.stake_minor, each.currency) for each in payouts),
        returns_minor=since.returns_minor + sum(purse.worth(each.returns_minor, each.currency) for each in payouts),
        digest=payouts_digest(payouts, since.digest),
    )
    return done, settling_transfers((each for each in payouts if each.bet not in paid), purse, revision)


def settling_transfers(payouts: Iterable[Payout], purse: Purse, revision: int = 0) -> tuple[Transfer, ...]:
    """Each stake from escrow to the house, then its return, if any, to the bettor: from the house, shares of a pot
    that was won from the round's prize."""
    escrow, house = purse.escrow, purse.house
    made: list[Transfer] = []
    for each in payouts:
        currency = each.currency or purse.currency
        made.append(Transfer(purse.round, each.id, "post", escrow, house, each.stake_minor, currency, revision))
        if each.share_minor and purse.prize:
            made.extend(_shared(each, purse, purse.prize, revision))
        elif each.returns_minor:
            made.extend(_returned(each, purse, revision))
    return tuple(made)


def _shared(payout: Payout, purse: Purse, prize: Prize, revision: int) -> Iterator[Transfer]:
    """A return of which a part is a share of the round's prize, changed into the bettor's currency."""
    if payout.returns_minor > payout.share_minor:
        yield _return(_but_for_share(payout), purse, revision)
    source, currency = prize_account(purse.round), payout.currency or purse.currency
    if currency != prize.currency:
        exchange = exchange_account(currency, prize.currency)
        yield Transfer(
            purse.round, payout.id, "exchange", source, exchange, prize.share_minor, prize.currency, revision
        )
        source = exchange
    yield Transfer(purse.round, payout.id, "share", source, payout.account, payout.share_minor, currency, revision)


def _unshared(payout: Payout, purse: Purse, prize: Prize, revision: int) -> Iterator[Transfer]:
    """A share goes back into the round's prize, by the way it came."""
    target, currency = prize_account(purse.round), payout.currency or purse.currency
    exchange = exchange_account(currency, prize.currency) if currency != prize.currency else target
    yield Transfer(
        purse.round, payout.id, "reverse_share", payout.account, exchange, payout.share_minor, currency, revision
    )
    if exchange != target:
        yield Transfer(
            purse.round, payout.id, "exchange_back", exchange, target, prize.share_minor, prize.currency, revision
        )
    if payout.returns_minor > payout.share_minor:
        yield _reverse_return(_but_for_share(payout), purse, revision)


def _but_for_share(payout: Payout) -> Payout:
    return structs.replace(payout, returns_minor=payout.returns_minor - payout.share_minor, share_minor=0)


def _given(payout: Payout, purse: Purse, revision: int) -> Iterator[Transfer]:
    """All that a bet gives back."""
    if payout.share_minor and purse.prize:
        yield from _shared(payout, purse, purse.prize, revision)
    elif payout.returns_minor:
        yield from _returned(payout, purse, revision)


def _taken_back(payout: Payout, purse: Purse, revision: int) -> Iterator[Transfer]:
    """All that a bet gave back goes where it came from."""
    if payout.share_minor and purse.prize:
        yield from _unshared(payout, purse, purse.prize, revision)
    elif payout.returns_minor:
        yield from _unreturned(payout, purse, revision)


def voiding_transfers(bets: Iterable[PlacedBet | Payout], purse: Purse, revision: int = 0) -> tuple[Transfer, ...]:
    """Each pending stake from escrow back to where it came from."""
    escrow = purse.escrow
    return tuple(
        Transfer(
            purse.round, bet.id, "void", escrow, bet.account, bet.stake_minor, bet.currency or purse.currency, revision
        )
        for bet in bets
    )


def resettling_transfers(
    before: Iterable[Payout], after: Iterable[Payout], purse: Purse, revision: int
) -> tuple[Transfer, ...]:
    """The returns that changed: what was paid is reversed, then the right amount paid; nothing else moves.

    `before` and `after` are the same bets in the same order. What a bet gives back follows what it gave before, so
    what a balance must cover is only their difference. A share of the round's prize that stays stays where it is.
    """
    _check_revision(revision)
    made: list[Transfer] = []
    for old, new in zip(before, after, strict=True):
        if (old.id, old.account, old.stake_minor) != (new.id, new.account, new.stake_minor):
            raise InvariantError(f"Bet {new.id} cannot be resettled: it stands where bet {old.id} was settled.")
        if old.returns_minor == new.returns_minor:
            continue
        if old.share_minor == new.share_minor:
            old, new = _but_for_share(old), _but_for_share(new)
        made.extend(_taken_back(old, purse, revision))
        made.extend(_given(new, purse, revision))
    return tuple(made)


def unsettling_transfers(
    payouts: Iterable[Payout], purse: Purse, revision: int, *, pending: bool = False
) -> tuple[Transfer, ...]:
    """What was settled is void after all: returns and postings are reversed, then every stake goes back.

    `pending`: the stakes stay in the escrow, for the round goes on.
    """
    _check_revision(revision)
    escrow, house = purse.escrow, purse.house
    made: list[Transfer] = []
    for each in payouts:
        made.extend(_taken_back(each, purse, revision))
        made.append(
            Transfer(
                purse.round,
                each.id,
                "reverse_post",
                house,
                escrow,
                each.stake_minor,
                each.currency or purse.currency,
                revision,
            )
        )
        if not pending:
            made.extend(voiding_transfers((each,), purse, revision))
    return tuple(made)


def payouts_digest(payouts: Iterable[Payout], since: str = "") -> str:
    """SHA-256 chained over the payouts, one canonical line each: the same however they are cut into chunks.

    A line is the compact JSON array of bet id, bet, account, stake and return. `since` is the digest so far.
    """
    digest = bytes.fromhex(since)
    encode = msgspec.json.Encoder().encode
    for each in payouts:
        line = encode((each.id, each.bet, each.account, each.stake_minor, each.returns_minor))
        digest = sha256(digest + line).digest()
    return digest.hex()


def _returned(payout: Payout, purse: Purse, revision: int) -> Iterator[Transfer]:
    """What the bettor gets, and what of a free stake goes back to the promotion."""
    free = free_minor(payout)
    if payout.returns_minor > free:
        yield _return(payout, purse, revision)
    if free:
        yield Transfer(
            purse.round, payout.id, "free_return", purse.house, promotion_of(payout), free,
            payout.currency or purse.currency, revision,
        )  # fmt: skip


def _unreturned(payout: Payout, purse: Purse, revision: int) -> Iterator[Transfer]:
    """Both of it goes back to the house."""
    if own_minor(payout):
        yield _reverse_return(payout, purse, revision)
    if free_minor(payout):
        yield Transfer(
            purse.round, payout.id, "reverse_free_return", promotion_of(payout), purse.house, free_minor(payout),
            payout.currency or purse.currency, revision,
        )  # fmt: skip


def _return(payout: Payout, purse: Purse, revision: int) -> Transfer:
    return Transfer(
        purse.round, payout.id, "return", purse.house, purse_account(payout.account), own_minor(payout),
        payout.currency or purse.currency, revision,
    )  # fmt: skip


def _reverse_return(payout: Payout, purse: Purse, revision: int) -> Transfer:
    return Transfer(
        round=purse.round,
        bet=payout.id,
        kind="reverse_return",
        debit=purse_account(payout.account),
        credit=purse.house,
        amount_minor=own_minor(payout),
        currency=payout.currency or purse.currency,
        revision=revision,
    )


def _check_revision(revision: int) -> None:
    if revision < 1:
        raise InvariantError(f"A correction needs a revision of 1 or more, not {revision}.")
