"""A blind counts whole though its seat had less: the others go by the full one [PR-4].

PokerKit takes what lies there for the bet. Nothing else of it is changed here.
"""

from __future__ import annotations

from pokerkit import CompletionBettingOrRaisingTo, State
from pokerkit.games import Poker


class FullBlindState(State):
    """A hand in which, before the flop, the bet is the largest blind as it was due."""

    @property
    def lacking(self) -> int:
        """How much the largest bet is short of the full blind; 0 once anybody has bet as much, and after the flop."""
        if self.street is not self.streets[0]:
            return 0
        return int(max(0, max(map(abs, self.blinds_or_straddles)) - max(self.bets)))

    @property
    def checking_or_calling_amount(self) -> int | None:
        """What nobody else could lose need not be called: the rest of it would only come back."""
        owed, at = super().checking_or_calling_amount, self.actor_index
        if owed is None or at is None or not self.lacking:
            return owed
        full = max(self.bets) + self.lacking - self.bets[at]
        return max(owed, min(full, self.get_effective_stack(at)))

    @property
    def min_completion_betting_or_raising_to_amount(self) -> int | None:
        least, at = super().min_completion_betting_or_raising_to_amount, self.actor_index
        return least if least is None or at is None else min(self.stacks[at] + self.bets[at], least + self.lacking)

    @property
    def pot_completion_betting_or_raising_to_amount(self) -> int | None:
        pot, at = super().pot_completion_betting_or_raising_to_amount, self.actor_index
        if pot is None or at is None or not self.lacking:
            return pot
        least = self.min_completion_betting_or_raising_to_amount
        assert least is not None
        whole = 2 * (max(self.bets) + self.lacking) - self.bets[at] + self.total_pot_amount
        return min(self.stacks[at] + self.bets[at], max(least, whole))

    def verify_folding(self) -> None:
        """Who owes the blind may fold, also where nothing of it lies there."""
        if not self.checking_or_calling_amount:
            super().verify_folding()

    def _verify_completion_betting_or_raising(self) -> None:
        super()._verify_completion_betting_or_raising()
        if not self.lacking:
            return
        at, full = self.actor_index, max(self.bets) + self.lacking
        whole = {i: self.stacks[i] + self.bets[i] for i in self.player_indices if self.statuses[i]}
        if at is not None and whole[at] <= full:
            raise ValueError("The seat has no more than the full blind: it can only call.")
        if all(minor <= full for i, minor in whole.items() if i != at):
            raise ValueError("Nobody else has more than the full blind: there is nothing to raise for.")

    def complete_bet_or_raise_to(
        self, amount: int | None = None, *, commentary: str | None = None
    ) -> CompletionBettingOrRaisingTo:
        """A raise is as large as it goes above the full blind."""
        lacking = self.lacking
        made = super().complete_bet_or_raise_to(amount, commentary=commentary)
        self.completion_betting_or_raising_amount -= lacking
        return made


def full_blind_state(game: Poker, stacks: tuple[int, ...]) -> FullBlindState:
    """A hand of this game that nothing has happened in yet."""
    return FullBlindState(
        game.automations, game.deck, game.hand_types, game.streets, game.betting_structure, game.ante_trimming_status,
        game.raw_antes, game.raw_blinds_or_straddles, game.bring_in, stacks, len(stacks), mode=game.mode,
    )  # fmt: skip
