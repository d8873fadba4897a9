"""What can have happened at a table: one frozen class per event, and how each is written in the journal.

Events are facts and refuse nothing. This wing knows the configuration of a table and nothing else of it.
"""
