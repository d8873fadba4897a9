"""Rehearsal: a simulated dealer and simulated bettors, for the demo, for training and for the simulated night."""
