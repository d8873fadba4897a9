"""A prize lost with a voided round: it becomes a case, is decided by a person, and is paid [HG20]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from studio.cards import Card
from studio.errors import RefusedError
from studio.money import AMOUNT_MINOR_MAX, Rates, Transfer, convert_minor, house_account
from studio.people import need_fresh_pin, need_right
from studio.rounds import AnyFact, CardDealt, corrected
from studio.rulebook.game import Game
from studio.rulebook.script import Hands, Rules
from studio.settlement import CHUNK_BETS, Claim, PlacedBet, compensations, lost_prizes
from studio.tables import command as c
from studio.tables.draft import Draft
from studio.tables.event import table as e
from studio.tables.event.situation import PrizeLost, PrizePaid, Situation
from studio.tables.incident import tell
from studio.tables.state.aftermath import Case
from studio.tables.state.incident import Incident
from studio.tables.state.pot import PotStanding
from studio.tables.state.round import Round
from studio.tables.state.table import TableState
from studio.value import replace
from studio.written_number import read_fraction

Money = tuple[str, Rates | None]
"""The table's own currency, and the rates of the round where there are others."""

ROW = "HG20"
PAYS = ("full", "each", "none")
NO_LINE = ("", Fraction(-1))
"""A prize that only a person speaks of: nobody can tell what it would have been."""


def prize_shown(game: Game, rules: Rules, facts: Sequence[AnyFact]) -> tuple[str, Fraction] | None:
    """The prize that the open cards of an unfinished deal show already, with what a stake of 1 comes back as."""
    hands: dict[str, tuple[Card, ...]] = {}
    for fact in corrected(facts):
        if isinstance(fact, CardDealt) and fact.face is not None:
            hands[fact.box] = (*hands.get(fact.box, ()), fact.face)
    shown: Hands = hands
    return game.pot.prize_in(rules, shown)


def tell_lost_prize(draft: Draft, incident: Incident, by: str) -> str:
    """Before a round is voided whose cards show a prize that bettors hold: the record says so.

    Gives the id of the incident that a case for compensation hangs on, empty where there is none.
    """
    round = draft.round
    if round is None or not round.live or not round.stakes.prize_bets:
        return ""
    if incident.kind == "prize_lost":
        return incident.id
    if prize_shown(draft.state.game, round.rules, round.deal.facts) is None:
        return ""
    tell(draft, "prize_lost", by=by)
    return f"{draft.state.config.key}-i{draft.state.incidents.count}"


def open_case(draft: Draft, incident: str) -> None:
    """The round is void: what its bettors would have had is worked out as their stakes go back."""
    round = draft.round
    if not incident or round is None:
        return
    line, ret = prize_shown(draft.state.game, round.rules, round.deal.facts) or NO_LINE
    draft.emit(
        e.CompensationOpened(
            case=round.id, incident=incident, bet=draft.state.game.pot.bet, line=line, ratio=str(ret),
            bets=round.stakes.prize_bets, rates=round.rates,
        )
    )  # fmt: skip


def decide_compensation(draft: Draft, command: c.DecideCompensation) -> None:
    """A pit boss says for the provider what the bettors of a lost prize are paid; it is an exception on record."""
    need_right(command.actor, "compensate")
    need_fresh_pin(command.actor, draft.at_ms)
    case = draft.state.case(command.case)
    if case is None or case.pays:
        raise RefusedError("case_closed", "This case is decided already; look at the round's record.")
    if not case.assessed:
        raise RefusedError("not_assessed", "The stakes of this round are still going back; decide when they are back.")
    words = command.words.strip()
    if not command.reason_code or not words:
        raise RefusedError("reason_needed", "Choose a reason and write a few words: they are kept.")
    amount_minor = _amount(case, command)
    currency = draft.state.config.currency
    decided = replace(case, pays=command.pays, amount_minor=amount_minor)
    paid = worth(decided, case.claims, tuple(due_of(decided, currency)), currency)
    lost = PrizeLost(case.id, case.line, case.prizes_minor(currency), currency)
    draft.emit(
        e.CompensationDecided(
            case=case.id, pays=command.pays, amount_minor=amount_minor, by=command.actor.id,
            by_name=command.actor.name, reason_code=command.reason_code, words=words,
        ),
        e.ExceptionRecorded(
            incident=case.incident, act="compensate", asked_by=command.actor.id, approved_by="",
            before=Situation((lost,)), after=Situation((PrizePaid(paid, currency, case.bettors),)),
            reason_code=command.reason_code, words=words, row=ROW, bets=case.bets,
        ),
    )  # fmt: skip


def _amount(case: Case, command: c.DecideCompensation) -> int:
    if command.pays not in PAYS:
        raise RefusedError("unknown_pays", f"Choose what is paid: {', '.join(PAYS)}.")
    if command.pays != "each":
        return 0
    if not 0 < command.amount_minor <= AMOUNT_MINOR_MAX // max(case.bettors, 1):
        raise RefusedError("bad_amount", "Write an amount above zero for each bettor, in whole minor units.")
    return command.amount_minor


# --- the money ------------------------------------------------------------------------------------------


def assessed(case: Case, whole: Mapping[str, Claim], chunk: Sequence[PlacedBet]) -> e.CompensationAssessed | None:
    """The claims among the stakes that go back now; None where there are none."""
    claims = tuple(whole[bet.id] for bet in chunk if bet.id in whole)
    return e.CompensationAssessed(case=case.id, claims=claims) if claims else None


def claims_of(case: Case, round: Round, bets: Sequence[PlacedBet], currency: str) -> Mapping[str, Claim]:
    """Every claim of the round by its bet."""
    return claims_in((case.bet, read_fraction(case.ratio)), round.rules, round.pot, bets, (currency, round.rates))


def claims_in(
    prize: tuple[str, Fraction], rules: Rules, pot: PotStanding | None, bets: Sequence[PlacedBet], money: Money
) -> Mapping[str, Claim]:
    """`prize`: its bet, and what a stake of 1 comes back as; below 0 nobody can tell, and a claim is worth nothing."""
    (bet, ratio), (own, rates) = prize, money
    source, pot_minor = own, int(rules.get(f"{bet}_pot", 0))
    if pot is not None:
        source, pot_minor = pot.terms.currency, pot.returned.pot_minor if pot.returned else 0
    if ratio < 0:
        ratio, pot_minor = Fraction(0), 0

    def change(amount_minor: int, to: str) -> int:
        return convert_minor(amount_minor, source, to or own, rates)

    return {claim.bet_id: claim for claim in lost_prizes(bets, bet, ratio, pot_minor, change)}


def due_of(case: Case, currency: str) -> Iterator[int]:
    """What was decided for each claim, in its own currency."""

    def change(amount_minor: int, to: str) -> int:
        return convert_minor(amount_minor, currency, to or currency, case.rates)

    return compensations(case.claims, case.pays, case.amount_minor, change)


def worth(case: Case, claims: Sequence[Claim], due: Sequence[int], currency: str) -> int:
    """What is due for these claims, in the table's own currency."""
    return sum(
        convert_minor(amount_minor, claim.currency or currency, currency, case.rates)
        for claim, amount_minor in zip(claims, due, strict=True)
    )


def owed_case(state: TableState) -> Case | None:
    """The first case that was decided and is not paid yet."""
    return next((case for case in state.aftermath.cases if case.owes), None)


def next_compensation(table: str, currency: str, case: Case) -> tuple[tuple[e.AnyEvent, ...], tuple[Transfer, ...]]:
    """The next claims of a decided case, each paid once; the last closes it."""
    due = tuple(islice(due_of(case, currency), case.paid, case.paid + CHUNK_BETS))
    chunk = case.claims[case.paid : case.paid + len(due)]
    transfers = tuple(compensating(case.id, table, currency, chunk, due))
    cursor = case.paid + len(chunk)
    told = e.CompensationPaid(
        case=case.id,
        cursor=cursor,
        amount_minor=case.paid_minor + worth(case, chunk, due, currency),
        over=cursor == len(case.claims),
    )
    return (told,), transfers


def compensating(
    round: str, table: str, currency: str, claims: Sequence[Claim], due: Sequence[int]
) -> Sequence[Transfer]:
    """From the house to each bettor, under the round and the bet that lost its prize."""
    house = house_account(table)
    return [
        Transfer(round, claim.bet_id, "compensate", house, claim.account, amount_minor, claim.currency or currency)
        for claim, amount_minor in zip(claims, due, strict=True)
        if amount_minor
    ]
