"""Counts a simulated night's money and its pot once more, from the ledger, the bets and the faces of the cards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import floor
from typing import Final

from dealer_ui.rehearsal.check.chip import ChipCheck
from dealer_ui.rehearsal.opinions import OPINIONS, STANDING, Dealt
from dealer_ui.rehearsal.opinions.rank import five_name
from studio.games import find_game
from studio.jackpot import PotTerms
from studio.money import Transfer, bettor_account, escrow_account, house_account, pot_account
from studio.rounds import AnyFact
from studio.tables.event import table as e
from studio.tables.event.table import PlacedBet
from studio.tables.state.room import Player

KINDS: Final = frozenset({"seed", "feed", "unfeed", "claim", "leftover", "reset"})
"""What moves in and out of a pot; a share of it is paid on the bet that won it."""
_PER_CENT: Final = 100
_ROYAL: Final = "royal"


class MoneyCheck:
    """Each bet is posted or given back once, pays what a second opinion says, and nothing appears or vanishes."""

    def __init__(self, table: str, game: str, currency: str = "EUR") -> None:
        self._house = house_account(table)
        self._chips = ChipCheck(table, game, currency) if find_game(game).peers else None
        self._game = game
        self._round = ""
        self._bets: dict[str, e.PlacedBet] = {}
        self._gone: set[str] = set()
        """Ids of bets that went back while the round went on."""
        self._stands: Mapping[str, str] = {}
        """In a void round, the bets that are paid all the same, and what a stake of 1 on them returns."""
        self._facts: list[AnyFact] = []
        self.balances: Counter[str] = Counter()
        self._pot: PotCheck | None = None
        self.rows = 0
        """Rows of the ledger accounted for."""

    def take(self, event: e.AnyEvent) -> None:
        """Follow one event."""
        if self._chips is not None:
            self.deposit(self._chips.take(event))
        match event:
            case e.RoundStarted(round=round):
                self._round = round
                self._bets.clear()
                self._gone.clear()
                self._stands = {}
                self._facts.clear()
            case e.BetsReturned(bets=ids):
                self._gone.update(ids)
            case e.RoundVoided(paid=paid):
                self._stands = paid
            case e.RedealOrdered():
                self._facts.clear()
            case e.FactStood(fact=fact):
                self._facts.append(fact)
            case e.BetsPlaced(bets=bets) | e.DecisionsTaken(bets=bets):
                self._bets.update({bet.bet_id: bet for bet in bets})

    def begin_pot(self, terms: PotTerms, bet: str, seeded: Sequence[Transfer]) -> Iterator[str]:
        """The table has a pot that stakes on `bet` feed."""
        self.deposit(seeded)
        self._pot = PotCheck(terms, bet, seeded)
        yield from self._pot.seeded()

    def deposit(self, transfers: Iterable[Transfer]) -> None:
        for transfer in transfers:
            self._move(transfer)

    def settled(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round was settled with these transfers; what went back before is no bet of it any more."""
        yield from self._after(transfers)
        try:
            due = self._due()
        except (LookupError, ValueError) as error:
            yield f"The cards of round {self._round} cannot be paid: {error!r}"
            return
        if self._pot is not None:
            yield from self._pot.settled(self._bets.values(), transfers, Dealt.of(self._facts))
        left = _of_bets(transfers)
        yield from self._once(left, self._gone)
        yield from self._paid(left, due)

    def voided(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round was voided with these transfers: every stake went back where it came from, or stands [HG8]."""
        given_back = {id for id, bet in self._bets.items() if bet.bet not in self._stands or id in self._gone}
        if self._pot is not None:
            yield from self._pot.voided(self._bets.values(), transfers)
        left = _of_bets(transfers)
        yield from self._once(left, given_back)
        yield from self._paid(left, self._won(set(self._bets) - given_back))
        yield from self._after(transfers)

    def _once(self, transfers: Sequence[Transfer], given_back: Set[str]) -> Iterator[str]:
        """Every bet is reserved once and then goes the one way due, with its whole stake."""
        moved: dict[tuple[str, str], list[int]] = defaultdict(list)
        for transfer in transfers:
            moved[transfer.bet, transfer.kind].append(transfer.amount_minor)
            if transfer.bet not in self._bets:
                yield f"Money moved for bet {transfer.bet}, which was never placed in round {self._round}."
            if transfer.kind == "void" and transfer.credit != self._source(transfer):
                yield f"The stake of bet {transfer.bet} went back to {transfer.credit}."
        for id, bet in self._bets.items():
            due, other = ("void", ("post", "return")) if id in given_back else ("post", ("void",))
            for kind in ("reserve", due):
                if moved[id, kind] != [bet.stake_minor]:
                    yield f"Bet {id} of {bet.stake_minor} has these of kind {kind}: {moved[id, kind]}."
            for kind in (*other, "reverse_post", "reverse_return"):
                if moved[id, kind]:
                    yield f"Bet {id} has a {kind}, and only a {due} is due."

    def _paid(self, transfers: Sequence[Transfer], due: Mapping[str, int]) -> Iterator[str]:
        """Check that each bet got back what is due, and that the house paid it to whoever staked it."""
        returned = Counter({t.bet: t.amount_minor for t in transfers if t.kind == "return"})
        promoted = Counter({t.bet: t.amount_minor for t in transfers if t.kind == "free_return"})
        for id, amount_minor in due.items():
            bet = self._bets[id]
            back_minor = min(amount_minor, bet.stake_minor) if bet.free else 0
            if promoted[id] != back_minor:
                yield f"Of bet {id} {promoted[id]} went back to the promotion; {back_minor} are due there."
            amount_minor -= back_minor
            if returned[id] != amount_minor:
                said = f"returned {returned[id]}; the cards make it {amount_minor}"
                yield f"Bet {id} ({bet.bet}, {bet.stake_minor}) {said}."
        for transfer in transfers:
            if transfer.kind == "return" and (transfer.debit, transfer.credit) != (self._house, self._owner(transfer)):
                yield f"The return of bet {transfer.bet} went from {transfer.debit} to {transfer.credit}."

    def _after(self, transfers: Sequence[Transfer]) -> Iterator[str]:
        self.deposit(transfers)
        if left := self.balances.pop(escrow_account(self._round), 0):
            yield f"{left} lie in the escrow of round {self._round}, which is over."
        if total := sum(self.balances.values()):
            yield f"The balances sum to {total} after round {self._round}, not to zero."

    def compare(self, balance: Callable[[str], int], players: Mapping[str, Player]) -> Iterator[str]:
        """Hold the fold of the ledger, and what the pot should hold, against the balances and stacks as they are."""
        if self._chips is not None:
            yield from self._chips.compare(players, self.balances)
        if self._pot is not None and balance(self._pot.account) != self._pot.holds_minor:
            yield f"The pot holds {balance(self._pot.account)}; its bets and wins make it {self._pot.holds_minor}."
        for account, amount_minor in self.balances.items():
            if balance(account) != amount_minor:
                yield f"{account} holds {balance(account)}; its transfers make it {amount_minor}."

    def _move(self, transfer: Transfer) -> None:
        self.rows += 1
        self.balances[transfer.debit] -= transfer.amount_minor
        self.balances[transfer.credit] += transfer.amount_minor

    def _source(self, transfer: Transfer) -> str:
        """Where the stake came from: its bettor, or a grant of free bets."""
        bet = self._bets.get(transfer.bet)
        if bet is not None and bet.free:
            return f"promotion:{bet.operator}:{bet.bettor}/{bet.free}"
        return self._owner(transfer)

    def _owner(self, transfer: Transfer) -> str:
        bet = self._bets.get(transfer.bet)
        return bettor_account(bet.operator, bet.bettor) if bet else ""

    def _due(self) -> dict[str, int]:
        """What every bet of the finished deal is due, in minor units."""
        if self._chips is not None:
            standing = (bet for id, bet in self._bets.items() if id not in self._gone)
            return dict(self._chips.due(standing, self._facts))
        dealt, opinion = Dealt.of(self._facts), OPINIONS[self._game]
        due: dict[str, int] = {}
        for bets in _by_bettor(self._bets, set(self._bets) - self._gone):
            staked: Counter[str] = Counter()
            for bet in bets:
                staked[bet.bet] += bet.stake_minor
            due |= _returns(self._game, bets, opinion(dealt, staked))
        return due

    def _won(self, ids: Set[str]) -> dict[str, int]:
        """What the bets that stand in a void round are due."""
        back = STANDING[self._game](Dealt.of(self._facts)) if ids else {}
        return {id: due for bets in _by_bettor(self._bets, ids) for id, due in _returns(self._game, bets, back).items()}


def _by_bettor(bets: Mapping[str, e.PlacedBet], ids: Set[str]) -> Iterable[list[e.PlacedBet]]:
    """The bets of these ids, those of each bettor together."""
    found: dict[tuple[str, str], list[e.PlacedBet]] = defaultdict(list)
    for id, bet in bets.items():
        if id in ids:
            found[bet.operator, bet.bettor].append(bet)
    return found.values()


def _returns(game: str, bets: Iterable[e.PlacedBet], back: Mapping[str, Fraction]) -> dict[str, int]:
    """Where a decision adds to a stake, both are rounded together, and the return lies on the first; a free stake is
    rounded by itself.
    """
    due: dict[str, int] = {}
    counted: Counter[tuple[str, str]] = Counter()
    for bet in bets:
        counted[bet.bet, bet.free] += bet.stake_minor
    for bet in bets:
        stake_minor = counted.pop((bet.bet, bet.free), 0) if game in _MERGED else bet.stake_minor
        due[bet.bet_id] = floor(stake_minor * back.get(bet.bet, 0))
    return due


def _of_bets(transfers: Sequence[Transfer]) -> Sequence[Transfer]:
    """The transfers that remain of each bet in the end.

    Left out: transfers between the house and the pot, payments for a part of the round that were reversed, and advances
    to a purse that could not cover its bet.
    """
    left: dict[tuple[str, str], list[Transfer]] = defaultdict(list)
    for transfer in transfers:
        undone = _REVERSED.get(transfer.kind)
        paid = left.get((transfer.bet, undone or ""))
        if paid and _is_reverse(paid[-1], transfer):
            paid.pop()
        elif transfer.kind not in (*KINDS, *_ADVANCED):
            left[transfer.bet, transfer.kind].append(transfer)
    return [transfer for each in left.values() for transfer in each]


def _is_reverse(transfer: Transfer, other: Transfer) -> bool:
    there, back = (transfer.debit, transfer.credit), (other.credit, other.debit)
    return there == back and transfer.amount_minor == other.amount_minor


_REVERSED: Final = {"reverse_post": "post", "reverse_return": "return", "reverse_free_return": "free_return"}
_ADVANCED: Final = ("advance", "repay", "write_off")


_MERGED: Final = frozenset({"blackjack"})
"""Games in which a decision adds to a stake that lies already."""


class PotCheck:
    """One pot, fed by one table. `holds_minor` is what it should hold."""

    def __init__(self, terms: PotTerms, bet: str, seeded: Iterable[Transfer]) -> None:
        self._terms = terms
        self._bet = bet
        self.holds_minor = sum(transfer.amount_minor for transfer in seeded if transfer.kind == "seed")

    @property
    def account(self) -> str:
        return pot_account(self._terms.key)

    def seeded(self) -> Iterator[str]:
        if self.holds_minor != self._terms.seed_minor:
            yield f"The pot was seeded with {self.holds_minor}; it is to begin with {self._terms.seed_minor}."

    def settled(self, bets: Iterable[PlacedBet], transfers: Sequence[Transfer], dealt: Dealt) -> Iterator[str]:
        """The round was settled: its part of the stakes is in the pot, and a royal flush with a bet takes it all."""
        staked = [bet.stake_minor for bet in bets if bet.bet == self._bet]
        due = {"feed": sum(stake_minor * self._terms.share_percent // _PER_CENT for stake_minor in staked)}
        self.holds_minor += due["feed"]
        if staked and self._is_won(dealt):
            shared = sum(transfer.amount_minor for transfer in transfers if transfer.kind == "share")
            due |= {"claim": self.holds_minor, "leftover": self.holds_minor - shared, "reset": self._terms.reset_minor}
            self.holds_minor = due["leftover"] + due["reset"]
        yield from self._compare(transfers, due)

    def voided(self, bets: Iterable[PlacedBet], transfers: Sequence[Transfer]) -> Iterator[str]:
        """The round is void: what it had put in, if its betting was closed, is out again."""
        fed = sum(transfer.amount_minor for transfer in transfers if transfer.kind == "feed")
        staked = (bet.stake_minor for bet in bets if bet.bet == self._bet)
        due = sum(stake_minor * self._terms.share_percent // _PER_CENT for stake_minor in staked) if fed else 0
        yield from self._compare(transfers, {"feed": due, "unfeed": due})

    def _is_won(self, dealt: Dealt) -> bool:
        return five_name((*dealt.hands["player"], *dealt.hands["board"][:3])) == _ROYAL

    def _compare(self, transfers: Sequence[Transfer], due: dict[str, int]) -> Iterator[str]:
        """Each kind moved once, with what is due, and no other kind at all."""
        for kind in sorted(KINDS):
            moved = [transfer.amount_minor for transfer in transfers if transfer.kind == kind]
            wanted = [due[kind]] if due.get(kind) else []
            if moved != wanted:
                yield f"The pot has these of kind {kind}: {moved}; due are {wanted}."
