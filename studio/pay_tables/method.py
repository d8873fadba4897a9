"""How figures are found, in the words a certificate says it with: what holds of every game."""

from __future__ import annotations

from typing import Final

EVERY_GAME: Final = (
    "The return of a bet is what a stake of 1 comes back as on average, the stake included, over every deal there is, "
    "each deal as likely as any other. It is before rounding: a payout is rounded down to a whole minor unit, once.",
    "Nothing is drawn at random and nothing is estimated. Deals that no bet can tell apart are counted as one class; "
    "of each class one deal is given to the code that settles rounds, and its returns are weighed by how many deals "
    "are alike. All sums are exact, in whole numbers and fractions.",
)

BEST_PLAY: Final = (
    "Every decision is the best there is, found by the program itself by comparing what each choice is worth over all "
    "that may still come; a bettor who plays otherwise gets less."
)
