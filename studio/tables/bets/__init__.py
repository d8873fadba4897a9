"""Bettors at the open window: bets placed, decisions and choices made, and the word that nobody bets any more.

Answers are given only when what they accept is durable.
"""
