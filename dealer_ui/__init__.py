"""The consoles, the operators' interface, and the composition root that joins them to tables and devices."""
