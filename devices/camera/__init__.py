"""The camera: a second pair of eyes on every card, which would rather say nothing than say a wrong card."""
