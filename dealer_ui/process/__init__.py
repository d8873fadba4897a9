"""What one process keeps once: its clock, its log, its readers of the database, its secret, its kept pictures."""
