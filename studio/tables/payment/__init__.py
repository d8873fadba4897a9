"""Paying a round: chunk by chunk, resumable, each transfer once; and the bets that are paid before a round ends."""
