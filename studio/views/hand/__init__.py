"""Hands as they are seen and called: totals, rows, points, pots, the seats of a poker room.

No face is read here that is not open; it may touch what a table knows and the shapes, and no other wing.
"""
