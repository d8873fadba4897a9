"""What a table is to an operator: as it stands, as it changes, its last results.

No bettor acts here; what a bet or a seat needs to know of its table is asked of it.
"""
