"""Rounds that are over: results, roads, what was long missed.

It is folded from events, and may touch the shapes and no other wing.
"""
