"""A person's own hands at the demo: a page on which he draws, lays and drops cards, and may make every mistake."""
