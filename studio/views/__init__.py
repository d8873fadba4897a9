"""What screens show: shapes without words or faces that are not due, drawn from a table's state and events."""

from studio.views.act import next_act
from studio.views.result import Results, tally
from studio.views.shape import (
    BetsView,
    BoxView,
    ButtonView,
    CardView,
    IncidentView,
    PastView,
    ResultView,
    TableView,
    Words,
)
from studio.views.table import view_table

__all__ = [
    "BetsView", "BoxView", "ButtonView", "CardView", "IncidentView", "PastView", "ResultView", "Results", "TableView",
    "Words", "next_act", "tally", "view_table",
]  # fmt: skip
