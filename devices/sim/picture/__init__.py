"""What a simulated camera shows: decks, the cloth and the cards on it drawn as frames, and frames as a stream."""
