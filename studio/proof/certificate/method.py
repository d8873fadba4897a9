"""How the figures of each game are found, in the words a certificate says it with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

EVERY_GAME: Final = (
    "The return of a bet is what a stake of 1 comes back as on average, the stake included, over every deal there is, "
    "each deal as likely as any other. It is before rounding: a payout is rounded down to a whole minor unit, once.",
    "Nothing is drawn at random and nothing is estimated. Deals that no bet can tell apart are counted as one class; "
    "of each class one deal is given to the code that settles rounds, and its returns are weighed by how many deals "
    "are alike. All sums are exact, in whole numbers and fractions.",
)

_DECIDED: Final = (
    "Every decision is the best there is, found by the program itself by comparing what each choice is worth over all "
    "that may still come; a bettor who plays otherwise gets less."
)

METHODS: Final[Mapping[str, tuple[str, ...]]] = {
    "three_knights": (
        "A hand's class depends on how many of its cards are aces, of each number from 2 to 10, and pictures. 286 such "
        "patterns stand for all hands; how many ways two of them are dealt from one deck is a product of binomials. "
        "Pair plus is counted over all 22,100 hands of three cards.",
        "The three Player hands are dealt alike, so each bet is proved for each of them and comes out the same.",
    ),
    "kkclash": (
        "Only a suit with three cards on the board can make a flush, so every card is told apart by its rank and by "
        "whether it is of that suit. Over each kind of board the hole cards are counted by the hand they make, and the "
        "pairs of hands that share no card follow from how many hold each card.",
        "Bets on hole cards are counted over every two of the 169 kinds of hole.",
    ),
    "holdem_bonus": (
        "No rule names a suit: of the 2,598,960 boards 134,459 classes are kept, of the 1,326 holes 169. Over each "
        "board every hole of the player is held against all 990 holes the dealer may have.",
        _DECIDED + " After the flop a bet at the turn and a bet at the river are questions of their own; before it the "
        "bettor plays or folds by the sum of all that follows.",
        "First 5: the figure is that of the fixed prizes. What a stake gives to the pot comes back to the bettors by "
        "the royal flush, and is stated beside it, not proved: it depends on no card.",
    ),
    "ultimate_holdem": (
        "No rule names a suit: of the 2,598,960 boards 134,459 classes are kept, of the 1,326 holes 169. Over each "
        "board every hole of the player is held against all 990 holes the dealer may have.",
        _DECIDED + " From the river backwards: raise or fold by the seven cards, raise or check after the flop by the "
        "sum over turn and river, raise or check before it by the sum over all boards.",
    ),
    "three_card_poker": (
        "For each class of the player's hands every one of the 18,424 hands the dealer may have is counted by who has "
        "the better hand and whether the dealer qualifies.",
        _DECIDED,
        "Pair Plus is counted over all hands of three cards, 6 Card over all of six.",
    ),
    "blackjack": (
        "One box is played from eight decks; a card is its value, and every card that is gone is gone from the shoe. "
        "Every hand the best play ends with is counted in all its orders, against every hand the dealer can draw then.",
        _DECIDED + " A decision looks at the box's own cards and the dealer's up card; a split box counts as twice one "
        "of its hands, drawn with both cards of the pair gone. Nobody is insured or takes even money. Choices are "
        "compared by floating-point values; what the play so found gives back is counted exactly.",
        "Insurance is counted for a bettor who has seen the dealer's ace alone.",
    ),
}
