"""The words a rulebook is written in: the steps of a deal, the parts of a `Game`, the tables it pays by.

What several games share is here too, such as the betting engine of the poker room. None of it knows a game by name
that is on the list, `studio.games`, which stands on the floor above.
"""
