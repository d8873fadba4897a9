"""A studio's record in PostgreSQL: its tables, the words in which statements are said to it, the writer's transaction.

It is loaded only where a place is the address of such a database. It knows no unit and no event, only tables and rows,
and nothing outside `studio.journal` asks it.
"""
