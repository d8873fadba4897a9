"""What is read out of the journal for those who ask: rounds that were played, sums, searches, rows of one kind.

It reads through a `Reader`, and writes nothing.
"""
