"""The operators' interface: what bettors' systems ask of the studio, in JSON (docs/operators-interface.md)."""
