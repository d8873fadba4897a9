"""The bets of the open round: beside the state, for there may be a hundred thousand of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final

from studio.games import find_game
from studio.money import Answer, Offer, beside_id, sent_again
from studio.rulebook.game import Game
from studio.rulebook.script import Decide
from studio.tables.books.exposure import Exposed
from studio.tables.config import Limit, TableConfig
from studio.tables.event import table as e
from studio.tables.event.table import Decision, PlacedBet
from studio.tables.limit import limit_in, limit_of, outside
from studio.tables.state.box import Owners, Who, box_of
from studio.tables.state.conduct import Conduct
from studio.value import replace

DECISIONS_KEPT: Final = 1_000
"""So many decisions of earlier rounds are known at most, beside those of the last one."""

Whose = tuple[str, str, str]
"""Operator, bettor and bet key."""


class Book:
    """Bets accepted for one round, in the order the journal has them, and what each bettor has out on each bet.

    Decisions of the rounds `before` are still known, as many as are kept: one of them sent again late decides nothing
    in this round.
    """

    __slots__ = (
        "_by_client_id", "_currencies", "_decided_before", "_decisions", "added", "bets", "by_bet",
        "conduct", "exposed", "of_void_deals", "owners", "round",
    )  # fmt: skip

    def __init__(self, round: str = "", before: Book | None = None, exposed: Exposed | None = None) -> None:
        self.round = round
        self.exposed = exposed or Exposed()
        self.bets: list[PlacedBet] = []
        self.by_bet: dict[str, tuple[int, int]] = {}
        self.conduct = Conduct()
        self.owners = Owners()
        self.added: set[str] = set()
        self.of_void_deals: set[str] = set()
        self._decisions: dict[tuple[str, str], Decision] = {}
        self._decided_before = before.decided_so_far() if before is not None else {}
        self._by_client_id: dict[tuple[str, str], PlacedBet] = {}
        self._currencies: dict[Who, str] = {}

    def add(self, bets: Sequence[PlacedBet], *, by_decision: bool = False) -> None:
        """Take in bets that stand; `by_decision`: staked by a decision, and not while bets were open."""
        self.conduct.bet(bets)
        self.owners.bet(bets)
        if by_decision:
            self.added.update(bet.bet_id for bet in bets)
        else:
            self.exposed.add(bets)
        for bet in bets:
            self.bets.append(bet)
            self._by_client_id[bet.operator, bet.client_id] = bet
            count, stake = self.by_bet.get(bet.bet, (0, 0))
            self.by_bet[bet.bet] = (count + 1, stake + bet.worth)
            if bet.worth_minor is not None:
                self._currencies[bet.operator, bet.bettor] = bet.currency

    def deal_again(self) -> None:
        """The deal is void and the bets stand; what was decided in it, and staked by that, counts no more."""
        self.of_void_deals |= self.added
        self.added.clear()
        self.conduct.forget_decisions()

    def give_back(self, ids: Sequence[str]) -> None:
        """Take bets whose stakes went back out of the round. Their client ids stay taken."""
        gone = set(ids)
        returned = [bet for bet in self.bets if bet.bet_id in gone]
        self.bets = [bet for bet in self.bets if bet.bet_id not in gone]
        self.exposed.give_back([bet for bet in returned if bet.bet_id not in self.added | self.of_void_deals])
        self.added -= gone
        self.of_void_deals -= gone
        self.conduct.unbet(returned)
        for bet in returned:
            count, stake = self.by_bet.pop(bet.bet)
            if count > 1:
                self.by_bet[bet.bet] = (count - 1, stake - bet.worth)

    def decide(self, decisions: Sequence[Decision]) -> None:
        self._decisions.update(((one.operator, one.client_id), one) for one in decisions)
        self.conduct.decide(decisions)

    def decided_so_far(self) -> dict[tuple[str, str], Decision]:
        """The decisions of this round, and those of the ones before as long as they are few together."""
        together = {**self._decided_before, **self._decisions}
        return together if len(together) <= DECISIONS_KEPT else self._decisions

    def decided(self, choice: Decision) -> Answer | None:
        """The answer to a decision whose client id stands in this book already, or in those before."""
        name = (choice.operator, choice.client_id)
        known = self._decisions.get(name) or self._decided_before.get(name)
        return decided_again(known, choice) if known is not None else None

    def currency_of(self, who: Who) -> str:
        """What this bettor plays in, where it is not the table's own currency; else nothing."""
        return self._currencies.get(who, "")

    def stake_minor(self, offer: Offer) -> int:
        """What this bettor already has on this bet."""
        return self.conduct.stakes((offer.operator, offer.bettor)).get(offer.bet, 0)

    def opening_stakes(self, who: Who, box: str) -> dict[str, int]:
        """What this bettor had on the box when bets closed, by bet key."""
        stakes: dict[str, int] = {}
        for bet in self.bets:
            if (bet.operator, bet.bettor) == who and box_of(bet.bet) == box and bet.bet_id not in self.added:
                stakes[bet.bet] = stakes.get(bet.bet, 0) + bet.stake_minor
        return stakes

    def bettors_on(self, bet: str) -> int:
        """How many have something on this bet."""
        return self.conduct.bettors_on(bet)

    def again(self, offer: Offer) -> Answer | None:
        """The answer to a bet whose client id stands in this book: it is the same bet, or the id was used twice."""
        bet = self._by_client_id.get((offer.operator, offer.client_id))
        return sent_again(offer, bet.offer(offer.table, offer.round)) if bet is not None else None


def decided_again(known: Decision, choice: Decision) -> Answer:
    """The answer to a decision under an id that names one already."""
    if known == choice:
        return Answer(choice.client_id, "", "duplicate")
    sentence = f"The id {choice.client_id} already names another decision; give each decision an id of its own."
    return Answer(choice.client_id, "", "refused", "client_id_reused", sentence)


def sift(offers: Sequence[Offer], book: Book, config: TableConfig, bets: Sequence[str]) -> list[Offer | Answer]:
    """Of a batch, in its order, what may go to the writer, and the refusals of what the table refuses by itself.

    Limits count what a bettor has on the bet already, and what the house could lose, this batch included; a bet that
    the writer then refuses for money is not counted back within the batch: the operator sends it again. A side bet
    whose needed bet is of this batch tells the writer so.
    """
    sifted: list[Offer | Answer] = []
    passed: set[tuple[str, str]] = set()
    pending: dict[Whose, int] = {}
    beside: dict[tuple[str, str], set[str]] = {}
    game = find_game(config.game)
    owners, exposed = book.owners.copy(), book.exposed.offered(config, game)
    companions = {bet: game.betting.beside(bet) for bet in bets}
    limits = {
        (bet, currency): [limit_in(limit_of(config, game, one), currency, config) for one in (bet, *companions[bet])]
        for bet in bets
        for currency in (config.currency, *config.currencies)
    }
    taken = 0
    for offer in offers:
        if (offer.operator, offer.client_id) in passed:  # the writer knows it for the same, or for another
            sifted.append(offer)
            continue
        who, whose = (offer.operator, offer.bettor), (offer.operator, offer.bettor, offer.bet)
        stakes = book.conduct.stakes(who)
        out, held = stakes.get(offer.bet, 0) + pending.get(whose, 0), stakes.keys()
        mine = held | beside[who] if who in beside else held
        found = _no_bet(offer, game, bets) or _not_free(offer, game) or _wrong(offer, out, config, limits)
        found = found or _full(book, taken + 1 + len(companions[offer.bet]), config)
        if game.owned is not None:
            found = found or owners.refusal(offer, game)
        found = found or _clash(offer, mine, game) or _alone(offer, mine, game) or exposed.refusal(offer)
        if found:
            sifted.append(Answer(offer.client_id, "", "refused", *found))
        else:
            owners.bet((offer,))
            exposed.hold(offer)
            needed = game.betting.needs.get(offer.bet, "")
            sifted.append(replace(offer, needs=needed) if needed and needed not in held else offer)
            passed.add((offer.operator, offer.client_id))
            taken += 1 + len(companions[offer.bet])
            pending[whose] = pending.get(whose, 0) + offer.stake_minor
            beside.setdefault(who, set()).add(offer.bet)
    return sifted


def with_companions(offers: Sequence[Offer], game: Game) -> list[Offer]:
    """A batch for the writer: behind each offer the bets that the house places beside it, which stand or fall with it.

    An offer whose id comes twice has them once.
    """
    if not game.betting.automatic:
        return list(offers)
    leaders = frozenset(game.betting.automatic.values())
    first: set[tuple[str, str]] = set()
    batch: list[Offer] = []
    for offer in offers:
        batch.append(offer)
        if offer.bet in leaders and (name := (offer.operator, offer.client_id)) not in first:
            first.add(name)
            batch.extend(_companion(offer, bet) for bet in game.betting.beside(offer.bet))
    return batch


def _companion(offer: Offer, bet: str) -> Offer:
    bet_id, client_id = beside_id(offer.bet_id, bet), beside_id(offer.client_id, bet)
    return replace(offer, bet_id=bet_id, client_id=client_id, bet=bet, beside=offer.client_id, needs="", free="")


def _no_bet(offer: Offer, game: Game, bets: Sequence[str]) -> tuple[str, str] | None:
    if offer.bet in bets:
        return None
    if leader := game.betting.automatic.get(offer.bet):
        sentence = f"The house places {offer.bet} itself beside {leader}, with the same stake: bet on {leader} alone."
        return "placed_by_house", sentence
    if offer.bet in game.decisions.raised:
        return "staked_by_decision", f"A decision stakes {offer.bet}: choose it when the table asks for decisions."
    return "unknown_bet", f"There is no bet '{offer.bet}' at this table; the table's state lists them."


def _not_free(offer: Offer, game: Game) -> tuple[str, str] | None:
    """What lies in a pot is won whole, and every stake on its bet has fed it: a free one would be no stake there."""
    if not offer.free or offer.bet != game.pot.bet:
        return None
    return "free_bet_not_here", f"The bet {offer.bet} plays for a pot and takes no free bet: stake money on it."


def _wrong(
    offer: Offer, out_minor: int, config: TableConfig, limits: Mapping[tuple[str, str], Sequence[Limit]]
) -> tuple[str, str] | None:
    foreign = offer.currency != config.currency
    if foreign and (offer.currency not in config.currencies or offer.worth_minor is None):
        played = " or ".join((config.currency, *config.currencies))
        return "currency", f"This table is played in {played}; send the bet from a {played} balance."
    for limit in limits[offer.bet, offer.currency]:
        if (found := outside(limit, offer.currency, offer.stake_minor, out_minor)) is not None:
            return found
    return None


def _clash(offer: Offer, held: Set[str], game: Game) -> tuple[str, str] | None:
    """One bettor may not stand on both sides of some bets."""
    clashing = game.betting.clashing({*held, offer.bet}) - {offer.bet} if game.betting.exclusive else None
    if not clashing:
        return None
    return "exclusive", f"The bettor has {min(clashing)} in this round already; {offer.bet} cannot stand beside it."


def _alone(offer: Offer, held: Set[str], game: Game) -> tuple[str, str] | None:
    """A side bet stands only beside the bet it needs."""
    needed = game.betting.needs.get(offer.bet)
    if needed is None or needed in held:
        return None
    key = f"needs_{needed.rpartition(':')[2]}"
    return key, f"The bet {offer.bet} stands only beside {needed}: place {needed} first."


def _full(book: Book, taken: int, config: TableConfig) -> tuple[str, str] | None:
    if len(book.bets) + taken <= config.max_bets_per_round:
        return None
    return "table_full", "The table takes no more bets this round; place it in the next one."


def kept(book: Book, game: Game, event: e.AnyEvent) -> Book:
    """The book after the event: a new one for a new round, else the same."""
    match event:
        case e.RoundStarted(round=round):
            return Book(round, before=book, exposed=Exposed.of(find_game(event.game), event.rules, event.pot))
        case e.BetsPlaced(bets=bets):
            book.add(bets)
        case e.RedealOrdered():
            book.deal_again()
        case e.BetsReturned(bets=ids):
            book.give_back(ids)
        case e.DecisionsTaken(bets=bets, decisions=decisions):
            book.add(bets, by_decision=True)
            book.decide(decisions)
        case e.DecisionsClosed(options=options):
            book.conduct.close(game, Decide(0, options))
    return book
