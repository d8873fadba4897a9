"""A round that is over, read again: its dossier, the cards as they count today, the cards nobody turned.

Corrections and unsealing begin here. Nothing in this wing changes anything.
"""
