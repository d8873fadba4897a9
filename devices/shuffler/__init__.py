"""Shufflers: machines that count and shuffle a deck, and never tell its order."""
