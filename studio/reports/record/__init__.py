"""What reports read out of the journal and the ledger: a span of them, its rounds, and how each table stood meanwhile.

Nothing here knows how it is told.
"""
