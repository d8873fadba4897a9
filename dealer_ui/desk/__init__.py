"""Desks: where an act outside the course of a table meets the journal, the clock and whoever listens.

One file a desk: staff, decks, shifts, alarms, complaints, operators, tickets. A desk knows no page and no request.
"""
