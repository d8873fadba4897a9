"""The pit's consoles: every table worst first, and one table with its incidents, rulings and controls."""
