"""Hands and what they rank: exact evaluators, pinned by exhaustive counts."""
