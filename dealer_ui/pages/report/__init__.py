"""The report pages: a span is chosen, a report made, shown, printed or taken away as a file."""
