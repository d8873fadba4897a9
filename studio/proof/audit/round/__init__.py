"""One round followed event by event: its boxes, decisions, bets and money, each by an audit of its own.

It builds on the ledgers and the words of the audit around it; only the audit of a table asks it.
"""
