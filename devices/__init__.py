"""Shoes, shufflers, cameras: from bytes and frames to observations; and simulators on the far side of the wire."""
