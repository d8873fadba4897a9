"""Simulated shoes and shufflers: cards in, bytes out, in the protocol each is built to speak, and their faults."""
