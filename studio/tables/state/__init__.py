"""What a table knows between two messages: frozen values, all of them folded from events.

A value may answer questions about itself. It decides nothing, and reads no journal.
"""
