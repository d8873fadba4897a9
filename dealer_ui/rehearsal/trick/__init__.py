"""What goes wrong in a simulated night: each file one kind of fault, `mischief` chooses which and when, from a seed."""
