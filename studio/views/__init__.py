"""What screens show: shapes without words or faces that are not due, drawn from a table's state and events.

`shape` says what a screen is drawn from; each wing fills a part of it, `table` puts the parts together.
"""

from studio.views.past.result import ShoeResults, tally
from studio.views.shape import BetsView, IncidentView, TableView, Words
from studio.views.table import view_table

__all__ = ["BetsView", "IncidentView", "ShoeResults", "TableView", "Words", "tally", "view_table"]
