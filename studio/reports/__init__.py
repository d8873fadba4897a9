"""What happened, told to whoever has to answer for it: reports over the journal and the ledger."""

from studio.reports.kind import KINDS, ReportKind, find_kind
from studio.reports.record.choice import Expected, Regard, ReportAsked, ReportChoice
from studio.reports.record.period import GamingDay, Period, between, cut
from studio.reports.sheet.csv_sheet import write_csv
from studio.reports.sheet.shape import Cell, Chart, Column, Money, Note, Report, ReportSheet, Sort

__all__ = [
    "KINDS",
    "Cell",
    "Chart",
    "Column",
    "Expected",
    "GamingDay",
    "Money",
    "Note",
    "Period",
    "Regard",
    "Report",
    "ReportAsked",
    "ReportChoice",
    "ReportKind",
    "ReportSheet",
    "Sort",
    "between",
    "cut",
    "find_kind",
    "write_csv",
]
