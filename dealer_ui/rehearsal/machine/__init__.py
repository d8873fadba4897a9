"""The machines of one simulated table, on the far side of their wires, and what is plugged in where."""
