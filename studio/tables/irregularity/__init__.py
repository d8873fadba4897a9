"""When something departs from procedure: reporting it, ruling on it, carrying the ruling out, and what it still asks.

Which ruling a case gets stands in `studio.procedures`. Here it is applied to this table's record and felt.
"""
