"""A table: what may happen at it, what it knows, what it decides, and what drives it.

    event → state → fold      what happened, and the state that follows from it
    command, draft            what is asked, and a decision while it grows
    felt, decks, irregularity, deal, seats, correction    the decisions, by subject
    books, payment, bets, run what is made durable, what moves money, and the loop around it all

A table knows neither screens nor devices: observations and commands come in as values, and views are drawn elsewhere.
"""
