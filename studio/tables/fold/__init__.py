"""How events change the state: `evolve(state, event, at_ms)`, with one file for each part of the state.

Folding never refuses and never asks the clock, so that a restart comes out where the table stood.
"""
