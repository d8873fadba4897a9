"""Simulated people: dealer, pit bosses, bettors, and who works behind their backs. They see only what real ones see."""
