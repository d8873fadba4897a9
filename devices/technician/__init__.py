"""What a technician does with a device: look for it, watch it, record it, and be told what is wrong with it."""
