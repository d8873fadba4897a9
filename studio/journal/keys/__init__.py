"""The key file beside the database: the keys of sealed cards, and what wraps them.

It opens no card by itself, and reads no row.
"""
