"""Proofs: the exact return of every bet, and the audit of what was recorded."""
