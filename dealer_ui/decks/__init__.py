"""The only place for the pages of the register of decks."""
