"""The procedures as people read them: every kind of incident, its rows and its steps, in their own language."""
