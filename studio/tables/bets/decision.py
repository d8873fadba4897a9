"""Takes bettors' decisions: answered one by one, durable with the stakes they add.

A decision that adds a stake is taken only if the money is there; folding and checking cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from studio.errors import RefusedError
from studio.journal import Entry, Unit
from studio.money import Answer, Offer, answer_of, format_minor
from studio.rulebook.script import Decide
from studio.tables.bets.choice import take_choices, weigh_choice
from studio.tables.bets.placement import need_window, staked_by
from studio.tables.books.book import decided_again
from studio.tables.books.commit import DurableTable
from studio.tables.books.taken import TakenStakes, Weighed, entry_of, nothing_taken
from studio.tables.event import table as e
from studio.tables.limit import limit_in
from studio.tables.state.round import Round
from studio.wallets.record import WalletAnswered

_Sifted = Answer | tuple[e.Decision, Offer | None]


def take_decisions(
    table: DurableTable, choices: Sequence[e.Decision], at_ms: int, taken: TakenStakes | None = None
) -> tuple[Answer, ...]:
    """Take a batch of decisions, each answered in the order sent; one sent again is a duplicate, however late.

    `taken`: what bettors' own wallets gave for what they stake.
    """
    now, stakes = table.now(at_ms), taken or nothing_taken()
    if is_by_box(table):
        return take_choices(table, choices, now, stakes)
    first: dict[tuple[str, str], e.Decision] = {}
    for choice in choices:
        first.setdefault((choice.operator, choice.client_id), choice)
    told = dict(zip(first, _take(table, tuple(first.values()), now, stakes), strict=True))
    unsaid = set(first)
    answers = []
    for choice in choices:
        name = (choice.operator, choice.client_id)
        answers.append(told[name] if name in unsaid else _repeated(first[name], choice, told[name]))
        unsaid.discard(name)
    return tuple(answers)


def _repeated(first: e.Decision, choice: e.Decision, answer: Answer) -> Answer:
    """An id that comes twice in a batch is decided by the first."""
    return answer if first == choice and answer.status == "refused" else decided_again(first, choice)


def weigh_decisions(table: DurableTable, choices: Sequence[e.Decision], at_ms: int) -> tuple[Answer | Weighed, ...]:
    """How each of these decisions would be answered now, or what it would stake; nothing is stored.

    Where boxes decide in turn, each choice is weighed as if it were the only one.
    """
    now = table.now(at_ms)
    if is_by_box(table):
        return tuple(weigh_choice(table, choice, now) for choice in choices)
    round = table.state.round
    closes_at_ms = round.window.closes_at_ms or 0 if round else 0
    return tuple(
        one if isinstance(one, Answer) else Weighed((one[1],) if one[1] else (), closes_at_ms)
        for one in _sifted(table, choices, now)
    )


def is_by_box(table: DurableTable) -> bool:
    """Whether boxes or seats decide, each for itself, and not every bettor at once."""
    return table.state.game.owned is not None or table.state.game.peers is not None


def _take(table: DurableTable, choices: Sequence[e.Decision], now: int, taken: TakenStakes) -> Sequence[Answer]:
    sifted = _sifted(table, choices, now)
    passed = [
        (one[0], taken.give(one[1]) if one[1] is not None else None) for one in sifted if not isinstance(one, Answer)
    ]
    told = iter(_store(table, passed, taken))
    return [one if isinstance(one, Answer) else next(told) for one in sifted]


def _sifted(table: DurableTable, choices: Sequence[e.Decision], now: int) -> list[_Sifted]:
    """For each choice its earlier answer, its refusal, or the choice itself with what it stakes."""
    try:
        window = need_window(table, now, Decide)
    except RefusedError as refused:
        return [table.book.decided(choice) or answer_of(refused, choice.client_id) for choice in choices]
    sifted: list[_Sifted] = []
    seen: set[tuple[str, str]] = set()
    for choice in choices:
        found = table.book.decided(choice) or _sift(table, choice, window, seen)
        sifted.append(found)
        if not isinstance(found, Answer):  # what was refused, or decided earlier, decides nothing here
            seen.add((choice.operator, choice.bettor))
    return sifted


def _sift(table: DurableTable, choice: e.Decision, window: tuple[Round, Decide], seen: set[tuple[str, str]]) -> _Sifted:
    try:
        return choice, _raise(table, choice, window, seen)
    except RefusedError as refused:
        return answer_of(refused, choice.client_id)


def _raise(
    table: DurableTable, choice: e.Decision, window: tuple[Round, Decide], seen: set[tuple[str, str]]
) -> Offer | None:
    """The stake this decision adds, None where it adds none; refused where it may not be made."""
    round, step = window
    game, conduct, who = table.state.game, table.book.conduct, (choice.operator, choice.bettor)
    if choice.option not in step.options:
        raise RefusedError("no_such_option", f"The options now are {', '.join(step.options)}: choose one of them.")
    if conduct.has_folded(who):
        raise RefusedError("folded", "The bettor has folded; the side bets live on without a decision.")
    if who in seen or conduct.has_decided(who):
        raise RefusedError("decided", "The bettor has decided already; the first decision stands.")
    if not conduct.owes(game, step, who):
        raise RefusedError("nothing_to_decide", "The bettor has nothing to decide now.")
    raised = game.decisions.raise_of(choice.option, conduct.stakes(who))
    if raised is None:
        return None
    bet, stake_minor = raised
    offer = staked_by(table, round, choice, bet, stake_minor)
    _need_room(table, offer)
    return offer


def _need_room(table: DurableTable, offer: Offer) -> None:
    """A raise follows from the ante and its limits; a table may have a lower limit for it alone."""
    config = table.state.config
    if (found := config.limits.get(offer.bet)) is None:
        return
    limit = limit_in(found, offer.currency, config)
    if offer.stake_minor > limit.most_minor:
        most = format_minor(limit.most_minor, offer.currency)
        raise RefusedError(
            "over_limit", f"That stakes more than {most} on {offer.bet}: choose a smaller raise, or none."
        )


def _store(table: DurableTable, passed: Sequence[tuple[e.Decision, Offer | None]], taken: TakenStakes) -> list[Answer]:
    """Store these decisions as one unit, and answer them in the order given. A choice that costs nothing always stands;
    a raise stands only if the writer accepts its stake.
    """
    if not passed:
        return []
    free = tuple(choice for choice, offer in passed if offer is None)
    raises = {offer.bet_id: (choice, offer) for choice, offer in passed if offer is not None}
    offers = tuple(offer for _, offer in raises.values())
    placed: list[e.PlacedBet] = []
    ended: WalletAnswered | None = None

    def with_raises(accepted: Sequence[Offer]) -> Iterator[Entry]:
        nonlocal ended
        placed[:] = [e.PlacedBet.of(offer) for offer in accepted]  # a group may be written twice
        if placed:
            yield from table.entries((_raised(raises, placed),))
        yield from entry_of(ended := taken.ends(offers, accepted, table.at_ms))

    entries = tuple(table.entries((e.DecisionsTaken(decisions=free),))) if free else ()
    receipt = table.store(Unit(entries=entries, offers=offers, entries_for_bets=with_raises))
    taken.book(ended)
    if not any(answer.status == "accepted" for answer in receipt.answers):
        placed.clear()  # it was accepted in a group that was taken back, and not asked again
    told: list[e.AnyEvent] = [e.DecisionsTaken(decisions=free)] if free else []
    if placed:
        told.append(_raised(raises, placed))
    if told:
        table.believe(tuple(told), receipt.last_seq)
    answers = iter(receipt.answers)
    return [
        next(answers) if offer is not None else Answer(choice.client_id, "", "accepted") for choice, offer in passed
    ]


def _raised(raises: Mapping[str, tuple[e.Decision, Offer]], placed: Sequence[e.PlacedBet]) -> e.DecisionsTaken:
    return e.DecisionsTaken(decisions=tuple(raises[bet.bet_id][0] for bet in placed), bets=tuple(placed))
