"""The pages of the register of decks: each deck, where it has been, and what is done with it."""
