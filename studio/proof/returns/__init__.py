"""The exact return of every bet, counted over all deals and paid by the code that settles.

One file a game, named as the game is in `studio.games`, and what several games count alike.
"""
