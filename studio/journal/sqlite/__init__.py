"""A studio's record in one SQLite file: its tables, how the file is opened, and the transaction of its one writer.

It knows no unit and no event, only tables and rows; nothing outside `studio.journal` and `studio.care` may ask it.
"""
