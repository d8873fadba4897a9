"""A simulated operator's wallet inside a simulated night: his till, a line that fails from a seed, his bettors' way in.

It speaks through the real dialects, tellers and desks; only the wire and the clock are simulated.
"""
