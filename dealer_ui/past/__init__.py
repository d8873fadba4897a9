"""Rounds and hands that are over, as a console or an operator may read them: lines, changes, a bettor's own record."""
