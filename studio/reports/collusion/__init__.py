"""The report of collusion: whom the record shows helping each other more than chance would have it."""
