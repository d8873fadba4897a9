"""The only place for the pages of the staff register."""
