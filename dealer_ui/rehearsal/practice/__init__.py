"""Incidents made on purpose at the demo: a recipe for each, step by step, and which of them have been seen."""
