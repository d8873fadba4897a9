"""Finding the outlines of cards: on the felt, where their size is known, and in a picture of anything."""
