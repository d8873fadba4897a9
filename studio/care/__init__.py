"""The care of what is remembered: checkpoints, exports, backups, archives, and what may expire."""
