"""The public display of a table: the result, the cards, the last results, statistics, limits and the pay table."""
