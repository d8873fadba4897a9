"""Takes bets: answered one by one, in the order sent, durable when they are accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from studio.errors import RefusedError
from studio.journal import Entry, Unit
from studio.money import Answer, Offer, answer_of, convert_minor
from studio.rulebook.script import Decide, OpenBets
from studio.tables.books.book import sift, with_companions
from studio.tables.books.commit import DurableTable
from studio.tables.books.exposure import REFUSALS as EXPOSURE_REFUSALS
from studio.tables.books.taken import TakenStakes, Weighed, entry_of, nothing_taken
from studio.tables.config import TableConfig
from studio.tables.event import table as e
from studio.tables.state.round import Round
from studio.tables.state.table import awaited
from studio.value import replace
from studio.wallets.record import WalletAnswered


def place_bets(
    table: DurableTable, offers: Sequence[Offer], at_ms: int, taken: TakenStakes | None = None
) -> tuple[Answer, ...]:
    """Take a batch of bets. Ids and the round are given here; `taken`, what bettors' own wallets gave for them.

    A bet of this round that is sent again is a duplicate, however late and whatever is full by now.
    """
    stakes = taken or nothing_taken()

    def placed(sifted: Sequence[Offer | Answer], round: Round) -> Iterable[Answer]:
        batch = [stakes.give(offer) for offer in _batch(table, sifted)]
        told = zip(batch, _store(table, batch, stakes), strict=True)
        return (answer for offer, answer in told if not offer.beside)

    return tuple(_answered(table, offers, table.now(at_ms), placed))


def weigh_bets(table: DurableTable, offers: Sequence[Offer], at_ms: int) -> tuple[Answer | Weighed, ...]:
    """What would become of a batch of bets now; nothing is placed."""

    def weighed(sifted: Sequence[Offer | Answer], round: Round) -> Iterable[Weighed]:
        led: list[list[Offer]] = []
        for offer in _batch(table, sifted):
            if offer.beside:
                led[-1].append(offer)
            else:
                led.append([offer])
        return (Weighed(tuple(each), round.window.closes_at_ms or 0) for each in led)

    return tuple(_answered(table, offers, table.now(at_ms), weighed))


T = TypeVar("T")


def _answered(
    table: DurableTable, offers: Sequence[Offer], now: int,
    each: Callable[[Sequence[Offer | Answer], Round], Iterable[T]],
) -> Iterator[Answer | T]:  # fmt: skip
    """One answer for each offer, in order: the earlier answer to a repeated offer, a refusal, or what `each` answers to
    the rest.
    """
    answers: dict[int, Answer | T] = {}
    new: list[tuple[int, Offer]] = []
    for at, offer in enumerate(offers):
        if (again := table.book.again(offer)) is not None:
            answers[at] = again
        else:
            new.append((at, offer))
    if new:
        told = _new_bets(table, [offer for _, offer in new], now, each, alone=not answers)
        answers.update((at, answer) for (at, _), answer in zip(new, told, strict=True))
    return (answers[at] for at in range(len(offers)))


def _new_bets(
    table: DurableTable, offers: Sequence[Offer], now: int,
    each: Callable[[Sequence[Offer | Answer], Round], Iterable[T]], *, alone: bool,
) -> Sequence[Answer | T]:  # fmt: skip
    """Answers in their order; where nothing can be placed at all, `RefusedError` if these are `alone`."""
    try:
        round, step = need_window(table, now, OpenBets)
        bets = step.bets
    except RefusedError as refused:
        if alone:
            raise
        return [answer_of(refused, offer.client_id) for offer in offers]
    late = {at: _late(offer) for at, offer in enumerate(offers) if offer.round not in ("", round.id)}
    named = [_named(offer, table.state.config, round) for at, offer in enumerate(offers) if at not in late]
    told = iter(_sifted(table, named, bets, lambda sifted: each(sifted, round)))
    return [late[at] if at in late else next(told) for at in range(len(offers))]


def _late(offer: Offer) -> Answer:
    sentence = f"This bet was for round {offer.round}, which takes no more bets; place it anew for the round that does."
    return Answer(offer.client_id, "", "refused", "round_over", sentence)


def _sifted(
    table: DurableTable, named: Sequence[Offer], bets: Sequence[str],
    each: Callable[[Sequence[Offer | Answer]], Iterable[T]],
) -> Sequence[Answer | T]:  # fmt: skip
    sifted = sift(named, table.book, table.state.config, bets)
    _count_refused(table, sifted)
    stands = iter(each(sifted))
    return [next(stands) if isinstance(one, Offer) else one for one in sifted]


def _batch(table: DurableTable, sifted: Sequence[Offer | Answer]) -> list[Offer]:
    """What goes to the writer: what may stand, and what the house places beside it."""
    return with_companions([one for one in sifted if isinstance(one, Offer)], table.state.game)


def _count_refused(table: DurableTable, sifted: Sequence[Offer | Answer]) -> None:
    """The pit hears of bets that find no room, though no journal does."""
    refused = sum(isinstance(one, Answer) and one.key in EXPOSURE_REFUSALS for one in sifted)
    table.book.exposed.refused += refused
    if refused:
        table.publish()


def _store(table: DurableTable, offers: Sequence[Offer], taken: TakenStakes) -> tuple[Answer, ...]:
    if not offers:
        return ()
    placed: list[e.PlacedBet] = []
    ended: WalletAnswered | None = None

    def entries(accepted: Sequence[Offer]) -> Iterator[Entry]:
        nonlocal ended
        placed[:] = [e.PlacedBet.of(offer) for offer in accepted]  # a group may be written twice
        if placed:
            yield from table.entries((e.BetsPlaced(bets=tuple(placed)),))
        yield from entry_of(ended := taken.ends(offers, accepted, table.at_ms))

    receipt = table.store(Unit(offers=tuple(offers), entries_for_bets=entries))
    taken.book(ended)
    if not any(answer.status == "accepted" for answer in receipt.answers):
        placed.clear()  # it was accepted in a group that was taken back, and not asked again
    if placed:
        table.believe((e.BetsPlaced(bets=tuple(placed)),), receipt.last_seq)
    return receipt.answers


S = TypeVar("S", OpenBets, Decide)


def need_window(table: DurableTable, now: int, kind: type[S]) -> tuple[Round, S]:
    """The round and the step whose window is open now; refused with a sentence when none is."""
    state, round, waiting = table.state, table.state.round, awaited(table.state)
    step = waiting.step if waiting else None
    if round is None or round.window.closes_at_ms is None or not isinstance(step, kind):
        raise RefusedError("closed", _CLOSED[kind])
    if state.held or table.storage_failed:
        raise RefusedError("held", "The table is held and takes no bets until it goes on.")
    if now >= round.window.closes_at_ms:
        raise RefusedError("closed", _CLOSED[kind])
    return round, step


_CLOSED: Final[Mapping[type, str]] = {
    OpenBets: "Bets are closed; wait for the next betting window.",
    Decide: "No decision is open now; wait for the next one.",
}


def _named(offer: Offer, config: TableConfig, round: Round) -> Offer:
    """The offer with what the table gives it: its id, its round, and its worth there."""
    return replace(
        offer, bet_id=f"{offer.operator}/{offer.client_id}", table=config.key, round=round.id,
        worth_minor=_worth(offer.stake_minor, offer.currency, config, round),
    )  # fmt: skip


def staked_by(table: DurableTable, round: Round, choice: e.Decision, bet: str, stake_minor: int) -> Offer:
    """The bet a decision places, under its own client id and in the currency its bettor plays in."""
    config, operator, bettor = table.state.config, choice.operator, choice.bettor
    currency = table.book.currency_of((operator, bettor)) or config.currency
    return _named(Offer("", operator, choice.client_id, bettor, "", "", bet, stake_minor, currency), config, round)


def _worth(stake_minor: int, currency: str, config: TableConfig, round: Round) -> int | None:
    """In the table's own currency, where it is another that this round has a rate for."""
    if currency == config.currency or round.rates is None or currency not in round.rates.worth:
        return None
    return convert_minor(stake_minor, currency, config.currency, round.rates)
