"""Seats at a poker table: taking one, buying chips, leaving, being sent away, and who is dealt in."""
