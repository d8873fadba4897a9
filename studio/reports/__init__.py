"""What happened, told to whoever has to answer for it: reports over the journal and the ledger."""

from studio.reports.choice import Asked, Choice, Expected
from studio.reports.csv_sheet import write_csv
from studio.reports.kind import KINDS, Kind, find_kind
from studio.reports.period import GamingDay, Period, between, cut
from studio.reports.shape import Cell, Chart, Column, Money, Note, Report, Sheet, Sort

__all__ = [
    "KINDS",
    "Asked",
    "Cell",
    "Chart",
    "Choice",
    "Column",
    "Expected",
    "GamingDay",
    "Kind",
    "Money",
    "Note",
    "Period",
    "Report",
    "Sheet",
    "Sort",
    "between",
    "cut",
    "find_kind",
    "write_csv",
]
