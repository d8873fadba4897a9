"""What everybody may read of a table: its headline, limits, pay table, outcomes, statistics, the last rounds.

The display and a bettor's page show it; nothing here is drawn for somebody in particular.
"""
