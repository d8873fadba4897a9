"""The technician's console: every table's devices, links and last observations, without a card's face."""
