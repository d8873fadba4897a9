"""The only place for the page of the shift."""
