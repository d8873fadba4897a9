"""What a table ought to know of its rounds and its bettors' money: a model that hears what people were granted.

It reads the screen and the accepted commands, never the studio's state, and computes with `own_payout`. Whatever the
table does that no accepted command explains is a failure.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import own_payout

from studio.people import Actor
from studio.tables import command as c
from studio.views import IncidentView, TableView

DEALERS_OWN = frozenset(
    {"continue", "card_to_discard", "card_is_next_burn", "card_is_next_card", "reuse_card", "move_card", "void_hand"}
)
"""What a dealer may acknowledge alone, and the hand of a box that got no card [BJ7], which wants the pit."""
VOIDS = frozenset({"void_round", "void_shoe"})
DEALS_AGAIN = frozenset({"reshuffle", "reshuffle_and_redeal", "replace_deck"})
NO_DEAL_AGAIN = frozenset({"deck_unverified", "shoe_empty"})
BACK_ON_THE_FELT = {"double": 1, "split": 1}


@dataclass(slots=True)
class Bet:
    """`extra`: staked by a decision, and gone back where the deal is dealt again."""

    bettor: str
    key: str
    stake_minor: int
    extra: bool = False


@dataclass(slots=True)
class Paid:
    """A settled round as it counts now: its cards, and what it gave each bettor. `void`: taken back as a whole."""

    bets: list[Bet]
    hands: dict[str, list[str]]
    chosen: dict[str, list[str]]
    returns: dict[str, int]
    void: bool = False


@dataclass(slots=True)
class Model:
    """`stage`: "" before the first round, then open, settled or voided."""

    game: str
    wallet: dict[str, int]
    stage: str = ""
    rounds: int = 0
    settled: int = 0
    voided: int = 0
    bets: list[Bet] = field(default_factory=list)
    chosen: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    asked: dict[str, tuple[str, tuple[str, ...], str]] = field(default_factory=dict)
    """By incident: what the first of two people asks for, and who he is."""
    paid: dict[str, Paid] = field(default_factory=dict)
    """By round: what a correction would change."""
    graves: set[str] = field(default_factory=set)
    """Incidents ruled by more than a dealer's acknowledgement: each owes a record of exception."""

    @property
    def at_stake_minor(self) -> int:
        return sum(bet.stake_minor for bet in self.bets) if self.stage == "open" else 0

    # --- bettors --------------------------------------------------------------------------------------

    def staked(self, bettor: str, key: str, stake_minor: int, *, extra: bool = False) -> None:
        assert self.stage == "open", "a bet was taken outside a round"
        self.wallet[bettor] -= stake_minor
        assert self.wallet[bettor] >= 0, f"{bettor} staked more than he had"
        self.bets.append(Bet(bettor, key, stake_minor, extra))

    def decided(self, bettor: str, row: str, option: str) -> None:
        """A box has chosen: a double or a split lays the first stake once more, insurance half of it."""
        self.chosen[row].append(option)
        box = row[0]
        first = next(one for one in self.bets if one.key == f"{box}:main" and not one.extra)
        if option in BACK_ON_THE_FELT:
            self.staked(bettor, first.key, first.stake_minor, extra=True)
        elif option == "insurance":
            self.staked(bettor, f"{box}:insurance", first.stake_minor // 2, extra=True)

    # --- people ---------------------------------------------------------------------------------------

    def heard(self, command: c.Command, before: TableView, after: TableView) -> None:
        """A command was accepted."""
        match command:
            case c.StartRound():
                self._start()
            case c.DeclareResult():
                self._settle(before)
            case c.RuleIncident(incident=id, ruling=ruling, arguments=arguments):
                self._ruled(id, ruling, arguments, command.actor, before, after)
            case c.ApproveRuling(incident=id):
                ruling, arguments, asker = self.asked.pop(id)
                assert asker != command.actor.id, "somebody approved his own request"
                assert "pit_boss" in command.actor.roles, "a dealer approved"
                self._carried(_named(before, id), ruling, arguments)
            case c.DeclineRuling(incident=id):
                self.asked.pop(id, None)

    def _start(self) -> None:
        assert self.stage != "open", "a round was started over an open one"
        self.stage, self.rounds = "open", self.rounds + 1
        self.bets.clear()
        self.chosen.clear()

    def _ruled(
        self, id: str, ruling: str, arguments: tuple[str, ...], actor: Actor, before: TableView, after: TableView
    ) -> None:
        waiting = next((one for one in after.incidents.open if one.id == id and one.asked.by), None)
        if waiting is not None:
            self.asked[id] = (ruling, arguments, actor.id)
            return
        incident = _named(before, id)
        if "pit_boss" not in actor.roles:
            assert ruling in DEALERS_OWN - {"void_hand"}, f"a dealer alone carried out {ruling}"
        self._carried(incident, ruling, arguments)

    def _carried(self, incident: IncidentView, ruling: str, arguments: tuple[str, ...]) -> None:
        if ruling not in DEALERS_OWN:
            self.graves.add(incident.id)
        if self.stage != "open":
            return
        if ruling in VOIDS:
            self._void(incident)
        elif ruling == "void_hand":
            self._void_hands(incident, arguments or incident.row.arguments or (incident.where.box,))
        elif ruling in DEALS_AGAIN and incident.kind not in NO_DEAL_AGAIN:
            self._give_back([bet for bet in self.bets if bet.extra])
            self.chosen.clear()

    # --- money ----------------------------------------------------------------------------------------

    def _give_back(self, bets: list[Bet]) -> None:
        for bet in bets:
            self.wallet[bet.bettor] += bet.stake_minor
            self.bets.remove(bet)

    def _void(self, incident: IncidentView) -> None:
        self._give_back(list(self.bets))
        self.stage, self.voided = "voided", self.voided + 1

    def _void_hands(self, incident: IncidentView, boxes: tuple[str, ...]) -> None:
        self._give_back([bet for bet in self.bets if bet.key.partition(":")[0] in boxes])
        if not self.bets:
            self._void(incident)

    def _settle(self, shown: TableView) -> None:
        """The result was declared as the screen shows it."""
        assert self.stage == "open"
        hands = {box.key: [card.face for card in box.places if card.face] for box in shown.boxes}
        chosen = {row: list(options) for row, options in self.chosen.items()}
        returns = self.returns_of(self.bets, hands, chosen)
        self._move({}, returns)
        self.paid[shown.round.id] = Paid(list(self.bets), hands, chosen, returns)
        self.stage, self.settled = "settled", self.settled + 1

    def _move(self, before: dict[str, int], after: dict[str, int]) -> None:
        for bettor in {*before, *after}:
            self.wallet[bettor] += after.get(bettor, 0) - before.get(bettor, 0)

    def corrected(self, round: str, hands: dict[str, list[str]] | None) -> None:
        """Two people have corrected a settled round: other cards, or None where every stake goes back."""
        paid = self.paid[round]
        assert not paid.void
        if hands is None:
            returns: dict[str, int] = defaultdict(int)
            for bet in paid.bets:
                returns[bet.bettor] += bet.stake_minor
            paid.void = True
            if self.stage == "settled" and round == max(self.paid):
                self.stage = "voided"  # as the screen calls it now
        else:
            returns, paid.hands = self.returns_of(paid.bets, hands, paid.chosen), hands
        self._move(paid.returns, returns)
        paid.returns = returns

    def returns_of(self, bets: list[Bet], hands: dict[str, list[str]], chosen: dict[str, list[str]]) -> dict[str, int]:
        """What each bettor gets back in all."""
        returns: dict[str, int] = defaultdict(int)
        if not bets:
            return returns
        if self.game == "blackjack":
            back, insured = own_payout.blackjack(hands, chosen), self._insurance(hands)
        else:
            back, insured = getattr(own_payout, self.game)(hands), 0
        for bet in bets:
            if bet.key.endswith(":insurance"):
                returns[bet.bettor] += insured * bet.stake_minor
            elif not (bet.extra and bet.key.endswith(":main")):
                returns[bet.bettor] += int(bet.stake_minor * back[bet.key])
        return returns

    @staticmethod
    def _insurance(hands: dict[str, list[str]]) -> int:
        dealer = hands.get("dealer", [])
        return 3 if len(dealer) == 2 and own_payout.points(dealer) == 21 else 0


def _named(view: TableView, id: str) -> IncidentView:
    return next(one for one in view.incidents.open if one.id == id)
