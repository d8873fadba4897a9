"""A seeded model of the card reader: the camera's observations of a simulated felt, without a picture."""
