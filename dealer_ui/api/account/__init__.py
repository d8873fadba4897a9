"""What an operator is told of his bettors and of himself: purses, records, ended rounds, a day, limits, complaints.

It reads what has happened; it moves a purse and keeps a complaint, and touches no table.
"""
