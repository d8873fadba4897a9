"""What a bettor does through his operator: bets, decisions, being ready, a seat, a page of his own.

Each act becomes a command of the floor, and its answer is what the table said.
"""
