"""Second opinions on a simulated night: its cards, chips, pots and money counted once more from the raw record."""
