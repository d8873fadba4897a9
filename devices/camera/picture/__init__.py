"""One picture and what is cheap to ask of it: its quadrilaterals made upright, its light, its noise, what changed.

The lowest room of the camera. It knows nothing of felts or cards.
"""
