"""A studio that runs for hours while everything goes wrong: `make soak`.

The studio is a process of its own, the demo's on simulated devices over their wires; here stand its bettors and whoever
pulls its cables, fills its disk, moves its clock and kills it. Nothing of the product knows this folder.
"""
