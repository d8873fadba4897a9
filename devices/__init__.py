"""Shoes, shufflers and cameras: from bytes and frames to observations; and their simulators, on the far side of the wire."""
