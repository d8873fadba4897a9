"""The demo: a whole simulated studio put together, with its world on disk, its decks, its staff and their papers."""
