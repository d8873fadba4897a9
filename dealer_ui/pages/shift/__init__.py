"""The page of the shift: opened, handed over with what is open, acknowledged."""
