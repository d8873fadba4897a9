"""Simulated devices: they stand on the far side of the wire and ship with the product."""
