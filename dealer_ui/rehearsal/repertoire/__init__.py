"""Everything a dealer, a device, somebody at the table or the program can do wrong, each described once.

The simulated night (`trick`), practising (`practice`) and the demo's own hands (`own_hands`) pick from this list. It
knows the simulated machines and the kinds of incident, and none of the three.
"""
