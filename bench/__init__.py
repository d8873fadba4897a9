"""Measurements of the house, each beside what the same work costs without it."""
