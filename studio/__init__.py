"""The core of a live-dealer studio: decides, records and settles; it touches no device, screen or clock."""
