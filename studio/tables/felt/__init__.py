"""Where shoe and camera meet the script: a reading becomes a card of the deal, a look confirms or doubts it.

What does not fit becomes an incident; ruling on it is left to `irregularity`.
"""
