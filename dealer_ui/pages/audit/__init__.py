"""The round inspector: everything a round left behind, on one time line, in sentences."""
