"""A bettor's own page of one table, which his operator opens for him with a ticket and may show in a frame."""
