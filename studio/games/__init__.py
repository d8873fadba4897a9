"""The rulebooks: one file a game, and the one explicit list of them."""
