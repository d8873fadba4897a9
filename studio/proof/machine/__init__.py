"""The machine a studio runs on: what it needs, what is missing, what is risky, and how it is looked after."""
