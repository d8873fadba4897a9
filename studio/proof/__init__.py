"""Proofs: the exact return of every bet, the audit of what was recorded, a round told again, a look at the machine.

Each stands in a room of its own, and none of them knows another; only certificates build on `returns`.
"""
