"""The composition root: database, tables, devices, consoles and their threads put together, and taken apart in order.

This is the one floor that knows everything below it. Nothing is decided here.
"""
