"""Operators at the studio: their desk, the door that the command line comes through, the configuration read again."""
