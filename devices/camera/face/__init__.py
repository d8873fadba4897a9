"""Reading a card from its picture, or refusing to: the reader, and decks that were enrolled card by card.

What a card is called is decided here and nowhere above; a face that is not sure is not said.
"""
