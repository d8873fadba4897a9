"""The verbs of the command `studio` that need a whole studio, or its files: `serve`, `demo`, `staff`, `decks`."""
