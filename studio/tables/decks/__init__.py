"""The decks of a table: what the shuffler says of them, and counting a deck through the shoe.

No order of cards is ever known here, only which cards there are.
"""
